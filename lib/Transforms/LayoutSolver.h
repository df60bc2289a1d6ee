//===- LayoutSolver.h - layouts that suit each other ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph. Its nodes are classes of fragments that must have one layout (what loops carry, what an op changes
// in place) and the iteration spaces of parallels; its edges say what the layout of one node suggests for
// another. A layout that is given to a node spreads along the edges to nodes that have none. Suggestions are
// wishes, not demands: where two cannot both hold, whoever uses the solution puts a conversion.
//
// Nodes are numbered in program order and edges followed in the order in which they were added, so that the
// result depends on the program alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_TRANSFORMS_LAYOUTSOLVER_H
#define TILEC_LIB_TRANSFORMS_LAYOUTSOLVER_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace tilec {

/// The layout that `layout`, of a tile of extents `from`, suggests for one of extents `to`: dimension d of the
/// latter runs along dimension dims[d] of the former (-1: along none, its extent is 1). Dimensions that are not
/// named are folded away. Null where there is none.
mlir::Attribute deriveLayout(mlir::Attribute layout, llvm::ArrayRef<int64_t> from,
                             llvm::ArrayRef<int64_t> to, llvm::ArrayRef<int> dims);

/// For each dimension of `to` the dimension of `from` that is the same one, unit extents aside (-1).
llvm::SmallVector<int> matchDims(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

class LayoutSolver {
public:
  explicit LayoutSolver(tile::KernelOp kernel);

  using Node = unsigned;
  Node nodeOf(mlir::Value fragment) const { return valueNodes.at(fragment); }
  Node nodeOf(tile::ParallelOp parallel) const { return parallelNodes.at(parallel); }
  unsigned getNumNodes() const { return nodes.size(); }

  /// Null as long as it has none.
  mlir::Attribute getLayout(Node node) const { return nodes[node].layout; }
  llvm::ArrayRef<int64_t> getShape(Node node) const { return nodes[node].shape; }
  bool isParallel(Node node) const { return !!nodes[node].parallel; }
  tile::ParallelOp getParallel(Node node) const { return nodes[node].parallel; }
  /// The fragments of a class, in program order; empty for a parallel.
  llvm::ArrayRef<mlir::Value> getValues(Node node) const { return nodes[node].values; }

  /// Gives a node without layout this one, without spreading it.
  void seed(Node node, mlir::Attribute layout);
  /// Spreads the layouts of all nodes that were seeded since the last call.
  void spread();

  /// The nodes without layout that are tied to `node` by edges between equal extents, itself first.
  llvm::SmallVector<Node> getComponent(Node node) const;

private:
  struct Edge {
    Node from, to;
    llvm::SmallVector<int> dims;
  };
  struct NodeInfo {
    llvm::SmallVector<int64_t> shape;
    tile::ParallelOp parallel;
    llvm::SmallVector<mlir::Value> values;
    mlir::Attribute layout;
    llvm::SmallVector<unsigned> edges;
  };

  void unite(mlir::Value a, mlir::Value b) { classes.unionSets(order.at(a), order.at(b)); }
  void uniteControlFlow(mlir::Operation *op);
  void addNodes(tile::KernelOp kernel);
  void addEdges(mlir::Operation *op);
  void connect(Node from, Node to, llvm::ArrayRef<int> dims);
  void connectBoth(Node a, Node b);
  void connectParallel(tile::ParallelOp parallel);

  llvm::MapVector<mlir::Value, unsigned> order; // all fragments, by number
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::DenseMap<mlir::Value, Node> valueNodes;
  llvm::DenseMap<mlir::Operation *, Node> parallelNodes;
  llvm::SmallVector<NodeInfo> nodes;
  llvm::SmallVector<Edge> edges;
  llvm::SmallVector<Node> queue;
};

} // namespace tilec

#endif // TILEC_LIB_TRANSFORMS_LAYOUTSOLVER_H
