//===- AccessTest.cpp - what ops say about the memory they touch ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses one op a time and looks at its accesses, its completion, and what it demands of layouts.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec::tile;

namespace {

class AccessTest : public ::testing::Test {
protected:
  AccessTest() { context.loadDialect<TileDialect, func::FuncDialect, scf::SCFDialect>(); }

  /// Parses a function with these arguments and body; answers the first op named `name`.
  Operation *parse(StringRef arguments, StringRef body, StringRef name) {
    std::string text = ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(text, &context);
    Operation *found = nullptr;
    if (module)
      module->walk([&](Operation *op) {
        if (!found && op->getName().getStringRef() == name)
          found = op;
      });
    EXPECT_TRUE(found) << text;
    return found;
  }

  SmallVector<Access> accesses(StringRef arguments, StringRef body, StringRef name) {
    SmallVector<Access> list;
    if (Operation *op = parse(arguments, body, name))
      cast<AccessOpInterface>(op).getAccesses(list);
    return list;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

// Only a box that is all of a tile overwrites it; a tensor's box may be outside.
TEST_F(AccessTest, coverage) {
  auto whole = accesses("%s: !tile.shared<8x4xf16>, %v: f16, %i: i64",
                        "tile.fill %v, %s[%i, %i] extents [8, 4] : !tile.shared<8x4xf16>", "tile.fill");
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].coverage, Coverage::Full);
  EXPECT_EQ(whole[0].kind, AccessKind::Write);
  auto part = accesses("%s: !tile.shared<8x4xf16>, %v: f16, %i: i64",
                       "tile.fill %v, %s[%i, %i] extents [4, 4] : !tile.shared<8x4xf16>", "tile.fill");
  EXPECT_EQ(part[0].coverage, Coverage::Must);
  EXPECT_EQ(part[0].extents, (SmallVector<int64_t, 4>{4, 4}));
  auto tensor = accesses("%g: !tile.global<8x4xf16>, %v: f16, %i: i64",
                         "tile.fill %v, %g[%i, %i] extents [8, 4] : !tile.global<8x4xf16>", "tile.fill");
  EXPECT_EQ(tensor[0].coverage, Coverage::May);
}

// What is guarded may not happen, so one element of a tile of one element is no overwrite in a parallel.
TEST_F(AccessTest, elementInParallel) {
  auto list =
      accesses("%s: !tile.shared<1xf16>, %v: f16",
               "tile.parallel (%i) in (1) {\ntile.write %v, %s[%i] : !tile.shared<1xf16>\n}", "tile.write");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].coverage, Coverage::Must);
}

TEST_F(AccessTest, proxies) {
  StringRef arguments = "%g: !tile.global<?xf16>, %s: !tile.shared<8xf16>, %i: i64";
  auto plain = accesses(
      arguments,
      "tile.copy %g[%i] extents [8], %s[%i] extents [8] : !tile.global<?xf16> -> !tile.shared<8xf16>",
      "tile.copy");
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_EQ(plain[0].kind, AccessKind::Read);
  EXPECT_EQ(plain[1].kind, AccessKind::Write);
  EXPECT_EQ(plain[1].proxy, Proxy::Generic);
  auto bulk = accesses(arguments,
                       "tile.copy %g[%i] extents [8], %s[%i] extents [8] {path = #tile.path<bulk>} : "
                       "!tile.global<?xf16> -> !tile.shared<8xf16>",
                       "tile.copy");
  EXPECT_EQ(bulk[0].proxy, Proxy::Async);
  EXPECT_EQ(bulk[1].proxy, Proxy::Async);
}

// A started product reads shared operands until its wait, each warpgroup its own rows of A.
TEST_F(AccessTest, gemmStart) {
  auto list = accesses("%a: !tile.shared<64x16xf16>, %b: !tile.shared<16x8xf16>",
                       "%p = tile.gemm.start %a, %b : !tile.shared<64x16xf16>, !tile.shared<16x8xf16> -> "
                       "!tile.pending<64x8xf32>",
                       "tile.gemm.start");
  ASSERT_EQ(list.size(), 2u);
  auto start = cast<GemmStartOp>(list[0].operand->getOwner());
  EXPECT_EQ(start.getCompletion(), start.getResult());
  EXPECT_EQ(list[0].until, start.getResult());
  EXPECT_EQ(list[0].proxy, Proxy::Async);
  EXPECT_EQ(list[0].executor, Executor::OwnRows);
  EXPECT_EQ(list[1].executor, Executor::All);
}

