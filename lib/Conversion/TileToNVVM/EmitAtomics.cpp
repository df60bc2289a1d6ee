//===- EmitAtomics.cpp - atomic updates of global memory --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics have no result in the language, so where the hardware has the operation they are `red`
// instructions.
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

/// The instruction of an atomic, or nothing: then it is a compare-and-swap loop, which LLVM writes.
static std::optional<PtxFormId> getRedForm(AtomicKind kind, Type element, const ArchInfo &arch) {
  bool isUnsigned = isUnsignedElement(element);
  unsigned bits = storageBits(element);
  std::optional<PtxFormId> id;
  if (kind == AtomicKind::Add) {
    if (element.isF16())
      id = PtxFormId::RedGlobalAddF16Pred;
    else if (element.isBF16())
      id = PtxFormId::RedGlobalAddBf16Pred;
    else if (element.isF32())
      id = PtxFormId::RedGlobalAddF32Pred;
    else if (element.isF64())
      id = PtxFormId::RedGlobalAddF64Pred;
    else
      id = bits == 32 ? PtxFormId::RedGlobalAddB32Pred : PtxFormId::RedGlobalAddB64Pred;
  } else if (isa<IntegerType>(element)) {
    bool isMax = kind == AtomicKind::Max;
    if (bits == 32)
      id = isMax ? (isUnsigned ? PtxFormId::RedGlobalMaxU32Pred : PtxFormId::RedGlobalMaxS32Pred)
                 : (isUnsigned ? PtxFormId::RedGlobalMinU32Pred : PtxFormId::RedGlobalMinS32Pred);
    else
      id = isMax ? (isUnsigned ? PtxFormId::RedGlobalMaxU64Pred : PtxFormId::RedGlobalMaxS64Pred)
                 : (isUnsigned ? PtxFormId::RedGlobalMinU64Pred : PtxFormId::RedGlobalMinS64Pred);
  }
  return id && PtxForm::get(*id).isAvailableOn(arch) ? id : std::nullopt;
}

void KernelEmitter::emitAtomic(Location loc, AtomicKind kind, const GlobalView &view,
                               ArrayRef<Spread> indices, const Spread &value, const Elements &elements,
                               bool inBounds) {
  Addresses addresses(builder, loc, view, indices);
  std::optional<PtxFormId> form = getRedForm(kind, view.element, arch);
  for (unsigned element = 0; element < elements.count; ++element) {
    Value guard = both(loc, elements.isOwner, elements.existing(element));
    if (!inBounds)
      guard = both(loc, guard, isInside(loc, view, indices, element));
    Value pointer = addresses.getPointer(element);
    Value operand = value.get(builder, loc, element);
    if (form) {
      if (isa<Float16Type, BFloat16Type>(operand.getType()))
        operand = arith::BitcastOp::create(builder, loc, builder.getI16Type(), operand);
      createPtxForm(builder, loc, *form, {pointer, guard ? guard : constant(loc, 1, 1), operand});
      continue;
    }
    LLVM::AtomicBinOp op = kind == AtomicKind::Add   ? LLVM::AtomicBinOp::fadd
                           : kind == AtomicKind::Max ? LLVM::AtomicBinOp::fmax
                                                     : LLVM::AtomicBinOp::fmin;
    emitIf(loc, guard, [&] {
      LLVM::AtomicRMWOp::create(builder, loc, op, pointer, operand, LLVM::AtomicOrdering::monotonic,
                                "device");
    });
  }
}

void KernelEmitter::emitAtomicOne(Location loc, AtomicKind kind, const GlobalView &view, ValueRange indices,
                                  Value value, bool inBounds, Value guard) {
  Elements one;
  if (guard)
    one.exists = {guard};
  SmallVector<Spread> spreads =
      llvm::map_to_vector(indices, [](Value index) { return Spread::uniform(index); });
  emitAtomic(loc, kind, view, spreads, Spread::uniform(value), one, inBounds);
}

} // namespace tilec::lowering
