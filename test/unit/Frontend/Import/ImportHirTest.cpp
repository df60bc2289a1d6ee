//===- ImportHirTest.cpp - import of programs that no source text gives ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds checked programs by hand where the point is the shape of the tree: nodes shared by several parents,
// jumps in every position. Everything that a source file can show is tested in test/Frontend/Import.
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/ImportTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec::frontend;
using tilec::SourceManager;
using tilec::SourceRange;
namespace tile = tilec::tile;

namespace {

/// One kernel `k(x: i64, out T: i64[1])` that writes what its statements compute to T[0].
class ImportHirTest : public testing::Test {
protected:
  ImportHirTest() {
    kernel = &program.kernels.emplace_back();
    kernel->symbol = kernel->sourceName = "k";
    kernel->threads = 32;
    kernel->gridExtents = {constant(1)};
    kernel->blockIndices = {variable("b", hir::VarKind::Block)};
    x = variable("x", hir::VarKind::Param);
    out = program.make<hir::Tensor>();
    out->name = "T";
    out->element = ScalarType::I64;
    out->access = hir::Access::Out;
    out->extents = {constant(1)};
    kernel->params = {{nullptr, x}, {out, nullptr}};
  }

  hir::Variable *variable(StringRef name, hir::VarKind kind) {
    return program.make<hir::Variable>(hir::Variable{name.str(), kind, ScalarType::I64, range, 0});
  }
  hir::Expr *constant(int64_t value, ScalarType type = ScalarType::I64) {
    auto *result = program.make<hir::Const>(type, range);
    result->integer = value;
    return result;
  }
  hir::Expr *ref(hir::Variable *v) { return program.make<hir::VarRef>(v, range); }
  hir::Expr *binary(hir::BinaryOp op, hir::Expr *a, hir::Expr *b) {
    bool compares = op >= hir::BinaryOp::Eq;
    return program.make<hir::Binary>(op, compares ? ScalarType::Bool : a->type, a, b, range);
  }
  hir::Expr *readOut(hir::Expr *index) {
    return program.make<hir::ElementRead>(out, std::vector<hir::Expr *>{index}, range);
  }
  template <typename T> T *stmt() { return program.make<T>(range); }
  hir::Stmt *declare(hir::Variable *v, hir::Expr *init) {
    auto *result = stmt<hir::VarDecl>();
    result->variable = v;
    result->init = init;
    return result;
  }
  hir::Stmt *assign(hir::Variable *v, hir::Expr *value) {
    auto *result = stmt<hir::Assign>();
    result->variable = v;
    result->value = value;
    return result;
  }
  hir::Stmt *branch(hir::Expr *condition, hir::StmtList thenBody, hir::StmtList elseBody = {}) {
    auto *result = stmt<hir::If>();
    result->condition = condition;
    result->thenBody = std::move(thenBody);
    result->elseBody = std::move(elseBody);
    return result;
  }
  hir::Stmt *loop(hir::Variable *v, hir::Expr *lo, hir::Expr *hi, hir::Expr *step, hir::StmtList body) {
    auto *result = stmt<hir::For>();
    result->variable = v;
    result->lo = lo;
    result->hi = hi;
    result->step = step;
    result->body = std::move(body);
    return result;
  }
  hir::Stmt *write(hir::Expr *value) {
    auto *result = stmt<hir::ElementWrite>();
    result->object = out;
    result->indices = {constant(0)};
    result->value = value;
    return result;
  }

  void import(hir::StmtList body) {
    kernel->body = std::move(body);
    ImportOptions options;
    options.entriesOnly = false;
    module = importTile(program, sources, context, options);
    ASSERT_TRUE(succeeded(verify(*module)));
  }

  /// The value that the kernel writes for `x`: what the import folds to once x is a constant.
  std::optional<int64_t> evaluate(int64_t argument) {
    OwningOpRef<ModuleOp> copy = module->clone();
    tile::KernelOp op = *copy->getOps<tile::KernelOp>().begin();
    OpBuilder builder(&op.getBody());
    auto value = arith::ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(argument));
    for (BlockArgument arg : op.getBody().getArguments())
      if (arg.getType().isInteger(64))
        arg.replaceAllUsesWith(value);
    PassManager passes(&context);
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createSCCPPass());
    passes.addPass(createCanonicalizerPass());
    if (failed(passes.run(*copy)))
      return std::nullopt;
    std::optional<int64_t> result;
    copy->walk([&](tile::WriteScalarOp writeOp) {
      if (auto constant = writeOp.getValue().getDefiningOp<arith::ConstantOp>())
        result = cast<IntegerAttr>(constant.getValue()).getInt();
    });
    return result;
  }

  template <typename Op> int count() {
    int number = 0;
    module->walk([&](Op) { ++number; });
    return number;
  }

  MLIRContext context;
  SourceManager sources;
  SourceRange range;
  hir::Program program;
  hir::Kernel *kernel;
  hir::Variable *x;
  hir::Tensor *out;
  OwningOpRef<ModuleOp> module;
};

