//===- EmitMemory.cpp - reads and writes of memory --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three paths. Elements that exist, are in bounds and are one piece of memory move as one vector of up to 16
// bytes. Groups of them that exist or not together move under a predicate. Everything else moves element by
// element, each under its own predicate, as the bounds rule wants it.
//
// Memory is words: what is moved is an i8, i16 or i32, or 2 or 4 i32, and elements are cut out of them.
// 64-bit elements are pairs of words.
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "Emitter.h"
#include "ScalarOps.h"
#include "SharedAddresses.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

//===----------------------------------------------------------------------===//
// Tensors and windows
//===----------------------------------------------------------------------===//

void KernelEmitter::emitGlobal(GlobalOp global) {
  MemoryView view;
  view.pointer = lookup(global.getPtr());
  view.element = global.getType().getElementType();
  view.readOnly = getAccessMode(global.getResult()) == AccessMode::In;
  view.changing = atomicRoots.contains(getRootPointer(global.getResult()));
  for (auto [size, stride] : llvm::zip_equal(global.getMixedSizes(), global.getMixedStrides()))
    view.dims.push_back({lookup(stride), {{Value(), lookup(size)}}});
  views[global.getResult().getAsOpaquePointer()] = std::move(view);
}

void KernelEmitter::emitWindow(WindowOp window) {
  Location loc = window.getLoc();
  const MemoryView &base = getView(window.getBase());
  MemoryView view = base;
  view.dims.clear();
  for (auto [dim, baseDim] : llvm::enumerate(base.dims)) {
    Value offset = lookup(window.getOffsets()[dim]);
    Value stride = materialize(builder, loc, baseDim.stride);
    Value moved = arith::MulIOp::create(builder, loc, offset, stride);
    view.offset = view.offset ? arith::AddIOp::create(builder, loc, view.offset, moved).getResult() : moved;
    auto shifted = [&](const MemoryView::Bound &bound) -> Value {
      return bound.shift ? arith::AddIOp::create(builder, loc, bound.shift, offset).getResult() : offset;
    };
    if (llvm::is_contained(window.getDrop(), dim)) {
      for (const MemoryView::Bound &bound : baseDim.bounds) {
        Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, shifted(bound),
                                             materialize(builder, loc, bound.size));
        view.valid = both(loc, view.valid, inside);
      }
      continue;
    }
    MemoryView::Dim next{baseDim.stride, {}};
    for (const MemoryView::Bound &bound : baseDim.bounds)
      next.bounds.push_back({shifted(bound), bound.size});
    // A negative length is 0, so that one unsigned comparison tests both ends.
    OpFoldResult size = lookup(window.getMixedSizes()[dim]);
    if (auto length = dyn_cast<Value>(size))
      size = arith::MaxSIOp::create(builder, loc, length, createConstant(builder, loc, 0)).getResult();
    next.bounds.push_back({Value(), size});
    view.dims.push_back(std::move(next));
  }
  views[window.getResult().getAsOpaquePointer()] = std::move(view);
}

Value KernelEmitter::isInside(Location loc, const MemoryView &view, ArrayRef<Spread> indices,
                              unsigned element) {
  Value inside = view.valid;
  for (auto [dim, index] : llvm::zip_equal(view.dims, indices))
    for (const MemoryView::Bound &bound : dim.bounds) {
      Value value = index.get(builder, loc, element);
      if (bound.shift)
        value = arith::AddIOp::create(builder, loc, value, bound.shift);
      Value check = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                                          materialize(builder, loc, bound.size));
      inside = both(loc, inside, check);
    }
  return inside;
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

std::unique_ptr<Addresses> KernelEmitter::getAddresses(Location loc, const MemoryView &view,
                                                       ArrayRef<Spread> indices) {
  if (view.isShared())
    return std::make_unique<SharedAddresses>(builder, loc, view, indices, kernel.getGrid().getThreads());
  return std::make_unique<GlobalAddresses>(builder, loc, view, indices);
}

