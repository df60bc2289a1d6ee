//===- EmitParallel.cpp - the body of a parallel for all elements -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The top level of a body is written op by op for all elements side by side. That is legal because iterations
// have no order and each keeps its own. An op with regions (a condition, a loop) is written once for each
// element; elements of fragments that it writes are carried through it as further results.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ScalarOps.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

/// The fragments of one element of the thread: reference -> its value now.
using ElementRefs = llvm::MapVector<Value, Value>;

class ParallelEmitter {
public:
  ParallelEmitter(KernelEmitter &emitter, ParallelOp parallel)
      : emitter(emitter), builder(emitter.builder), parallel(parallel) {}

  LogicalResult run();

private:
  // All elements side by side.
  LogicalResult emitOp(Operation *op);
  LogicalResult emitScalar(Operation *op);
  LogicalResult emitRegionOp(Operation *op);
  bool emitAffine(Operation *op);
  bool emitPairs(Operation *op);
  void emitUpdate(UpdateOp update);

  // One element, inside an op with regions.
  LogicalResult emitElementBlock(Block &block, unsigned element, IRMapping &values, ElementRefs &refs);
  LogicalResult emitElementOp(Operation *op, unsigned element, IRMapping &values, ElementRefs &refs);
  LogicalResult emitElementControl(Operation *op, unsigned element, IRMapping &values, ElementRefs &refs);
  Value combine(Location loc, UpdateKind kind, Value old, Value value, Type element);
  Value combineFloats(Location loc, UpdateKind kind, Value old, Value value);
  Value combineIntegers(Location loc, UpdateKind kind, Value old, Value value, bool isUnsigned);

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
  /// The elements of a fragment, or of a reference as it is now.
  Spread &getFragment(Value fragment);

  KernelEmitter &emitter;
  OpBuilder &builder;
  ParallelOp parallel;
  Elements elements;
  llvm::DenseMap<Value, Spread> spreads;
  llvm::MapVector<Value, Spread> fragments;
};

LogicalResult KernelEmitter::emitParallel(ParallelOp parallel) {
  return ParallelEmitter(*this, parallel).run();
}

LogicalResult ParallelEmitter::run() {
  Location loc = parallel.getLoc();
  Layout layout = cast<LayoutAttrInterface>(parallel.getLayoutAttr()).toLinear();
  SmallVector<OpFoldResult> extents = llvm::map_to_vector(
      parallel.getMixedExtents(), [&](OpFoldResult extent) { return emitter.lookup(extent); });
  elements = emitter.getElements(loc, layout, extents);
  for (auto [index, spread] : llvm::zip_equal(parallel.getIndices(), elements.indices))
    spreads[index] = spread;
  for (auto [ref, init] : llvm::zip_equal(parallel.getRefs(), parallel.getInits()))
    fragments[ref] = Spread::values(emitter.unpack(loc, emitter.lookup(init)));

  for (Operation &op : parallel.getBody()->without_terminator())
    if (failed(emitOp(&op)))
      return failure();

  for (auto [ref, result] : llvm::zip_equal(parallel.getRefs(), parallel.getResults())) {
    auto type = cast<VectorType>(emitter.convertType(result.getType()));
    emitter.mapping.map(result, emitter.pack(loc, fragments[ref], elements.count, type.getElementType()));
  }
  return success();
}

