//===- EmitParallel.cpp - the body of a parallel for all elements -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The top level of a body is written op by op for all elements side by side. That is legal because iterations
// have no order and each keeps its own. An op with regions (a condition, a loop) is written once for each
// element; elements of fragments that it writes are carried through it as further results.
//
// A fragment need not have the layout of the iteration: which of its registers an element names follows from
// the two layouts and the indices, and is the same in all threads. Each element works on a copy of its own of
// the fragment's element, as an iteration sees its own writes only, and the copies become the fragment at the
// end.
//
// Of the threads that hold an element all compute, and one acts. What is read of memory that the loop writes
// is the owner's alone; see InPlace.h.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ScalarOps.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/InPlace.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

/// The fragments of one element of the thread: reference -> its value now.
using ElementRefs = llvm::MapVector<Value, Value>;

/// A fragment under update.
struct Reference {
  SmallVector<unsigned> registers; ///< by element: the register of the fragment that it names
  SmallVector<unsigned> slots;     ///< by element: its copy
  Spread copies;
  bool counts = false; ///< elements that name one register share a copy, into which all of them are combined
};

class ParallelEmitter {
public:
  ParallelEmitter(KernelEmitter &emitter, ParallelOp parallel)
      : emitter(emitter), builder(emitter.builder), parallel(parallel), inPlace(parallel) {}

  LogicalResult run();

private:
  // Who runs what.
  Elements getElements(Operation *op, Location loc);
  Value getOwner(Operation *op, unsigned element, Location loc);

  // Fragments.
  LogicalResult matchFragments();
  LogicalResult matchFragment(Operation *op, Value fragment, ValueRange indices);
  LogicalResult checkReference(Value ref);
  Value mergeCopies(Value ref, Value init);
  void setCopies(Reference &reference, SmallVector<Value> copies) {
    reference.copies = Spread::values(std::move(copies));
  }
  SmallVector<Value> getCopies(const Reference &reference, Location loc);
  Spread readReference(Value ref, Location loc);

  // All elements side by side.
  LogicalResult emitOp(Operation *op);
  void emitWrite(WriteOp write);
  LogicalResult emitScalar(Operation *op);
  LogicalResult emitRegionOp(Operation *op);
  bool emitAffine(Operation *op);
  bool emitPairs(Operation *op);
  void emitUpdate(UpdateOp update);

  // One element, inside an op with regions.
  LogicalResult emitElementBlock(Block &block, unsigned element, IRMapping &values, ElementRefs &refs);
  LogicalResult emitElementOp(Operation *op, unsigned element, IRMapping &values, ElementRefs &refs);
  LogicalResult emitGuarded(Operation *op, Value guard, unsigned element, IRMapping &values,
                            ElementRefs &refs);
  LogicalResult emitElementControl(Operation *op, unsigned element, IRMapping &values, ElementRefs &refs);
  Value combine(Location loc, UpdateKind kind, Value old, Value value, Type element) {
    return combineElements(builder, loc, kind, old, value, element, emitter.arch);
  }

  /// A value that the body uses: its own, or one from outside.
  Spread getSpread(Value value) {
    auto it = spreads.find(value);
    return it != spreads.end() ? it->second : Spread::uniform(emitter.lookup(value));
  }
  SmallVector<Spread> getSpreads(ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return getSpread(value); });
  }
  bool isUniform(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return getSpread(value).isUniform(); });
  }
  KernelEmitter &emitter;
  OpBuilder &builder;
  ParallelOp parallel;
  InPlaceReads inPlace;
  Layout layout{1};
  Elements elements;
  llvm::DenseMap<Value, Spread> spreads;
  llvm::DenseMap<Value, Spread> unpacked;    // by fragment: its registers
  llvm::DenseMap<Operation *, Spread> reads; // of fragments that do not change
  llvm::MapVector<Value, Reference> references;
};

LogicalResult KernelEmitter::emitParallel(ParallelOp parallel) {
  return ParallelEmitter(*this, parallel).run();
}

