//===- ElementMap.cpp - which thread touches which element ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal elements have equal indices in every dimension of the tensor. If a dimension's index is the same
// affine function in both accesses, equal indices mean equal variables wherever the function is injective:
// one variable, or a mixed-radix number (each variable's unit is larger than what all smaller ones add up
// to). What is found equal in one dimension is a constant in the others.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/ElementMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tilec/Layout/Layout.h"
#include "tilec/Transforms/SharedMemory.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace tilec::tile {

/// Units of a variable without a known range. Indices are exact modulo 2^64: two values of such a variable
/// that give one index are 2^44 steps apart or more, and no block runs that many.
static constexpr int64_t maxUnboundedUnit = int64_t(1) << 20;
/// Sums of less do not wrap.
static constexpr int64_t maxSum = int64_t(1) << 62;

/// A value that is computed once a block.
static bool neverChanges(Value value) {
  for (Operation *op = value.getParentBlock()->getParentOp(); op && !isa<KernelOp>(op);
       op = op->getParentOp())
    if (isa<LoopLikeOpInterface, ParallelOp>(op))
      return false;
  return true;
}

static bool neverChanges(const LinearForm &form) {
  return llvm::all_of(form.getTerms(), [](const auto &term) { return neverChanges(term.first); });
}

/// Different indices are different memory locations: rows of a tensor may overlap, those of a tile do not. Of
/// elements below a byte, two share one.
static bool hasDistinctElements(Value object, const IndexAnalysis &analysis) {
  if (storageBits(cast<ObjectTypeInterface>(object.getType()).getElementType()) < 8)
    return false;
  auto root = object.getDefiningOp<GlobalOp>();
  if (!root)
    return true;
  SmallVector<OpFoldResult> sizes = root.getMixedSizes(), strides = root.getMixedStrides();
  Operation *at = cast<KernelOp>(root->getParentOp()).getGrid().getBody()->getTerminator();
  std::optional<unsigned> inner;
  for (unsigned dim = sizes.size(); dim-- > 0;) {
    if (getConstantIntValue(sizes[dim]) == 1)
      continue;
    LinearForm stride = analysis.linearize(strides[dim]);
    if (!inner) {
      LinearForm least = stride;
      if (!least.add(LinearForm(-1)) || !analysis.isNonNegative(least, at))
        return false;
      inner = dim;
      continue;
    }
    // stride >= size * stride of the next one, as a product of values or as linear forms.
    LinearForm size = analysis.linearize(sizes[*inner]), step = analysis.linearize(strides[*inner]);
    inner = dim;
    Value value = dyn_cast<Value>(strides[dim]);
    if (auto product = value ? value.getDefiningOp<arith::MulIOp>() : arith::MulIOp()) {
      LinearForm lhs = analysis.linearize(product.getLhs()), rhs = analysis.linearize(product.getRhs());
      if ((lhs == size && rhs == step) || (lhs == step && rhs == size))
        continue;
    }
    if (step.isConstant())
      std::swap(size, step);
    LinearForm room = stride;
    if (!size.isConstant() || !room.add(step, -size.getConstant()) || !analysis.isNonNegative(room, at))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Making a map
//===----------------------------------------------------------------------===//

namespace {
struct RootElement {
  Value root;
  SmallVector<LinearForm, 4> indices;
};
} // namespace

/// The element of a tensor, window, shared tile or view, followed to what has memory.
static std::optional<RootElement> resolve(Value buffer, ArrayRef<LinearForm> indices,
                                          const IndexAnalysis &analysis) {
  if (isa<GlobalType>(buffer.getType())) {
    std::optional<GlobalAccess> access = analysis.resolve(buffer, indices);
    if (!access)
      return std::nullopt;
    return RootElement{access->root, std::move(access->rootIndices)};
  }
  RootElement element{buffer, SmallVector<LinearForm, 4>(indices)};
  while (auto view = element.root.getDefiningOp<SubviewOp>()) {
    SmallVector<LinearForm, 4> base;
    unsigned next = 0;
    for (auto [dim, offset] : llvm::enumerate(view.getOffsets())) {
      LinearForm form = analysis.linearize(offset);
      if (!llvm::is_contained(view.getDrop(), dim) && !form.add(element.indices[next++]))
        return std::nullopt;
      base.push_back(form);
    }
    element = {view.getBase(), std::move(base)};
  }
  if (!element.root.getDefiningOp<SharedOp>())
    return std::nullopt;
  return element;
}

std::optional<ElementMap> ElementMap::get(const Access &access, Operation *statement,
                                          const IndexAnalysis &analysis) {
  ElementMap map;
  map.writes = access.writes();
  auto type = cast<ObjectTypeInterface>(access.buffer().getType());
  SmallVector<LinearForm, 4> start;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    start.push_back(access.offsets.empty() ? LinearForm(0) : analysis.linearize(access.offsets[dim]));
  ArrayRef<int64_t> box = access.extents.empty() ? type.getShape() : ArrayRef<int64_t>(access.extents);
  std::optional<RootElement> first = resolve(access.buffer(), start, analysis);
  if (!first)
    return std::nullopt;
  map.root = first->root;

  auto parallel = dyn_cast<ParallelOp>(statement);
  FragmentType fragment;
  if (auto load = dyn_cast<LoadOp>(statement);
      load && load.getPath().value_or(Path::Generic) == Path::Generic)
    fragment = load.getType();
  else if (auto store = dyn_cast<StoreOp>(statement);
           store && store.getPath().value_or(Path::Generic) == Path::Generic)
    fragment = store.getValue().getType();
  ArrayRef<int64_t> extents = parallel ? parallel.getStaticExtents() : fragment ? fragment.getShape() : box;
  map.layout = parallel   ? parallel.getLayoutAttr()
               : fragment ? cast_if_present<LayoutAttrInterface>(fragment.getLayout())
                          : LayoutAttrInterface();
  SmallVector<int64_t> bounds(extents);
  if (map.layout) {
    Layout layout = map.layout.toLinear();
    map.hasOneHolder = layout.ownerPredicate().isTrivial();
    Coord covered = layout.getBounds();
    bounds.assign(covered.begin(), covered.end());
  }
  for (auto [extent, bound] : llvm::zip_equal(extents, bounds)) {
    if (ShapedType::isDynamic(extent) && !map.layout)
      return std::nullopt;
    map.ranges.push_back((ShapedType::isDynamic(extent) ? bound : extent) - 1);
  }

  for (const LinearForm &index : first->indices) {
    Dim dim;
    dim.fixed = LinearForm(index.getConstant());
    dim.coordinates.assign(extents.size(), 0);
    for (auto [symbol, coefficient] : index.getTerms()) {
      auto argument = dyn_cast<BlockArgument>(symbol);
      Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
      auto loop = dyn_cast_if_present<scf::ForOp>(owner);
      APInt step;
      if (parallel && owner == parallel) {
        dim.coordinates[argument.getArgNumber()] = coefficient;
      } else if (neverChanges(symbol)) {
        dim.known &= dim.fixed.add(LinearForm::symbol(symbol), coefficient);
      } else if (loop && argument == loop.getInductionVar() && loop->isProperAncestor(statement) &&
                 matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isStrictlyPositive()) {
        Loop entry{loop, analysis.linearize(loop.getLowerBound()), step.getSExtValue(), std::nullopt};
        LinearForm range = analysis.linearize(loop.getUpperBound());
        if (range.add(entry.first, -1) && range.isConstant())
          entry.range = std::max<int64_t>(range.getConstant() - 1, 0);
        dim.known &= neverChanges(entry.first);
        dim.loops.push_back({entry, coefficient});
      } else {
        dim.known = false;
      }
    }
    map.dims.push_back(std::move(dim));
  }
  if (parallel)
    return map;

  // Which dimensions of the root do the fragment's run along? Step each of the region's by one and see.
  unsigned next = 0;
  for (auto [dim, extent] : llvm::enumerate(box)) {
    if (extent == 1)
      continue;
    while (next < extents.size() && extents[next] == 1)
      ++next;
    SmallVector<LinearForm, 4> stepped = start;
    if (next == extents.size() || !stepped[dim].add(LinearForm(1)))
      return std::nullopt;
    std::optional<RootElement> neighbour = resolve(access.buffer(), stepped, analysis);
    if (!neighbour)
      return std::nullopt;
    for (auto [index, other, entry] : llvm::zip_equal(first->indices, neighbour->indices, map.dims)) {
      LinearForm difference = other;
      if (difference.add(index, -1) && difference.isConstant())
        entry.coordinates[next] = difference.getConstant();
      else
        entry.known = false;
    }
    ++next;
  }
  return map;
}

//===----------------------------------------------------------------------===//
// Comparing two
//===----------------------------------------------------------------------===//

namespace {
/// A variable of an index: what one step of it adds, and what all of its steps do.
struct Variable {
  int64_t unit;
  std::optional<int64_t> span;
};
} // namespace

static std::optional<int64_t> checkedAbsMul(int64_t a, int64_t b) {
  std::optional<int64_t> product = llvm::checkedMul(a, b);
  if (!product || *product >= maxSum || *product <= -maxSum)
    return std::nullopt;
  return std::abs(*product);
}

/// Equal sums have equal variables.
static bool isMixedRadix(SmallVector<Variable> variables) {
  llvm::sort(variables, [](const Variable &a, const Variable &b) { return a.unit < b.unit; });
  int64_t below = 0;
  for (auto [number, variable] : llvm::enumerate(variables)) {
    if (variable.unit <= below)
      return false;
    if (!variable.span)
      return number == variables.size() - 1 && variable.unit <= maxUnboundedUnit;
    std::optional<int64_t> sum = llvm::checkedAdd(below, *variable.span);
    if (!sum || *sum >= maxSum)
      return false;
    below = *sum;
  }
  return true;
}

bool ElementMap::isDisjoint(const ElementMap &a, const ElementMap &b, const IndexAnalysis &analysis) {
  if (a.root != b.root || !hasDistinctElements(a.root, analysis))
    return false;
  // Both ends of the indices of a dimension, less its fixed part.
  auto rangeOf = [](const ElementMap &map, const Dim &dim) -> std::optional<std::pair<int64_t, int64_t>> {
    int64_t low = 0, high = 0;
    for (auto [coefficient, range] : llvm::zip_equal(dim.coordinates, map.ranges)) {
      std::optional<int64_t> span = llvm::checkedMul(coefficient, std::max<int64_t>(range, 0));
      if (!span || std::abs(*span) >= maxUnboundedUnit)
        return std::nullopt;
      (*span < 0 ? low : high) += *span;
    }
    return std::pair(low, high);
  };
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims)) {
    LinearForm distance = y.fixed;
    if (!x.known || !y.known || !x.loops.empty() || !y.loops.empty() || !distance.add(x.fixed, -1) ||
        !distance.isConstant())
      continue;
    std::optional<std::pair<int64_t, int64_t>> s = rangeOf(a, x), t = rangeOf(b, y);
    std::optional<int64_t> low = t ? llvm::checkedAdd(distance.getConstant(), t->first) : std::nullopt,
                           high = t ? llvm::checkedAdd(distance.getConstant(), t->second) : std::nullopt;
    if (s && low && high && (s->second < *low || *high < s->first))
      return true;
  }
  return false;
}