Spread &ParallelEmitter::getFragment(Value fragment) {
  auto it = fragments.find(fragment);
  if (it == fragments.end()) {
    Spread values = Spread::values(emitter.unpack(parallel.getLoc(), emitter.lookup(fragment)));
    it = fragments.insert({fragment, values}).first;
  }
  return it->second;
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

LogicalResult ParallelEmitter::emitOp(Operation *op) {
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReadOp read) {
        if (isa<FragmentType, FragRefType>(read.getSource().getType()))
          spreads[read.getResult()] = getFragment(read.getSource());
        else
          spreads[read.getResult()] =
              emitter.emitRead(loc, emitter.getView(read.getSource()), getSpreads(read.getIndices()),
                               elements, AccessPath::of(op), Value());
        return success();
      })
      .Case([&](WriteOp write) {
        Spread value = getSpread(write.getValue());
        if (!isa<FragRefType>(write.getDest().getType())) {
          emitter.emitWrite(loc, emitter.getView(write.getDest()), getSpreads(write.getIndices()), value,
                            elements, AccessPath::of(op));
          return success();
        }
        Spread &target = fragments[write.getDest()];
        Type type = cast<FragRefType>(write.getDest().getType()).getElementType();
        if (elements.exists.empty() && storageBits(type) != 4) {
          target = value;
          return success();
        }
        SmallVector<Value> values;
        for (unsigned element = 0; element < elements.count; ++element) {
          Value next = wrapToElement(builder, loc, value.get(builder, loc, element), type);
          Value guard = elements.existing(element);
          if (guard)
            next = arith::SelectOp::create(builder, loc, guard, next, target.get(builder, loc, element));
          values.push_back(next);
        }
        target = Spread::values(values);
        return success();
      })
      .Case([&](UpdateOp update) { return emitUpdate(update), success(); })
      .Case([&](AtomicOp atomic) {
        emitter.emitAtomic(loc, atomic.getKind(), emitter.getView(atomic.getDest()),
                           getSpreads(atomic.getIndices()), getSpread(atomic.getValue()), elements,
                           isInBounds(op));
        return success();
      })
      .Case([&](AssumeOp) { return success(); })
      .Case([&](AssertOp check) {
        Spread condition = getSpread(check.getCondition());
        for (unsigned element = 0; element < elements.count; ++element)
          emitter.emitAssert(loc, condition.get(builder, loc, element), check.getText(),
                             emitter.both(loc, elements.isOwner, elements.existing(element)));
        return success();
      })
      .Case([&](PrintOp print) {
        SmallVector<Spread> args = getSpreads(print.getArgs());
        for (unsigned element = 0; element < elements.count; ++element) {
          SmallVector<Value> values =
              llvm::map_to_vector(args, [&](const Spread &arg) { return arg.get(builder, loc, element); });
          emitter.emitPrint(print, values, emitter.both(loc, elements.isOwner, elements.existing(element)));
        }
        return success();
      })
      .Default([&](Operation *) { return op->getNumRegions() ? emitRegionOp(op) : emitScalar(op); });
}

void ParallelEmitter::emitUpdate(UpdateOp update) {
  Location loc = update.getLoc();
  Spread &target = fragments[update.getDest()];
  Spread value = getSpread(update.getValue());
  Type element = cast<FragRefType>(update.getDest().getType()).getElementType();
  SmallVector<Value> values;
  for (unsigned i = 0; i < elements.count; ++i) {
    Value old = target.get(builder, loc, i);
    Value next = combine(loc, update.getKind(), old, value.get(builder, loc, i), element);
    if (Value guard = elements.existing(i))
      next = arith::SelectOp::create(builder, loc, guard, next, old);
    values.push_back(next);
  }
  target = Spread::values(values);
}

Value ParallelEmitter::combine(Location loc, UpdateKind kind, Value old, Value value, Type element) {
  if (!isa<FloatType>(element)) {
    Value next = combineIntegers(loc, kind, old, value, isUnsignedElement(element));
    return wrapToElement(builder, loc, next, element);
  }
  // Formats without arithmetic of their own compute in f32.
  Type f32 = builder.getF32Type();
  bool viaF32 = storageBits(element) == 8 || isa<FloatTF32Type>(element);
  if (viaF32) {
    old = convertElement(builder, loc, old, element, f32, emitter.arch);
    value = convertElement(builder, loc, value, element, f32, emitter.arch);
  }
  Value next = combineFloats(loc, kind, old, value);
  return viaF32 ? convertElement(builder, loc, next, f32, element, emitter.arch) : next;
}

Value ParallelEmitter::combineFloats(Location loc, UpdateKind kind, Value old, Value value) {
  switch (kind) {
  case UpdateKind::Add:
    return arith::AddFOp::create(builder, loc, old, value);
  case UpdateKind::Sub:
    return arith::SubFOp::create(builder, loc, old, value);
  case UpdateKind::Mul:
    return arith::MulFOp::create(builder, loc, old, value);
  case UpdateKind::Div:
    return arith::DivFOp::create(builder, loc, old, value);
  case UpdateKind::Max:
    return arith::MaxNumFOp::create(builder, loc, old, value);
  case UpdateKind::Min:
    return arith::MinNumFOp::create(builder, loc, old, value);
  }
  llvm_unreachable("unknown kind of update");
}