TEST_F(AccessTest, bulkStore) {
  auto list =
      accesses("%s: !tile.shared<8xf16>, %g: !tile.global<?xf16>, %i: i64",
               "%t = tile.bulk_store.start %s, %g[%i] extents [8] {executor = #tile.executor<one_lane>} : "
               "!tile.shared<8xf16> -> !tile.global<?xf16>\ntile.bulk_store.wait_read %t",
               "tile.bulk_store.start");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].kind, AccessKind::Read);
  EXPECT_EQ(list[1].kind, AccessKind::Write);
  for (const Access &access : list) {
    EXPECT_EQ(access.proxy, Proxy::Async);
    EXPECT_EQ(access.executor, Executor::OneLane);
    EXPECT_TRUE(access.until);
  }
  Operation *wait = *list[0].until.getUsers().begin();
  EXPECT_EQ(cast<AsyncOpInterface>(wait).getAwaited()[0], list[0].until);
  EXPECT_FALSE(cast<AsyncOpInterface>(wait).getCompletion());
}

// Effects follow: fragments are values and have none, the references of a loop are nobody else's business.
TEST_F(AccessTest, effects) {
  Operation *gemm = parse(
      "%a: !tile.fragment<8x8xf16>",
      "%c = tile.gemm %a, %a : !tile.fragment<8x8xf16>, !tile.fragment<8x8xf16> -> !tile.fragment<8x8xf32>",
      "tile.gemm");
  EXPECT_TRUE(isMemoryEffectFree(gemm));
  Operation *inner = parse("%f: !tile.fragment<8xf16>, %v: f16",
                           "%r = tile.parallel (%i) in (8) updates(%x = %f : !tile.fragment<8xf16>) {\n"
                           "tile.write %v, %x[%i] : !tile.fragref<8xf16>\n}",
                           "tile.parallel");
  EXPECT_TRUE(isMemoryEffectFree(inner));
  Operation *outer =
      parse("%s: !tile.shared<8xf16>, %v: f16",
            "tile.parallel (%i) in (8) {\ntile.write %v, %s[%i] : !tile.shared<8xf16>\n}", "tile.parallel");
  EXPECT_FALSE(isMemoryEffectFree(outer));
  EXPECT_TRUE(hasEffect<MemoryEffects::Write>(outer));
  EXPECT_FALSE(hasEffect<MemoryEffects::Read>(outer));
}

TEST_F(AccessTest, layoutConstraints) {
  Operation *op =
      parse("%a: !tile.fragment<64x16xf16>, %b: !tile.shared<16x8xf16>, %c: !tile.fragment<64x8xf32>",
            "%d = tile.gemm %a, %b acc(%c) : !tile.fragment<64x16xf16>, !tile.shared<16x8xf16> -> "
            "!tile.fragment<64x8xf32>",
            "tile.gemm");
  SmallVector<LayoutConstraint> constraints;
  cast<LayoutConstraintOpInterface>(op).getLayoutConstraints(constraints);
  ASSERT_EQ(constraints.size(), 3u); // A, the result, and the accumulator like it; B is in shared memory
  EXPECT_EQ(constraints[0].kind, LayoutConstraint::Instr);
  EXPECT_EQ(constraints[0].operand, MmaOperand::A);
  EXPECT_EQ(constraints[1].operand, MmaOperand::Acc);
  EXPECT_EQ(constraints[2].kind, LayoutConstraint::Same);

  op = parse("%a: !tile.fragment<8x4xf32>",
             "%r = tile.reduce <sum> %a axis 1 : !tile.fragment<8x4xf32> -> !tile.fragment<8xf32>",
             "tile.reduce");
  constraints.clear();
  cast<LayoutConstraintOpInterface>(op).getLayoutConstraints(constraints);
  ASSERT_EQ(constraints.size(), 1u);
  EXPECT_EQ(constraints[0].kind, LayoutConstraint::Reduced);
  EXPECT_EQ(constraints[0].axis, 1);
}

