//===- ImportScalarTest.cpp - scalar arithmetic, exhaustively where it can be --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds each operation on block arguments, so that no guard folds away, and runs the ops by folding them one
// by one on constants. An op that is undefined for its operands does not fold, which fails the test. The
// wanted values come from C++ written from LANGUAGE.md.
//
//===----------------------------------------------------------------------===//
#include "ImportScalar.h"
#include "tilec/Frontend/ImportTile.h"

#include "mlir/IR/BuiltinOps.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace tilec::frontend;
using hir::BinaryOp;
using hir::Builtin;

namespace {

class ImportScalarTest : public testing::Test {
protected:
  ImportScalarTest() : builder(&context) {
    DialectRegistry registry;
    registerImportDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A function of scalars that can be run.
  struct Function {
    std::unique_ptr<Block> block;
    Value result;
  };

  Function build(ArrayRef<ScalarType> args, llvm::function_ref<Value(ScalarBuilder &, ValueRange)> body) {
    Function function{std::make_unique<Block>(), Value()};
    for (ScalarType arg : args)
      function.block->addArgument(scalarType(loadedType(arg), &context), builder.getUnknownLoc());
    OpBuilder inside(&context);
    inside.setInsertionPointToEnd(function.block.get());
    ScalarBuilder scalars(inside, function.block.get(), /*contract=*/true);
    function.result = body(scalars, function.block->getArguments());
    return function;
  }

  /// Null if an op has no value for these operands.
  Attribute run(const Function &function, ArrayRef<Attribute> args) {
    DenseMap<Value, Attribute> values;
    for (auto [argument, attribute] : llvm::zip_equal(function.block->getArguments(), args))
      values[argument] = attribute;
    for (Operation &op : *function.block) {
      SmallVector<Attribute> operands;
      for (Value operand : op.getOperands())
        operands.push_back(values.lookup(operand));
      SmallVector<OpFoldResult> results;
      if (Attribute result = runWithoutFolder(&op, operands))
        results.push_back(result);
      else if (failed(op.fold(operands, results)) || results.size() != 1)
        return {};
      if (auto value = dyn_cast<Value>(results.front()))
        values[op.getResult(0)] = values.lookup(value);
      else
        values[op.getResult(0)] = cast<Attribute>(results.front());
    }
    return values.lookup(function.result);
  }

  /// Ops whose folders give up where the op is defined: rounding divisions near the ends of the range,
  /// inexact and saturating conversions. Null for other ops and for undefined divisions, which do not fold
  /// either.
  static Attribute runWithoutFolder(Operation *op, ArrayRef<Attribute> operands) {
    Type type = op->getResult(0).getType();
    if (isa<arith::CeilDivSIOp, arith::FloorDivSIOp>(op)) {
      APInt a = cast<IntegerAttr>(operands[0]).getValue(), b = cast<IntegerAttr>(operands[1]).getValue();
      if (b.isZero() || (a.isMinSignedValue() && b.isAllOnes()))
        return {};
      auto rounding = isa<arith::CeilDivSIOp>(op) ? APInt::Rounding::UP : APInt::Rounding::DOWN;
      return IntegerAttr::get(type, llvm::APIntOps::RoundingSDiv(a, b, rounding));
    }
    auto target = dyn_cast<FloatType>(type);
    if (!target || !isa<arith::TruncFOp, tilec::tile::CastOp>(op))
      return {};
    APFloat value = cast<FloatAttr>(operands[0]).getValue();
    APFloat largest = APFloat::getLargest(target.getFloatSemantics());
    bool inexact;
    if (isa<tilec::tile::CastOp>(op) && !value.isNaN() &&
        std::fabs(value.convertToDouble()) > largest.convertToDouble()) {
      if (value.isNegative())
        largest.changeSign();
      return FloatAttr::get(target, largest);
    }
    value.convert(target.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    return FloatAttr::get(target, value);
  }

  Attribute integer(ScalarType type, int64_t value) {
    Type ssa = scalarType(type, &context);
    return builder.getIntegerAttr(ssa,
                                  APInt(64, static_cast<uint64_t>(value)).trunc(ssa.getIntOrFloatBitWidth()));
  }
  Attribute real(ScalarType type, double value) {
    return builder.getFloatAttr(scalarType(type, &context), value);
  }

  /// The value of an integer, extended by its language type.
  static std::optional<int64_t> toInteger(ScalarType type, Attribute attribute) {
    auto constant = dyn_cast_or_null<IntegerAttr>(attribute);
    if (!constant)
      return std::nullopt;
    APInt value = constant.getValue();
    return isSigned(type) ? value.getSExtValue() : static_cast<int64_t>(value.getZExtValue());
  }
  static std::optional<double> toReal(Attribute attribute) {
    auto constant = dyn_cast_or_null<FloatAttr>(attribute);
    return constant ? std::optional<double>(constant.getValueAsDouble()) : std::nullopt;
  }

  /// Compares an operation of two i8 (or u8) with `want`, for all right operands and those left ones that are
  /// near the ends, near zero, and a few more; `want` answers none for any value.
  void checkAllPairs(ScalarType type, llvm::function_ref<Value(ScalarBuilder &, ValueRange)> body,
                     llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> want) {
    Function function = build({type, type}, body);
    int64_t first = isSigned(type) ? -128 : 0;
    for (int64_t a = first; a < first + 256; ++a) {
      if (a > first + 3 && a < first + 252 && std::abs(a) > 9 && std::abs(a - 128) > 2 && a % 17 != 0)
        continue;
      for (int64_t b = first; b < first + 256; ++b) {
        std::optional<int64_t> got = toInteger(type, run(function, {integer(type, a), integer(type, b)}));
        ASSERT_TRUE(got) << a << ", " << b;
        std::optional<int64_t> wanted = want(a, b);
        if (!wanted)
          continue;
        int64_t wrapped = isSigned(type) ? int8_t(*wanted) : uint8_t(*wanted);
        ASSERT_EQ(*got, wrapped) << a << ", " << b;
      }
    }
  }

  void checkBinary(ScalarType type, BinaryOp op,
                   llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> want) {
    checkAllPairs(
        type,
        [&](ScalarBuilder &scalars, ValueRange args) {
          return scalars.binary(op, type, args[0], args[1], type);
        },
        want);
  }
  void checkCall(ScalarType type, Builtin fn,
                 llvm::function_ref<std::optional<int64_t>(int64_t, int64_t)> want) {
    checkAllPairs(
        type,
        [&](ScalarBuilder &scalars, ValueRange args) {
          return scalars.call(fn, type, SmallVector<Value>(args));
        },
        want);
  }

  std::optional<int64_t> castToInteger(ScalarType from, Attribute value, ScalarType to) {
    Function function = build(
        {from}, [&](ScalarBuilder &scalars, ValueRange args) { return scalars.cast(args[0], from, to); });
    return toInteger(to, run(function, {value}));
  }
  std::optional<double> castToReal(ScalarType from, Attribute value, ScalarType to) {
    Function function = build(
        {from}, [&](ScalarBuilder &scalars, ValueRange args) { return scalars.cast(args[0], from, to); });
    return toReal(run(function, {value}));
  }

  MLIRContext context;
  OpBuilder builder;
};

constexpr ScalarType kI8 = ScalarType::I8, kU8 = ScalarType::U8;

TEST_F(ImportScalarTest, DivisionTruncatesAndNeverTraps) {
  for (ScalarType type : {kI8, kU8}) {
    checkBinary(type, BinaryOp::Div, [](int64_t a, int64_t b) {
      return b == 0 ? std::nullopt : std::optional<int64_t>(a / b); // -128 / -1 is 128, which wraps
    });
    checkBinary(type, BinaryOp::Rem,
                [](int64_t a, int64_t b) { return b == 0 ? std::nullopt : std::optional<int64_t>(a % b); });
  }
}

TEST_F(ImportScalarTest, CeilAndFloorDivisionAreRightForNegatives) {
  auto exact = [](int64_t a, int64_t b, bool up) -> std::optional<int64_t> {
    if (b == 0)
      return std::nullopt;
    return static_cast<int64_t>(up ? std::ceil(double(a) / b) : std::floor(double(a) / b));
  };
  for (ScalarType type : {kI8, kU8}) {
    checkCall(type, Builtin::CeilDiv, [&](int64_t a, int64_t b) { return exact(a, b, true); });
    checkCall(type, Builtin::FloorDiv, [&](int64_t a, int64_t b) { return exact(a, b, false); });
  }
}

TEST_F(ImportScalarTest, CountsOutsideTheWidthShiftEverythingOut) {
  for (ScalarType type : {kI8, kU8}) {
    bool isSignedType = type == kI8;
    checkBinary(type, BinaryOp::Shl,
                [](int64_t a, int64_t b) -> std::optional<int64_t> { return b < 0 || b >= 8 ? 0 : a << b; });
    checkBinary(type, BinaryOp::Shr, [=](int64_t a, int64_t b) -> std::optional<int64_t> {
      if (b < 0 || b >= 8)
        return isSignedType && a < 0 ? -1 : 0;
      return a >> b;
    });
  }
}

TEST_F(ImportScalarTest, ShiftCountsOfAnotherWidth) {
  struct Case {
    ScalarType type, countType;
    int64_t value, count, shl, shr;
  };
  for (Case c : {Case{ScalarType::I64, kI8, 5, 63, INT64_MIN, 0},
                 {ScalarType::I64, kI8, -5, -1, 0, -1},
                 {ScalarType::I64, kU8, -5, 64, 0, -1},
                 {kI8, ScalarType::I64, -5, 256, 0, -1},
                 {kI8, ScalarType::I64, -5, 1, -10, -3},
                 {kU8, ScalarType::U64, 200, -1, 0, 0},
                 {ScalarType::U32, kI8, 1, 31, 1ll << 31, 0}}) {
    for (bool left : {true, false}) {
      Function function = build({c.type, c.countType}, [&](ScalarBuilder &scalars, ValueRange args) {
        return scalars.binary(left ? BinaryOp::Shl : BinaryOp::Shr, c.type, args[0], args[1], c.countType);
      });
      auto got = toInteger(c.type, run(function, {integer(c.type, c.value), integer(c.countType, c.count)}));
      ASSERT_TRUE(got);
      EXPECT_EQ(*got, left ? c.shl : c.shr) << c.value << " by " << c.count;
    }
  }
}

TEST_F(ImportScalarTest, ConstantOperandsNeedNoGuard) {
  Function function = build({ScalarType::I64}, [&](ScalarBuilder &scalars, ValueRange args) {
    Value quotient =
        scalars.binary(BinaryOp::Div, ScalarType::I64, args[0], scalars.index(24), ScalarType::I64);
    Value shifted =
        scalars.binary(BinaryOp::Shl, ScalarType::I64, quotient, scalars.index(3), ScalarType::I64);
    return scalars.call(Builtin::CeilDiv, ScalarType::I64, {shifted, scalars.index(128)});
  });
  SmallVector<StringRef> names;
  for (Operation &op : *function.block)
    if (!isa<arith::ConstantOp>(op))
      names.push_back(op.getName().getStringRef());
  EXPECT_EQ(names, (SmallVector<StringRef>{"arith.divsi", "arith.shli", "arith.ceildivsi"}));
}

TEST_F(ImportScalarTest, IntegerConversionsKeepTheLowBits) {
  EXPECT_EQ(castToInteger(ScalarType::I32, integer(ScalarType::I32, -1), ScalarType::U8), 255);
  EXPECT_EQ(castToInteger(ScalarType::I32, integer(ScalarType::I32, 0x1ff), kI8), -1);
  EXPECT_EQ(castToInteger(kI8, integer(kI8, -1), ScalarType::U64), -1);
  EXPECT_EQ(castToInteger(kU8, integer(kU8, 255), ScalarType::I64), 255);
  EXPECT_EQ(castToInteger(ScalarType::U4, integer(kU8, 15), ScalarType::I32), 15);
  EXPECT_EQ(castToInteger(ScalarType::I4, integer(kI8, -8), ScalarType::I32), -8);
}

TEST_F(ImportScalarTest, BoolConversions) {
  EXPECT_EQ(castToInteger(ScalarType::Bool, integer(ScalarType::Bool, 1), ScalarType::I32), 1);
  EXPECT_EQ(castToReal(ScalarType::Bool, integer(ScalarType::Bool, 1), ScalarType::F16), 1.0);
  auto toBool = [&](ScalarType from, Attribute value) {
    return castToInteger(from, value, ScalarType::Bool).value_or(-1);
  };
  EXPECT_EQ(toBool(ScalarType::I32, integer(ScalarType::I32, 256)), 1);
  EXPECT_EQ(toBool(ScalarType::I32, integer(ScalarType::I32, 0)), 0);
  EXPECT_EQ(toBool(ScalarType::F32, real(ScalarType::F32, NAN)), 1);
  EXPECT_EQ(toBool(ScalarType::F32, real(ScalarType::F32, -0.0)), 0);
  EXPECT_EQ(toBool(ScalarType::E4M3, real(ScalarType::E4M3, 0.5)), 1);
  EXPECT_EQ(toBool(ScalarType::TF32, real(ScalarType::TF32, 0.0)), 0);
}

TEST_F(ImportScalarTest, FloatToIntegerSaturates) {
  auto toInt = [&](double value, ScalarType to) {
    return castToInteger(ScalarType::F32, real(ScalarType::F32, value), to);
  };
  EXPECT_EQ(toInt(-3.9, ScalarType::I32), -3);
  EXPECT_EQ(toInt(300, kI8), 127);
  EXPECT_EQ(toInt(-300, kI8), -128);
  EXPECT_EQ(toInt(-3, kU8), 0);
  EXPECT_EQ(toInt(300, kU8), 255);
  EXPECT_EQ(toInt(INFINITY, ScalarType::I64), INT64_MAX);
  EXPECT_EQ(toInt(NAN, ScalarType::I32), 0);
  EXPECT_EQ(castToInteger(ScalarType::F16, real(ScalarType::F16, -2.5), ScalarType::I32), -2);
  EXPECT_EQ(castToInteger(ScalarType::E5M2, real(ScalarType::E5M2, -INFINITY), kI8), -128);
}

TEST_F(ImportScalarTest, NarrowFloatsRoundOnceAndTheSmallestSaturate) {
  auto f32 = [&](double value) { return real(ScalarType::F32, value); };
  EXPECT_EQ(castToReal(ScalarType::F32, f32(2049), ScalarType::F16), 2048.0); // a tie goes to even
  EXPECT_EQ(castToReal(ScalarType::F32, f32(70000), ScalarType::F16), INFINITY);
  EXPECT_EQ(castToReal(ScalarType::F32, f32(1000), ScalarType::E4M3), 448.0);
  EXPECT_EQ(castToReal(ScalarType::F32, f32(-INFINITY), ScalarType::E4M3), -448.0);
  EXPECT_EQ(castToReal(ScalarType::F32, f32(INFINITY), ScalarType::E5M2), 57344.0);
  EXPECT_TRUE(std::isnan(*castToReal(ScalarType::F32, f32(NAN), ScalarType::E4M3)));
  // Halfway between two f16 but for a bit that f32 cannot hold: through f32 it would go to even.
  double aboveTie = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(castToReal(ScalarType::F64, real(ScalarType::F64, aboveTie), ScalarType::F16),
            1 + std::ldexp(1, -10));
  EXPECT_EQ(castToReal(ScalarType::F16, real(ScalarType::F16, 65504), ScalarType::BF16), 65536.0);
  EXPECT_EQ(castToReal(ScalarType::BF16, real(ScalarType::BF16, 0.5), ScalarType::F16), 0.5);
  EXPECT_EQ(castToReal(ScalarType::E5M2, real(ScalarType::E5M2, 57344), ScalarType::E4M3), 448.0);
}

TEST_F(ImportScalarTest, IntegersToFloatsRoundOnce) {
  // 2^24 + 1 and a half of an f16 step above a tie: one rounding each.
  EXPECT_EQ(castToReal(ScalarType::I32, integer(ScalarType::I32, (1 << 24) + 1), ScalarType::F32),
            16777216.0);
  EXPECT_EQ(castToReal(ScalarType::I32, integer(ScalarType::I32, -5), ScalarType::F16), -5.0);
  EXPECT_EQ(castToReal(ScalarType::U64, integer(ScalarType::U64, -1), ScalarType::F64),
            18446744073709551616.0);
  EXPECT_EQ(castToReal(ScalarType::I64, integer(ScalarType::I64, INT64_MAX), ScalarType::E4M3), 448.0);
  EXPECT_EQ(castToReal(ScalarType::I8, integer(kI8, 17), ScalarType::E4M3), 16.0);
  EXPECT_EQ(castToReal(ScalarType::I8, integer(kI8, 19), ScalarType::E4M3), 20.0);
  // 2^31 + 2^20 + 1 is just above a tie of tf32, whose mantissa has 10 bits.
  EXPECT_EQ(
      castToReal(ScalarType::U32, integer(ScalarType::U32, (1ll << 31) + (1 << 20) + 1), ScalarType::TF32),
      double((1ll << 31) + (1 << 21)));
}

TEST_F(ImportScalarTest, BitcastsOfOddFormats) {
  auto cast = [&](ScalarType from, Attribute value, ScalarType to) {
    Function function = build(
        {from}, [&](ScalarBuilder &scalars, ValueRange args) { return scalars.bitcast(args[0], from, to); });
    return run(function, {value});
  };
  EXPECT_EQ(toInteger(ScalarType::U32, cast(ScalarType::TF32, real(ScalarType::TF32, 1), ScalarType::U32)),
            0x3f800000);
  // The low 13 bits of a tf32 are ignored.
  EXPECT_EQ(toReal(cast(ScalarType::U32, integer(ScalarType::U32, 0x3f801fff), ScalarType::TF32)), 1.0);
  EXPECT_EQ(toReal(cast(ScalarType::F32, real(ScalarType::F32, 1 + std::ldexp(1, -12)), ScalarType::TF32)),
            1.0);
  EXPECT_EQ(toInteger(kU8, cast(ScalarType::Bool, integer(ScalarType::Bool, 1), kU8)), 1);
  EXPECT_EQ(toInteger(ScalarType::Bool, cast(kI8, integer(kI8, 2), ScalarType::Bool)), 1);
  EXPECT_EQ(toReal(cast(kU8, integer(kU8, 0x38), ScalarType::E4M3)), 1.0);
  EXPECT_EQ(toInteger(ScalarType::I16, cast(ScalarType::F16, real(ScalarType::F16, -2), ScalarType::I16)),
            int16_t(0xc000));
}

TEST_F(ImportScalarTest, MinAndMaxIgnoreNan) {
  for (Builtin fn : {Builtin::Min, Builtin::Max}) {
    Function function =
        build({ScalarType::F32, ScalarType::F32}, [&](ScalarBuilder &scalars, ValueRange args) {
          return scalars.call(fn, ScalarType::F32, SmallVector<Value>(args));
        });
    EXPECT_EQ(toReal(run(function, {real(ScalarType::F32, NAN), real(ScalarType::F32, 2)})), 2.0);
    EXPECT_EQ(toReal(run(function, {real(ScalarType::F32, 2), real(ScalarType::F32, NAN)})), 2.0);
  }
}

TEST_F(ImportScalarTest, SixteenBitFunctionsComputeInF32) {
  Function function = build({ScalarType::BF16}, [&](ScalarBuilder &scalars, ValueRange args) {
    return scalars.call(Builtin::Exp2, ScalarType::BF16, SmallVector<Value>(args));
  });
  SmallVector<std::string> ops;
  for (Operation &op : *function.block) {
    std::string type;
    llvm::raw_string_ostream(type) << op.getName() << " " << op.getResult(0).getType();
    ops.push_back(type);
  }
  EXPECT_EQ(ops, (SmallVector<std::string>{"arith.extf f32", "math.exp2 f32", "arith.truncf bf16"}));
}

TEST_F(ImportScalarTest, ContractionIsAnOption) {
  for (bool contract : {true, false}) {
    Block block;
    Value a = block.addArgument(builder.getF32Type(), builder.getUnknownLoc());
    builder.setInsertionPointToEnd(&block);
    ScalarBuilder scalars(builder, &block, contract);
    Value sum = scalars.binary(BinaryOp::Add, ScalarType::F32, a, a, ScalarType::F32);
    EXPECT_EQ(sum.getDefiningOp<arith::AddFOp>().getFastmath(),
              contract ? arith::FastMathFlags::contract : arith::FastMathFlags::none);
    Value quotient = scalars.binary(BinaryOp::Div, ScalarType::F32, a, a, ScalarType::F32);
    EXPECT_EQ(quotient.getDefiningOp<arith::DivFOp>().getFastmath(), arith::FastMathFlags::none);
  }
}

} // namespace
