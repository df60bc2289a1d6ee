//===- FuseParallels.cpp - one parallel of two that follow each other -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two parallels over the same constant extents become one if the second uses fragments that the first makes,
// and each iteration uses the elements only that the same iteration of the first has made. Iteration by
// iteration the first body then runs in front of the second.
//
// What is between the two must allow it. What depends on the first goes behind the new parallel, unless the
// second needs it (a reduction of the first's result, say); everything else stays in front. Whatever changes
// places must not touch the same memory, one of them writing, nor print or stop the program in another order.
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "mlir/IR/IRMapping.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec::tile {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What a memory effect is on: the argument of a tensor, the allocation of a shared tile, or the object
/// itself.
static Value getRoot(Value object) {
  if (isa<GlobalType>(object.getType()))
    return getRootPointer(object);
  while (auto view = object.getDefiningOp<SubviewOp>())
    object = view.getBase();
  return object;
}

static bool isWrite(const MemoryEffects::EffectInstance &effect) {
  return isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect());
}

/// Whether two effects must keep their order. Tensors that are written overlap no other (LANGUAGE.md, section
/// 4), and shared tiles do not overlap. An effect on nothing in particular is an action: it prints, asserts
/// or assumes.
static bool conflict(const MemoryEffects::EffectInstance &a, const MemoryEffects::EffectInstance &b) {
  if (isa<MemoryEffects::Allocate>(a.getEffect()) || isa<MemoryEffects::Allocate>(b.getEffect()))
    return false;
  if (!a.getValue() || !b.getValue())
    return isWrite(a) || isWrite(b);
  return (isWrite(a) || isWrite(b)) && getRoot(a.getValue()) == getRoot(b.getValue());
}