LogicalResult ParallelEmitter::run() {
  Location loc = parallel.getLoc();
  layout = cast<LayoutAttrInterface>(parallel.getLayoutAttr()).toLinear();
  SmallVector<OpFoldResult> extents = llvm::map_to_vector(
      parallel.getMixedExtents(), [&](OpFoldResult extent) { return emitter.lookup(extent); });
  elements = emitter.getElements(loc, layout, extents);
  for (auto [index, spread] : llvm::zip_equal(parallel.getIndices(), elements.indices))
    spreads[index] = spread;
  if (failed(matchFragments()))
    return failure();

  for (Operation &op : parallel.getBody()->without_terminator())
    if (failed(emitOp(&op)))
      return failure();

  for (auto [ref, init, result] :
       llvm::zip_equal(parallel.getRefs(), parallel.getInits(), parallel.getResults()))
    emitter.mapping.map(result, mergeCopies(ref, init));
  return success();
}

/// Which thread runs an op that is the owner's; null: all do.
Value ParallelEmitter::getOwner(Operation *op, unsigned element, Location loc) {
  if (!inPlace.isForOwner(op))
    return {};
  return elements.isRepeated(element) ? emitter.constant(loc, 0, 1) : elements.isOwner;
}

/// The elements for which this thread runs an op.
Elements ParallelEmitter::getElements(Operation *op, Location loc) {
  Elements own = elements;
  if (!inPlace.isForOwner(op) || !elements.isOwner)
    return own;
  own.exists.resize(own.count);
  for (Value &exists : own.exists)
    exists = emitter.both(loc, exists, elements.isOwner);
  return own;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

LogicalResult ParallelEmitter::matchFragments() {
  for (auto [ref, init] : llvm::zip_equal(parallel.getRefs(), parallel.getInits()))
    unpacked[ref] = Spread::values(emitter.unpack(parallel.getLoc(), emitter.lookup(init)));
  WalkResult matched = parallel->walk([&](Operation *op) {
    return llvm::TypeSwitch<Operation *, WalkResult>(op)
        .Case([&](ReadOp read) { return matchFragment(read, read.getSource(), read.getIndices()); })
        .Case<WriteOp, UpdateOp>(
            [&](auto access) { return matchFragment(access, access.getDest(), access.getIndices()); })
        .Default([](Operation *) { return WalkResult::advance(); });
  });
  if (matched.wasInterrupted())
    return failure();
  for (auto &[ref, reference] : references)
    if (failed(checkReference(ref)))
      return failure();
  return success();
}

LogicalResult ParallelEmitter::matchFragment(Operation *op, Value fragment, ValueRange indices) {
  if (!isa<FragmentType, FragRefType>(fragment.getType()))
    return success();
  auto type = cast<ObjectTypeInterface>(fragment.getType());
  Layout source = cast<LayoutAttrInterface>(type.getLayout()).toLinear();
  // The index of a unit extent is 0, whatever it is; that of the iteration if layouts agree on it.
  std::optional<SmallVector<unsigned>> registers;
  for (bool unitsAreZero : {false, true}) {
    SmallVector<int> dims;
    for (auto [index, extent] : llvm::zip_equal(indices, type.getShape())) {
      auto argument = dyn_cast<BlockArgument>(index);
      bool isOwn = argument && argument.getOwner() == parallel.getBody() &&
                   !llvm::is_contained(dims, static_cast<int>(argument.getArgNumber()));
      if (extent == 1 && (unitsAreZero || !isOwn))
        dims.push_back(-1);
      else if (isOwn)
        dims.push_back(argument.getArgNumber());
      else
        return op->emitOpError(
            "has no lowering to stage nvvm: it names an element of a fragment that no index "
            "of the loop names");
    }
    registers = layout.matchRegisters(source, dims);
    if (!registers)
      continue;
    // Iterations of several threads must not change what each of them holds.
    for (unsigned dim = 0; dim < layout.getRank() && !isa<ReadOp>(op); ++dim)
      if (!llvm::is_contained(dims, static_cast<int>(dim)) && getThreadSpan(layout, dim))
        return op->emitOpError("has no lowering to stage nvvm: threads that hold one element of the fragment "
                               "run different iterations");
    break;
  }
  if (!registers)
    return op->emitOpError(
        "has no lowering to stage nvvm: the thread of an iteration does not hold the element "
        "of the fragment");
  if (isa<FragmentType>(fragment.getType())) {
    auto [it, isNew] = unpacked.try_emplace(fragment);
    if (isNew)
      it->second = Spread::values(emitter.unpack(parallel.getLoc(), emitter.lookup(fragment)));
    reads[op] = it->second.select(builder, parallel.getLoc(), *registers);
    return success();
  }
  auto [it, isNew] = references.try_emplace(fragment);
  if (isNew)
    it->second.registers = *registers;
  else if (it->second.registers != *registers)
    return op->emitOpError(
        "has no lowering to stage nvvm: another access of the loop names the fragment by other "
        "indices");
  return success();
}

/// Gives each element its copy.
LogicalResult ParallelEmitter::checkReference(Value ref) {
  Reference &reference = references[ref];
  llvm::DenseSet<unsigned> named;
  bool overlaps = false;
  for (unsigned element = 0; element < elements.count; ++element)
    if (!elements.isRepeated(element))
      overlaps |= !named.insert(reference.registers[element]).second;
  reference.counts = overlaps && llvm::all_of(ref.getUsers(), llvm::IsaPred<UpdateOp>);
  if (overlaps && !reference.counts)
    for (Operation *user : ref.getUsers())
      if (!isa<ReadOp>(user))
        return user->emitOpError(
            "has no lowering to stage nvvm: several iterations of a thread change one element "
            "of the fragment");
  if (reference.counts) {
    reference.slots = reference.registers;
    reference.copies = unpacked[ref];
    return success();
  }
  reference.slots = llvm::to_vector(llvm::seq<unsigned>(0, elements.count));
  reference.copies = unpacked[ref].select(builder, parallel.getLoc(), reference.registers);
  return success();
}

/// The fragment after the loop. What no element names stays.
Value ParallelEmitter::mergeCopies(Value ref, Value init) {
  auto it = references.find(ref);
  if (it == references.end())
    return emitter.lookup(init);
  Location loc = parallel.getLoc();
  const Reference &reference = it->second;
  auto type = cast<FragRefType>(ref.getType());
  Layout own = cast<LayoutAttrInterface>(type.getLayout()).toLinear();
  // Of registers that hold one element the elements name the first.
  SmallVector<int> identity = llvm::to_vector(llvm::seq<int>(0, own.getRank()));
  SmallVector<unsigned> first = *own.matchRegisters(own, identity);
  SmallVector<int> copyOf(first.size(), -1);
  for (unsigned element = 0; element < elements.count; ++element)
    if (!elements.isRepeated(element))
      copyOf[reference.registers[element]] = reference.slots[element];
  SmallVector<Value> values;
  for (auto [reg, holder] : llvm::enumerate(first)) {
    int copy = copyOf[holder];
    values.push_back(copy < 0 ? unpacked[ref].get(builder, loc, reg)
                              : reference.copies.get(builder, loc, copy));
  }
  unsigned count = values.size();
  auto vector = cast<VectorType>(emitter.convertType(init.getType()));
  return emitter.pack(loc, Spread::values(std::move(values)), count, vector.getElementType());
}

SmallVector<Value> ParallelEmitter::getCopies(const Reference &reference, Location loc) {
  unsigned count = reference.counts ? llvm::max_element(reference.slots)[0] + 1 : elements.count;
  SmallVector<Value> copies;
  for (unsigned slot = 0; slot < count; ++slot)
    copies.push_back(reference.copies.get(builder, loc, slot));
  return copies;
}

Spread ParallelEmitter::readReference(Value ref, Location loc) {
  const Reference &reference = references[ref];
  return reference.counts ? reference.copies.select(builder, loc, reference.slots) : reference.copies;
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

LogicalResult ParallelEmitter::emitOp(Operation *op) {
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReadOp read) {
        if (isa<FragmentType>(read.getSource().getType()))
          spreads[read.getResult()] = reads[op];
        else if (isa<FragRefType>(read.getSource().getType()))
          spreads[read.getResult()] = readReference(read.getSource(), loc);
        else
          spreads[read.getResult()] =
              emitter.emitRead(loc, emitter.getView(read.getSource()), getSpreads(read.getIndices()),
                               getElements(op, loc), AccessPath::of(op), Value());
        return success();
      })
      .Case([&](WriteOp write) { return emitWrite(write), success(); })
      .Case([&](UpdateOp update) {
        if (isa<SharedType>(update.getDest().getType()))
          emitter.emitAtomic(loc, update.getKind(), emitter.getView(update.getDest()),
                             getSpreads(update.getIndices()), getSpread(update.getValue()), elements, true);
        else
          emitUpdate(update);
        return success();
      })
      .Case([&](AtomicOp atomic) {
        emitter.emitAtomic(loc, getUpdateKind(atomic.getKind()), emitter.getView(atomic.getDest()),
                           getSpreads(atomic.getIndices()), getSpread(atomic.getValue()), elements,
                           isInBounds(op));
        return success();
      })
      .Case([&](AssumeOp) { return success(); })
      .Case([&](AssertOp check) {
        Spread condition = getSpread(check.getCondition());
        for (unsigned element = 0; element < elements.count; ++element)
          if (!elements.isRepeated(element))
            emitter.emitAssert(loc, condition.get(builder, loc, element), check.getText(),
                               emitter.both(loc, elements.isOwner, elements.existing(element)));
        return success();
      })
      .Case([&](PrintOp print) {
        SmallVector<Spread> args = getSpreads(print.getArgs());
        for (unsigned element = 0; element < elements.count; ++element) {
          if (elements.isRepeated(element))
            continue;
          SmallVector<Value> values =
              llvm::map_to_vector(args, [&](const Spread &arg) { return arg.get(builder, loc, element); });
          emitter.emitPrint(print, values, emitter.both(loc, elements.isOwner, elements.existing(element)));
        }
        return success();
      })
      .Default([&](Operation *) { return op->getNumRegions() ? emitRegionOp(op) : emitScalar(op); });
}