unsigned KernelEmitter::getRun(Location loc, const MemoryView &view, ArrayRef<Spread> indices,
                               const Elements &elements, AccessPath path) {
  if (view.isShared()) {
    unsigned widest = maxAccessBytes * 8 / storageBits(view.element);
    return SharedAddresses(builder, loc, view, indices, kernel.getGrid().getThreads())
        .getRun(elements.count, path.isDecided ? path.width : widest, path.isDecided);
  }
  unsigned run = std::min(path.width, elements.vector);
  if (!llvm::all_of(indices, [](const Spread &index) { return index.isUniform() || index.isAffine(); }))
    return 1;
  auto isRun = [&](unsigned size) {
    for (unsigned element = 0; element < elements.count; ++element) {
      unsigned first = element - element % size;
      for (auto [dim, index] : llvm::zip_equal(view.dims, indices)) {
        int64_t distance = index.getOffset(element) - index.getOffset(first);
        bool unitStride = getConstantIntValue(dim.stride) == 1;
        // Exactly one dimension moves, and it is the contiguous one.
        if (distance != 0 && !unitStride)
          return false;
      }
      int64_t moved = 0;
      for (const Spread &index : indices)
        moved += index.getOffset(element) - index.getOffset(first);
      if (moved != static_cast<int64_t>(element - first))
        return false;
    }
    return true;
  };
  while (run > 1 && !isRun(run))
    run /= 2;
  return run;
}

//===----------------------------------------------------------------------===//
// Words and elements
//===----------------------------------------------------------------------===//

Value KernelEmitter::decodeElement(Location loc, Value bits, Type element) {
  if (element.isInteger(1))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits, constant(loc, 0, 8));
  if (isa<FloatTF32Type>(element))
    bits = arith::AndIOp::create(builder, loc, bits, constant(loc, int32_t(0xffffe000), 32));
  Type type = convertScalarType(loadedType(element));
  return type == bits.getType() ? bits : arith::BitcastOp::create(builder, loc, type, bits).getResult();
}

Value KernelEmitter::encodeElement(Location loc, Value value, Type element) {
  if (element.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
  if (isa<FloatType>(value.getType()))
    value = arith::BitcastOp::create(builder, loc,
                                     builder.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
  if (isa<FloatTF32Type>(element))
    value = arith::AndIOp::create(builder, loc, value, constant(loc, int32_t(0xffffe000), 32));
  return value;
}

static bool isSharedPointer(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == 3;
}

/// Words of one access: 32-bit ones, or a single shorter one.
static unsigned getWordBits(unsigned bytes) { return std::min(bytes, 4u) * 8; }

Spread KernelEmitter::decodeWords(Location loc, ArrayRef<Value> words, Type element) {
  unsigned bits = storageBits(element);
  unsigned wordBits = words.front().getType().getIntOrFloatBitWidth();
  SmallVector<Value> values;
  if (bits == 64) {
    for (unsigned i = 0; i < words.size(); i += 2) {
      Value low = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), words[i]);
      Value high = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), words[i + 1]);
      high = arith::ShLIOp::create(builder, loc, high, constant(loc, 32));
      values.push_back(decodeElement(loc, arith::OrIOp::create(builder, loc, low, high), element));
    }
    return Spread::values(values);
  }
  if (isa<Float16Type, BFloat16Type>(element) && wordBits == 32) {
    auto pair = VectorType::get({2}, element);
    for (Value word : words)
      values.push_back(LLVM::BitcastOp::create(builder, loc, pair, word));
    return Spread::pairs(values);
  }
  for (Value word : words)
    for (unsigned shift = 0; shift < wordBits; shift += bits) {
      Value part = word;
      if (shift)
        part = arith::ShRUIOp::create(builder, loc, word, constant(loc, shift, wordBits));
      unsigned width = std::max(bits, 8u);
      if (width < wordBits)
        part = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width), part);
      if (bits == 4) {
        if (isUnsignedElement(element)) {
          part = arith::AndIOp::create(builder, loc, part, constant(loc, 15, 8));
        } else {
          part = arith::ShLIOp::create(builder, loc, part, constant(loc, 4, 8));
          part = arith::ShRSIOp::create(builder, loc, part, constant(loc, 4, 8));
        }
        values.push_back(part);
      } else {
        values.push_back(decodeElement(loc, part, element));
      }
    }
  return Spread::values(values);
}

