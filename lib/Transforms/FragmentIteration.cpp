//===- FragmentIteration.cpp - how a parallel runs along its fragments ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything follows from one match: the indices of an access, without those of unit extents, are some of the
// parallel's in their order, and the others have extent 1.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/FragmentIteration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilec::tile {

static bool isFragment(Value value) { return isa<FragmentType, FragRefType>(value.getType()); }

/// The fragment that an op of a body accesses and the indices, or nothing.
static std::optional<std::pair<Value, ValueRange>> getFragmentAccess(Operation *op) {
  std::optional<std::pair<Value, ValueRange>> access;
  if (auto read = dyn_cast<ReadOp>(op))
    access = {read.getSource(), read.getIndices()};
  else if (auto write = dyn_cast<WriteOp>(op))
    access = {write.getDest(), write.getIndices()};
  else if (auto update = dyn_cast<UpdateOp>(op))
    access = {update.getDest(), update.getIndices()};
  return access && isFragment(access->first) ? access : std::nullopt;
}

std::optional<FragmentAccess> FragmentAccess::get(Operation *op) {
  std::optional<FragmentAccess> access;
  if (auto read = dyn_cast<ReadOp>(op))
    access = {op, &read.getSourceMutable(), read.getIndices()};
  else if (auto write = dyn_cast<WriteOp>(op))
    access = {op, &write.getDestMutable(), write.getIndices()};
  else if (auto update = dyn_cast<UpdateOp>(op))
    access = {op, &update.getDestMutable(), update.getIndices()};
  return access && isFragment(access->fragment->get()) ? access : std::nullopt;
}

std::optional<Projection> getProjection(Value fragment, ValueRange indices, ParallelOp parallel) {
  Projection projection;
  for (auto [index, extent] :
       llvm::zip_equal(indices, cast<ObjectTypeInterface>(fragment.getType()).getShape())) {
    auto argument = dyn_cast<BlockArgument>(index);
    bool isIndex = argument && argument.getOwner() == parallel.getBody() &&
                   !llvm::is_contained(projection, int(argument.getArgNumber()));
    if (isIndex && (extent != 1 || parallel.getStaticExtents()[argument.getArgNumber()] == 1))
      projection.push_back(argument.getArgNumber());
    else if (extent == 1)
      projection.push_back(-1); // whatever the index: another element would be outside
    else
      return std::nullopt;
  }
  return projection;
}

bool isInjective(ArrayRef<int> projection, ParallelOp parallel) {
  for (auto [index, extent] : llvm::enumerate(parallel.getStaticExtents()))
    if (extent != 1 && !llvm::is_contained(projection, int(index)))
      return false;
  return true;
}

std::optional<Projection> getOwnProjection(const FragmentAccess &access, ParallelOp parallel) {
  std::optional<Projection> projection = getProjection(access.fragment->get(), access.indices, parallel);
  // Threads that hold copies of an element would each keep another iteration's value.
  if (projection && !isa<ReadOp>(access.op) && !isInjective(*projection, parallel))
    return std::nullopt;
  return projection;
}

bool reaches(Attribute layout, ArrayRef<int64_t> extents) {
  SmallVector<int64_t> box(extents);
  llvm::replace(box, ShapedType::kDynamic, int64_t(1));
  return cast<LayoutAttrInterface>(layout).toLinear().covers(box);
}

bool reachesAlong(const FragmentAccess &access, ArrayRef<int> projection, ParallelOp parallel) {
  ArrayRef<int64_t> shape = cast<ObjectTypeInterface>(access.fragment->get().getType()).getShape();
  // What every iteration names, and what splitBeyondFragments has cut, is no longer than the fragment.
  bool isWithin = access.op->getParentOp() == parallel || getFragmentExtents(parallel);
  SmallVector<int64_t> needed(parallel.getRank(), 1);
  for (auto [extent, along] : llvm::zip_equal(shape, projection)) {
    if (along < 0)
      continue;
    int64_t length = parallel.getStaticExtents()[along];
    if (ShapedType::isDynamic(length) && !isWithin)
      return false;
    needed[along] = ShapedType::isDynamic(length) ? extent : length;
  }
  return reaches(parallel.getLayoutAttr(), needed);
}

SmallVector<bool> getUncutIndices(ParallelOp parallel) {
  SmallVector<bool> uncut(parallel.getRank(), !parallel.getInits().empty());
  parallel->walk([&](Operation *op) {
    std::optional<FragmentAccess> access = FragmentAccess::get(op);
    std::optional<Projection> projection = access ? getOwnProjection(*access, parallel) : std::nullopt;
    for (int along : projection.value_or(Projection()))
      if (along >= 0)
        uncut[along] = true;
  });
  return uncut;
}

std::optional<SmallVector<unsigned>> matchRegisters(Attribute iteration, Attribute fragment,
                                                    ArrayRef<int> projection) {
  Layout ofIteration = cast<LayoutAttrInterface>(iteration).toLinear();
  Layout ofFragment = cast<LayoutAttrInterface>(fragment).toLinear();
  return ofIteration.matchRegisters(ofFragment, projection);
}

bool usesFragments(ParallelOp parallel) {
  if (!parallel.getInits().empty())
    return true;
  return parallel
      ->walk([](Operation *op) { return WalkResult(getFragmentAccess(op) ? failure() : success()); })
      .wasInterrupted();
}

