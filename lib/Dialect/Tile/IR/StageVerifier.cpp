//===- StageVerifier.cpp - what is true at each stage ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table `rules` below is the definition of the stages: a rule has a label, the stages it holds at,
// whether it forbids (then it always holds) or demands (then it holds once the stage is complete), and a
// function that checks one op. Read the table first, the functions above it when in doubt.
//
//===----------------------------------------------------------------------===//

#include "tilec/Dialect/Tile/IR/StageVerifier.h"
#include "Verify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tilec::tile;

namespace {

enum Stages : unsigned { AtTile = 1, AtLayout = 2, AtSchedule = 4, AtAll = 7 };
enum Kind { Forbids, Demands };

/// Layouts already found to cover the extents of their type: many values have one type.
using Covered = llvm::DenseSet<Type>;

struct Context {
  Covered covered;
};

struct Rule {
  StringLiteral label;
  unsigned stages;
  Kind kind;
  LogicalResult (*check)(Operation *op, Context &context);
};

} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Results and block arguments that an op defines.
static void forEachType(Operation *op, llvm::function_ref<void(Type)> callback) {
  for (Type type : op->getResultTypes())
    callback(type);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        callback(type);
}

/// The first type for which `isBad` holds is reported with `text`.
static LogicalResult refuseTypes(Operation *op, llvm::function_ref<bool(Type)> isBad, const Twine &text) {
  Type bad;
  forEachType(op, [&](Type type) {
    if (!bad && isBad(type))
      bad = type;
  });
  if (bad)
    return op->emitOpError() << text << ": " << bad;
  return success();
}

static LogicalResult noLayouts(Operation *op, Context &) {
  if (auto parallel = dyn_cast<ParallelOp>(op); parallel && parallel.getLayoutAttr())
    return op->emitOpError() << "has a layout: " << parallel.getLayoutAttr();
  auto hasLayout = [](Type type) {
    auto object = dyn_cast<ObjectTypeInterface>(type);
    return object && object.getLayout();
  };
  return refuseTypes(op, hasLayout, "has a type with a layout");
}

static LogicalResult noDecisions(Operation *op, Context &) {
  for (StringRef name : {"instr", "offset", "path", "executor"})
    if (isa<TileDialect>(op->getDialect()) && op->getInherentAttr(name).value_or(Attribute()))
      return op->emitOpError() << "has '" << name << "'";
  if (op->hasAttr(kPlanAttr))
    return op->emitOpError() << "has '" << kPlanAttr << "'";
  return success();
}

static LogicalResult noScheduleTypes(Operation *op, Context &) {
  return refuseTypes(op, llvm::IsaPred<RingType, PendingType, GateType, TokenType, TensorMapType>,
                     "has a type of stage schedule");
}

static LogicalResult noScheduleOps(Operation *op, Context &) {
  if (op->hasTrait<ScheduleStageOp>())
    return op->emitOpError() << "belongs to stage schedule";
  return success();
}

static LogicalResult noIndexType(Operation *op, Context &) {
  if (!op->getParentOfType<KernelOp>())
    return success();
  return refuseTypes(op, [](Type type) { return isa<IndexType>(type); }, "has an index that is no i64");
}

static LogicalResult structured(Operation *op, Context &) {
  if (isa<TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>(op->getDialect()))
    return success();
  if (!op->getParentOfType<KernelOp>() && !op->getParentOfType<EntryOp>())
    return success();
  return op->emitOpError() << "is of a dialect that kernels and launch programs do not use";
}

static LogicalResult allLayouts(Operation *op, Context &) {
  if (auto parallel = dyn_cast<ParallelOp>(op); parallel && !parallel.getLayoutAttr())
    return op->emitOpError() << "has no layout";
  auto lacksLayout = [](Type type) {
    return isa<SharedType, FragmentType, FragRefType, RingType, PendingType>(type) &&
           !cast<ObjectTypeInterface>(type).getLayout();
  };
  return refuseTypes(op, lacksLayout, "has a type without a layout");
}

static LogicalResult layoutsCover(Operation *op, Context &context) {
  auto isShort = [&](Type type) {
    auto object = dyn_cast<ObjectTypeInterface>(type);
    auto layout =
        object ? dyn_cast_if_present<LayoutAttrInterface>(object.getLayout()) : LayoutAttrInterface();
    if (!layout || context.covered.contains(type))
      return false;
    unsigned bits = storageBits(object.getElementType());
    if (!layout.toLinearFor(object.getShape(), bits).covers(object.getShape()))
      return true;
    context.covered.insert(type);
    return false;
  };
  return refuseTypes(op, isShort, "has a layout that does not cover the extents");
}

//===----------------------------------------------------------------------===//
// Decisions of stage layout
//===----------------------------------------------------------------------===//