SmallVector<Value> KernelEmitter::encodeWords(Location loc, const Spread &value, unsigned first,
                                              unsigned count, Type element) {
  unsigned bits = storageBits(element);
  unsigned wordBits = getWordBits(count * bits / 8);
  SmallVector<Value> words;
  if (bits == 64) {
    for (unsigned i = 0; i < count; ++i) {
      Value whole = encodeElement(loc, value.get(builder, loc, first + i), element);
      Value high = arith::ShRUIOp::create(builder, loc, whole, constant(loc, 32));
      words.push_back(arith::TruncIOp::create(builder, loc, builder.getI32Type(), whole));
      words.push_back(arith::TruncIOp::create(builder, loc, builder.getI32Type(), high));
    }
    return words;
  }
  if (isa<Float16Type, BFloat16Type>(element) && wordBits == 32) {
    for (unsigned i = 0; i < count; i += 2)
      words.push_back(LLVM::BitcastOp::create(builder, loc, builder.getI32Type(),
                                              value.getPair(builder, loc, (first + i) / 2)));
    return words;
  }
  unsigned perWord = wordBits / bits;
  for (unsigned i = 0; i < count; i += perWord) {
    Value word;
    for (unsigned k = 0; k < perWord; ++k) {
      Value part = encodeElement(loc, value.get(builder, loc, first + i + k), element);
      if (bits == 4)
        part = arith::AndIOp::create(builder, loc, part, constant(loc, 15, 8));
      if (part.getType().getIntOrFloatBitWidth() < wordBits)
        part = arith::ExtUIOp::create(builder, loc, builder.getIntegerType(wordBits), part);
      if (k)
        part = arith::ShLIOp::create(builder, loc, part, constant(loc, k * bits, wordBits));
      word = word ? arith::OrIOp::create(builder, loc, word, part).getResult() : part;
    }
    words.push_back(word);
  }
  return words;
}

SmallVector<Value> KernelEmitter::loadWords(Location loc, Value pointer, unsigned bytes, bool readOnly,
                                            Value guard, Value padWord) {
  unsigned wordBits = getWordBits(bytes), count = std::max(bytes / 4, 1u);
  Type word = builder.getIntegerType(wordBits);
  if (!guard) {
    Type type = count == 1 ? word : Type(VectorType::get({count}, word));
    auto load = LLVM::LoadOp::create(builder, loc, type, pointer, bytes, /*isVolatile=*/false,
                                     /*isNonTemporal=*/false, /*isInvariant=*/readOnly);
    return count == 1 ? SmallVector<Value>{load.getResult()} : unpack(loc, load.getResult());
  }
  PtxFormId id;
  if (isSharedPointer(pointer))
    id = count == 4       ? PtxFormId::LdSharedV4B32Pred
         : count == 2     ? PtxFormId::LdSharedV2B32Pred
         : wordBits == 32 ? PtxFormId::LdSharedB32Pred
         : wordBits == 16 ? PtxFormId::LdSharedB16Pred
                          : PtxFormId::LdSharedB8Pred;
  else if (count == 4)
    id = readOnly ? PtxFormId::LdNcV4B32Pred : PtxFormId::LdGlobalV4B32Pred;
  else if (count == 2)
    id = readOnly ? PtxFormId::LdNcV2B32Pred : PtxFormId::LdGlobalV2B32Pred;
  else if (wordBits == 32)
    id = readOnly ? PtxFormId::LdNcB32Pred : PtxFormId::LdGlobalB32Pred;
  else if (wordBits == 16)
    id = readOnly ? PtxFormId::LdNcB16Pred : PtxFormId::LdGlobalB16Pred;
  else
    id = readOnly ? PtxFormId::LdNcB8Pred : PtxFormId::LdGlobalB8Pred;
  Type travels = wordBits == 8 ? builder.getI16Type() : word; // PTX has no 8-bit registers
  Value pad = padWord ? padWord : constant(loc, 0, wordBits);
  if (wordBits == 8)
    pad = arith::ExtUIOp::create(builder, loc, travels, pad);
  SmallVector<Value> operands{pointer, guard};
  operands.append(count, pad);
  SmallVector<Value> words = createPtxForm(builder, loc, id, operands);
  if (wordBits == 8)
    words[0] = arith::TruncIOp::create(builder, loc, word, words[0]);
  return words;
}

