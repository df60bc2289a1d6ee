//===- SplitTails.cpp - tile-split-tails -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over all indices of a parallel, an index expression of an access is least and greatest at known corners.
// Where the rest of it is the same for the whole block, comparing these two with the tensor's extents once
// replaces a comparison for every element, and lets vectors be whole.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILESPLITTAILSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

/// More comparisons than this cost more than they save.
static constexpr unsigned maxConditions = 12;

namespace {

/// What must hold for a full block.
class Conditions {
public:
  /// A least corner that is not below 0; of equal terms the smaller constant decides.
  void addLow(const LinearForm &low) { addExtreme(lows, low, std::less<int64_t>()); }
  /// A greatest corner that is not below 0: its sum may have wrapped.
  void addWrap(const LinearForm &high) { addExtreme(wraps, high, std::greater<int64_t>()); }
  /// A corner that is below the extent; of equal terms the larger constant decides.
  void addBelow(const LinearForm &high, const LinearForm &size) {
    for (BoundCheck &other : highs)
      if (other.index.hasSameTerms(high) && other.size == size) {
        other.index = high.getConstant() > other.index.getConstant() ? high : other.index;
        return;
      }
    highs.push_back({high, size});
  }
  unsigned size() const { return lows.size() + wraps.size() + highs.size(); }

  Value materialize(OpBuilder &builder, Location loc) const {
    Value all;
    auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
      all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult() : holds;
    };
    for (const LinearForm &form : llvm::concat<const LinearForm>(lows, wraps))
      require(arith::CmpIPredicate::sge, build(builder, loc, form), build(builder, loc, LinearForm(0)));
    for (const BoundCheck &high : highs)
      require(arith::CmpIPredicate::slt, build(builder, loc, high.index), build(builder, loc, high.size));
    return all;
  }

private:
  template <typename Better>
  static void addExtreme(SmallVectorImpl<LinearForm> &forms, const LinearForm &form, Better isBetter) {
    for (LinearForm &other : forms)
      if (other.hasSameTerms(form)) {
        other = isBetter(form.getConstant(), other.getConstant()) ? form : other;
        return;
      }
    forms.push_back(form);
  }

  static Value build(OpBuilder &builder, Location loc, const LinearForm &form) {
    auto constant = [&](int64_t value) {
      return arith::ConstantIntOp::create(builder, loc, value, 64).getResult();
    };
    Value sum;
    for (auto [symbol, coefficient] : form.getTerms()) {
      Value term = symbol;
      if (coefficient != 1)
        term = arith::MulIOp::create(builder, loc, symbol, constant(coefficient));
      sum = sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
    }
    if (!sum)
      return constant(form.getConstant());
    if (form.getConstant() != 0)
      sum = arith::AddIOp::create(builder, loc, sum, constant(form.getConstant()));
    return sum;
  }

  SmallVector<LinearForm> lows, wraps;
  SmallVector<BoundCheck> highs;
};

/// Splits one parallel, load or store.
class Splitter {
public:
  Splitter(Operation *op, const IndexAnalysis &analysis)
      : op(op), parallel(dyn_cast<ParallelOp>(op)), analysis(analysis) {}

  void run() {
    if (parallel) {
      chooseExtents();
      parallel->walk([&](Operation *inner) { visit(inner); });
    } else {
      visit(op);
    }
    if (provable.empty() && !becomesStatic)
      return;
    if (conditions.size() > maxConditions) {
      report(remark::missed(op->getLoc(), decision(op, "TooManyConditions", "tile-split-tails")),
             "checked everywhere: too many different bounds");
      return;
    }
    if (conditions.size() == 0) {
      markAll(op, provable);
      return;
    }
    report(remark::passed(op->getLoc(), decision(op, "Split", "tile-split-tails")), "blocks that are whole run without checks");
    split();
  }

private:
  template <typename R> void report(R remark, StringRef text) {
    remark << text << remark::metric("Conditions", conditions.size())
           << remark::metric("Accesses", provable.size());
  }

  /// Extents of the full version: dynamic ones become what the layout covers, or the fragments have.
  void chooseExtents() {
    extents.assign(parallel.getStaticExtents().begin(), parallel.getStaticExtents().end());
    if (!llvm::is_contained(extents, ShapedType::kDynamic))
      return;
    Coord covered = cast<LayoutAttrInterface>(parallel.getLayoutAttr()).toLinear().getBounds();
    SmallVector<int64_t> full(covered.begin(), covered.end());
    if (usesFragments(parallel))
      if (std::optional<SmallVector<int64_t>> fragment = getFragmentExtents(parallel))
        full = *fragment;
    SmallVector<OpFoldResult> mixed = parallel.getMixedExtents();
    for (unsigned dim = 0; dim < extents.size(); ++dim) {
      if (!ShapedType::isDynamic(extents[dim]))
        continue;
      extents[dim] = full[dim];
      LinearForm extent = analysis.linearizeExactly(mixed[dim]);
      LinearForm enough = extent;
      if (!enough.add(LinearForm(-full[dim])))
        continue;
      conditions.addBelow(LinearForm(full[dim] - 1), extent);
      assumed.push_back(enough);
      becomesStatic = true;
    }
  }

  bool isUniform(const LinearForm &form) const {
    if (!parallel)
      return true;
    Region &body = parallel.getBodyRegion();
    return llvm::all_of(form.getTerms(),
                        [&](auto term) { return !body.isAncestor(term.first.getParentRegion()); });
  }