std::optional<SmallVector<int64_t>> matchIndices(Value fragment, ValueRange indices, ParallelOp parallel) {
  SmallVector<std::pair<Value, int64_t>> named;
  for (auto [index, extent] :
       llvm::zip_equal(indices, cast<ObjectTypeInterface>(fragment.getType()).getShape()))
    if (extent != 1)
      named.push_back({index, extent});
  SmallVector<int64_t> extents;
  unsigned next = 0;
  for (auto [index, extent] : llvm::zip_equal(parallel.getIndices(), parallel.getStaticExtents())) {
    if (next < named.size() && named[next].first == index)
      extents.push_back(named[next++].second);
    else if (extent == 1)
      extents.push_back(1);
    else
      return std::nullopt;
  }
  return next == named.size() ? std::optional(extents) : std::nullopt;
}

std::optional<SmallVector<int64_t>> getFragmentExtents(ParallelOp parallel) {
  std::optional<SmallVector<int64_t>> extents;
  bool matches = true;
  parallel->walk([&](Operation *op) {
    auto access = getFragmentAccess(op);
    if (!access)
      return;
    auto own = matchIndices(access->first, access->second, parallel);
    matches &= own && (!extents || *extents == *own);
    extents = own;
  });
  if (!matches)
    return std::nullopt;
  if (!extents && !parallel.getInits().empty()) {
    // Carried but not named.
    SmallVector<int64_t> shape =
        dropUnitExtents(cast<FragmentType>(parallel.getInits().front().getType()).getShape());
    extents.emplace();
    unsigned next = 0;
    for (int64_t extent : parallel.getStaticExtents())
      extents->push_back(extent == 1 || next == shape.size() ? 1 : shape[next++]);
  }
  // One layout serves all of them.
  for (Value init : parallel.getInits())
    if (dropUnitExtents(cast<FragmentType>(init.getType()).getShape()) != dropUnitExtents(*extents))
      return std::nullopt;
  return extents;
}

Value getUniformInit(Value fragment) {
  auto made = fragment.getDefiningOp<FragmentOp>();
  return made ? made.getInit() : Value();
}

/// Takes the accesses of fragments out of a body in which none of them runs.
static void dropFragmentAccesses(ParallelOp parallel) {
  parallel->walk([](Operation *op) {
    if (!getFragmentAccess(op))
      return;
    if (auto read = dyn_cast<ReadOp>(op)) {
      OpBuilder builder(op);
      Value none = arith::ConstantOp::create(builder, op->getLoc(),
                                             cast<TypedAttr>(builder.getZeroAttr(read.getType())));
      read.getResult().replaceAllUsesWith(none);
    }
    op->erase();
  });
}

void splitBeyondFragments(ParallelOp parallel) {
  if (!usesFragments(parallel))
    return;
  std::optional<SmallVector<int64_t>> fragment = getFragmentExtents(parallel);
  if (!fragment)
    return;
  // An access that every iteration makes says that there are no others.
  bool allNameThem =
      llvm::any_of(*parallel.getBody(), [](Operation &op) { return !!getFragmentAccess(&op); });

  Location loc = parallel.getLoc();
  OpBuilder before(parallel), behind(parallel->getContext());
  behind.setInsertionPointAfter(parallel);
  SmallVector<OpFoldResult> extents = parallel.getMixedExtents();
  bool shortened = false;
  for (auto [dim, limit] : llvm::enumerate(*fragment)) {
    std::optional<int64_t> constant = getConstantIntValue(extents[dim]);
    if (constant ? *constant <= limit : allNameThem)
      continue;
    OpFoldResult whole = extents[dim];
    Value start = arith::ConstantIntOp::create(before, loc, limit, 64);
    SmallVector<OpFoldResult> rest = extents;
    if (constant) {
      extents[dim] = before.getI64IntegerAttr(limit);
      rest[dim] = before.getI64IntegerAttr(*constant - limit);
    } else {
      extents[dim] = arith::MinSIOp::create(before, loc, cast<Value>(whole), start).getResult();
      // Not `whole - limit`, which wraps for very negative extents.
      Value end = arith::MaxSIOp::create(before, loc, cast<Value>(whole), start);
      rest[dim] = arith::SubIOp::create(before, loc, end, start).getResult();
    }
    shortened = true;
    if (allNameThem)
      continue;
    auto beyond = ParallelOp::create(behind, loc, rest);
    OpBuilder body = OpBuilder::atBlockBegin(beyond.getBody());
    IRMapping mapping;
    for (auto [number, index] : llvm::enumerate(parallel.getIndices())) {
      Value own = beyond.getIndices()[number];
      mapping.map(index, number == dim ? arith::AddIOp::create(body, loc, own, start).getResult() : own);
    }
    for (Operation &op : parallel.getBody()->without_terminator())
      body.clone(op, mapping);
    dropFragmentAccesses(beyond);
    behind.setInsertionPointAfter(beyond);
  }
  if (!shortened)
    return;
  SmallVector<int64_t> statics;
  SmallVector<Value> dynamics;
  dispatchIndexOpFoldResults(extents, dynamics, statics);
  parallel.getExtentsMutable().assign(dynamics);
  parallel.setStaticExtents(statics);
}

} // namespace tilec::tile