void KernelEmitter::storeWords(Location loc, Value pointer, ArrayRef<Value> words, Value guard) {
  unsigned wordBits = words.front().getType().getIntOrFloatBitWidth(), count = words.size();
  if (!guard) {
    Value value = words.front();
    if (count > 1)
      value = pack(loc, Spread::values(SmallVector<Value>(words)), count, value.getType());
    LLVM::StoreOp::create(builder, loc, value, pointer, count * wordBits / 8);
    return;
  }
  bool isShared = isSharedPointer(pointer);
  auto pick = [&](PtxFormId global, PtxFormId shared) { return isShared ? shared : global; };
  PtxFormId id = count == 4       ? pick(PtxFormId::StGlobalV4B32Pred, PtxFormId::StSharedV4B32Pred)
                 : count == 2     ? pick(PtxFormId::StGlobalV2B32Pred, PtxFormId::StSharedV2B32Pred)
                 : wordBits == 32 ? pick(PtxFormId::StGlobalB32Pred, PtxFormId::StSharedB32Pred)
                 : wordBits == 16 ? pick(PtxFormId::StGlobalB16Pred, PtxFormId::StSharedB16Pred)
                                  : pick(PtxFormId::StGlobalB8Pred, PtxFormId::StSharedB8Pred);
  SmallVector<Value> operands{pointer, guard};
  for (Value word : words)
    operands.push_back(
        wordBits == 8 ? arith::ExtUIOp::create(builder, loc, builder.getI16Type(), word).getResult() : word);
  createPtxForm(builder, loc, id, operands);
}

