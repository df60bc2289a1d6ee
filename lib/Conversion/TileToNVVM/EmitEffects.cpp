//===- EmitEffects.cpp - assert and print -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both go through vprintf (CUDA C++ Programming Guide, "Formatted Output"): a format and a buffer of
// arguments, each at its natural alignment. Everything is passed as 8 bytes, so the buffer is an array of
// i64.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

/// "file:line" of a location; for inlined code that of the callee.
static std::string describe(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return describe(call.getCallee());
  if (auto name = dyn_cast<NameLoc>(loc))
    return describe(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && !fused.getLocations().empty())
    return describe(fused.getLocations().front());
  if (auto line = dyn_cast<FileLineColLoc>(loc))
    return (line.getFilename().getValue() + ":" + llvm::Twine(line.getLine())).str();
  return "?:0";
}

static std::string escapeFormat(StringRef text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '%')
      result += '%';
  }
  return result;
}

Value KernelEmitter::getString(Location loc, StringRef text) {
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  std::string contents = text.str();
  contents.push_back('\0');
  // Equal texts share a constant.
  LLVM::GlobalOp global;
  unsigned number = 0;
  for (auto other : module.getOps<LLVM::GlobalOp>()) {
    if (!other.getSymName().starts_with("tilec_text"))
      continue;
    ++number;
    if (auto value = dyn_cast_if_present<StringAttr>(other.getValueOrNull());
        value && value.getValue() == contents)
      global = other;
  }
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), contents.size());
    global = LLVM::GlobalOp::create(top, kernel.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                    "tilec_text" + std::to_string(number), top.getStringAttr(contents));
  }
  return LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                   global.getSymName());
}

void KernelEmitter::callPrintf(Location loc, StringRef format, ValueRange args) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value buffer;
  if (args.empty()) {
    buffer = LLVM::ZeroOp::create(builder, loc, pointer);
  } else {
    auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), args.size());
    Value one = arith::ConstantIntOp::create(entry, kernel.getLoc(), 1, 32);
    buffer = LLVM::AllocaOp::create(entry, kernel.getLoc(), pointer, type, one, 8);
    for (auto [number, arg] : llvm::enumerate(args)) {
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(), buffer,
                                       ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(number)});
      LLVM::StoreOp::create(builder, loc, arg, slot);
    }
  }
  createPtxForm(builder, loc, PtxFormId::VPrintf, {getString(loc, format), buffer});
}

void KernelEmitter::emitAssert(Location loc, Value condition, StringRef text, Value guard) {
  Value fails = arith::XOrIOp::create(builder, loc, condition, constant(loc, 1, 1));
  emitIf(loc, both(loc, guard, fails), [&] {
    callPrintf(loc, escapeFormat(describe(loc) + ": assertion failed: " + text.str()) + "\n", {});
    createPtxForm(builder, loc, PtxFormId::Trap, {});
  });
}

void KernelEmitter::emitPrint(PrintOp print, ValueRange args, Value guard) {
  Location loc = print.getLoc();
  emitIf(loc, guard, [&] {
    std::string format = escapeFormat(print.getText());
    SmallVector<Value> values;
    ArrayRef<bool> isUnsigned = print.getIsUnsigned().value_or(ArrayRef<bool>());
    for (auto [number, arg] : llvm::enumerate(args)) {
      Type type = arg.getType();
      bool unsignedArg = number < isUnsigned.size() && isUnsigned[number];
      if (type.isInteger(1)) {
        format += " %s";
        values.push_back(
            arith::SelectOp::create(builder, loc, arg, getString(loc, "true"), getString(loc, "false")));
      } else if (isa<IntegerType>(type)) {
        format += unsignedArg ? " %llu" : " %lld";
        Type i64 = builder.getI64Type();
        if (type != i64)
          arg = unsignedArg ? arith::ExtUIOp::create(builder, loc, i64, arg).getResult()
                            : arith::ExtSIOp::create(builder, loc, i64, arg).getResult();
        values.push_back(arg);
      } else {
        format += type.isF64() ? " %.17g" : " %.9g";
        if (!type.isF64())
          arg = arith::ExtFOp::create(builder, loc, builder.getF64Type(), arg);
        values.push_back(arg);
      }
    }
    callPrintf(loc, format + "\n", values);
  });
}

} // namespace tilec::lowering