void ParallelEmitter::emitWrite(WriteOp write) {
  Location loc = write.getLoc();
  Spread value = getSpread(write.getValue());
  auto ref = dyn_cast<FragRefType>(write.getDest().getType());
  if (!ref)
    return emitter.emitWrite(loc, emitter.getView(write.getDest()), getSpreads(write.getIndices()), value,
                             elements, AccessPath::of(write));
  Reference &reference = references[write.getDest()];
  Type type = ref.getElementType();
  if (elements.exists.empty() && storageBits(type) != 4) {
    reference.copies = value;
    return;
  }
  SmallVector<Value> values;
  for (unsigned element = 0; element < elements.count; ++element) {
    Value next = wrapToElement(builder, loc, value.get(builder, loc, element), type);
    if (Value guard = elements.existing(element))
      next = arith::SelectOp::create(builder, loc, guard, next, reference.copies.get(builder, loc, element));
    values.push_back(next);
  }
  setCopies(reference, std::move(values));
}

void ParallelEmitter::emitUpdate(UpdateOp update) {
  Location loc = update.getLoc();
  Reference &reference = references[update.getDest()];
  Spread value = getSpread(update.getValue());
  Type type = cast<FragRefType>(update.getDest().getType()).getElementType();
  SmallVector<Value> copies = getCopies(reference, loc);
  for (unsigned element = 0; element < elements.count; ++element) {
    if (reference.counts && elements.isRepeated(element))
      continue;
    Value &copy = copies[reference.slots[element]];
    Value next = combine(loc, update.getKind(), copy, value.get(builder, loc, element), type);
    if (Value guard = elements.existing(element))
      next = arith::SelectOp::create(builder, loc, guard, next, copy);
    copy = next;
  }
  setCopies(reference, std::move(copies));
}

