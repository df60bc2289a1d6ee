//===- InferLayouts.cpp - tile-infer-layouts ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three steps. What matrix instructions demand is seeded and spreads (LayoutSolver.h). What is left gets
// blocked layouts that follow the memory accesses, the largest tiles first, so that rows follow the tiles that
// they are rows of. Then types are set, and where an op has another layout than it needs, a `tile.convert`
// stands in front of it. A parallel that may not be spread as its fragments are is such an op.
//
//===----------------------------------------------------------------------===//

#include "Blocking.h"
#include "LayoutSolver.h"
#include "ReportAccesses.h"
#include "SharedLayouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Layout/Choose.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "tilec/Transforms/InPlace.h"
#include "tilec/Transforms/Passes.h"
#include "tilec/Transforms/SharedMemory.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEINFERLAYOUTSPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

//===----------------------------------------------------------------------===//
// What matrix instructions demand
//===----------------------------------------------------------------------===//

static WarpDivision getDivision(GemmOp gemm) {
  switch (gemm.getWarps().value_or(WarpPolicy::Square)) {
  case WarpPolicy::Square:
    return WarpDivision::Square;
  case WarpPolicy::Rows:
    return WarpDivision::Rows;
  case WarpPolicy::Cols:
    return WarpDivision::Cols;
  }
  llvm_unreachable("unknown policy");
}

/// The warps of a gemm and how often each repeats the instruction.
static MmaAttr getMmaLayout(GemmOp gemm, MmaOperand operand, int64_t warps) {
  auto [m, n, k] = gemm.getInstrAttr().getInstrShape();
  WarpGrid grid = chooseWarps(gemm.getM(), gemm.getN(), warps, m, n, getDivision(gemm));
  auto reps = [](int64_t extent, int64_t unit) { return int64_t(llvm::divideCeil(extent, unit)); };
  int64_t rows = reps(gemm.getM(), m * grid.m), cols = reps(gemm.getN(), n * grid.n);
  Type element = operand == MmaOperand::Acc ? gemm.getType().getElementType()
                                            : cast<ObjectTypeInterface>(gemm.getA().getType()).getElementType();
  int64_t gridList[] = {grid.m, grid.n};
  int64_t repList[] = {rows, operand == MmaOperand::A ? reps(gemm.getK(), k) : cols};
  return MmaAttr::get(gemm.getContext(), operand, storageBits(element), gridList, repList);
}

static Attribute getAccLayout(GemmOp gemm, int64_t warps) {
  if (gemm.getInstrAttr().getNumWarps() == 0)
    return makePatches(gemm.getM(), gemm.getN(), warps).toAttr(gemm.getContext());
  return getMmaLayout(gemm, MmaOperand::Acc, warps);
}

/// The layout of a fragment A as this gemm's warps need it: they follow its accumulator.
static Attribute getALayout(GemmOp gemm, Attribute acc, int64_t warps) {
  MmaAttr layout = getMmaLayout(gemm, MmaOperand::A, warps);
  if (auto mma = dyn_cast<MmaAttr>(acc))
    layout = MmaAttr::get(gemm.getContext(), MmaOperand::A, layout.getBits(), mma.getWarps(),
                          {mma.getReps()[0], layout.getReps()[1]});
  return layout;
}

namespace {
struct TileInferLayoutsPass : impl::TileInferLayoutsPassBase<TileInferLayoutsPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    threads = kernel.getGrid().getThreads();
    giveEachUseItsFragment(kernel);
    assignSharedLayouts(kernel);

