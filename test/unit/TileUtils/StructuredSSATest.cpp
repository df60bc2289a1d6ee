//===- StructuredSSATest.cpp - slots through structured control flow -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots are named by characters here. Every test builds or rewrites IR, verifies it and looks at its text.
//
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/Utils/StructuredSSA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec::tile;

namespace {

class StructuredSSATest : public testing::Test {
protected:
  StructuredSSATest() : builder(&context) {
    context.loadDialect<arith::ArithDialect, scf::SCFDialect>();
    context.allowUnregisteredDialects();
    loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
  }

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value flag() { return op("t.flag", {}, builder.getI1Type()); }
  Value op(StringRef name, ValueRange operands, Type result) {
    OperationState state(loc, name, operands, TypeRange(result));
    return builder.create(state)->getResult(0);
  }
  void use(Value value) {
    OperationState state(loc, "t.use", ValueRange(value), TypeRange());
    builder.create(state);
  }

  /// The module's text without indentation, once it has passed the verifier.
  std::string text() {
    EXPECT_TRUE(succeeded(verify(*module)));
    std::string all, result;
    llvm::raw_string_ostream os(all);
    module->print(os);
    SmallVector<StringRef> lines;
    StringRef(all).split(lines, '\n');
    for (StringRef line : lines)
      if (line = line.trim(); !line.empty() && line != "module {")
        result += line.str() + "\n";
    return result.substr(0, result.size() - 2); // the module's brace
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module;
  SlotMap<char> slots;
};

TEST_F(StructuredSSATest, IfYieldsAssignedSlots) {
  slots.define('a', constant(1));
  slots.define('b', constant(2));
  buildIf<char>(builder, loc, flag(), slots, {'a'},
                [&] { slots.set('a', add(slots.get('a'), slots.get('b'))); });
  use(slots.get('a'));
  use(slots.get('b'));
  EXPECT_EQ(text(), R"(%c1_i64 = arith.constant 1 : i64
%c2_i64 = arith.constant 2 : i64
%0 = "t.flag"() : () -> i1
%1 = scf.if %0 -> (i64) {
%2 = arith.addi %c1_i64, %c2_i64 : i64
scf.yield %2 : i64
} else {
scf.yield %c1_i64 : i64
}
"t.use"(%1) : (i64) -> ()
"t.use"(%c2_i64) : (i64) -> ()
)");
}

TEST_F(StructuredSSATest, IfWithoutAssignmentsHasNoElse) {
  slots.define('a', constant(1));
  buildIf<char>(builder, loc, flag(), slots, {}, [&] { use(slots.get('a')); });
  EXPECT_EQ(text(), R"(%c1_i64 = arith.constant 1 : i64
%0 = "t.flag"() : () -> i1
scf.if %0 {
"t.use"(%c1_i64) : (i64) -> ()
}
)");
}

TEST_F(StructuredSSATest, BranchesStartFromTheSameValues) {
  slots.define('a', constant(1));
  buildIf<char>(
      builder, loc, flag(), slots, {'a'}, [&] { slots.set('a', constant(2)); }, [&] { use(slots.get('a')); });
  EXPECT_EQ(text(), R"(%c1_i64 = arith.constant 1 : i64
%0 = "t.flag"() : () -> i1
%1 = scf.if %0 -> (i64) {
%c2_i64 = arith.constant 2 : i64
scf.yield %c2_i64 : i64
} else {
"t.use"(%c1_i64) : (i64) -> ()
scf.yield %c1_i64 : i64
}
)");
}

TEST_F(StructuredSSATest, SlotOfARegionEndsWithIt) {
  buildIf<char>(builder, loc, flag(), slots, {'x'}, [&] {
    slots.define('x', constant(1)); // assigned, but not outside: no result
    slots.set('x', constant(2));
  });
  EXPECT_FALSE(slots.contains('x'));
  EXPECT_EQ(slots.size(), 0u);
}

TEST_F(StructuredSSATest, CarriedSlotsAreInOrderOfDefinition) {
  slots.define('b', constant(1));
  slots.define('a', op("t.float", {}, builder.getF32Type()));
  auto loop = buildFor<char>(builder, loc, constant(0), constant(9), constant(1), slots, {'a', 'b', 'a'},
                             [&](Value index) { slots.set('b', add(slots.get('b'), index)); });
  EXPECT_EQ(loop.getNumResults(), 2u);
  EXPECT_TRUE(loop.getResult(0).getType().isInteger(64));
  EXPECT_EQ(slots.get('a'), loop.getResult(1));
}

TEST_F(StructuredSSATest, NestedLoops) {
  slots.define('s', constant(0));
  Value lo = constant(0), hi = constant(9), step = constant(1);
  buildFor<char>(builder, loc, lo, hi, step, slots, {'s'}, [&](Value i) {
    buildFor<char>(builder, loc, lo, i, step, slots, {'s'},
                   [&](Value j) { slots.set('s', add(slots.get('s'), j)); });
  });
  use(slots.get('s'));
  EXPECT_EQ(text(), R"(%c0_i64 = arith.constant 0 : i64
%c0_i64_0 = arith.constant 0 : i64
%c9_i64 = arith.constant 9 : i64
%c1_i64 = arith.constant 1 : i64
%0 = scf.for %arg0 = %c0_i64_0 to %c9_i64 step %c1_i64 iter_args(%arg1 = %c0_i64) -> (i64)  : i64 {
%1 = scf.for %arg2 = %c0_i64_0 to %arg0 step %c1_i64 iter_args(%arg3 = %arg1) -> (i64)  : i64 {
%2 = arith.addi %arg3, %arg2 : i64
scf.yield %2 : i64
}
scf.yield %1 : i64
}
"t.use"(%0) : (i64) -> ()
)");
}

TEST_F(StructuredSSATest, WhileCarriesThroughBothRegions) {
  slots.define('s', constant(0));
  buildWhile<char>(
      builder, loc, slots, {'s'}, [&] { return op("t.more", slots.get('s'), builder.getI1Type()); },
      [&] { slots.set('s', add(slots.get('s'), slots.get('s'))); });
  use(slots.get('s'));
  EXPECT_EQ(text(), R"(%c0_i64 = arith.constant 0 : i64
%0 = scf.while (%arg0 = %c0_i64) : (i64) -> i64 {
%1 = "t.more"(%arg0) : (i64) -> i1
scf.condition(%1) %arg0 : i64
} do {
^bb0(%arg0: i64):
%1 = arith.addi %arg0, %arg0 : i64
scf.yield %1 : i64
}
"t.use"(%0) : (i64) -> ()
)");
}

#ifndef NDEBUG
TEST_F(StructuredSSATest, AssignmentThatIsNotCarriedIsCaught) {
  slots.define('a', constant(1));
  Value condition = flag(), other = constant(2);
  EXPECT_DEATH(buildIf<char>(builder, loc, condition, slots, {}, [&] { slots.set('a', other); }),
               "not carried");
}
#endif

/// Rewriting: "t.get"() {k} is replaced by the slot's value, "t.next"() {k} adds one to it.
class SlotThreaderTest : public StructuredSSATest {
protected:
  static std::optional<char> keyOf(Operation *op, StringRef name) {
    if (op->getName().getStringRef() != name)
      return std::nullopt;
    return cast<StringAttr>(op->getAttr("k")).getValue().front();
  }