/// Sums, differences and multiples by a constant of affine indices stay affine, whatever the number of
/// elements.
bool ParallelEmitter::emitAffine(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) || !op->getResult(0).getType().isInteger(64))
    return false;
  Spread lhs = getSpread(op->getOperand(0)), rhs = getSpread(op->getOperand(1));
  auto linear = [](const Spread &spread) { return spread.isUniform() || spread.isAffine(); };
  if (!linear(lhs) || !linear(rhs))
    return false;
  IRMapping bases;
  bases.map(op->getOperand(0), lhs.getBase());
  bases.map(op->getOperand(1), rhs.getBase());
  SmallVector<int64_t> offsets;
  if (isa<arith::MulIOp>(op)) {
    if (!rhs.isUniform())
      std::swap(lhs, rhs);
    APInt factor;
    if (!rhs.isUniform() || !matchPattern(rhs.getBase(), m_ConstantInt(&factor)))
      return false;
    for (unsigned element = 0; element < elements.count; ++element)
      offsets.push_back(lhs.getOffset(element) * factor.getSExtValue());
  } else {
    int64_t sign = isa<arith::AddIOp>(op) ? 1 : -1;
    for (unsigned element = 0; element < elements.count; ++element)
      offsets.push_back(lhs.getOffset(element) + sign * rhs.getOffset(element));
  }
  spreads[op->getResult(0)] = Spread::affine(builder.clone(*op, bases)->getResult(0), std::move(offsets));
  return true;
}

