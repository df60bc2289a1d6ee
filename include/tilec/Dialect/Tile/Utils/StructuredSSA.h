//===- StructuredSSA.h - mutable slots as SSA values ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slot is a variable named by a key of any type (a source variable, a fragment, a ring's counter) whose
// current content is an SSA value. Structured control flow makes "which value is current" a local question:
// what a region assigns leaves it through the results of the region's op. So there are no phis to place, only
// the set of assigned keys to know before the op is built.
//
// Two uses:
//   - building (the importer): `buildIf`, `buildFor`, `buildWhile` create the op with a result for every
//     carried key, run the bodies, and leave the slots as they are behind the op;
//   - rewriting (lowering rings): a `SlotThreader` walks IR that exists and gives its scf ops the further
//     iter_args and results that the slots need.
//
// In both, a key assigned inside a region must be among its carried keys; a slot defined inside ends with it.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_TILE_UTILS_STRUCTUREDSSA_H
#define TILEC_DIALECT_TILE_UTILS_STRUCTUREDSSA_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include <functional>

namespace tilec::tile {

/// The current value of every slot. Iterates in the order of definition, so results come in a stable order.
template <typename Key> class SlotMap {
public:
  /// A new slot; a slot of that key from an ended scope is forgotten.
  void define(Key key, mlir::Value value) { values[key] = value; }

  void set(Key key, mlir::Value value) {
    auto it = values.find(key);
    assert(it != values.end() && "assignment to an undefined slot");
    assert(it->second.getType() == value.getType() && "a slot keeps its type");
    it->second = value;
  }

  mlir::Value get(Key key) const {
    mlir::Value value = lookup(key);
    assert(value && "read of an undefined slot");
    return value;
  }
  /// Null for a key without slot.
  mlir::Value lookup(Key key) const { return values.lookup(key); }
  bool contains(Key key) const { return values.contains(key); }

  /// Ends every slot that was defined since the map had `size` slots.
  size_t size() const { return values.size(); }
  void truncate(size_t size) {
    while (values.size() > size)
      values.pop_back();
  }

  llvm::SmallVector<mlir::Value> getAll(llvm::ArrayRef<Key> keys) const {
    return llvm::map_to_vector(keys, [&](Key key) { return get(key); });
  }
  void setAll(llvm::ArrayRef<Key> keys, mlir::ValueRange newValues) {
    for (auto [key, value] : llvm::zip_equal(keys, newValues))
      set(key, value);
  }

  /// Those of `keys` that have a slot, once each, in the order of definition.
  llvm::SmallVector<Key> present(llvm::ArrayRef<Key> keys) const {
    llvm::SmallVector<Key> result;
    llvm::SmallDenseSet<Key> wanted(keys.begin(), keys.end());
    for (const auto &[key, value] : values)
      if (wanted.contains(key))
        result.push_back(key);
    return result;
  }

  /// Whether all slots but the `carried` ones hold what they held in `before`, and no slot is missing.
  bool agreesWith(const SlotMap &before, llvm::ArrayRef<Key> carried) const {
    return llvm::all_of(before.values, [&](const auto &slot) {
      return contains(slot.first) &&
             (llvm::is_contained(carried, slot.first) || lookup(slot.first) == slot.second);
    });
  }

private:
  llvm::MapVector<Key, mlir::Value> values;
};

namespace detail {
/// What a body leaves in the carried slots.
using Carried = llvm::SmallVector<mlir::Value>;
using BodyFn = llvm::function_ref<Carried()>;

mlir::scf::IfOp createIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
                         mlir::TypeRange types, BodyFn thenBody, BodyFn elseBody);
mlir::scf::ForOp createFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lo, mlir::Value hi,
                           mlir::Value step, mlir::ValueRange inits,
                           llvm::function_ref<Carried(mlir::Value, mlir::ValueRange)> body);