bool ElementMap::hasSameHolders(const ElementMap &a, const ElementMap &b) {
  // Who writes holds the element alone, and every other holder must be that thread.
  const ElementMap &writer = a.writes ? a : b, &other = a.writes ? b : a;
  if (!writer.layout || !other.layout || !writer.hasOneHolder)
    return false;
  if (writer.layout == other.layout)
    return true;
  if (writer.ranges.size() != other.ranges.size())
    return false;
  SmallVector<int64_t> extents;
  for (auto [x, y] : llvm::zip_equal(writer.ranges, other.ranges))
    extents.push_back(std::min(x, y) + 1);
  return other.layout.toLinear().sameThread(writer.layout.toLinear(), extents);
}

bool ElementMap::isSameThread(const ElementMap &a, const ElementMap &b, const IndexAnalysis &analysis) {
  if (a.root != b.root || a.ranges.size() != b.ranges.size() || !hasSameHolders(a, b) ||
      !hasDistinctElements(a.root, analysis))
    return false;
  unsigned rank = a.ranges.size();
  SmallVector<bool> equal;
  for (auto [x, y] : llvm::zip_equal(a.ranges, b.ranges))
    equal.push_back(x <= 0 && y <= 0);

  // Pairs of loops, one of each access, whose variables are equal.
  llvm::SmallDenseSet<std::pair<Operation *, Operation *>> equalLoops;

  struct Unknown {
    SmallVector<Variable> variables;
    SmallVector<unsigned> coordinates;
    SmallVector<std::pair<Operation *, Operation *>> loops;
  };
  // The variables of a dimension that are not known to be equal; nothing if the two indices are not the same
  // function.
  auto compare = [&](const Dim &x, const Dim &y) -> std::optional<Unknown> {
    if (!x.known || !y.known || !(x.fixed == y.fixed) || x.loops.size() != y.loops.size())
      return std::nullopt;
    Unknown unknown;
    for (unsigned coordinate = 0; coordinate < rank; ++coordinate) {
      int64_t factor = x.coordinates[coordinate];
      int64_t range = std::max(a.ranges[coordinate], b.ranges[coordinate]);
      if (range <= 0)
        continue; // always 0
      if (factor != y.coordinates[coordinate])
        return std::nullopt;
      if (equal[coordinate] || factor == 0)
        continue;
      std::optional<int64_t> unit = checkedAbsMul(factor, 1), span = checkedAbsMul(factor, range);
      if (!unit || !span)
        return std::nullopt;
      unknown.variables.push_back({*unit, span});
      unknown.coordinates.push_back(coordinate);
    }
    SmallVector<bool> taken(y.loops.size(), false);
    for (const auto &[loop, factor] : x.loops) {
      // The variable of one loop in two of its iterations, or those of two loops that take the same values.
      unsigned other = 0;
      while (other < y.loops.size() &&
             (taken[other] || y.loops[other].second != factor || y.loops[other].first.step != loop.step ||
              !(y.loops[other].first.first == loop.first)))
        ++other;
      if (other == y.loops.size())
        return std::nullopt;
      taken[other] = true;
      const Loop &partner = y.loops[other].first;
      std::pair<Operation *, Operation *> pair(loop.op, partner.op);
      if (equalLoops.contains(pair))
        continue;
      std::optional<int64_t> unit = checkedAbsMul(factor, loop.step), span;
      if (!unit)
        return std::nullopt;
      if (loop.range && partner.range)
        span = checkedAbsMul(factor, std::max(*loop.range, *partner.range));
      unknown.variables.push_back({*unit, span});
      unknown.loops.push_back(pair);
    }
    return unknown;
  };

  // What one dimension tells may be what another one lacks.
  for (bool changed = true; changed && llvm::is_contained(equal, false);) {
    changed = false;
    for (auto [x, y] : llvm::zip_equal(a.dims, b.dims)) {
      std::optional<Unknown> unknown = compare(x, y);
      if (!unknown || unknown->variables.empty() || !isMixedRadix(unknown->variables))
        continue;
      for (unsigned coordinate : unknown->coordinates)
        equal[coordinate] = true;
      equalLoops.insert_range(unknown->loops);
      changed = true;
    }
  }
  return !llvm::is_contained(equal, false);
}

} // namespace tilec::tile
