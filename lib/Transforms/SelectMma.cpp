//===- SelectMma.cpp - tile-select-mma ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row of MmaInstrs.def for each gemm, or scalar multiply-adds. Instructions take operands from where their
// fragments can be made: A from registers if the gemm reads it as it stands; everything else goes through
// shared memory here, so that later passes see the tile and who writes it.
//
//===----------------------------------------------------------------------===//

#include "tilec/Target/MmaInstrs.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILESELECTMMAPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

static std::string nameOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static Type elementOf(Value tile) { return cast<ObjectTypeInterface>(tile.getType()).getElementType(); }

/// Stores the fragment to a shared tile of its shape and makes the gemm read that.
static void moveToShared(OpOperand &operand, StringRef name) {
  auto type = cast<FragmentType>(operand.get().getType());
  OpBuilder builder(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  auto shared =
      SharedOp::create(builder, loc, SharedType::get(type.getContext(), type.getShape(), type.getElementType()),
                       name);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  SmallVector<Value> offsets(type.getRank(), zero);
  StoreOp::create(builder, loc, operand.get(), shared, offsets, type.getShape());
  operand.set(shared);
}

namespace {
struct TileSelectMmaPass : impl::TileSelectMmaPassBase<TileSelectMmaPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto target = kernel->getParentOfType<ModuleOp>()->getAttrOfType<TargetAttr>(kTargetAttr);
    const ArchInfo *arch = target ? ArchInfo::find(target.getChip()) : nullptr;
    WalkResult walked = kernel->walk([&](GemmOp gemm) {
      if (!arch) {
        gemm.emitOpError("needs a target: set 'tile.target' on the module");
        return WalkResult::interrupt();
      }
      if (!gemm.getInstrAttr())
        select(gemm, *arch);
      placeOperands(gemm);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  static void select(GemmOp gemm, const ArchInfo &arch) {
    Type a = elementOf(gemm.getA()), b = elementOf(gemm.getB()), acc = gemm.getType().getElementType();
    const MmaInstr *row = MmaInstr::find(arch, nameOf(a), nameOf(b), nameOf(acc));
    MLIRContext *context = gemm.getContext();
    auto instr = row ? InstrAttr::get(context, InstrKind::Mma, row->m, row->n, row->k, a, b, acc)
                     : InstrAttr::get(context, InstrKind::Fma, 1, 1, 1, a, b, acc);
    gemm.setInstrAttr(instr);
    auto options = decision(gemm, "Instruction", "tile-select-mma");
    std::string shape = llvm::formatv("{0}x{1}x{2}", gemm.getM(), gemm.getN(), gemm.getK());
    std::string types = nameOf(a) + "*" + nameOf(b) + " into " + nameOf(acc);
    if (!row) {
      remark::missed(gemm.getLoc(), options)
          << shape + " by scalar multiply-adds: " + arch.name.str() +
                 " has no matrix instruction for " + types;
      return;
    }
    auto padding = [](int64_t extent, int64_t unit) { return llvm::alignTo(extent, unit) - extent; };
    int64_t padded = padding(gemm.getM(), row->m) + padding(gemm.getN(), row->n) + padding(gemm.getK(), row->k);
    remark::passed(gemm.getLoc(), options)
        << llvm::formatv("{0} by mma.sync m{1}n{2}k{3}, {4}{5}", shape, row->m, row->n, row->k, types,
                         padded ? ", padded" : "")
               .str();
  }

  static void placeOperands(GemmOp gemm) {
    bool isMma = gemm.getInstrAttr().getNumWarps() > 0;
    bool fromRegisters = isMma && !gemm.getTransA();
    std::string text;
    if (isa<FragmentType>(gemm.getA().getType()) && !fromRegisters) {
      moveToShared(gemm.getAMutable(), "A");
      text = "A goes through shared memory";
    }
    if (isa<FragmentType>(gemm.getB().getType())) {
      moveToShared(gemm.getBMutable(), "B");
      text = text.empty() ? "B goes through shared memory" : "A and B go through shared memory";
    }
    if (!text.empty())
      remark::missed(gemm.getLoc(), decision(gemm, "Exchange", "tile-select-mma"))
          << text + ": the fragment is not what the instruction holds";
  }
};
} // namespace

} // namespace tilec