static bool mayExchange(Operation *a, Operation *b) {
  auto effects = getEffectsRecursively(a), others = getEffectsRecursively(b);
  return effects && others && llvm::none_of(*effects, [&](auto &effect) {
           return llvm::any_of(*others, [&](auto &other) { return conflict(effect, other); });
         });
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// The positions of the parallel's indices among those of an access, -1 for a constant.
static SmallVector<int> getPlaces(ValueRange indices, ParallelOp parallel) {
  return llvm::map_to_vector(indices, [&](Value index) {
    const auto *own = llvm::find(parallel.getIndices(), index);
    return own == parallel.getIndices().end() ? -1 : int(own - parallel.getIndices().begin());
  });
}

/// Whether each iteration of both touches only its own elements, and the same, of the fragment that is
/// `reference` in the first and one of `uses` in the second.
static bool isElementwise(ParallelOp first, Value reference, ParallelOp second, ArrayRef<Value> uses) {
  std::optional<SmallVector<int>> places;
  SmallVector<Value> constants; // the same place has the same constant
  auto matches = [&](Operation *access, ParallelOp parallel) {
    ValueRange indices = getIndices(access);
    if (isa<UpdateOp>(access) || !isOwnElement(indices, parallel))
      return false; // an update's result is not there before the loop ends
    SmallVector<int> own = getPlaces(indices, parallel);
    if (!places) {
      places = own;
      llvm::append_range(constants, indices);
    }
    for (auto [place, index, constant] : llvm::zip_equal(own, indices, constants))
      if (place < 0 && index != constant)
        return false;
    return own == *places;
  };
  return llvm::all_of(getAccesses(reference, first),
                      [&](Operation *access) { return matches(access, first); }) &&
         llvm::all_of(uses, [&](Value use) {
           return llvm::all_of(getAccesses(use, second),
                               [&](Operation *access) { return matches(access, second); });
         });
}

/// Whether the second goes on changing a result of the first that nobody else uses: then both have one
/// reference.
static bool isHandedOn(Value init, ParallelOp first) {
  return init.getDefiningOp() == first && init.hasOneUse();
}

/// Whether the second's reference can start as a copy of the element that the first has in `reference`: there
/// is an element to copy, because the first writes it unconditionally.
static bool canCopy(ParallelOp first, Value reference, Value copy, ParallelOp second) {
  return !getAccesses(copy, second).empty() &&
         llvm::any_of(getAccesses(reference, first), [&](Operation *access) {
           return isa<WriteOp>(access) && access->getBlock() == first.getBody();
         });
}

/// Whether the bodies may run alternately.
static bool areCompatible(ParallelOp first, ParallelOp second) {
  if (first.getStaticExtents() != second.getStaticExtents() || !mayExchange(first, second))
    return false;
  for (auto [reference, result] : llvm::zip_equal(first.getRefs(), first.getResults())) {
    SmallVector<Value> uses{result};
    for (auto [copy, init] : llvm::zip_equal(second.getRefs(), second.getInits())) {
      if (init != result)
        continue;
      if (!isHandedOn(result, first) && !canCopy(first, reference, copy, second))
        return false;
      uses.push_back(copy);
    }
    bool isUsed = uses.size() > 1 || !getAccesses(result, second).empty();
    if (isUsed && !isElementwise(first, reference, second, uses))
      return false;
  }
  return true;
}

/// The ops between the two that must go behind both, because they depend on the first; nothing if the second
/// depends on one of them, or if something would have to pass what it must not.
static std::optional<SmallVector<Operation *>> findLater(ParallelOp first, ParallelOp second) {
  SmallVector<Operation *> later;
  llvm::SmallPtrSet<Operation *, 8> dependent{first};
  auto depends = [&](Operation *op) {
    bool found = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        found |= definition && dependent.contains(definition);
      }
    });
    return found;
  };
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode()) {
    if (depends(op)) {
      dependent.insert(op);
      later.push_back(op);
    } else if (!mayExchange(first, op) ||
               !llvm::all_of(later, [&](Operation *other) { return mayExchange(other, op); })) {
      return std::nullopt; // it would pass the first, and what goes behind
    }
  }
  dependent.erase(first);
  if (depends(second) || !llvm::all_of(later, [&](Operation *op) { return mayExchange(op, second); }))
    return std::nullopt;
  return later;
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// One parallel that does both, in the place of the second. Where a fragment that the second goes on changing
/// is used elsewhere too, the second's reference starts as a copy, element by element. Clean-up removes what
/// is idle.
static ParallelOp fuse(ParallelOp first, ParallelOp second) {
  OpBuilder builder(second);
  SmallVector<Value> inits(first.getInits());
  // The number, among the results of the new parallel, of each of the second's.
  SmallVector<unsigned> numbers;
  for (Value init : second.getInits()) {
    auto made = init.getDefiningOp() == first ? cast<OpResult>(init) : OpResult();
    numbers.push_back(isHandedOn(init, first) ? made.getResultNumber() : inits.size());
    // Elements that no iteration touches are those from before the first.
    if (numbers.back() == inits.size())
      inits.push_back(made ? first.getInits()[made.getResultNumber()] : init);
  }
  auto fused = ParallelOp::create(builder, first.getLoc(), first.getMixedExtents(), inits);
  fused->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  OpBuilder body = OpBuilder::atBlockBegin(fused.getBody());
  IRMapping mapping;
  mapping.map(first.getIndices(), fused.getIndices());
  for (auto [reference, result, own] :
       llvm::zip_first(first.getRefs(), first.getResults(), fused.getRefs())) {
    mapping.map(reference, own);
    // What the second reads of the result is what the iteration has now.
    mapping.map(result, own);
  }
  for (Operation &op : first.getBody()->without_terminator())
    body.clone(op, mapping);

  mapping.map(second.getIndices(), fused.getIndices());
  for (auto [reference, init, number] : llvm::zip_equal(second.getRefs(), second.getInits(), numbers)) {
    Value own = fused.getRefs()[number];
    mapping.map(reference, own);
    if (init.getDefiningOp() != first || isHandedOn(init, first))
      continue;
    Operation *access = getAccesses(reference, second).front();
    SmallVector<Value> indices =
        llvm::map_to_vector(getIndices(access), [&](Value index) { return mapping.lookupOrDefault(index); });
    Value element =
        ReadOp::create(body, access->getLoc(), loadedElement(own.getType()), mapping.lookup(init), indices);
    WriteOp::create(body, access->getLoc(), element, own, indices);
  }
  for (Operation &op : second.getBody()->without_terminator())
    body.clone(op, mapping);

  for (auto [result, number] : llvm::zip_equal(second.getResults(), numbers))
    result.replaceAllUsesWith(fused.getResult(number));
  first->replaceAllUsesWith(fused.getResults().take_front(first.getNumResults()));
  return fused;
}

/// Fuses `first` with the next parallel of the block that uses it and can be. False: there is none.
static bool fuseWithUser(ParallelOp first) {
  SetVector<Operation *> users;
  for (Operation *user : first->getUsers())
    if (Operation *op = first->getBlock()->findAncestorOpInBlock(*user))
      users.insert(op);
  SmallVector<Operation *> ordered(users.getArrayRef());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *user : ordered) {
    auto second = dyn_cast<ParallelOp>(user);
    if (!second || !isFreeToChange(second) || !areCompatible(first, second))
      continue;
    std::optional<SmallVector<Operation *>> later = findLater(first, second);
    if (!later)
      continue;
    ParallelOp fused = fuse(first, second);
    Operation *last = fused;
    for (Operation *op : *later) {
      op->moveAfter(last);
      last = op;
    }
    remark::passed(second.getLoc(), decision(fused, "Fused", "tile-simplify"))
        << "one loop with the loop before it that makes its fragments";
    second->erase();
    first->erase();
    return true;
  }
  return false;
}

void fuseParallels(KernelOp kernel) {
  // From the front, so that what depends on little is there early, and not only with what it could wait for.
  auto fuseOne = [](ParallelOp parallel) {
    bool fused = isFreeToChange(parallel) && fuseWithUser(parallel);
    return fused ? WalkResult::interrupt() : WalkResult::advance();
  };
  while (kernel->walk(fuseOne).wasInterrupted())
    ;
}

} // namespace tilec::tile