using hir::BinaryOp;

TEST_F(ImportHirTest, SharedNodeIsEvaluatedOnce) {
  hir::Expr *read = readOut(ref(x));
  import({write(binary(BinaryOp::Add, read, binary(BinaryOp::Mul, read, read)))});
  EXPECT_EQ(count<tile::ReadScalarOp>(), 1);
}

/// `T[x] < T[x + 1] < 9 < T[x + 2]`: the later terms are lazy, and each read happens once.
TEST_F(ImportHirTest, ChainOfReadsNests) {
  hir::Expr *a = readOut(ref(x)), *b = readOut(binary(BinaryOp::Add, ref(x), constant(1)));
  hir::Expr *c = readOut(binary(BinaryOp::Add, ref(x), constant(2)));
  hir::Expr *chain =
      binary(BinaryOp::LogicalAnd,
             binary(BinaryOp::LogicalAnd, binary(BinaryOp::Lt, a, b), binary(BinaryOp::Lt, b, c)),
             binary(BinaryOp::Lt, c, constant(9)));
  import({branch(chain, {write(ref(x))})});
  EXPECT_EQ(count<tile::ReadScalarOp>(), 3);
}

/// What an iteration of one statement evaluated says nothing about the next statement.
TEST_F(ImportHirTest, NodesAreEvaluatedAnewInEveryStatement) {
  hir::Expr *read = readOut(ref(x));
  import({write(read), write(read)});
  EXPECT_EQ(count<tile::ReadScalarOp>(), 2);
}

/// for i in range(10) { if i == x { break; } sum += i; }  -- runs through the scf.while form.
TEST_F(ImportHirTest, BreakSkipsTheRestOfTheLoop) {
  hir::Variable *sum = variable("sum", hir::VarKind::Var), *i = variable("i", hir::VarKind::Loop);
  import({declare(sum, constant(0)),
          loop(i, constant(0), constant(10), constant(1),
               {branch(binary(BinaryOp::Eq, ref(i), ref(x)), {stmt<hir::Break>()}),
                assign(sum, binary(BinaryOp::Add, ref(sum), ref(i)))}),
          write(ref(sum))});
  EXPECT_EQ(count<scf::WhileOp>(), 1);
  EXPECT_EQ(count<scf::ForOp>(), 0);
}

/// A macro of jumps without loops folds to its result, so its meaning can be checked.
class ImportJumpTest : public ImportHirTest {
protected:
  /// An unrolled loop over parts that are lists of statements.
  hir::Stmt *unrolled(std::vector<hir::StmtList> parts) {
    auto *result = stmt<hir::InlineBlock>();
    result->isUnroll = true;
    result->parts = std::move(parts);
    return result;
  }
  hir::Stmt *addTo(hir::Variable *v, int64_t value) {
    return assign(v, binary(BinaryOp::Add, ref(v), constant(value)));
  }
  hir::Expr *xIs(int64_t value) { return binary(BinaryOp::Eq, ref(x), constant(value)); }
  hir::Expr *xLess(int64_t value) { return binary(BinaryOp::Lt, ref(x), constant(value)); }
};

TEST_F(ImportJumpTest, BreakAndContinueInUnrolledParts) {
  hir::Variable *sum = variable("sum", hir::VarKind::Var);
  std::vector<hir::StmtList> parts;
  for (int64_t i = 0; i < 4; ++i) // if x == i { break; } if x == 10 + i { sum += 100; continue; } sum += 1;
    parts.push_back({branch(xIs(i), {stmt<hir::Break>()}),
                     branch(xIs(10 + i), {addTo(sum, 100), stmt<hir::Continue>()}), addTo(sum, 1)});
  import({declare(sum, constant(0)), unrolled(parts), write(ref(sum))});
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(evaluate(i), i);
    EXPECT_EQ(evaluate(10 + i), 103);
  }
  EXPECT_EQ(evaluate(4), 4);
}

TEST_F(ImportJumpTest, JumpsDeepInsideBranches) {
  hir::Variable *sum = variable("sum", hir::VarKind::Var);
  // One part: if x < 10 { if x < 5 { if x == 3 { break; } sum += 1; } else { sum += 10; continue; } sum +=
  // 100; }
  //           sum += 1000;     then a second part: sum += 10000
  hir::StmtList first{
      branch(xLess(10), {branch(xLess(5), {branch(xIs(3), {stmt<hir::Break>()}), addTo(sum, 1)},
                                {addTo(sum, 10), stmt<hir::Continue>()}),
                         addTo(sum, 100)}),
      addTo(sum, 1000)};
  import({declare(sum, constant(0)), unrolled({first, {addTo(sum, 10000)}}), write(ref(sum))});
  EXPECT_EQ(evaluate(3), 0);
  EXPECT_EQ(evaluate(2), 11101);
  EXPECT_EQ(evaluate(7), 10010);
  EXPECT_EQ(evaluate(10), 11000);
}

