//===- LayoutSolver.cpp - layouts that suit each other ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutSolver.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/Transforms/FragmentIteration.h"

using namespace mlir;

namespace tilec {

using namespace tile;

//===----------------------------------------------------------------------===//
// Deriving layouts
//===----------------------------------------------------------------------===//

/// Puts a dimension of extent 1 at `axis`.
static Attribute addUnitDim(Attribute layout, int64_t axis) {
  auto blocked = dyn_cast<BlockedAttr>(layout);
  if (!blocked)
    return UnitDimAttr::get(layout.getContext(), layout, axis);
  auto extended = [&](ArrayRef<int64_t> list) {
    SmallVector<int64_t> result(list);
    result.insert(result.begin() + axis, 1);
    return result;
  };
  return BlockedAttr::get(layout.getContext(), extended(blocked.getVector()), extended(blocked.getLanes()),
                          extended(blocked.getWarps()), extended(blocked.getReps()));
}

/// Takes out dimension `axis`, of extent 1. Null if lanes or warps lie along it: then only some of them hold
/// an element.
static Attribute dropUnitDim(Attribute layout, int64_t axis) {
  if (auto unit = dyn_cast<UnitDimAttr>(layout)) {
    if (unit.getAxis() == axis)
      return unit.getParent();
    Attribute parent = dropUnitDim(unit.getParent(), axis < unit.getAxis() ? axis : axis - 1);
    return parent ? addUnitDim(parent, axis < unit.getAxis() ? unit.getAxis() - 1 : unit.getAxis())
                  : Attribute();
  }
  auto blocked = dyn_cast<BlockedAttr>(layout);
  if (!blocked || blocked.getVector().size() == 1)
    return {};
  auto isOne = [&](ArrayRef<int64_t> list) { return list[axis] == 1; };
  if (!isOne(blocked.getVector()) || !isOne(blocked.getLanes()) || !isOne(blocked.getWarps()))
    return {};
  auto shortened = [&](ArrayRef<int64_t> list) {
    SmallVector<int64_t> result(list);
    result.erase(result.begin() + axis);
    return result;
  };
  return BlockedAttr::get(layout.getContext(), shortened(blocked.getVector()), shortened(blocked.getLanes()),
                          shortened(blocked.getWarps()), shortened(blocked.getReps()));
}

Attribute deriveLayout(Attribute layout, ArrayRef<int64_t> from, ArrayRef<int64_t> to, ArrayRef<int> dims) {
  int last = -1;
  for (int dim : dims) {
    if (dim < 0)
      continue;
    if (dim <= last)
      return {}; // transposed
    last = dim;
  }
  for (int64_t dim = from.size(); dim-- > 0;) {
    if (llvm::is_contained(dims, int(dim)))
      continue;
    Attribute shorter = from[dim] == 1 ? dropUnitDim(layout, dim) : Attribute();
    layout = shorter ? shorter : RowsAttr::get(layout.getContext(), layout, dim, Parts::None);
  }
  for (auto [dim, along] : llvm::enumerate(dims))
    if (along < 0)
      layout = addUnitDim(layout, dim);
  return layout;
}

SmallVector<int> matchDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (from == to)
    return llvm::to_vector(llvm::seq<int>(0, to.size()));
  SmallVector<int> dims;
  size_t next = 0;
  for (int64_t extent : to) {
    if (extent == 1) {
      dims.push_back(-1);
      continue;
    }
    while (from[next] == 1)
      ++next;
    dims.push_back(next++);
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool isFragment(Value value) { return isa<FragmentType, FragRefType>(value.getType()); }

LayoutSolver::LayoutSolver(KernelOp kernel) {
  auto number = [&](Value value) {
    if (!isFragment(value))
      return;
    unsigned next = order.size();
    order.insert({value, next});
    classes.insert(next);
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), number);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), number);
  });
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    uniteControlFlow(op);
    if (auto parallel = dyn_cast<ParallelOp>(op))
      for (auto [init, ref] : llvm::zip_equal(parallel.getInits(), parallel.getRefs()))
        unite(init, ref);
    auto constrained = dyn_cast<LayoutConstraintOpInterface>(op);
    if (!constrained)
      return;
    SmallVector<LayoutConstraint> constraints;
    constrained.getLayoutConstraints(constraints);
    for (const LayoutConstraint &constraint : constraints)
      if (constraint.kind == LayoutConstraint::Same)
        unite(constraint.from, constraint.to);
  });
  addNodes(kernel);
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { addEdges(op); });
}