  /// Adds the corners of a check to the conditions, unless they are proved; false if they are not uniform.
  bool addCorners(const BoundCheck &check, Conditions &result) const {
    LinearForm low = check.index, high = check.index;
    if (parallel) {
      low = high = check.index.without(parallel.getIndices());
      for (auto [iv, extent] : llvm::zip_equal(parallel.getIndices(), extents)) {
        int64_t coefficient = check.index.getCoefficient(iv);
        if (!(coefficient < 0 ? low : high).add(LinearForm(extent - 1), coefficient))
          return false;
      }
    }
    if (!isUniform(low) || !isUniform(check.size))
      return false;
    bool lowHolds = analysis.isNonNegative(low, op, assumed);
    LinearForm room = check.size;
    bool highHolds =
        room.add(high, -1) && room.add(LinearForm(-1)) && analysis.isNonNegative(room, op, assumed);
    if (lowHolds && highHolds)
      return true;
    // A comparison says nothing about a corner that may have wrapped. If both are not negative and the
    // greatest is below the extent, neither of them has, nor has what is between.
    bool wraps = !analysis.isExact(low) || !analysis.isExact(high);
    if (!lowHolds || wraps)
      result.addLow(low);
    if (wraps)
      result.addWrap(high);
    if (!highHolds || wraps)
      result.addBelow(high, check.size);
    return true;
  }

  void visit(Operation *inner) {
    std::optional<ElementAccess> access = ElementAccess::get(inner);
    if (!access || isInBounds(inner))
      return;
    Conditions trial = conditions;
    auto addAt = [&](bool lastCorner) {
      SmallVector<LinearForm, 4> indices;
      for (auto [dim, index] : llvm::enumerate(access->indices)) {
        indices.push_back(analysis.linearize(index));
        if (lastCorner && !indices.back().add(LinearForm(access->extents[dim] - 1)))
          return false;
      }
      std::optional<GlobalAccess> resolved = analysis.resolve(access->global, indices);
      return resolved && llvm::all_of(resolved->checks,
                                      [&](const BoundCheck &check) { return addCorners(check, trial); });
    };
    if (!addAt(false) || (!access->extents.empty() && !addAt(true)))
      return;
    conditions = std::move(trial);
    provable.push_back(inner);
  }

  static void markAll(Operation *, ArrayRef<Operation *> accesses) { llvm::for_each(accesses, setInBounds); }

  void split() {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value full = conditions.materialize(builder, loc);
    auto choice = scf::IfOp::create(builder, loc, op->getResultTypes(), full, /*withElseRegion=*/true);
    if (op->getNumResults() == 0) {
      // The terminators are there already.
      op->replaceAllUsesWith(choice);
    }
    IRMapping mapping;
    OpBuilder thenBuilder = OpBuilder::atBlockBegin(choice.thenBlock());
    Operation *copy = thenBuilder.clone(*op, mapping);
    op->replaceAllUsesWith(choice);
    op->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
    if (op->getNumResults() != 0) {
      scf::YieldOp::create(thenBuilder, loc, copy->getResults());
      OpBuilder elseBuilder = OpBuilder::atBlockEnd(choice.elseBlock());
      scf::YieldOp::create(elseBuilder, loc, op->getResults());
    }
    // Mark the copies.
    if (auto fullParallel = dyn_cast<ParallelOp>(copy)) {
      SmallVector<Operation *> originals, copies;
      op->walk([&](Operation *inner) { originals.push_back(inner); });
      copy->walk([&](Operation *inner) { copies.push_back(inner); });
      for (auto [original, copied] : llvm::zip_equal(originals, copies))
        if (llvm::is_contained(provable, original))
          setInBounds(copied);
      if (becomesStatic) {
        fullParallel.getExtentsMutable().clear();
        fullParallel.setStaticExtents(extents);
      }
    } else {
      setInBounds(copy);
    }
  }

  Operation *op;
  mutable ParallelOp parallel; // MLIR's accessors are not const
  const IndexAnalysis &analysis;
  SmallVector<int64_t> extents;
  SmallVector<LinearForm> assumed;
  Conditions conditions;
  SmallVector<Operation *> provable;
  bool becomesStatic = false;
};

struct TileSplitTailsPass : impl::TileSplitTailsPassBase<TileSplitTailsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<ParallelOp>(op)) {
        ops.push_back(op);
        return WalkResult::skip();
      }
      if (isa<LoadOp, StoreOp>(op))
        ops.push_back(op);
      return WalkResult::advance();
    });
    // The analysis is of the program as it is now; what splitting adds does not change the answers.
    IndexAnalysis analysis(getOperation());
    for (Operation *op : ops)
      Splitter(op, analysis).run();
    for (Operation *op : ops)
      if (auto choice = dyn_cast<scf::IfOp>(op->getParentOp()))
        gatherConditions(choice);
  }

  /// Moves what stands between a choice and an earlier one in front of both where it can, so that choices on
  /// the same condition become neighbours, which canonicalisation merges.
  static void gatherConditions(scf::IfOp choice) {
    Operation *previous = choice->getPrevNode();
    SmallVector<Operation *> between;
    while (previous && !isa<scf::IfOp>(previous)) {
      if (!isPure(previous))
        return;
      between.push_back(previous);
      previous = previous->getPrevNode();
    }
    if (!previous)
      return;
    for (Operation *op : llvm::reverse(between))
      if (!usesWhatIsNotBefore(op, previous))
        op->moveBefore(previous);
  }

  /// Whether the op, or one in its body, uses what `previous` or something behind it in its block makes.
  static bool usesWhatIsNotBefore(Operation *op, Operation *previous) {
    return op
        ->walk([&](Operation *user) {
          for (Value operand : user->getOperands()) {
            Operation *definition = operand.getDefiningOp();
            if (definition && definition->getBlock() == previous->getBlock() &&
                !definition->isBeforeInBlock(previous))
              return WalkResult::interrupt();
          }
          return WalkResult::advance();
        })
        .wasInterrupted();
  }
};
} // namespace

} // namespace tilec
