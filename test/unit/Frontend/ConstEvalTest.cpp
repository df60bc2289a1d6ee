//===- ConstEvalTest.cpp - compile-time values ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilec/Frontend/ConstEval.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tilec::frontend;

static ConstValue integer(ExactInt value) { return ConstValue::makeInt(value); }
static ConstValue real(double value) { return ConstValue::makeFloat(value); }

TEST(ConstEval, ExactIntegersAreChecked) {
  ExactInt top = (ExactInt(1) << 64) - 1, bottom = -(ExactInt(1) << 63);
  EXPECT_TRUE(evaluate(ConstOp::Add, integer(top - 1), integer(1)));
  EXPECT_FALSE(evaluate(ConstOp::Add, integer(top), integer(1)));
  EXPECT_FALSE(evaluate(ConstOp::Sub, integer(bottom), integer(1)));
  EXPECT_FALSE(evaluate(ConstOp::Mul, integer(top), integer(top)));
  EXPECT_TRUE(evaluate(ConstOp::Mul, integer(bottom), integer(1)));
  EXPECT_FALSE(evaluate(ConstUnaryOp::Neg, integer(top)));
  EXPECT_FALSE(evaluate(ConstUnaryOp::BitNot, integer(top)));
  EXPECT_FALSE(evaluate(ConstOp::Shl, integer(1), integer(64)));
  EXPECT_TRUE(evaluate(ConstOp::Shl, integer(1), integer(63)));
  EXPECT_TRUE(evaluate(ConstOp::Shl, integer(0), integer(1000)));
  EXPECT_FALSE(evaluate(ConstOp::Shl, integer(1), integer(100)));
  EXPECT_EQ(evaluate(ConstOp::Shl, integer(5), integer(-1)).value->integer, 0);
  EXPECT_EQ(evaluate(ConstOp::Shr, integer(-5), integer(1)).value->integer, -3);
  EXPECT_EQ(evaluate(ConstOp::Div, integer(1), integer(0)).error, ConstError::DivisionByZero);
}

TEST(ConstEval, DivisionRounds) {
  for (int a = -9; a <= 9; ++a)
    for (int b = -4; b <= 4; ++b) {
      if (b == 0)
        continue;
      double q = double(a) / b;
      EXPECT_EQ(evaluate(ConstOp::FloorDiv, integer(a), integer(b)).value->integer, ExactInt(std::floor(q)));
      EXPECT_EQ(evaluate(ConstOp::CeilDiv, integer(a), integer(b)).value->integer, ExactInt(std::ceil(q)));
      EXPECT_EQ(evaluate(ConstOp::Div, integer(a), integer(b)).value->integer, a / b);
      EXPECT_EQ(evaluate(ConstOp::Rem, integer(a), integer(b)).value->integer, a % b);
    }
}

TEST(ConstEval, TypedIntegersWrap) {
  ConstValue a = convert(integer(127), ScalarType::I8), one = convert(integer(1), ScalarType::I8);
  EXPECT_EQ(evaluate(ConstOp::Add, a, one).value->integer, -128);
  ConstValue big = convert(integer((ExactInt(1) << 64) - 1), ScalarType::U64);
  EXPECT_EQ(evaluate(ConstOp::Mul, big, big).value->integer, 1);
  ConstValue lowest = convert(integer(-128), ScalarType::I8);
  EXPECT_EQ(evaluate(ConstUnaryOp::Neg, lowest).value->integer, -128);
  EXPECT_EQ(evaluate(ConstUnaryOp::Abs, lowest).value->integer, -128);
  EXPECT_EQ(evaluate(ConstUnaryOp::BitNot, convert(integer(0), ScalarType::U8)).value->integer, 255);
  EXPECT_EQ(evaluate(ConstOp::Shl, one, convert(integer(8), ScalarType::I8)).value->integer, 0);
  EXPECT_EQ(evaluate(ConstOp::Shl, one, convert(integer(7), ScalarType::I8)).value->integer, -128);
}

TEST(ConstEval, FloatsRoundToTheirType) {
  EXPECT_EQ(roundTo(1e9, ScalarType::E4M3), 448);
  EXPECT_EQ(roundTo(-INFINITY, ScalarType::E5M2), -57344);
  EXPECT_TRUE(std::isnan(roundTo(NAN, ScalarType::E4M3)));
  EXPECT_EQ(roundTo(1e9, ScalarType::F16), INFINITY);
  EXPECT_EQ(roundTo(2049, ScalarType::F16), 2048); // half way: to even
  EXPECT_EQ(roundTo(1.0 + 1.0 / 4096, ScalarType::TF32), 1.0);
  EXPECT_EQ(roundTo(16.5, ScalarType::E4M3), 16);
  EXPECT_EQ(convert(integer((ExactInt(1) << 24) + 1), ScalarType::F32).real, 16777216);
  EXPECT_EQ(evaluate(ConstOp::Min, real(NAN), real(1)).value->real, 1);
  EXPECT_EQ(evaluate(ConstOp::Max, real(NAN), real(1)).value->real, 1);
  EXPECT_EQ(evaluate(ConstOp::Mul, real(3), real(0.5)).value->real, 1.5);
  EXPECT_EQ(evaluate(ConstUnaryOp::Abs, real(-2)).value->real, 2);
  EXPECT_EQ(evaluate(ConstOp::Sub, real(3), real(0.5)).value->real, 2.5);
}