  std::string thread(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return "does not parse";
    IRRewriter rewriter(&context);
    rewriter.setInsertionPointToStart(module->getBody());
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(1));
    slots.define('i', zero);
    slots.define('j', zero);
    SlotThreader<char> threader(
        rewriter,
        [](Operation *op, SmallVectorImpl<char> &keys) {
          if (auto key = keyOf(op, "t.next"))
            keys.push_back(*key);
        },
        [&](Operation *op, SlotMap<char> &current) {
          rewriter.setInsertionPoint(op);
          if (auto key = keyOf(op, "t.next")) {
            current.set(*key, arith::AddIOp::create(rewriter, loc, current.get(*key), one));
            rewriter.eraseOp(op);
          } else if (auto key = keyOf(op, "t.get")) {
            rewriter.replaceOp(op, current.get(*key));
          }
        });
    threader.run(*module->getBody(), slots);
    return text();
  }
};

TEST_F(SlotThreaderTest, ForGetsAnIterArg) {
  EXPECT_EQ(thread(R"(
    %n, %x = "t.init"() : () -> (i64, f32)
    %r = scf.for %k = %n to %n step %n iter_args(%a = %x) -> (f32) : i64 {
      "t.next"() {k = "i"} : () -> ()
      %v = "t.get"() {k = "i"} : () -> i64
      "t.use"(%v) : (i64) -> ()
      scf.yield %a : f32
    } {t.kept}
    "t.use"(%r) : (f32) -> ()
    %w = "t.get"() {k = "i"} : () -> i64
    "t.use"(%w) : (i64) -> ())"),
            R"(%c0_i64 = arith.constant 0 : i64
%c1_i64 = arith.constant 1 : i64
%0:2 = "t.init"() : () -> (i64, f32)
%1:2 = scf.for %arg0 = %0#0 to %0#0 step %0#0 iter_args(%arg1 = %0#1, %arg2 = %c0_i64) -> (f32, i64)  : i64 {
%2 = arith.addi %arg2, %c1_i64 : i64
"t.use"(%2) : (i64) -> ()
scf.yield %arg1, %2 : f32, i64
} {t.kept}
"t.use"(%1#0) : (f32) -> ()
"t.use"(%1#1) : (i64) -> ()
)");
}

TEST_F(SlotThreaderTest, IfGetsAnElse) {
  EXPECT_EQ(thread(R"(
    %c = "t.flag"() : () -> i1
    scf.if %c {
      "t.next"() {k = "j"} : () -> ()
    }
    %w = "t.get"() {k = "j"} : () -> i64
    "t.use"(%w) : (i64) -> ())"),
            R"(%c0_i64 = arith.constant 0 : i64
%c1_i64 = arith.constant 1 : i64
%0 = "t.flag"() : () -> i1
%1 = scf.if %0 -> (i64) {
%2 = arith.addi %c0_i64, %c1_i64 : i64
scf.yield %2 : i64
} else {
scf.yield %c0_i64 : i64
}
"t.use"(%1) : (i64) -> ()
)");
}

TEST_F(SlotThreaderTest, WhileWithNestedIf) {
  EXPECT_EQ(thread(R"(
    %c = "t.flag"() : () -> i1
    scf.while : () -> () {
      %v = "t.get"() {k = "i"} : () -> i64
      %more = "t.more"(%v) : (i64) -> i1
      scf.condition(%more)
    } do {
      scf.if %c {
        "t.next"() {k = "i"} : () -> ()
      } else {
        "t.next"() {k = "j"} : () -> ()
      }
      scf.yield
    })"),
            R"(%c0_i64 = arith.constant 0 : i64
%c1_i64 = arith.constant 1 : i64
%0 = "t.flag"() : () -> i1
%1:2 = scf.while (%arg0 = %c0_i64, %arg1 = %c0_i64) : (i64, i64) -> (i64, i64) {
%2 = "t.more"(%arg0) : (i64) -> i1
scf.condition(%2) %arg0, %arg1 : i64, i64
} do {
^bb0(%arg0: i64, %arg1: i64):
%2:2 = scf.if %0 -> (i64, i64) {
%3 = arith.addi %arg0, %c1_i64 : i64
scf.yield %3, %arg1 : i64, i64
} else {
%3 = arith.addi %arg1, %c1_i64 : i64
scf.yield %arg0, %3 : i64, i64
}
scf.yield %2#0, %2#1 : i64, i64
}
)");
}

TEST_F(SlotThreaderTest, LoopThatOnlyReadsIsLeftAlone) {
  EXPECT_EQ(thread(R"(
    %n = "t.init"() : () -> i64
    scf.for %k = %n to %n step %n : i64 {
      %v = "t.get"() {k = "i"} : () -> i64
      "t.use"(%v) : (i64) -> ()
    })"),
            R"(%c0_i64 = arith.constant 0 : i64
%c1_i64 = arith.constant 1 : i64
%0 = "t.init"() : () -> i64
scf.for %arg0 = %0 to %0 step %0  : i64 {
"t.use"(%c0_i64) : (i64) -> ()
}
)");
}

} // namespace
