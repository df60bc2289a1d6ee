//===- ImportLaunchProgram.cpp - from tile.entry to plain data ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers the values of a `tile.entry` in the order in which they are defined and copies its operations. The
// name of an operation decides: with its predicate appended it must be a row of LaunchOps.def.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Stub/Stub.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::launch;

static std::optional<ValueType> valueType(Type type) {
  return llvm::TypeSwitch<Type, std::optional<ValueType>>(type)
      .Case([](IntegerType integer) -> std::optional<ValueType> {
        switch (integer.getWidth()) {
        case 1:
          return ValueType::I1;
        case 8:
          return ValueType::I8;
        case 16:
          return ValueType::I16;
        case 32:
          return ValueType::I32;
        case 64:
          return ValueType::I64;
        default:
          return std::nullopt;
        }
      })
      .Case([](Float16Type) { return ValueType::F16; })
      .Case([](BFloat16Type) { return ValueType::BF16; })
      .Case([](FloatTF32Type) { return ValueType::TF32; })
      .Case([](Float32Type) { return ValueType::F32; })
      .Case([](Float64Type) { return ValueType::F64; })
      .Case([](Float8E4M3FNType) { return ValueType::E4M3; })
      .Case([](Float8E5M2Type) { return ValueType::E5M2; })
      .Case([](tile::PtrType) { return ValueType::Pointer; })
      .Default([](Type) { return std::nullopt; });
}

namespace {
class Importer {
public:
  FailureOr<Program> run(tile::EntryOp entry) {
    if (failed(importRegion(entry.getBody(), program.body)))
      return failure();
    return std::move(program);
  }

private:
  LogicalResult importRegion(mlir::Region &region, launch::Region &result) {
    if (region.empty())
      return success();
    for (BlockArgument arg : region.getArguments())
      if (failed(define(arg, result.args)))
        return failure();
    for (Operation &op : region.front()) {
      if (isa<tile::ReturnOp>(op))
        continue;
      Instruction instruction;
      if (failed(import(op, instruction)))
        return failure();
      result.body.push_back(std::move(instruction));
    }
    return success();
  }

  LogicalResult define(Value value, std::vector<ValueId> &ids) {
    std::optional<ValueType> type = valueType(value.getType());
    if (!type)
      return emitError(value.getLoc()) << "a launch program has no values of type " << value.getType();
    ValueId id = static_cast<ValueId>(program.types.size());
    program.types.push_back(*type);
    numbers[value] = id;
    ids.push_back(id);
    return success();
  }

  static std::string launchName(Operation &op) {
    std::string name = op.getName().getStringRef().str();
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return name + " " + arith::stringifyCmpIPredicate(compare.getPredicate()).str();
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return name + " " + arith::stringifyCmpFPredicate(compare.getPredicate()).str();
    if (auto cast = dyn_cast<tile::CastOp>(op))
      return name + (cast.getIsUnsigned() ? " unsigned" : " signed");
    return name;
  }

  LogicalResult import(Operation &op, Instruction &result) {
    std::optional<Opcode> opcode = parseOpcode(launchName(op));
    if (!opcode)
      return op.emitError() << "'" << launchName(op) << "' cannot be computed by the launcher";
    result.op = *opcode;
    for (Value operand : op.getOperands())
      result.args.push_back(numbers.lookup(operand));
    for (Value value : op.getResults())
      if (failed(define(value, result.results)))
        return failure();
    if (*opcode == Opcode::MulSIExtended && program.types[result.results.front()] != ValueType::I64)
      return op.emitError("'arith.mulsi_extended' of the launcher is for i64");
    if (failed(importAttributes(op, result)))
      return failure();
    for (mlir::Region &region : op.getRegions())
      if (failed(importRegion(region, result.regions.emplace_back())))
        return failure();
    return success();
  }

  LogicalResult importAttributes(Operation &op, Instruction &result) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](arith::ConstantOp constant) {
          if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
            result.bits = integer.getType().isInteger(1)
                              ? integer.getValue().getZExtValue()
                              : static_cast<uint64_t>(integer.getValue().getSExtValue());
          else if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
            result.bits = floatBits(real);
          else
            return failure();
          return success();
        })
        .Case([&](tile::PtrAlignedOp aligned) {
          result.bits = static_cast<uint64_t>(aligned.getAlignment());
          return success();
        })
        .Case([&](tile::RequireOp require) {
          result.text = require.getText().str();
          result.kind = stringifyEnum(require.getKind()).str();
          return success();
        })
        .Case([&](tile::LaunchOp launch) { return importLaunch(launch, result); })
        .Default([](Operation *) { return success(); });
  }

  /// Tf32 has 19 bits of its own; everywhere else it is an f32 whose low bits are zero.
  static uint64_t floatBits(FloatAttr attr) {
    uint64_t bits = attr.getValue().bitcastToAPInt().getZExtValue();
    return isa<FloatTF32Type>(attr.getType()) ? bits << 13 : bits;
  }

  LogicalResult importLaunch(tile::LaunchOp launch, Instruction &result) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(launch, launch.getKernelAttr());
    result.text = launch.getKernel().str();
    if (launch.getThreads())
      result.threads = static_cast<unsigned>(*launch.getThreads());
    else if (kernel)
      result.threads = static_cast<unsigned>(kernel.getGrid().getThreads());
    else
      return launch.emitError("the threads of a block are not known");
    std::optional<ArrayRef<int64_t>> cluster = launch.getCluster();
    if (!cluster && kernel)
      cluster = kernel.getGrid().getCluster();
    for (auto [index, blocks] : llvm::enumerate(cluster.value_or(ArrayRef<int64_t>())))
      result.cluster[index] = static_cast<unsigned>(blocks);
    result.sharedBytes = static_cast<unsigned>(launch.getSharedBytes().value_or(0));
    result.args.clear();
    for (Value extent : launch.getGrid())
      result.args.push_back(numbers.lookup(extent));
    result.gridRank = static_cast<unsigned>(launch.getGrid().size());
    for (Value arg : launch.getArgs())
      result.args.push_back(numbers.lookup(arg));
    return success();
  }

  Program program;
  llvm::DenseMap<Value, ValueId> numbers;
};
} // namespace

FailureOr<Program> tilec::stub::importLaunchProgram(Operation *entry) {
  return Importer().run(cast<tile::EntryOp>(entry));
}