Value ParallelEmitter::combineIntegers(Location loc, UpdateKind kind, Value old, Value value,
                                       bool isUnsigned) {
  switch (kind) {
  case UpdateKind::Add:
    return arith::AddIOp::create(builder, loc, old, value);
  case UpdateKind::Sub:
    return arith::SubIOp::create(builder, loc, old, value);
  case UpdateKind::Mul:
    return arith::MulIOp::create(builder, loc, old, value);
  case UpdateKind::Div:
    return createSafeDivision(builder, loc, old, value, isUnsigned);
  case UpdateKind::Max:
    return isUnsigned ? arith::MaxUIOp::create(builder, loc, old, value).getResult()
                      : arith::MaxSIOp::create(builder, loc, old, value).getResult();
  case UpdateKind::Min:
    return isUnsigned ? arith::MinUIOp::create(builder, loc, old, value).getResult()
                      : arith::MinSIOp::create(builder, loc, old, value).getResult();
  }
  llvm_unreachable("unknown kind of update");
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
  llvm::SetVector<Value> named;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (isa<FragRefType, FragmentType>(operand.getType()))
        named.insert(operand);
      else if (spreads.contains(operand))
        captured.insert(operand);
    }
  });
  for (Value fragment : named)
    getFragment(fragment);

  SmallVector<SmallVector<Value>> results(op->getNumResults());
  llvm::MapVector<Value, SmallVector<Value>> after;
  for (unsigned element = 0; element < elements.count; ++element) {
    IRMapping values(emitter.mapping);
    for (Value value : captured)
      values.map(value, spreads[value].get(builder, loc, element));
    ElementRefs refs;
    for (Value fragment : named)
      refs[fragment] = fragments[fragment].get(builder, loc, element);

    // An element that does not exist must not loop on values that nobody defined.
    Value guard = elements.existing(element);
    if (!guard) {
      if (failed(emitElementOp(op, element, values, refs)))
        return failure();
    } else {
      SmallVector<Type> types =
          llvm::map_to_vector(op->getResultTypes(), [&](Type type) { return convertScalarType(type); });
      for (auto &[fragment, value] : refs)
        types.push_back(value.getType());
      auto branch = scf::IfOp::create(builder, loc, types, guard, /*withElseRegion=*/!types.empty());
      SmallVector<Value> otherwise;
      {
        OpBuilder::InsertionGuard insertion(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        ElementRefs inner = refs;
        if (failed(emitElementOp(op, element, values, inner)))
          return failure();
        if (!types.empty()) {
          SmallVector<Value> yields =
              llvm::map_to_vector(op->getResults(), [&](Value result) { return values.lookup(result); });
          for (auto &[fragment, value] : inner)
            yields.push_back(value);
          scf::YieldOp::create(builder, loc, yields);
          builder.setInsertionPointToStart(branch.elseBlock());
          for (Type type : ArrayRef(types).take_front(op->getNumResults()))
            otherwise.push_back(
                arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));
          for (auto &[fragment, value] : refs)
            otherwise.push_back(value);
          scf::YieldOp::create(builder, loc, otherwise);
        }
      }
      values.map(op->getResults(), branch.getResults().take_front(op->getNumResults()));
      for (auto [entry, value] : llvm::zip_equal(refs, branch.getResults().drop_front(op->getNumResults())))
        entry.second = value;
    }
    for (auto [list, result] : llvm::zip_equal(results, op->getResults()))
      list.push_back(values.lookup(result));
    for (auto &[fragment, value] : refs)
      after[fragment].push_back(value);
  }
  for (auto [result, list] : llvm::zip_equal(op->getResults(), results))
    spreads[result] = Spread::values(std::move(list));
  for (auto &[fragment, list] : after)
    fragments[fragment] = Spread::values(std::move(list));
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
        auto it = refs.find(read.getSource());
        values.map(read.getResult(),
                   it != refs.end()
                       ? it->second
                       : emitter.emitReadOne(loc, emitter.getView(read.getSource()),
                                             lookupAll(read.getIndices()), read.getInBounds(), Value()));
        return success();
      })
      .Case([&](WriteOp write) {
        Value value = values.lookup(write.getValue());
        if (auto type = dyn_cast<FragRefType>(write.getDest().getType()))
          refs[write.getDest()] = wrapToElement(builder, loc, value, type.getElementType());
        else
          emitter.emitWriteOne(loc, emitter.getView(write.getDest()), lookupAll(write.getIndices()), value,
                               write.getInBounds(), owner);
        return success();
      })
      .Case([&](UpdateOp update) {
        Value &target = refs[update.getDest()];
        target = combine(loc, update.getKind(), target, values.lookup(update.getValue()),
                         cast<FragRefType>(update.getDest().getType()).getElementType());
        return success();
      })
      .Case([&](AtomicOp atomic) {
        emitter.emitAtomicOne(loc, atomic.getKind(), emitter.getView(atomic.getDest()),
                              lookupAll(atomic.getIndices()), values.lookup(atomic.getValue()),
                              isInBounds(op), owner);
        return success();
      })
      .Case([&](AssumeOp) { return success(); })
      .Case([&](AssertOp check) {
        emitter.emitAssert(loc, values.lookup(check.getCondition()), check.getText(), owner);
        return success();
      })
      .Case([&](PrintOp print) {
        emitter.emitPrint(print, lookupAll(print.getArgs()), owner);
        return success();
      })
      .Default([&](Operation *) -> LogicalResult {
        if (op->getNumRegions())
          return emitElementControl(op, element, values, refs);
        FailureOr<SmallVector<Value>> results =
            emitScalarOp(builder, op, lookupAll(op->getOperands()), emitter.arch);
        if (failed(results))
          return op->emitOpError("has no lowering to stage nvvm");
        values.map(op->getResults(), *results);
        return success();
      });
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