    LayoutSolver layouts(kernel);
    layouts.spread();
    seedGemms(kernel, layouts);
    seedBlocked(kernel, layouts);
    setTypes(layouts);
    kernel->walk([&](ParallelOp parallel) { giveOneHolder(parallel); });
    reportLayouts(kernel, layouts);
    if (failed(fitGemms(kernel)) || failed(fitReductions(kernel)))
      return signalPassFailure();
    reportGemms(kernel);
    kernel->walk([&](ParallelOp parallel) { fitParallel(parallel); });
    reportAccesses(kernel);
  }

  //===--------------------------------------------------------------------===//
  // Choosing
  //===--------------------------------------------------------------------===//

  /// A fragment made of nothing or of one scalar costs nothing to make again; shared, it would tie layouts
  /// together that have nothing to do with each other.
  static void giveEachUseItsFragment(KernelOp kernel) {
    SmallVector<FragmentOp> fragments;
    kernel->walk([&](FragmentOp fragment) { fragments.push_back(fragment); });
    for (FragmentOp fragment : fragments)
      while (!fragment->use_empty() && !fragment.getResult().hasOneUse()) {
        OpBuilder builder(fragment);
        fragment.getResult().use_begin()->set(builder.clone(*fragment)->getResult(0));
      }
  }

  void seedGemms(KernelOp kernel, LayoutSolver &layouts) {
    SmallVector<GemmOp> gemms;
    kernel->walk([&](GemmOp gemm) { gemms.push_back(gemm); });
    for (GemmOp gemm : gemms)
      layouts.seed(layouts.nodeOf(gemm.getResult()), getAccLayout(gemm, threads / 32));
    for (GemmOp gemm : gemms)
      if (isa<FragmentType>(gemm.getA().getType()))
        layouts.seed(layouts.nodeOf(gemm.getA()),
                     getALayout(gemm, layouts.getLayout(layouts.nodeOf(gemm.getResult())), threads / 32));
    layouts.spread();
  }

  static int64_t getWidth(ParallelOp parallel) {
    int64_t width = 1;
    for (Operation &op : parallel.getBody()->without_terminator())
      width = std::max(width, getAccessWidth(&op));
    return width;
  }

  /// The widest access to memory of a node's fragments, or of a parallel's body.
  int64_t getWidth(const LayoutSolver &layouts, LayoutSolver::Node node) {
    if (layouts.isParallel(node))
      return getWidth(layouts.getParallel(node));
    int64_t width = 1;
    for (Value value : layouts.getValues(node)) {
      if (auto load = value.getDefiningOp<LoadOp>())
        width = std::max(width, getAccessWidth(load));
      for (Operation *user : value.getUsers())
        if (isa<StoreOp>(user))
          width = std::max(width, getAccessWidth(user));
    }
    return width;
  }

  void seedBlocked(KernelOp kernel, LayoutSolver &layouts) {
    using Node = LayoutSolver::Node;
    auto sizeOf = [&](Node node) {
      int64_t size = 1;
      for (int64_t extent : layouts.getShape(node))
        size *= ShapedType::isDynamic(extent) ? 1 : extent;
      return size;
    };
    SmallVector<Node> rest;
    for (Node node = 0; node < layouts.getNumNodes(); ++node)
      if (!layouts.getLayout(node))
        rest.push_back(node);
    // Fragments first: a parallel that names one has to follow it.
    llvm::sort(rest, [&](Node a, Node b) {
      auto keyOf = [&](Node node) {
        return std::tuple(layouts.isParallel(node), -int64_t(layouts.getShape(node).size()), -sizeOf(node), node);
      };
      return keyOf(a) < keyOf(b);
    });
    for (Node node : rest) {
      if (layouts.getLayout(node))
        continue;
      layouts.seed(node, chooseBlocked(layouts, node));
      layouts.spread();
    }
  }

  Attribute chooseBlocked(const LayoutSolver &layouts, LayoutSolver::Node node) {
    ArrayRef<int64_t> shape = layouts.getShape(node);
    if (layouts.isParallel(node)) {
      ParallelOp parallel = layouts.getParallel(node);
      bool isWhole = !parallel.getInits().empty() &&
                     llvm::none_of(parallel.getStaticExtents(), ShapedType::isDynamic);
      if (!isWhole)
        return chooseIteration(parallel, threads).toAttr(&getContext());
    }
    int64_t width = 1;
    for (LayoutSolver::Node member : layouts.getComponent(node))
      width = std::max(width, getWidth(layouts, member));
    return makeWhole(shape, width);
  }

  /// Each element once, all of them.
  Attribute makeWhole(ArrayRef<int64_t> shape, int64_t width) {
    // Unit dimensions hold nothing: the layout is that of the others.
    SmallVector<int64_t> extents = dropUnitExtents(shape);
    if (extents.empty())
      extents.push_back(1);
    Attribute layout =
        makeBlocking(extents, limitVector(width, extents, threads), threads / 32).toAttr(&getContext());
    SmallVector<int> dims = matchDims(extents, shape);
    return deriveLayout(layout, extents, shape, dims);
  }

  /// Threads that hold one iteration would read before and after its owner writes.
  void giveOneHolder(ParallelOp parallel) {
    if (parallel.getLayoutAttr().toLinear().ownerPredicate().isTrivial() ||
        !InPlaceReads(parallel).reachFragments())
      return;
    SmallVector<int64_t> extents = getFragmentExtents(parallel).value_or(
        SmallVector<int64_t>(parallel.getStaticExtents()));
    Attribute layout;
    if (llvm::any_of(extents, ShapedType::isDynamic))
      layout = chooseIteration(parallel, threads).toAttr(&getContext());
    else
      layout = makeWhole(extents, getWidth(parallel));
    parallel.setLayoutAttr(cast<LayoutAttrInterface>(layout));
  }

  static void setTypes(const LayoutSolver &layouts) {
    for (LayoutSolver::Node node = 0; node < layouts.getNumNodes(); ++node) {
      auto layout = cast<LayoutAttrInterface>(layouts.getLayout(node));
      if (layouts.isParallel(node)) {
        layouts.getParallel(node).setLayoutAttr(layout);
        continue;
      }
      for (Value value : layouts.getValues(node))
        setLayout(value, layout);
    }
  }

  static void setLayout(Value value, Attribute layout) {
    MLIRContext *context = value.getContext();
    if (auto type = dyn_cast<FragmentType>(value.getType()))
      value.setType(FragmentType::get(context, type.getShape(), type.getElementType(), layout));
    else if (auto type = dyn_cast<FragRefType>(value.getType()))
      value.setType(FragRefType::get(context, type.getShape(), type.getElementType(), layout));
  }

  void reportLayouts(KernelOp kernel, const LayoutSolver &layouts) {
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto report = [&](StringRef text, Attribute layout) {
        remark::passed(op->getLoc(), decision(op, "Layout", "tile-infer-layouts"))
            << text.str() << remark::add("{0}", layout);
      };
      if (auto parallel = dyn_cast<ParallelOp>(op))
        report("indices are spread as ", parallel.getLayoutAttr());
    });
  }

  /// Once conversions give the instruction what it needs.
  static void reportGemms(KernelOp kernel) {
    kernel->walk([](GemmOp gemm) {
      auto describe = [](Value operand) {
        std::string text;
        llvm::raw_string_ostream os(text);
        os << (isa<SharedType>(operand.getType()) ? describeShared(operand) : "registers") << " as ";
        cast<ObjectTypeInterface>(operand.getType()).getLayout().print(os);
        return text;
      };
      remark::passed(gemm.getLoc(), decision(gemm, "Operands", "tile-infer-layouts"))
          << "A in " + describe(gemm.getA()) + ", B in " + describe(gemm.getB()) + ", the product in " +
                 describe(gemm.getResult());
    });
  }

  //===--------------------------------------------------------------------===//
  // Fitting
  //===--------------------------------------------------------------------===//

  static Value convertTo(OpBuilder &builder, Location loc, Value value, Attribute layout) {
    auto type = cast<FragmentType>(value.getType());
    if (type.getLayout() == layout)
      return value;
    return ConvertOp::create(
        builder, loc, FragmentType::get(type.getContext(), type.getShape(), type.getElementType(), layout),
        value);
  }

  /// Gives the op's result, and the operand that has the same type, another layout than the class has.
  static void convertRound(Operation *op, OpOperand *inPlace, OpResult result, Attribute layout) {
    OpBuilder builder(op);
    Attribute outside = cast<FragmentType>(result.getType()).getLayout();
    if (inPlace)
      inPlace->set(convertTo(builder, op->getLoc(), inPlace->get(), layout));
    setLayout(result, layout);
    builder.setInsertionPointAfter(op);
    Value back = convertTo(builder, op->getLoc(), result, outside);
    result.replaceAllUsesExcept(back, back.getDefiningOp());
  }

  LogicalResult fitGemms(KernelOp kernel) {
    SmallVector<GemmOp> gemms;
    kernel->walk([&](GemmOp gemm) { gemms.push_back(gemm); });
    for (GemmOp gemm : gemms) {
      Attribute acc = gemm.getType().getLayout();
      bool isMma = gemm.getInstrAttr().getNumWarps() > 0;
      auto mma = dyn_cast<MmaAttr>(acc);
      bool fits = isMma ? mma && mma.getOperand() == MmaOperand::Acc &&
                              mma.getBits() == storageBits(gemm.getType().getElementType())
                        : isa<BlockedAttr>(acc);
      if (!fits) {
        acc = getAccLayout(gemm, threads / 32);
        convertRound(gemm, gemm.getAcc() ? &gemm.getAccMutable()[0] : nullptr,
                     cast<OpResult>(gemm.getResult()), acc);
      }
      if (isa<FragmentType>(gemm.getA().getType())) {
        OpBuilder builder(gemm);
        gemm.getAMutable().set(convertTo(builder, gemm.getLoc(), gemm.getA(),
                                         getALayout(gemm, acc, threads / 32)));
      }
    }
    return success();
  }

  static bool isSame(Attribute a, Attribute b) {
    return a == b || cast<LayoutAttrInterface>(a).toLinear() == cast<LayoutAttrInterface>(b).toLinear();
  }

  static LogicalResult fitReductions(KernelOp kernel) {
    SmallVector<ReduceOp> reductions;
    kernel->walk([&](ReduceOp reduce) { reductions.push_back(reduce); });
    for (ReduceOp reduce : reductions) {
      if (reduce.getParts().value_or(Parts::None) != Parts::None)
        continue;
      Attribute rows = RowsAttr::get(reduce.getContext(), reduce.getSource().getType().getLayout(),
                                     reduce.getAxis(), Parts::None);
      if (!isSame(rows, reduce.getType().getLayout()))
        convertRound(reduce, reduce.getInit() ? &reduce.getInitMutable()[0] : nullptr,
                     cast<OpResult>(reduce.getResult()), rows);
    }
    return success();
  }

  /// What the threads of the iteration do not hold is converted for it; what is no projection waits for
  /// tile-materialize-exchanges.
  static void fitParallel(ParallelOp parallel) {
    Attribute iteration = parallel.getLayoutAttr();
    ArrayRef<int64_t> extents = parallel.getStaticExtents();
    auto derive = [&](Value fragment, ArrayRef<int> projection) -> Attribute {
      ArrayRef<int64_t> shape = cast<ObjectTypeInterface>(fragment.getType()).getShape();
      Attribute layout = deriveLayout(iteration, extents, shape, projection);
      // The iteration may be shorter than the fragment, or run in chunks that are.
      return layout && reaches(layout, shape) ? layout : Attribute();
    };
    parallel->walk([&](Operation *op) {
      std::optional<FragmentAccess> access = FragmentAccess::get(op);
      std::optional<Projection> projection =
          access ? getOwnProjection(*access, parallel) : std::nullopt;
      if (!projection || !reachesAlong(*access, *projection, parallel))
        return;
      Value fragment = access->fragment->get();
      Attribute layout = cast<ObjectTypeInterface>(fragment.getType()).getLayout();
      if (matchRegisters(iteration, layout, *projection))
        return;
      Attribute needed = derive(fragment, *projection);
      if (!needed || !matchRegisters(iteration, needed, *projection))
        return;
      OpBuilder builder(parallel);
      if (isa<FragmentType>(fragment.getType())) {
        access->fragment->set(convertTo(builder, parallel.getLoc(), fragment, needed));
        return;
      }
      unsigned number = cast<BlockArgument>(fragment).getArgNumber() - parallel.getRank();
      setLayout(fragment, needed);
      convertRound(parallel, &parallel.getInitsMutable()[number],
                   cast<OpResult>(parallel.getResults()[number]), needed);
    });
  }

  int64_t threads = 0;
};
} // namespace

} // namespace tilec
