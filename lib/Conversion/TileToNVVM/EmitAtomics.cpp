//===- EmitAtomics.cpp - atomic updates of memory ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics have no result in the language, so where the hardware has the operation they are `red`
// instructions. An update of a shared tile is one too, as several iterations may name an element; it has more
// operations and element types, and what no instruction does is swapped into the word.
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "ScalarOps.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

UpdateKind getUpdateKind(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return UpdateKind::Add;
  case AtomicKind::Max:
    return UpdateKind::Max;
  case AtomicKind::Min:
    return UpdateKind::Min;
  }
  llvm_unreachable("unknown kind of atomic");
}

/// The instruction of an update, or nothing.
static std::optional<PtxFormId> getRedForm(UpdateKind kind, Type element, bool isShared,
                                           const ArchInfo &arch) {
  bool isUnsigned = isUnsignedElement(element);
  unsigned bits = storageBits(element);
  bool isInteger = isa<IntegerType>(element);
  auto pick = [&](PtxFormId global, PtxFormId shared) { return isShared ? shared : global; };
  std::optional<PtxFormId> id;
  if (isInteger && bits < 32)
    return std::nullopt;
  if (kind == UpdateKind::Add) {
    if (element.isF16())
      id = pick(PtxFormId::RedGlobalAddF16Pred, PtxFormId::RedSharedAddF16Pred);
    else if (element.isBF16())
      id = pick(PtxFormId::RedGlobalAddBf16Pred, PtxFormId::RedSharedAddBf16Pred);
    else if (element.isF32())
      id = pick(PtxFormId::RedGlobalAddF32Pred, PtxFormId::RedSharedAddF32Pred);
    else if (element.isF64())
      id = pick(PtxFormId::RedGlobalAddF64Pred, PtxFormId::RedSharedAddF64Pred);
    else if (isInteger)
      id = bits == 32 ? pick(PtxFormId::RedGlobalAddB32Pred, PtxFormId::RedSharedAddB32Pred)
                      : pick(PtxFormId::RedGlobalAddB64Pred, PtxFormId::RedSharedAddB64Pred);
  } else if (isInteger && kind == UpdateKind::Max) {
    if (bits == 32)
      id = isUnsigned ? pick(PtxFormId::RedGlobalMaxU32Pred, PtxFormId::RedSharedMaxU32Pred)
                      : pick(PtxFormId::RedGlobalMaxS32Pred, PtxFormId::RedSharedMaxS32Pred);
    else
      id = isUnsigned ? pick(PtxFormId::RedGlobalMaxU64Pred, PtxFormId::RedSharedMaxU64Pred)
                      : pick(PtxFormId::RedGlobalMaxS64Pred, PtxFormId::RedSharedMaxS64Pred);
  } else if (isInteger && kind == UpdateKind::Min) {
    if (bits == 32)
      id = isUnsigned ? pick(PtxFormId::RedGlobalMinU32Pred, PtxFormId::RedSharedMinU32Pred)
                      : pick(PtxFormId::RedGlobalMinS32Pred, PtxFormId::RedSharedMinS32Pred);
    else
      id = isUnsigned ? pick(PtxFormId::RedGlobalMinU64Pred, PtxFormId::RedSharedMinU64Pred)
                      : pick(PtxFormId::RedGlobalMinS64Pred, PtxFormId::RedSharedMinS64Pred);
  }
  return id && PtxForm::get(*id).isAvailableOn(arch) ? id : std::nullopt;
}

/// The operation of LLVM's own compare-and-swap loop, of a float in global memory.
static LLVM::AtomicBinOp getFloatOp(UpdateKind kind) {
  return kind == UpdateKind::Add   ? LLVM::AtomicBinOp::fadd
         : kind == UpdateKind::Max ? LLVM::AtomicBinOp::fmax
                                   : LLVM::AtomicBinOp::fmin;
}

void KernelEmitter::emitAtomic(Location loc, UpdateKind kind, const MemoryView &view,
                               ArrayRef<Spread> indices, const Spread &value, const Elements &elements,
                               bool inBounds) {
  std::unique_ptr<Addresses> addresses = getAddresses(loc, view, indices);
  // A difference is the sum with the negative, in floats too.
  bool isDifference = kind == UpdateKind::Sub;
  std::optional<PtxFormId> form =
      getRedForm(isDifference ? UpdateKind::Add : kind, view.element, view.isShared(), arch);
  for (unsigned element = 0; element < elements.count; ++element) {
    if (elements.isRepeated(element))
      continue;
    Value guard = both(loc, elements.isOwner, elements.existing(element));
    if (!inBounds && !view.isShared())
      guard = both(loc, guard, isInside(loc, view, indices, element));
    Value pointer = addresses->getPointer(element);
    Value operand = value.get(builder, loc, element);
    if (form) {
      if (isDifference && isa<FloatType>(operand.getType()))
        operand = arith::NegFOp::create(builder, loc, operand);
      else if (isDifference)
        operand = arith::SubIOp::create(builder, loc,
                                        constant(loc, 0, operand.getType().getIntOrFloatBitWidth()), operand);
      if (isa<Float16Type, BFloat16Type>(operand.getType()))
        operand = arith::BitcastOp::create(builder, loc, builder.getI16Type(), operand);
      createPtxForm(builder, loc, *form, {pointer, guard ? guard : constant(loc, 1, 1), operand});
      continue;
    }
    if (!view.isShared()) {
      emitIf(loc, guard, [&] {
        LLVM::AtomicRMWOp::create(builder, loc, getFloatOp(kind), pointer, operand,
                                  LLVM::AtomicOrdering::monotonic, "device");
      });
      continue;
    }
    Value index = storageBits(view.element) == 4 ? addresses->getIndex(element) : Value();
    emitIf(loc, guard, [&] {
      emitSwap(loc, pointer, index, view.element, [&](Value old) {
        return combineElements(builder, loc, kind, old, operand, view.element, arch);
      });
    });
  }
}