mlir::scf::WhileOp createWhile(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange inits,
                               llvm::function_ref<mlir::Value(mlir::ValueRange)> condition,
                               llvm::function_ref<Carried(mlir::ValueRange)> body);

/// Gives existing ops further results; the callbacks run with the slots' values at the region's entry and
/// answer those at its end. The old op is erased and its results replaced.
mlir::scf::IfOp extendIf(mlir::RewriterBase &rewriter, mlir::scf::IfOp op, mlir::TypeRange types,
                         llvm::function_ref<Carried(mlir::Block *)> branch);
mlir::scf::ForOp extendFor(mlir::RewriterBase &rewriter, mlir::scf::ForOp op, mlir::ValueRange inits,
                           llvm::function_ref<Carried(mlir::Block *, mlir::ValueRange)> body);
mlir::scf::WhileOp extendWhile(mlir::RewriterBase &rewriter, mlir::scf::WhileOp op, mlir::ValueRange inits,
                               llvm::function_ref<Carried(mlir::Block *, mlir::ValueRange)> region);
} // namespace detail

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//
// `assigned` may name keys without slot (they are local to the region) and keys twice.

namespace detail {
/// Runs `body` with its own copy of the slots and answers what it leaves in the carried ones.
template <typename Key>
Carried runRegion(SlotMap<Key> &slots, llvm::ArrayRef<Key> carried, llvm::function_ref<void()> body) {
  SlotMap<Key> before = slots;
  body();
  assert(slots.agreesWith(before, carried) && "assigned in the region but not carried out of it");
  Carried result = slots.getAll(carried);
  slots = std::move(before);
  return result;
}
} // namespace detail

/// `elseBody` null: nothing happens there. Without results and else body, no else region is made.
template <typename Key>
mlir::scf::IfOp buildIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
                        SlotMap<Key> &slots, llvm::ArrayRef<Key> assigned,
                        llvm::function_ref<void()> thenBody, llvm::function_ref<void()> elseBody = nullptr) {
  llvm::SmallVector<Key> carried = slots.present(assigned);
  auto run = [&](llvm::function_ref<void()> body) { return detail::runRegion<Key>(slots, carried, body); };
  auto runElse = [&] { return elseBody ? run(elseBody) : slots.getAll(carried); };
  bool withElse = elseBody || !carried.empty();
  auto op = detail::createIf(
      builder, loc, condition, mlir::TypeRange(mlir::ValueRange(slots.getAll(carried))),
      [&] { return run(thenBody); }, withElse ? detail::BodyFn(runElse) : detail::BodyFn());
  slots.setAll(carried, op.getResults());
  return op;
}

/// `body` gets the induction variable; the bounds have its type.
template <typename Key>
mlir::scf::ForOp buildFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lo, mlir::Value hi,
                          mlir::Value step, SlotMap<Key> &slots, llvm::ArrayRef<Key> assigned,
                          llvm::function_ref<void(mlir::Value)> body) {
  llvm::SmallVector<Key> carried = slots.present(assigned);
  auto op = detail::createFor(builder, loc, lo, hi, step, slots.getAll(carried),
                              [&](mlir::Value index, mlir::ValueRange args) {
                                return detail::runRegion<Key>(slots, carried, [&] {
                                  slots.setAll(carried, args);
                                  body(index);
                                });
                              });
  slots.setAll(carried, op.getResults());
  return op;
}