/// What a loop carries, and what either side of a condition gives, is one fragment.
void LayoutSolver::uniteControlFlow(Operation *op) {
  auto uniteAll = [&](ValueRange a, ValueRange b) {
    for (auto [x, y] : llvm::zip_equal(a, b))
      if (isFragment(x))
        unite(x, y);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    uniteAll(loop.getInitArgs(), loop.getRegionIterArgs());
    uniteAll(loop.getInitArgs(), loop.getYieldedValues());
    uniteAll(loop.getInitArgs(), loop.getResults());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    uniteAll(loop.getInits(), loop.getBeforeArguments());
    uniteAll(loop.getInits(), loop.getYieldedValues());
    uniteAll(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    uniteAll(loop.getConditionOp().getArgs(), loop.getResults());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    uniteAll(branch.thenYield().getOperands(), branch.getResults());
    uniteAll(branch.elseYield().getOperands(), branch.getResults());
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) { // a condition that only chooses folds to it
    uniteAll(select.getTrueValue(), select.getResult());
    uniteAll(select.getFalseValue(), select.getResult());
  }
}

void LayoutSolver::addNodes(KernelOp kernel) {
  llvm::DenseMap<unsigned, Node> leaders;
  for (auto [value, number] : order) {
    auto [it, isNew] = leaders.try_emplace(classes.getLeaderValue(number), nodes.size());
    if (isNew) {
      nodes.emplace_back();
      nodes.back().shape.assign(cast<ObjectTypeInterface>(value.getType()).getShape());
      nodes.back().layout = cast<ObjectTypeInterface>(value.getType()).getLayout();
    }
    nodes[it->second].values.push_back(value);
    valueNodes[value] = it->second;
  }
  kernel->walk<WalkOrder::PreOrder>([&](ParallelOp parallel) {
    parallelNodes[parallel] = nodes.size();
    nodes.emplace_back();
    nodes.back().shape.assign(parallel.getStaticExtents().begin(), parallel.getStaticExtents().end());
    nodes.back().parallel = parallel;
    nodes.back().layout = parallel.getLayoutAttr();
  });
  for (Node node = 0; node < nodes.size(); ++node)
    if (nodes[node].layout)
      queue.push_back(node);
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

void LayoutSolver::connect(Node from, Node to, ArrayRef<int> dims) {
  nodes[from].edges.push_back(edges.size());
  edges.push_back({from, to, SmallVector<int>(dims)});
}

void LayoutSolver::connectBoth(Node a, Node b) {
  if (a == b)
    return;
  connect(a, b, matchDims(nodes[a].shape, nodes[b].shape));
  connect(b, a, matchDims(nodes[b].shape, nodes[a].shape));
}

void LayoutSolver::addEdges(Operation *op) {
  if (auto parallel = dyn_cast<ParallelOp>(op))
    return connectParallel(parallel);
  if (auto convert = dyn_cast<ConvertOp>(op))
    return connectBoth(nodeOf(convert.getSource()), nodeOf(convert.getResult()));
  auto constrained = dyn_cast<LayoutConstraintOpInterface>(op);
  if (!constrained)
    return;
  SmallVector<LayoutConstraint> constraints;
  constrained.getLayoutConstraints(constraints);
  for (const LayoutConstraint &constraint : constraints) {
    if (constraint.kind == LayoutConstraint::Reshaped)
      connectBoth(nodeOf(constraint.from), nodeOf(constraint.to));
    if (constraint.kind == LayoutConstraint::Reduced) {
      SmallVector<int> dims = llvm::to_vector(llvm::seq<int>(0, nodes[nodeOf(constraint.from)].shape.size()));
      dims.erase(dims.begin() + constraint.axis);
      connect(nodeOf(constraint.from), nodeOf(constraint.to), dims);
    }
  }
}

void LayoutSolver::connectParallel(ParallelOp parallel) {
  Node node = nodeOf(parallel);
  // What it changes comes before what it reads, and whole fragments before rows of them.
  SmallVector<std::pair<FragmentAccess, Projection>> accesses, reads;
  parallel->walk([&](Operation *op) {
    std::optional<FragmentAccess> access = FragmentAccess::get(op);
    if (!access)
      return;
    bool isChanged = isa<FragRefType>(access->fragment->get().getType());
    if (std::optional<Projection> projection = getOwnProjection(*access, parallel))
      (isChanged ? accesses : reads).push_back({*access, *projection});
  });
  llvm::append_range(accesses, reads);
  bool hasOwnElements = getFragmentExtents(parallel).has_value();
  for (auto &[access, projection] : accesses) {
    Node fragment = nodeOf(access.fragment->get());
    ArrayRef<int64_t> extents = nodes[node].shape, shape = nodes[fragment].shape;
    connect(node, fragment, projection);
    // A fragment suggests a layout for all indices if it has a dimension for each and is long enough.
    SmallVector<int> dims(extents.size(), -1);
    bool isLongEnough = true;
    for (auto [dim, along] : llvm::enumerate(projection))
      if (along >= 0) {
        dims[along] = dim;
        isLongEnough &= ShapedType::isDynamic(extents[along]) ? hasOwnElements : extents[along] <= shape[dim];
      }
    for (auto [index, extent] : llvm::enumerate(extents))
      isLongEnough &= dims[index] >= 0 || extent == 1;
    if (isLongEnough)
      connect(fragment, node, dims);
  }
}

//===----------------------------------------------------------------------===//
// Spreading
//===----------------------------------------------------------------------===//

void LayoutSolver::seed(Node node, Attribute layout) {
  if (nodes[node].layout)
    return;
  nodes[node].layout = layout;
  queue.push_back(node);
}

void LayoutSolver::spread() {
  for (size_t next = 0; next < queue.size(); ++next)
    for (unsigned number : nodes[queue[next]].edges) {
      const Edge &edge = edges[number];
      if (nodes[edge.to].layout)
        continue;
      const NodeInfo &from = nodes[edge.from];
      Attribute layout = deriveLayout(from.layout, from.shape, nodes[edge.to].shape, edge.dims);
      // A tile or an iteration that is shorter has no layout for a whole fragment.
      if (layout && reaches(layout, nodes[edge.to].shape))
        seed(edge.to, layout);
    }
  queue.clear();
}

SmallVector<LayoutSolver::Node> LayoutSolver::getComponent(Node node) const {
  SmallVector<Node> component = {node};
  for (size_t next = 0; next < component.size(); ++next)
    for (unsigned number : nodes[component[next]].edges) {
      Node to = edges[number].to;
      if (!nodes[to].layout && dropUnitExtents(nodes[to].shape) == dropUnitExtents(nodes[node].shape) &&
          !llvm::is_contained(component, to))
        component.push_back(to);
    }
  return component;
}

} // namespace tilec