TEST(ConstEval, ConversionTruncatesAndSaturates) {
  EXPECT_EQ(convert(real(-3.9), ScalarType::I8).integer, -3);
  EXPECT_EQ(convert(real(1e30), ScalarType::I64).integer, (ExactInt(1) << 63) - 1);
  EXPECT_EQ(convert(real(-1e30), ScalarType::I64).integer, -(ExactInt(1) << 63));
  EXPECT_EQ(convert(real(1e30), ScalarType::U64).integer, (ExactInt(1) << 64) - 1);
  EXPECT_EQ(convert(real(NAN), ScalarType::I32).integer, 0);
  EXPECT_EQ(convert(integer(-1), ScalarType::U16).integer, 65535);
  EXPECT_TRUE(convert(real(0.5), ScalarType::Bool).asBool());
  EXPECT_EQ(convert(ConstValue::makeBool(true), ScalarType::F32).real, 1);
  EXPECT_EQ(convert(integer(1000), ScalarType::E4M3).real, 448);
}

TEST(ConstEval, Adapting) {
  EXPECT_FALSE(adapt(integer(256), ScalarType::U8));
  EXPECT_TRUE(adapt(integer(255), ScalarType::U8));
  EXPECT_FALSE(adapt(real(1), ScalarType::I32));
  EXPECT_FALSE(adapt(real(1e6), ScalarType::F16));
  EXPECT_TRUE(adapt(real(INFINITY), ScalarType::F16));
  EXPECT_EQ(adapt(real(1e6), ScalarType::E4M3)->real, 448);
  EXPECT_FALSE(adapt(integer(1), ScalarType::Bool));
  EXPECT_FALSE(adapt(ConstValue::makeBool(true), ScalarType::I32));
  EXPECT_FALSE(adapt(ConstValue::makeType(ScalarType::F16), ScalarType::I32));
}

TEST(ConstEval, Bitcasts) {
  EXPECT_EQ(bitcast(convert(real(1), ScalarType::F32), ScalarType::U32).integer, 0x3f800000);
  EXPECT_EQ(bitcast(convert(integer(0x3c00), ScalarType::U16), ScalarType::F16).real, 1);
  EXPECT_EQ(bitcast(convert(integer(0x3f801fff), ScalarType::U32), ScalarType::TF32).real, 1);
  EXPECT_EQ(bitcast(convert(real(1), ScalarType::TF32), ScalarType::U32).integer, 0x3f800000);
  EXPECT_EQ(bitcast(convert(integer(-1), ScalarType::I16), ScalarType::U16).integer, 65535);
  EXPECT_EQ(bitcast(convert(integer(0x7c), ScalarType::U8), ScalarType::E5M2).real, INFINITY);
  EXPECT_EQ(bitcast(ConstValue::makeBool(true), ScalarType::U8).integer, 1);
}

TEST(ConstEval, Text) {
  EXPECT_EQ(formatReal(0.1), "0.1");
  EXPECT_EQ(formatReal(3), "3.0");
  EXPECT_EQ(formatReal(-INFINITY), "-inf");
  EXPECT_EQ(formatReal(INFINITY), "inf");
  EXPECT_EQ(formatReal(NAN), "nan");
  EXPECT_EQ(toString(-(ExactInt(1) << 63)), "-9223372036854775808");
  EXPECT_EQ(describeKind(ConstValue::makeType(ScalarType::F16)), "type");
  EXPECT_EQ(describeKind(convert(integer(1), ScalarType::F16)), "f16");
}

TEST(ConstEval, CommandLineValues) {
  EXPECT_EQ(parseConstant("128")->integer, 128);
  EXPECT_EQ(parseConstant("-0x10")->integer, -16);
  EXPECT_EQ(parseConstant("0b101")->integer, 5);
  EXPECT_EQ(parseConstant("1_000")->integer, 1000);
  EXPECT_EQ(parseConstant("1e-3")->real, 1e-3);
  EXPECT_EQ(parseConstant("-inf")->real, -INFINITY);
  EXPECT_EQ(parseConstant("true")->asBool(), true);
  EXPECT_EQ(*parseConstant("bf16")->type, ScalarType::BF16);
  for (const char *text : {"", "x", "1__0", "1_", "007", "0x", "1.0f", "--1", "18446744073709551616", "1e999",
                           "-9223372036854775809", "nan1", "0b2", "1 2"})
    EXPECT_FALSE(parseConstant(text)) << text;
}

TEST(ConstEval, ValuesCompareByKindTypeAndValue) {
  EXPECT_TRUE(real(NAN).sameAs(real(NAN)));
  EXPECT_FALSE(integer(1).sameAs(real(1)));
  EXPECT_FALSE(integer(1).sameAs(convert(integer(1), ScalarType::I8)));
  EXPECT_TRUE(ConstValue::makeType(ScalarType::F16).sameAs(ConstValue::makeType(ScalarType::F16)));
}