/// `condition` runs before every iteration and must assign nothing.
template <typename Key>
mlir::scf::WhileOp buildWhile(mlir::OpBuilder &builder, mlir::Location loc, SlotMap<Key> &slots,
                              llvm::ArrayRef<Key> assigned, llvm::function_ref<mlir::Value()> condition,
                              llvm::function_ref<void()> body) {
  llvm::SmallVector<Key> carried = slots.present(assigned);
  auto op = detail::createWhile(
      builder, loc, slots.getAll(carried),
      [&](mlir::ValueRange args) {
        mlir::Value result;
        detail::runRegion<Key>(slots, carried, [&] {
          slots.setAll(carried, args);
          result = condition();
        });
        return result;
      },
      [&](mlir::ValueRange args) {
        return detail::runRegion<Key>(slots, carried, [&] {
          slots.setAll(carried, args);
          body();
        });
      });
  slots.setAll(carried, op.getResults());
  return op;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Threads slots through a block of existing structured IR, in program order.
template <typename Key> class SlotThreader {
public:
  using Slots = SlotMap<Key>;
  /// The keys that an op itself assigns (not the ops in its regions).
  using AssignsFn = std::function<void(mlir::Operation *, llvm::SmallVectorImpl<Key> &)>;
  /// Called for every op but the scf ones that carry slots, after the regions inside it. May read and set
  /// slots and erase the op; sets only keys that AssignsFn names for it.
  using VisitFn = std::function<void(mlir::Operation *, Slots &)>;

  SlotThreader(mlir::RewriterBase &rewriter, AssignsFn assigns, VisitFn visit)
      : rewriter(rewriter), assigns(std::move(assigns)), visit(std::move(visit)) {}

  /// The keys that ops in the block and below assign, in program order.
  llvm::SetVector<Key> collectAssigned(mlir::Block &block) const {
    llvm::SetVector<Key> result;
    llvm::SmallVector<Key> keys;
    block.walk([&](mlir::Operation *op) { assigns(op, keys); });
    result.insert(keys.begin(), keys.end());
    return result;
  }

  /// Ops with regions that are not scf.if, scf.for or scf.while must not assign slots from outside in them.
  void run(mlir::Block &block, Slots &slots) {
    for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
      llvm::SmallVector<Key> carried = carriedBy(op, slots);
      if (carried.empty()) {
        for (mlir::Region &region : op.getRegions())
          for (mlir::Block &inner : region)
            runRegion(inner, slots, {}, {});
        visit(&op, slots);
        continue;
      }
      rewriter.setInsertionPoint(&op);
      mlir::Operation *threaded = extend(&op, slots, carried);
      slots.setAll(carried, threaded->getResults().take_back(carried.size()));
    }
  }

private:
  llvm::SmallVector<Key> carriedBy(mlir::Operation &op, const Slots &slots) const {
    llvm::SetVector<Key> assigned;
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &block : region)
        assigned.insert_range(collectAssigned(block));
    return slots.present(assigned.getArrayRef());
  }

  detail::Carried runRegion(mlir::Block &block, Slots &slots, llvm::ArrayRef<Key> carried,
                            mlir::ValueRange args) {
    return detail::runRegion<Key>(slots, carried, [&] {
      if (!args.empty())
        slots.setAll(carried, args);
      run(block, slots);
    });
  }

  mlir::Operation *extend(mlir::Operation *op, Slots &slots, llvm::ArrayRef<Key> carried) {
    llvm::SmallVector<mlir::Value> inits = slots.getAll(carried);
    auto region = [&](mlir::Block *block, mlir::ValueRange args) {
      return runRegion(*block, slots, carried, args);
    };
    if (auto ifOp = llvm::dyn_cast<mlir::scf::IfOp>(op))
      return detail::extendIf(rewriter, ifOp, mlir::TypeRange(mlir::ValueRange(inits)),
                              [&](mlir::Block *block) { return region(block, {}); });
    if (auto forOp = llvm::dyn_cast<mlir::scf::ForOp>(op))
      return detail::extendFor(rewriter, forOp, inits, region);
    return detail::extendWhile(rewriter, llvm::cast<mlir::scf::WhileOp>(op), inits, region);
  }

  mlir::RewriterBase &rewriter;
  AssignsFn assigns;
  VisitFn visit;
};

} // namespace tilec::tile

#endif // TILEC_DIALECT_TILE_UTILS_STRUCTUREDSSA_H