/// 16-bit floats two at a time, as the hardware computes them.
bool ParallelEmitter::emitPairs(Operation *op) {
  if (op->getNumResults() != 1 || elements.count % 2 != 0)
    return false;
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  if (!isa<Float16Type, BFloat16Type>(type))
    return false;
  SmallVector<Value> results;
  if (isa<arith::TruncFOp>(op) && op->getOperand(0).getType().isF32()) {
    Spread source = getSpread(op->getOperand(0));
    PtxFormId form = type.isF16() ? PtxFormId::CvtF16x2 : PtxFormId::CvtBf16x2;
    for (unsigned i = 0; i < elements.count; i += 2)
      results.push_back(createPtxFormValue(builder, loc, form,
                                           {source.get(builder, loc, i + 1), source.get(builder, loc, i)}));
  } else {
    // Additions of bf16 exist from sm_90 on; LLVM computes them in f32 elsewhere, one at a time.
    bool native =
        isa<arith::MaxNumFOp, arith::MinNumFOp>(op) || type.isF16() || emitter.arch.has(Feature::Bf16Arith);
    if (!native || !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
      return false;
    auto pairType = VectorType::get({2}, type);
    for (unsigned i = 0; i < elements.count; i += 2) {
      SmallVector<Value> operands = llvm::map_to_vector(
          op->getOperands(), [&](Value value) { return getSpread(value).getPair(builder, loc, i / 2); });
      results.push_back(createLike(builder, op, operands, pairType)->getResult(0));
    }
  }
  spreads[op->getResult(0)] = Spread::pairs(std::move(results));
  return true;
}

LogicalResult ParallelEmitter::emitScalar(Operation *op) {
  if (isUniform(op->getOperands())) {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value value) { return getSpread(value).getBase(); });
    FailureOr<SmallVector<Value>> results = emitScalarOp(builder, op, operands, emitter.arch);
    if (failed(results))
      return op->emitOpError("has no lowering to stage nvvm");
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *results))
      spreads[result] = Spread::uniform(value);
    return success();
  }
  if (emitAffine(op) || emitPairs(op))
    return success();
  Location loc = op->getLoc();
  SmallVector<SmallVector<Value>> values(op->getNumResults());
  for (unsigned element = 0; element < elements.count; ++element) {
    SmallVector<Value> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value value) { return getSpread(value).get(builder, loc, element); });
    FailureOr<SmallVector<Value>> results = emitScalarOp(builder, op, operands, emitter.arch);
    if (failed(results))
      return op->emitOpError("has no lowering to stage nvvm");
    for (auto [list, value] : llvm::zip_equal(values, *results))
      list.push_back(value);
  }
  for (auto [result, list] : llvm::zip_equal(op->getResults(), values))
    spreads[result] = Spread::values(std::move(list));
  return success();
}

LogicalResult ParallelEmitter::emitRegionOp(Operation *op) {
  Location loc = op->getLoc();
  // Which values the regions take from the body, and which fragments they write.
  llvm::SetVector<Value> captured;
  llvm::MapVector<Value, SmallVector<Value>> named; // references and their copies
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (isa<FragRefType>(operand.getType()))
        named.insert({operand, {}});
      else if (spreads.contains(operand))
        captured.insert(operand);
    }
  });
  for (auto &[ref, copies] : named)
    copies = getCopies(references[ref], loc);

  SmallVector<SmallVector<Value>> results(op->getNumResults());
  for (unsigned element = 0; element < elements.count; ++element) {
    IRMapping values(emitter.mapping);
    for (Value value : captured)
      values.map(value, spreads[value].get(builder, loc, element));
    ElementRefs refs;
    for (auto &[ref, copies] : named)
      refs[ref] = copies[references[ref].slots[element]];

    // An element that does not exist must not loop on values that nobody defined, and nobody but the owner on
    // what it changes.
    Value guard = emitter.both(loc, elements.existing(element), getOwner(op, element, loc));
    if (failed(emitGuarded(op, guard, element, values, refs)))
      return failure();
    for (auto [list, result] : llvm::zip_equal(results, op->getResults()))
      list.push_back(values.lookup(result));
    for (auto &[ref, value] : refs)
      if (!references[ref].counts || !elements.isRepeated(element))
        named[ref][references[ref].slots[element]] = value;
  }
  for (auto [result, list] : llvm::zip_equal(op->getResults(), results))
    spreads[result] = Spread::values(std::move(list));
  for (auto &[ref, copies] : named)
    setCopies(references[ref], std::move(copies));
  return success();
}

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