Value KernelEmitter::loadRelaxed(Location loc, Value pointer, Type element, Value guard, Value pad) {
  // A weak load could take an old value out of the first-level cache for ever.
  unsigned bits = storageBits(element);
  auto load = [&] {
    Value word = LLVM::LoadOp::create(builder, loc, builder.getIntegerType(bits), pointer, bits / 8,
                                      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
                                      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, "device");
    return decodeElement(loc, word, element);
  };
  if (!guard)
    return load();
  Type type = convertScalarType(loadedType(element));
  auto branch = scf::IfOp::create(builder, loc, TypeRange{type}, guard, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, load());
  builder.setInsertionPointToStart(branch.elseBlock());
  if (!pad)
    pad = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  scf::YieldOp::create(builder, loc, pad);
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Joins groups of elements into one Spread.
static Spread concatenate(OpBuilder &builder, Location loc, ArrayRef<Spread> groups, unsigned groupSize) {
  bool pairs = llvm::all_of(groups, [](const Spread &group) { return group.isPairs(); });
  SmallVector<Value> parts;
  for (const Spread &group : groups)
    for (unsigned i = 0; i < groupSize; i += pairs ? 2 : 1)
      parts.push_back(pairs ? group.getPair(builder, loc, i / 2) : group.get(builder, loc, i));
  return pairs ? Spread::pairs(parts) : Spread::values(parts);
}

AccessPath AccessPath::of(Operation *access) {
  auto get = [&](StringRef name) -> unsigned {
    auto value = access->getAttrOfType<IntegerAttr>(name);
    return value ? value.getInt() : 1;
  };
  return {isInBounds(access), get(kWidthAttr), get(kGuardAttr), access->hasAttr(kWidthAttr)};
}

/// The elements of each instruction: neighbours in memory for which one predicate will do, at most 16 bytes,
/// whole words if there is a predicate.
unsigned KernelEmitter::getGroup(Location loc, const MemoryView &view, ArrayRef<Spread> indices,
                                 const Elements &elements, AccessPath path, bool guarded) {
  unsigned bits = storageBits(view.element);
  unsigned run = getRun(loc, view, indices, elements, path);
  if (!path.inBounds)
    run = std::min(run, path.guard);
  if (!elements.exists.empty())
    run = std::min(run, elements.existsTogether);
  while (run > 1 && run * bits / 8 > maxAccessBytes)
    run /= 2;
  guarded |= !path.inBounds || !elements.exists.empty();
  if (run * bits % 8 != 0 || (guarded && run * bits / 8 < 4))
    run = 1;
  return run;
}

Spread KernelEmitter::emitRead(Location loc, const MemoryView &view, ArrayRef<Spread> indices,
                               const Elements &elements, AccessPath path, Value pad) {
  unsigned bits = storageBits(view.element);
  path.inBounds |= view.isShared();
  std::unique_ptr<Addresses> addresses = getAddresses(loc, view, indices);
  bool uniform =
      elements.exists.empty() && llvm::all_of(indices, [](const Spread &s) { return s.isUniform(); });
  unsigned run = uniform ? 1 : getGroup(loc, view, indices, elements, path, /*guarded=*/false);
  auto guardOf = [&](unsigned element) {
    return both(loc, elements.existing(element),
                path.inBounds ? Value() : isInside(loc, view, indices, element));
  };
  if (path.inBounds)
    pad = Value();

  SmallVector<Spread> groups;
  if (run > 1 && !view.changing && !(pad && bits == 64)) {
    Value padWord;
    if (pad) {
      // The pad in every place of a word.
      SmallVector<Value> copies(std::max(32 / bits, 1u), pad);
      padWord = encodeWords(loc, Spread::values(copies), 0, copies.size(), view.element).front();
    }
    for (unsigned first = 0; first < elements.count; first += run) {
      SmallVector<Value> words = loadWords(loc, addresses->getPointer(first), run * bits / 8, view.readOnly,
                                           guardOf(first), padWord);
      groups.push_back(decodeWords(loc, words, view.element));
    }
    return concatenate(builder, loc, groups, run);
  }

  SmallVector<Value> values;
  for (unsigned element = 0, count = uniform ? 1 : elements.count; element < count; ++element) {
    Value guard = guardOf(element);
    Value value;
    if (view.changing) {
      value = loadRelaxed(loc, addresses->getPointer(element), view.element, guard, pad);
    } else if (bits == 4) {
      // The byte, then its half.
      Value index = addresses->getIndex(element);
      Value byte = loadWords(loc, addresses->getPointer(element), 1, view.readOnly, guard, Value()).front();
      Value shift = arith::AndIOp::create(builder, loc, index, constant(loc, 1));
      shift = arith::TruncIOp::create(builder, loc, builder.getI8Type(), shift);
      shift = arith::ShLIOp::create(builder, loc, shift, constant(loc, 2, 8));
      Value nibble = arith::ShRUIOp::create(builder, loc, byte, shift);
      value = decodeWords(loc, nibble, view.element).get(builder, loc, 0);
      if (pad && guard)
        value = arith::SelectOp::create(builder, loc, guard, value, pad);
    } else if (bits == 64) {
      if (guard) {
        SmallVector<Value> words =
            loadWords(loc, addresses->getPointer(element), 8, view.readOnly, guard, Value());
        value = decodeWords(loc, words, view.element).get(builder, loc, 0);
        if (pad)
          value = arith::SelectOp::create(builder, loc, guard, value, pad);
      } else {
        Value word = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), addresses->getPointer(element),
                                          8, false, false, view.readOnly);
        value = decodeElement(loc, word, view.element);
      }
    } else {
      Value padBits = pad && guard ? encodeElement(loc, pad, view.element) : Value();
      Value word =
          loadWords(loc, addresses->getPointer(element), bits / 8, view.readOnly, guard, padBits).front();
      value = decodeElement(loc, word, view.element);
    }
    values.push_back(value);
  }
  return uniform ? Spread::uniform(values.front()) : Spread::values(values);
}