static LogicalResult gemmHasInstr(Operation *op, Context &) {
  if (auto gemm = dyn_cast<GemmOp>(op); gemm && !gemm.getInstrAttr())
    return op->emitOpError() << "has no instruction";
  if (auto start = dyn_cast<GemmStartOp>(op); start && !start.getInstrAttr())
    return op->emitOpError() << "has no instruction";
  return success();
}

static LogicalResult kernelHasPlan(Operation *op, Context &) {
  if (isa<KernelOp>(op) && !op->hasAttr(kPlanAttr))
    return op->emitOpError() << "has no '" << kPlanAttr << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// Stage schedule
//===----------------------------------------------------------------------===//

static LogicalResult sharedIsPlaced(Operation *op, Context &) {
  if (auto shared = dyn_cast<SharedOp>(op); shared && !shared.getOffset())
    return op->emitOpError() << "has no offset";
  if (auto ring = dyn_cast<RingOp>(op); ring && !ring.getOffset())
    return op->emitOpError() << "has no offset";
  return success();
}

static LogicalResult asyncCopyInRing(Operation *op, Context &) {
  auto copy = dyn_cast<CopyOp>(op);
  Path path = copy ? copy.getPath().value_or(Path::Generic) : Path::Generic;
  if ((path == Path::Bulk || path == Path::CpAsync) && !op->getParentOfType<RingPutOp>())
    return op->emitOpError() << "by '" << stringifyPath(path)
                             << "' completes later, so it must be in a 'tile.ring.put'";
  return success();
}

static LogicalResult asyncGemmIsStarted(Operation *op, Context &) {
  if (auto gemm = dyn_cast<GemmOp>(op); gemm && gemm.getInstrAttr() && gemm.getInstrAttr().isAsync())
    return op->emitOpError() << "with " << gemm.getInstrAttr() << " must be a 'tile.gemm.start'";
  return success();
}

/// Values in flight that no tile.gemm.start made: results and block arguments of scf.
static LogicalResult consumedOnce(Operation *op, Context &) {
  if (isa<GemmStartOp>(op))
    return success(); // gemm_start_c6
  SmallVector<Value> values(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(values, block.getArguments());
  for (Value value : values)
    if (isa<PendingType>(value.getType()))
      if (failed(verifyConsumedOnce(value, [&] { return op->emitOpError(); })))
        return failure();
  return success();
}

static LogicalResult slotIsReleased(Operation *op, Context &) {
  auto get = dyn_cast<RingGetOp>(op);
  if (!get || llvm::any_of(get.getSlot().getUsers(), llvm::IsaPred<RingReleaseOp>))
    return success();
  return op->emitOpError() << "gets a slot that is never released";
}

/// The waits that end the work whose completion is `value`, through later starts that accumulate on it.
/// False if the value goes where this function cannot follow.
static bool collectWaits(Value value, SmallVectorImpl<Operation *> &waits) {
  for (Operation *user : value.getUsers()) {
    if (auto start = dyn_cast<GemmStartOp>(user)) {
      if (!collectWaits(start.getResult(), waits))
        return false;
    } else if (isa<AsyncOpInterface>(user)) {
      waits.push_back(user);
    } else {
      return false;
    }
  }
  return true;
}

static LogicalResult releaseAfterWait(Operation *op, Context &) {
  auto release = dyn_cast<RingReleaseOp>(op);
  if (!release)
    return success();
  SmallVector<Value> views = {release.getSlot()};
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers()) {
      if (isa<SubviewOp, RingBorrowOp>(user))
        views.push_back(user->getResult(0));
      auto start = dyn_cast<AsyncOpInterface>(user);
      SmallVector<Operation *> waits;
      if (!start || !start.getCompletion() || !collectWaits(start.getCompletion(), waits))
        continue;
      // Only within one block: order across blocks is the ring's lowering's business.
      Operation *sibling = release->getBlock()->findAncestorOpInBlock(*user);
      if (!sibling || !sibling->isBeforeInBlock(release))
        continue;
      bool waited = llvm::any_of(waits, [&](Operation *wait) {
        Operation *ancestor = release->getBlock()->findAncestorOpInBlock(*wait);
        return ancestor && ancestor->isBeforeInBlock(release);
      });
      if (!waited)
        return op->emitOpError() << "is before the wait for '" << user->getName()
                                 << "', which reads the slot";
    }
  return success();
}

static LogicalResult oneRolePuts(Operation *op, Context &) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring)
    return success();
  Region *putter = nullptr;
  for (Operation *user : ring.getResult().getUsers()) {
    auto roles = user->getParentOfType<RolesOp>();
    if (!isa<RingPutOp>(user) || !roles)
      continue;
    Region *role = &roles.getRoles()[roles.getRoleOf(user)];
    if (putter && putter != role)
      return op->emitOpError() << "is put by two roles";
    putter = role;
  }
  return success();
}