void KernelEmitter::emitAtomicOne(Location loc, UpdateKind kind, const MemoryView &view, ValueRange indices,
                                  Value value, bool inBounds, Value guard) {
  Elements one;
  if (guard)
    one.exists = {guard};
  SmallVector<Spread> spreads =
      llvm::map_to_vector(indices, [](Value index) { return Spread::uniform(index); });
  emitAtomic(loc, kind, view, spreads, Spread::uniform(value), one, inBounds);
}

void KernelEmitter::emitSwap(Location loc, Value pointer, Value index, Type element,
                             function_ref<Value(Value old)> next) {
  unsigned bits = storageBits(element), wordBits = std::max(bits, 32u);
  Type word = builder.getIntegerType(wordBits), i64 = builder.getI64Type();
  auto type = cast<LLVM::LLVMPointerType>(pointer.getType());
  StringRef scope = type.getAddressSpace() == 3 ? "block" : "device";
  // Atomics work on aligned words of 32 and 64 bits, which the allocation contains.
  Value shift, keep;
  if (bits < 32) {
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer);
    Value inWord = arith::AndIOp::create(builder, loc, address, constant(loc, 3));
    address = arith::AndIOp::create(builder, loc, address, constant(loc, ~int64_t(3)));
    pointer = LLVM::IntToPtrOp::create(builder, loc, type, address);
    shift = arith::ShLIOp::create(builder, loc, inWord, constant(loc, 3));
    if (bits == 4) {
      Value half = arith::AndIOp::create(builder, loc, index, constant(loc, 1));
      half = arith::ShLIOp::create(builder, loc, half, constant(loc, 2));
      shift = arith::AddIOp::create(builder, loc, shift, half);
    }
    shift = arith::TruncIOp::create(builder, loc, word, shift);
    keep = arith::ShLIOp::create(builder, loc, constant(loc, (int64_t(1) << bits) - 1, 32), shift);
    keep = arith::XOrIOp::create(builder, loc, keep, constant(loc, -1, 32));
  }
  // From a word to the element in it, and back.
  auto decode = [&](Value value) {
    if (bits >= 32)
      return decodeElement(loc, value, element);
    Type part = builder.getIntegerType(std::max(bits, 8u));
    value = arith::ShRUIOp::create(builder, loc, value, shift);
    value = arith::TruncIOp::create(builder, loc, part, value);
    return bits == 4 ? wrapToElement(builder, loc, value, element) : decodeElement(loc, value, element);
  };
  auto encode = [&](Value seen, Value value) {
    value = encodeElement(loc, value, element);
    if (bits >= 32)
      return value;
    value = arith::ExtUIOp::create(builder, loc, word, value);
    if (bits == 4)
      value = arith::AndIOp::create(builder, loc, value, constant(loc, 15, 32));
    value = arith::ShLIOp::create(builder, loc, value, shift);
    Value kept = arith::AndIOp::create(builder, loc, seen, keep);
    return arith::OrIOp::create(builder, loc, kept, value).getResult();
  };
  Value first = LLVM::LoadOp::create(builder, loc, word, pointer, wordBits / 8, /*isVolatile=*/false,
                                     /*isNonTemporal=*/false, /*isInvariant=*/false,
                                     /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, scope);
  scf::WhileOp::create(
      builder, loc, word, first,
      [&](OpBuilder &, Location, ValueRange seen) {
        Value swap = LLVM::AtomicCmpXchgOp::create(
            builder, loc, pointer, seen[0], encode(seen[0], next(decode(seen[0]))),
            LLVM::AtomicOrdering::monotonic, LLVM::AtomicOrdering::monotonic, scope);
        Value found = LLVM::ExtractValueOp::create(builder, loc, swap, ArrayRef<int64_t>{0});
        Value done = LLVM::ExtractValueOp::create(builder, loc, swap, ArrayRef<int64_t>{1});
        Value again = arith::XOrIOp::create(builder, loc, done, constant(loc, 1, 1));
        scf::ConditionOp::create(builder, loc, again, found);
      },
      [&](OpBuilder &, Location, ValueRange found) { scf::YieldOp::create(builder, loc, found); });
}

} // namespace tilec::lowering