Value KernelEmitter::emitReadOne(Location loc, const MemoryView &view, ValueRange indices, bool inBounds,
                                 Value guard) {
  Elements one;
  if (guard)
    one.exists = {guard};
  SmallVector<Spread> spreads =
      llvm::map_to_vector(indices, [](Value index) { return Spread::uniform(index); });
  return emitRead(loc, view, spreads, one, {inBounds}, Value()).get(builder, loc, 0);
}

Value KernelEmitter::emitBroadcastRead(Location loc, const MemoryView &view, ValueRange indices,
                                       bool inBounds) {
  // One thread reads, the others get it through a word of shared memory. The first barrier is for those that
  // still read the last such value.
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  StringRef name = "tilec_broadcast";
  Type i64 = builder.getI64Type();
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::GlobalOp::create(top, kernel.getLoc(), i64, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                           Attribute(),
                           /*alignment=*/8, /*addrSpace=*/3);
  }
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value slot = LLVM::AddressOfOp::create(builder, loc, pointerType, name);
  auto barrier = [&] { createPtxForm(builder, loc, PtxFormId::BarSync, constant(loc, 0, 32)); };
  barrier();
  Type type = convertScalarType(loadedType(view.element));
  emitIf(loc, isFirstThread(loc), [&] {
    Value value = emitReadOne(loc, view, indices, inBounds, Value());
    LLVM::StoreOp::create(builder, loc, value, slot);
  });
  barrier();
  return LLVM::LoadOp::create(builder, loc, type, slot);
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

void KernelEmitter::emitWrite(Location loc, const MemoryView &view, ArrayRef<Spread> indices,
                              const Spread &value, const Elements &elements, AccessPath path) {
  unsigned bits = storageBits(view.element);
  path.inBounds |= view.isShared();
  std::unique_ptr<Addresses> addresses = getAddresses(loc, view, indices);
  unsigned run = getGroup(loc, view, indices, elements, path, static_cast<bool>(elements.isOwner));
  for (unsigned first = 0; first < elements.count; first += run) {
    if (elements.isRepeated(first))
      continue;
    Value guard = both(loc, elements.isOwner, elements.existing(first));
    if (!path.inBounds)
      guard = both(loc, guard, isInside(loc, view, indices, first));
    if (run > 1) {
      storeWords(loc, addresses->getPointer(first), encodeWords(loc, value, first, run, view.element), guard);
      continue;
    }
    if (bits == 4) {
      // Another thread may write the other half of the byte at the same time, or the same half, and a reader
      // must find one of their values.
      Value index = addresses->getIndex(first), pointer = addresses->getPointer(first);
      Value next = value.get(builder, loc, first);
      emitIf(loc, guard, [&] { emitSwap(loc, pointer, index, view.element, [&](Value) { return next; }); });
    } else if (bits == 64 && !guard) {
      LLVM::StoreOp::create(builder, loc, encodeElement(loc, value.get(builder, loc, first), view.element),
                            addresses->getPointer(first), 8);
    } else {
      SmallVector<Value> words;
      if (bits == 64)
        words = encodeWords(loc, value, first, 1, view.element);
      else
        words.push_back(encodeElement(loc, value.get(builder, loc, first), view.element));
      storeWords(loc, addresses->getPointer(first), words, guard);
    }
  }
}

void KernelEmitter::emitWriteOne(Location loc, const MemoryView &view, ValueRange indices, Value value,
                                 bool inBounds, Value guard) {
  Elements one;
  if (guard)
    one.exists = {guard};
  SmallVector<Spread> spreads =
      llvm::map_to_vector(indices, [](Value index) { return Spread::uniform(index); });
  emitWrite(loc, view, spreads, Spread::uniform(value), one, {inBounds});
}

} // namespace tilec::lowering