TEST_F(ImportJumpTest, ReturnFromNestedBlocksOfAFunction) {
  hir::Variable *p = variable("p", hir::VarKind::FnParam);
  auto ret = [&](int64_t value) {
    auto *result = stmt<hir::Return>();
    result->value = constant(value);
    return result;
  };
  auto *block = stmt<hir::Block>();
  block->body = {branch(binary(BinaryOp::Lt, ref(p), constant(0)), {ret(-1)})};
  auto *inner = unrolled({{branch(binary(BinaryOp::Eq, ref(p), constant(1)), {ret(10)}),
                           branch(binary(BinaryOp::Eq, ref(p), constant(2)), {stmt<hir::Break>()})},
                          {branch(binary(BinaryOp::Eq, ref(p), constant(3)), {ret(30)})}});
  auto *call = program.make<hir::InlineCall>(ScalarType::I64, range);
  call->function = "f";
  call->params = {p};
  call->args = {ref(x)};
  call->body = {block, inner, branch(binary(BinaryOp::Gt, ref(p), constant(100)), {ret(100)}, {ret(5)})};
  import({write(call)});
  EXPECT_EQ(evaluate(-7), -1);
  EXPECT_EQ(evaluate(1), 10);
  EXPECT_EQ(evaluate(2), 5);
  EXPECT_EQ(evaluate(3), 30);
  EXPECT_EQ(evaluate(101), 100);
}

/// So many jumps in one list are guarded one by one instead of nested. What the list declares stays visible.
TEST_F(ImportJumpTest, LongListsOfJumpsStayShallow) {
  constexpr int64_t kJumps = 300;
  hir::Variable *sum = variable("sum", hir::VarKind::Var);
  hir::StmtList part;
  for (int64_t i = 0; i < kJumps;
       ++i) { // if x == i { break; } if x == 1000 + i { continue; } let t = 2; sum += t;
    hir::Variable *t = variable("t", hir::VarKind::Let);
    part.push_back(declare(t, constant(2)));
    part.push_back(branch(xIs(i), {stmt<hir::Break>()}));
    part.push_back(branch(xIs(1000 + i), {addTo(sum, 7), stmt<hir::Continue>()}));
    part.push_back(assign(sum, binary(BinaryOp::Add, ref(sum), ref(t))));
  }
  import({declare(sum, constant(0)), unrolled({part, {addTo(sum, 100000)}}), write(ref(sum))});
  EXPECT_EQ(evaluate(0), 0);
  EXPECT_EQ(evaluate(kJumps - 1), 2 * (kJumps - 1));
  EXPECT_EQ(evaluate(1000 + 123), 2 * 123 + 7 + 100000);
  EXPECT_EQ(evaluate(-1), 2 * kJumps + 100000);
  int deepest = 0;
  module->walk([&](Operation *op) {
    int depth = 0;
    for (Operation *parent = op; parent; parent = parent->getParentOp())
      ++depth;
    deepest = std::max(deepest, depth);
  });
  EXPECT_LT(deepest, 100);
}

/// Both sides jump: what follows is unreachable and imports to nothing.
TEST_F(ImportJumpTest, NothingFollowsWhereAllPathsJump) {
  hir::Variable *sum = variable("sum", hir::VarKind::Var);
  hir::StmtList part{
      branch(xLess(0), {addTo(sum, 1), stmt<hir::Break>()}, {addTo(sum, 2), stmt<hir::Continue>()}),
      addTo(sum, 100)};
  import({declare(sum, constant(0)), unrolled({part, {addTo(sum, 10)}}), write(ref(sum))});
  EXPECT_EQ(evaluate(-1), 1);
  EXPECT_EQ(evaluate(1), 12);
}

/// Trip counts of loops whose step is no positive constant are computed; the loop itself is an upward count.
TEST_F(ImportHirTest, TripCountsOfOddSteps) {
  struct Case {
    int64_t lo, hi, step, count;
  };
  for (Case c : {Case{10, 0, -3, 4},
                 {0, 10, -1, 0},
                 {9, 0, -3, 3},
                 {INT64_MAX, INT64_MIN, INT64_MIN + 1, 3},
                 {5, 5, -1, 0}}) {
    hir::Variable *i = variable("i", hir::VarKind::Loop), *n = variable("n", hir::VarKind::Var);
    import({declare(n, constant(0)),
            loop(i, constant(c.lo), constant(c.hi), constant(c.step),
                 {assign(n, binary(BinaryOp::Add, ref(n), binary(BinaryOp::Mul, ref(i), ref(x))))}),
            write(ref(n))});
    int64_t count = 0;
    module->walk([&](scf::ForOp op) {
      auto hi = op.getUpperBound().getDefiningOp<arith::ConstantOp>();
      count = hi ? cast<IntegerAttr>(hi.getValue()).getInt() : -1;
    });
    EXPECT_EQ(count, c.count) << c.lo << " " << c.hi << " " << c.step;
  }
}

} // namespace