LogicalResult ParallelEmitter::emitElementBlock(Block &block, unsigned element, IRMapping &values,
                                                ElementRefs &refs) {
  for (Operation &op : block.without_terminator())
    if (failed(emitElementOp(&op, element, values, refs)))
      return failure();
  return success();
}

LogicalResult ParallelEmitter::emitElementOp(Operation *op, unsigned element, IRMapping &values,
                                             ElementRefs &refs) {
  Location loc = op->getLoc();
  auto lookupAll = [&](ValueRange range) {
    return llvm::map_to_vector(range, [&](Value value) { return values.lookup(value); });
  };
  Value owner = elements.isOwner;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReadOp read) {
        Value source = read.getSource(), value;
        if (isa<FragRefType>(source.getType()))
          value = refs[source];
        else if (isa<FragmentType>(source.getType()))
          value = reads[op].get(builder, loc, element);
        else
          value = emitter.emitReadOne(loc, emitter.getView(source), lookupAll(read.getIndices()),
                                      read.getInBounds(), getOwner(op, element, loc));
        values.map(read.getResult(), value);
        return success();
      })
      .Case([&](WriteOp write) {
        Value value = values.lookup(write.getValue());
        if (auto type = dyn_cast<FragRefType>(write.getDest().getType()))
          refs[write.getDest()] = wrapToElement(builder, loc, value, type.getElementType());
        else if (!elements.isRepeated(element))
          emitter.emitWriteOne(loc, emitter.getView(write.getDest()), lookupAll(write.getIndices()), value,
                               write.getInBounds(), owner);
        return success();
      })
      .Case([&](UpdateOp update) {
        if (isa<SharedType>(update.getDest().getType())) {
          if (!elements.isRepeated(element))
            emitter.emitAtomicOne(loc, update.getKind(), emitter.getView(update.getDest()),
                                  lookupAll(update.getIndices()), values.lookup(update.getValue()), true,
                                  owner);
          return success();
        }
        Value &target = refs[update.getDest()];
        target = combine(loc, update.getKind(), target, values.lookup(update.getValue()),
                         cast<FragRefType>(update.getDest().getType()).getElementType());
        return success();
      })
      .Case([&](AtomicOp atomic) {
        if (!elements.isRepeated(element))
          emitter.emitAtomicOne(loc, getUpdateKind(atomic.getKind()), emitter.getView(atomic.getDest()),
                                lookupAll(atomic.getIndices()), values.lookup(atomic.getValue()),
                                isInBounds(op), owner);
        return success();
      })
      .Case([&](AssumeOp) { return success(); })
      .Case([&](AssertOp check) {
        if (!elements.isRepeated(element))
          emitter.emitAssert(loc, values.lookup(check.getCondition()), check.getText(), owner);
        return success();
      })
      .Case([&](PrintOp print) {
        if (!elements.isRepeated(element))
          emitter.emitPrint(print, lookupAll(print.getArgs()), owner);
        return success();
      })
      .Default([&](Operation *) -> LogicalResult {
        if (op->getNumRegions())
          return emitGuarded(op, getOwner(op, element, loc), element, values, refs);
        FailureOr<SmallVector<Value>> results =
            emitScalarOp(builder, op, lookupAll(op->getOperands()), emitter.arch);
        if (failed(results))
          return op->emitOpError("has no lowering to stage nvvm");
        values.map(op->getResults(), *results);
        return success();
      });
}