TEST_F(AccessTest, elementTypes) {
  Builder builder(&context);
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(&context, width, IntegerType::Unsigned);
  };
  EXPECT_EQ(loadedType(unsignedType(8)), builder.getIntegerType(8));
  EXPECT_EQ(loadedType(unsignedType(4)), builder.getIntegerType(8));
  EXPECT_EQ(loadedType(builder.getI1Type()), builder.getI1Type());
  EXPECT_EQ(loadedType(builder.getTF32Type()), builder.getTF32Type());
  EXPECT_EQ(storageBits(builder.getI1Type()), 8u);
  EXPECT_EQ(storageBits(builder.getTF32Type()), 32u);
  EXPECT_EQ(storageBits(unsignedType(4)), 4u);
  EXPECT_TRUE(isUnsignedElement(unsignedType(64)));
  EXPECT_FALSE(isElementType(IntegerType::get(&context, 8, IntegerType::Signed)));
  EXPECT_FALSE(isElementType(builder.getIndexType()));
  EXPECT_EQ(byteSize(SharedType::get(&context, {3, 3}, unsignedType(4))), 5);
}

// What importer and passes build is what the verifier wants.
TEST_F(AccessTest, builders) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  Type i64 = builder.getI64Type(), ptr = PtrType::get(&context, builder.getF16Type());
  auto kernel = KernelOp::create(builder, loc, "k", builder.getFunctionType({ptr, i64}, {}));
  kernel.setArgAttr(0, kAccessAttr, AccessModeAttr::get(&context, AccessMode::InOut));
  Block &body = kernel.getBody().front();
  builder.setInsertionPointToStart(&body);
  auto grid = GridOp::create(builder, loc, ValueRange(body.getArgument(1)), 128);
  ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(grid.getBody());
  Value n = body.getArgument(1), block = grid.getBlockIndices()[0];
  SmallVector<OpFoldResult> sizes = {n, builder.getIndexAttr(64)};
  SmallVector<OpFoldResult> strides = {builder.getIndexAttr(64), builder.getIndexAttr(1)};
  auto global = GlobalOp::create(builder, loc, body.getArgument(0), sizes, strides);
  auto window =
      WindowOp::create(builder, loc, global, ValueRange{block, block},
                       ArrayRef<OpFoldResult>{builder.getIndexAttr(1), builder.getIndexAttr(32)}, {0});
  EXPECT_EQ(window.getType().getShape(), ArrayRef<int64_t>({32}));
  Type fragment = FragmentType::get(&context, {32}, builder.getF16Type());
  auto load = LoadOp::create(builder, loc, fragment, window, ValueRange(block), {32});
  auto shared =
      SharedOp::create(builder, loc, SharedType::get(&context, {2, 32}, builder.getF16Type()), "As");
  auto view = SubviewOp::create(builder, loc, shared, ValueRange{block, block}, {1, 32}, {0});
  StoreOp::create(builder, loc, load, view, ValueRange(block), {32});
  CopyOp::create(builder, loc, window, ValueRange(block), {32}, view, ValueRange(block), {32});
  auto parallel =
      ParallelOp::create(builder, loc, ArrayRef<OpFoldResult>{builder.getIndexAttr(32)}, ValueRange(load));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(parallel.getBody());
    auto read = ReadOp::create(builder, loc, parallel.getRefs()[0], ValueRange(parallel.getIndices()));
    WriteOp::create(builder, loc, read, parallel.getRefs()[0], ValueRange(parallel.getIndices()));
  }
  ReduceOp::create(builder, loc, FragmentType::get(&context, {}, builder.getF16Type()), ReduceKind::Max,
                   parallel.getResult(0), Value(), 0, /*nanPropagate=*/true);
  BarrierOp::create(builder, loc, "view is read");
  EXPECT_TRUE(succeeded(verify(*module)));
}

} // namespace