static LogicalResult warpsMatchRole(Operation *op, Context &) {
  auto roles = dyn_cast<RolesOp>(op);
  auto grid = op->getParentOfType<GridOp>();
  if (!roles || !grid)
    return success();
  int64_t warps = 0;
  for (int64_t count : roles.getWarps())
    warps += count;
  if (warps * 32 != int64_t(grid.getThreads()))
    return op->emitOpError() << "has " << warps << " warps in its roles, but the grid has "
                             << grid.getThreads() << " threads";
  return success();
}

static LogicalResult parallelIsCovered(Operation *op, Context &) {
  auto parallel = dyn_cast<ParallelOp>(op);
  if (!parallel || !parallel.getLayoutAttr())
    return success();
  // An extent known at run time is at most what the layout covers: whoever chunked the loop saw to it.
  SmallVector<int64_t> extents(parallel.getStaticExtents());
  for (int64_t &extent : extents)
    if (extent < 1)
      extent = 1;
  if (!parallel.getLayoutAttr().toLinear().covers(extents))
    return op->emitOpError() << "has extents " << str(extents) << " that its layout does not cover";
  return success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const Rule rules[] = {
    // Every stage: structured control flow on i64 indices.
    {"stage_s1", AtAll, Forbids, structured},
    {"stage_s2", AtAll, Forbids, noIndexType},
    // Stage tile is the program as written.
    {"stage_s3", AtTile, Forbids, noLayouts},
    {"stage_s4", AtTile, Forbids, noDecisions},
    // Before stage schedule nothing is asynchronous.
    {"stage_s5", AtTile | AtLayout, Forbids, noScheduleTypes},
    {"stage_s6", AtTile | AtLayout, Forbids, noScheduleOps},
    // From stage layout on it is decided who holds what and which instruction multiplies.
    {"stage_s7", AtLayout | AtSchedule, Demands, allLayouts},
    {"stage_s8", AtLayout | AtSchedule, Forbids, layoutsCover},
    {"stage_s9", AtLayout | AtSchedule, Demands, gemmHasInstr},
    {"stage_s10", AtLayout | AtSchedule, Demands, kernelHasPlan},
    // Stage schedule: places, order, and who waits for what.
    {"stage_s11", AtSchedule, Demands, sharedIsPlaced},
    {"stage_s12", AtSchedule, Demands, asyncCopyInRing},
    {"stage_s13", AtSchedule, Demands, asyncGemmIsStarted},
    {"stage_s14", AtSchedule, Forbids, consumedOnce},
    {"stage_s15", AtSchedule, Demands, slotIsReleased},
    {"stage_s16", AtSchedule, Forbids, releaseAfterWait},
    {"stage_s17", AtSchedule, Forbids, oneRolePuts},
    {"stage_s18", AtSchedule, Demands, warpsMatchRole},
    {"stage_s19", AtSchedule, Demands, parallelIsCovered},
};

LogicalResult tilec::tile::verifyStage(Operation *root) {
  auto module = isa<ModuleOp>(root) ? cast<ModuleOp>(root) : root->getParentOfType<ModuleOp>();
  auto stage = module ? module->getAttrOfType<StringAttr>(kStageAttr) : StringAttr();
  if (!stage)
    return success();
  unsigned at = llvm::StringSwitch<unsigned>(stage.getValue())
                    .Case("tile", AtTile)
                    .Case("layout", AtLayout)
                    .Case("schedule", AtSchedule)
                    .Default(0);
  bool partial = module->hasAttr(kPartialAttr);
  Context context;
  bool failed = false;
  root->walk([&](Operation *op) {
    if (op == module || !op->getDialect())
      return;
    for (const Rule &rule : rules)
      if ((rule.stages & at) && !(partial && rule.kind == Demands) && mlir::failed(rule.check(op, context))) {
        failed = true;
        break; // one broken rule an op is enough
      }
  });
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Pass and instrumentation
//===----------------------------------------------------------------------===//

namespace {

struct VerifyStagePass : PassWrapper<VerifyStagePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyStagePass)

  StringRef getArgument() const override { return "tile-verify-stage"; }
  StringRef getDescription() const override { return "Check what is true at the module's stage"; }
  void runOnOperation() override {
    if (failed(verifyStage(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct VerifyStageInstrumentation : PassInstrumentation {
  explicit VerifyStageInstrumentation(std::atomic<bool> *failed) : failed(failed) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "tile-verify-stage" || succeeded(verifyStage(op)))
      return;
    op->emitRemark() << "after pass '"
                     << (pass->getArgument().empty() ? pass->getName() : pass->getArgument()) << "'";
    *failed = true;
  }

  std::atomic<bool> *failed;
};

} // namespace

std::unique_ptr<Pass> tilec::tile::createVerifyStagePass() { return std::make_unique<VerifyStagePass>(); }

void tilec::tile::registerVerifyStagePass() { PassRegistration<VerifyStagePass>(); }

std::unique_ptr<PassInstrumentation>
tilec::tile::createVerifyStageInstrumentation(std::atomic<bool> *failed) {
  return std::make_unique<VerifyStageInstrumentation>(failed);
}