/// Control flow under a condition; null: always. Where it does not run, its results are 0.
LogicalResult ParallelEmitter::emitGuarded(Operation *op, Value guard, unsigned element, IRMapping &values,
                                           ElementRefs &refs) {
  if (!guard)
    return emitElementControl(op, element, values, refs);
  Location loc = op->getLoc();
  SmallVector<Type> types =
      llvm::map_to_vector(op->getResultTypes(), [&](Type type) { return convertScalarType(type); });
  for (auto &[fragment, value] : refs)
    types.push_back(value.getType());
  auto branch = scf::IfOp::create(builder, loc, types, guard, /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  ElementRefs inner = refs;
  if (failed(emitElementControl(op, element, values, inner)))
    return failure();
  if (!types.empty()) {
    SmallVector<Value> yields =
        llvm::map_to_vector(op->getResults(), [&](Value result) { return values.lookup(result); });
    for (auto &[fragment, value] : inner)
      yields.push_back(value);
    scf::YieldOp::create(builder, loc, yields);
    builder.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> otherwise;
    for (Type type : ArrayRef(types).take_front(op->getNumResults()))
      otherwise.push_back(
          arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
    for (auto &[fragment, value] : refs)
      otherwise.push_back(value);
    scf::YieldOp::create(builder, loc, otherwise);
  }
  values.map(op->getResults(), branch.getResults().take_front(op->getNumResults()));
  for (auto [entry, value] : llvm::zip_equal(refs, branch.getResults().drop_front(op->getNumResults())))
    entry.second = value;
  return success();
}

LogicalResult ParallelEmitter::emitElementControl(Operation *op, unsigned element, IRMapping &values,
                                                  ElementRefs &refs) {
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op))
    return op->emitOpError("has no lowering to stage nvvm");
  Location loc = op->getLoc();
  // References that the regions write become results; loops take them as arguments as well.
  llvm::SetVector<Value> written;
  op->walk([&](Operation *inner) {
    if (auto write = dyn_cast<WriteOp>(inner); write && isa<FragRefType>(write.getDest().getType()))
      written.insert(write.getDest());
    if (auto update = dyn_cast<UpdateOp>(inner); update && isa<FragRefType>(update.getDest().getType()))
      written.insert(update.getDest());
  });
  bool isLoop = !isa<scf::IfOp>(op);
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value value) { return values.lookup(value); });
  SmallVector<Type> results =
      llvm::map_to_vector(op->getResultTypes(), [&](Type type) { return convertScalarType(type); });
  SmallVector<Type> carried;
  for (Value ref : written) {
    carried.push_back(refs[ref].getType());
    if (isLoop)
      operands.push_back(refs[ref]);
  }
  llvm::append_range(results, carried);
  Operation *copy = createLike(builder, op, operands, results);

  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    if (from.empty()) {
      // A condition without else that writes needs one: what was written is what was there.
      if (!written.empty()) {
        builder.createBlock(&to);
        scf::YieldOp::create(
            builder, loc, llvm::map_to_vector(written.getArrayRef(), [&](Value ref) { return refs[ref]; }));
      }
      continue;
    }
    Block &block = from.front();
    SmallVector<Type> types =
        llvm::map_to_vector(block.getArgumentTypes(), [&](Type type) { return convertScalarType(type); });
    if (isLoop)
      llvm::append_range(types, carried);
    Block *target = builder.createBlock(&to, to.end(), types, SmallVector<Location>(types.size(), loc));
    values.map(block.getArguments(), target->getArguments().take_front(block.getNumArguments()));
    ElementRefs inner = refs;
    if (isLoop)
      for (auto [ref, argument] :
           llvm::zip_equal(written, target->getArguments().drop_front(block.getNumArguments())))
        inner[ref] = argument;
    if (failed(emitElementBlock(block, element, values, inner)))
      return failure();
    Operation *terminator = builder.clone(*block.getTerminator(), values);
    for (Value ref : written)
      terminator->insertOperands(terminator->getNumOperands(), inner[ref]);
  }
  values.map(op->getResults(), copy->getResults().take_front(op->getNumResults()));
  for (auto [ref, value] : llvm::zip_equal(written, copy->getResults().take_back(written.size())))
    refs[ref] = value;
  return success();
}

} // namespace tilec::lowering
