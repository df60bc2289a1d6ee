//===- SemaTypesTest.cpp - typing rules and constants ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SemaTestUtil.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilec;
using namespace tilec::frontend;

/// The type and value that `let x = EXPR;` or `var x = EXPR;` gets, as the dump shows it.
static std::string varOf(const std::string &expr) {
  std::string text = bodyOf(analyzeText(inKernel("var x = " + expr + ";")));
  llvm::StringRef line = llvm::StringRef(text).split('\n').first;
  std::string result; // without the numbers of variables
  for (llvm::StringRef rest = line.split("x%").second.split(": ").second; !rest.empty();) {
    result += rest.front();
    rest = rest.drop_front();
    if (rest.starts_with("%") && rest.size() > 1 && llvm::isDigit(rest[1]))
      rest = rest.drop_front().drop_while(llvm::isDigit);
  }
  return result;
}

TEST(SemaTypes, DefaultsOfConstants) {
  EXPECT_EQ(varOf("0"), "i64 = 0");
  EXPECT_EQ(varOf("0.5"), "f32 = 0.5:f32");
  EXPECT_EQ(varOf("true"), "bool = true");
  EXPECT_EQ(varOf("f16(1)"), "f16 = 1.0:f16");
  EXPECT_EQ(varOf("c ? 1 : 0"), "i64 = (c ? 1 : 0)");
  EXPECT_EQ(varOf("c ? 1 : 0.5"), "f32 = (c ? 1.0:f32 : 0.5:f32)");
  EXPECT_EQ(varOf("select(c, 1, 0) + h"), "f16 = (select(c, 1.0:f16, 0.0:f16) + h)");
  EXPECT_EQ(varOf("c ? 1 : c ? 2 : s"), "f32 = (c ? 1.0:f32 : (c ? 2.0:f32 : s))");
}

TEST(SemaTypes, ConstantsAdapt) {
  EXPECT_EQ(varOf("n + 1"), "i32 = (n + 1:i32)");
  EXPECT_EQ(varOf("s + 1"), "f32 = (s + 1.0:f32)");
  EXPECT_EQ(varOf("1 + h"), "f16 = (1.0:f16 + h)");
  EXPECT_EQ(varOf("max(h, -1e3)"), "f16 = max(h, -1000.0:f16)");
  EXPECT_EQ(varOf("u8(n) & 0xff"), "u8 = (u8(n) & 255:u8)");
  EXPECT_EQ(varOf("tf32(s) + 0.1"), "f32 = (f32(tf32(s)) + 0.10000000149011612:f32)");
  EXPECT_EQ(varOf("c ? e4m3(s) : 1000"), "e4m3 = (c ? e4m3(s) : 448.0:e4m3)");
  EXPECT_EQ(varOf("h + (c ? 1 : 0)"), "f16 = (h + (c ? 1.0:f16 : 0.0:f16))");
}

TEST(SemaTypes, Operators) {
  EXPECT_EQ(varOf("n + M"), "i64 = (i64(n) + M)");
  EXPECT_EQ(varOf("i8(n) + i8(n)"), "i8 = (i8(n) + i8(n))");
  EXPECT_EQ(varOf("h * s"), "f32 = (f32(h) * s)");
  EXPECT_EQ(varOf("e4m3(s) * bf16(s)"), "f32 = (f32(e4m3(s)) * f32(bf16(s)))");
  EXPECT_EQ(varOf("-e5m2(s)"), "f32 = -f32(e5m2(s))");
  EXPECT_EQ(varOf("i8(n) << M"), "i8 = (i8(n) << M)");
  EXPECT_EQ(varOf("n >> 40"), "i32 = (n >> 40)");
  EXPECT_EQ(varOf("1 << n"), "i64 = (1 << n)");
  EXPECT_EQ(varOf("c & (n < 3) ^ true"), "bool = ((c & (n < 3:i32)) ^ true)");
  EXPECT_EQ(varOf("~n"), "i32 = ~n");
  EXPECT_EQ(varOf("!c || n == 0 && s != 0"), "bool = (!c || ((n == 0:i32) && (s != 0.0:f32)))");
  EXPECT_EQ(varOf("0 <= n < M"), "bool = ((0:i32 <= n) && (i64(n) < M))");
  EXPECT_EQ(varOf("n > bx >= 2"), "bool = ((i64(n) > bx) && (bx >= 2))");
  EXPECT_EQ(varOf("c && true"), "bool = c");
  EXPECT_EQ(varOf("c || false"), "bool = c");
  EXPECT_EQ(varOf("c && false"), "bool = (c && false)");
  EXPECT_EQ(varOf("c == true"), "bool = (c == true)");
}

TEST(SemaTypes, Functions) {
  EXPECT_EQ(varOf("clamp(n, 0, M)"), "i64 = min(max(i64(n), 0), M)");
  EXPECT_EQ(varOf("exp(h)"), "f16 = exp(h)");
  EXPECT_EQ(varOf("exp(tf32(s))"), "f32 = exp(f32(tf32(s)))");
  EXPECT_EQ(varOf("sqrt(2)"), "f32 = sqrt(2.0:f32)");
  EXPECT_EQ(varOf("fma(s, h, 1)"), "f32 = fma(s, f32(h), 1.0:f32)");
  EXPECT_EQ(varOf("isnan(h)"), "bool = isnan(h)");
  EXPECT_EQ(varOf("ceildiv(n, 3)"), "i32 = ceildiv(n, 3:i32)");
  EXPECT_EQ(varOf("abs(n)"), "i32 = abs(n)");
  EXPECT_EQ(varOf("pow(s, 2)"), "f32 = pow(s, 2.0:f32)");
  EXPECT_EQ(varOf("select(c, n, M)"), "i64 = select(c, i64(n), M)");
  EXPECT_EQ(varOf("clamp(c ? 1 : 9, 2, 3)"), "i64 = min(max((c ? 1 : 9), 2), 3)");
}

TEST(SemaTypes, Conversions) {
  EXPECT_EQ(varOf("i32(c)"), "i32 = i32(c)");
  EXPECT_EQ(varOf("bool(n)"), "bool = bool(n)");
  EXPECT_EQ(varOf("T(s)"), "f16 = f16(s)");
  EXPECT_EQ(varOf("index(n)"), "i64 = i64(n)");
  EXPECT_EQ(varOf("i8(300)"), "i8 = 44:i8");
  EXPECT_EQ(varOf("i32(-1.9)"), "i32 = -1:i32");
  EXPECT_EQ(varOf("u8(-1.0)"), "u8 = 0:u8");
  EXPECT_EQ(varOf("i32(nan)"), "i32 = 0:i32");
  EXPECT_EQ(varOf("e4m3(1e9)"), "e4m3 = 448.0:e4m3");
  EXPECT_EQ(varOf("e5m2(-inf)"), "e5m2 = -57344.0:e5m2");
  EXPECT_EQ(varOf("f16(c ? 1 : 2)"), "f16 = (c ? 1.0:f16 : 2.0:f16)");
  EXPECT_EQ(varOf("bitcast<u32>(s)"), "u32 = bitcast<u32>(s)");
  EXPECT_EQ(varOf("bitcast<f32>(0x7f800000)"), "f32 = inf:f32");
  EXPECT_EQ(varOf("bitcast<u32>(1.0)"), "u32 = 1065353216:u32");
  EXPECT_EQ(varOf("bitcast<u16>(h)"), "u16 = bitcast<u16>(h)");
  EXPECT_EQ(varOf("bitcast<i8>(-1)"), "i8 = -1:i8");
  EXPECT_EQ(varOf("u64(18446744073709551615)"), "u64 = 18446744073709551615:u64");
}

TEST(SemaTypes, CompileTimeArithmetic) {
  EXPECT_EQ(varOf("ceildiv(7, -3)"), "i64 = -2");
  EXPECT_EQ(varOf("floordiv(-7, 3)"), "i64 = -3");
  EXPECT_EQ(varOf("-7 % 3"), "i64 = -1");
  EXPECT_EQ(varOf("i32(2147483647) + 1"), "i32 = -2147483648:i32");
  EXPECT_EQ(varOf("f16(1) / 3"), "f16 = 0.333251953125:f16");
  EXPECT_EQ(varOf("1 / 2.0"), "f32 = 0.5:f32");
  EXPECT_EQ(varOf("1 << 40"), "i64 = 1099511627776");
  EXPECT_EQ(varOf("u8(1) << 9"), "u8 = 0:u8");
  EXPECT_EQ(varOf("i8(-1) >> 100"), "i8 = -1:i8");
  EXPECT_EQ(varOf("-1 >> 100"), "i64 = -1");
  EXPECT_EQ(varOf("min(3, 2.5)"), "f32 = 2.5:f32");
  EXPECT_EQ(varOf("abs(-3)"), "i64 = 3");
  EXPECT_EQ(varOf("clamp(9, 0, 5)"), "i64 = 5");
  EXPECT_EQ(varOf("select(1 < 2, 3, 4)"), "i64 = 3");
  EXPECT_EQ(varOf("select(1 < 2, 3, 4.5)"), "i64 = 3");
  EXPECT_EQ(varOf("select(true, i8(3), i32(4))"), "i32 = 3:i32");
  EXPECT_EQ(varOf("~7"), "i64 = -8");
  EXPECT_EQ(varOf("6 & 3 | 8 ^ 1"), "i64 = 11");
  EXPECT_EQ(varOf("sizeof(T) * sizeof(f64)"), "i64 = 16");
  EXPECT_EQ(varOf("T == f16 && f16 != bf16"), "bool = true");
  EXPECT_EQ(varOf("true ^ false"), "bool = true");
  EXPECT_EQ(varOf("true | false & false"), "bool = true");
  EXPECT_EQ(varOf("true != false"), "bool = true");
  EXPECT_EQ(varOf("1 < 2 <= 2"), "bool = true");
  EXPECT_EQ(varOf("3 > 2 >= 3"), "bool = false");
  EXPECT_EQ(varOf("1.5 < 2 ? 1 : 0"), "i64 = 1");
  EXPECT_EQ(varOf("target.sm + target.shared_bytes"), "i64 = 232538");
  EXPECT_EQ(varOf("max(f16(1), 2)"), "f16 = 2.0:f16");
  EXPECT_EQ(varOf("-f16(1)"), "f16 = -1.0:f16");
  EXPECT_EQ(varOf("-e4m3(1)"), "f32 = -1.0:f32");
}

TEST(SemaTypes, LetsOfConstantsStayConstant) {
  std::string text =
      bodyOf(analyzeText(inKernel("let a = 3; let b: f16 = a; let d: bool = true; let e: i8 = i8(2); "
                                  "fragment Q: f32[a * 2] = b; var x = b + 1;")));
  EXPECT_NE(text.find("fragment Q#12: f32[6] = 3.0:f32"), std::string::npos) << text;
  EXPECT_NE(text.find(": f16 = 4.0:f16"), std::string::npos) << text;
}

TEST(SemaTypes, Errors) {
  expectInvalid({
      {"TILE0401", "'f32' does not convert to 'i32'", inKernel("var x: i32 = @s;")},
      {"TILE0401", "'i64' does not convert to 'i32'", inKernel("let x: i32 = @M;")},
      {"TILE0401", "'f32' does not convert to 'f16'", inKernel("let x: f16 = @s;")},
      {"TILE0401", "'f16' does not convert to 'bf16'", inKernel("let x: bf16 = @h;")},
      {"TILE0401", "'i32' does not convert to 'bool'", inKernel("let x: bool = @n;")},
      {"TILE0401", "'integer' does not convert to 'bool'", inKernel("let x: bool = @1;")},
      {"TILE0401", "'bool' does not convert to 'i32'", inKernel("let x: i32 = @true;")},
      {"TILE0401", "'f16' does not convert to 'e4m3'", inKernel("let x: e4m3 = @f16(1);")},
      {"TILE0401", "'bool' does not convert to 'i32'", inKernel("let x: i32 = @c;")},
      {"TILE0401", "'f32' does not convert to 'e4m3'", inKernel("var x: e4m3 = 1; x += @x;")},
      {"TILE0402", "'+' have no common type: 'i32' and 'f32'", inKernel("let x = n @+ s;")},
      {"TILE0402", "'f16' and 'bf16'", inKernel("let x = h @* bf16(s);")},
      {"TILE0402", "'i32' and 'u32'", inKernel("let x = n @< u32(n);")},
      {"TILE0402", "'bool' and a number", inKernel("let x = c @== 1;")},
      {"TILE0402", "'bool' and 'i32'", inKernel("let x = c @== n;")},
      {"TILE0402", "'?:' have no common type", inKernel("let x = @c ? n : s;")},
      {"TILE0402", "'select' have no common type", inKernel("let x = @select(c, n, s);")},
      {"TILE0402", "'clamp' have no common type: 'i32', 'f32' and 'u8'",
       inKernel("let x = @clamp(n, s, u8(n));")},
      {"TILE0403", "'+' takes numbers, not 'bool'", inKernel("let x = c @+ c;")},
      {"TILE0403", "'<' takes numbers, not 'bool'", inKernel("let x = c @< true;")},
      {"TILE0403", "'%' takes integers, not 'f32'", inKernel("let x = s @% 2;")},
      {"TILE0403", "'%' takes integers, not 'f32'", inKernel("let x = 1.5 @% 2;")},
      {"TILE0403", "'&' takes integers or bools, not 'f32'", inKernel("let x = s @& 2;")},
      {"TILE0403", "'<<' takes integers, not 'f32'", inKernel("let x = @s << 2;")},
      {"TILE0403", "'>>' takes integers, not 'f16'", inKernel("let x = n >> @h;")},
      {"TILE0403", "'<<' takes integers, not 'bool'", inKernel("let x = @c << 2;")},
      {"TILE0403", "'-' takes numbers, not 'bool'", inKernel("let x = @-c;")},
      {"TILE0403", "'~' takes integers, not 'bool'", inKernel("let x = @~c;")},
      {"TILE0403", "'~' takes integers, not 'f32'", inKernel("let x = @~s;")},
      {"TILE0403", "'exp' takes floats, not 'i32'", inKernel("let x = @exp(n);")},
      {"TILE0403", "'ceildiv' takes integers, not 'f32'", inKernel("let x = @ceildiv(s, 2);")},
      {"TILE0403", "'max' takes numbers, not 'bool'", inKernel("let x = @max(c, c);")},
      {"TILE0403", "'max' takes numbers, not 'bool'", inKernel("let x = @clamp(c, c, c);")},
      {"TILE0404", "the operand of '!' must be a bool, not 'i32'", inKernel("let x = !@n;")},
      {"TILE0404", "the operand of '&&' must be a bool, not 'i32'", inKernel("let x = c && @n;")},
      {"TILE0404", "the operand of '||' must be a bool, not 'f32'", inKernel("let x = @s || c;")},
      {"TILE0404", "the condition of 'if' must be a bool, not 'integer'", inKernel("if @1 { }")},
      {"TILE0404", "the condition of 'if' must be a bool, not 'a number'", inKernel("if @(c ? 1 : 0) { }")},
      {"TILE0404", "the condition of 'while' must be a bool", inKernel("while @n { }")},
      {"TILE0404", "the condition of '?:'", inKernel("let x = @n ? 1 : 0;")},
      {"TILE0404", "the first operand of 'select'", inKernel("let x = select(@n, 1, 0);")},
      {"TILE0405", "an index must be an integer, not 'f32'", inKernel("let x = F[@s, 0];")},
      {"TILE0405", "an index must be an integer, not 'bool'", inKernel("let x = F[@c, 0];")},
      {"TILE0405", "a loop bound must be an integer", inKernel("for i in range(@s) { }")},
      {"TILE0405", "an extent of a tile must be an integer, not 'float'", inKernel("fragment Q: f32[@1.5];")},
      {"TILE0405", "an argument of 'unroll' must be an integer", inKernel("for i in unroll(@2.5) { }")},
      {"TILE0407", "'sizeof' takes a type", inKernel("let x = sizeof(@n);")},
      {"TILE0408", "type 'f16' is no value here", inKernel("let x = @f16;")},
      {"TILE0408", "type 'f16' is no value here", inKernel("let x = @T + 1;")},
      {"TILE0408", "type 'f16' is no value here", inKernel("var x = @f16;")},
      {"TILE0408", "type 'f16' is no value here", inKernel("let x = f32(@T);")},
      {"TILE0408", "type 'f16' is no value here", inKernel("let x = @T == 1;")},
      {"TILE0408", "type 'f16' is no value here", inKernel("let x = sizeof(FLAG ? f32 : @f16);")},
      {"TILE0409", "'u4' is a type of tensor and tile elements only", inKernel("let x = @u4(n);")},
      {"TILE0409", "'i4' is a type of tensor and tile elements only", inKernel("var x: @i4 = 1;")},
      {"TILE0409", "'i4' is a type of tensor", inKernel("let x = bitcast<@i4>(n);")},
      {"TILE0409", "'u4' is a type of tensor",
       "kernel k(A: f32[N], s: @u4) { grid(1, threads = 32) as (b) { } }"},
      {"TILE0410", "'f32' has 32 bits, 'u16' has 16", inKernel("let x = @bitcast<u16>(s);")},
      {"TILE0410", "'i64' has 64 bits, 'f16' has 16", inKernel("let x = @bitcast<f16>(M);")},
      {"TILE0411", "bitcast to 'bool'", inKernel("let x = @bitcast<bool>(u8(n));")},
      {"TILE0412", "'u4' has no size in bytes", inKernel("let x = sizeof(@u4);")},
      {"TILE0413", "'exp' takes 1 argument, got 2", inKernel("let x = @exp(s, s);")},
      {"TILE0413", "'clamp' takes 3 arguments, got 2", inKernel("let x = @clamp(s, s);")},
      {"TILE0413", "'select' takes 3 arguments", inKernel("let x = @select(c, s);")},
      {"TILE0413", "'sizeof' takes 1 argument", inKernel("let x = @sizeof(f16, f16);")},
      {"TILE0413", "'T' takes 1 argument", inKernel("let x = @T(1, 2);")},
      {"TILE0413", "'f' takes 1 argument, got 2",
       "fn f(x: f32) -> f32 { return x; }" + inKernel("let y = @f(s, s);")},
      {"TILE0413", "'copy' takes 2 arguments, got 1", inKernel("@copy(S);")},
      {"TILE0413", "'print' takes at least 1 argument, got 0", inKernel("@print();")},
      {"TILE0501", "an extent of a tile must be a compile-time constant", inKernel("fragment Q: f32[@n];")},
      {"TILE0501", "compile-time constant", inKernel("fragment Q: f32[@(c ? 1 : 2)];")},
      {"TILE0501", "compile-time constant", inKernel("let x = I[0]; for i in unroll(@x + 1) { }")},
      {"TILE0501", "compile-time constant", inKernel("for i in unroll(@G[0]) { }")},
      {"TILE0502", "constant 300 does not fit 'i8', which holds -128 to 127", inKernel("let x: i8 = @300;")},
      {"TILE0502", "constant -1 does not fit 'u32'", inKernel("let x = u32(n) + @-1;")},
      {"TILE0502", "constant -8 does not fit 'u32'", inKernel("let x = u32(n) & @~7;")},
      {"TILE0502", "constant 9223372036854775808 does not fit 'i64'",
       inKernel("var x = @9223372036854775808;")},
      {"TILE0502", "constant 128 does not fit 'i8'", inKernel("var x: i8 = @c ? 1 : 128;")},
      {"TILE0503", "float constant 1.5 cannot become an 'i32'", inKernel("let x = n + @1.5;")},
      {"TILE0503", "float constant 2.0 cannot become an 'i64'", inKernel("let x: index = @2.0;")},
      {"TILE0504", "constant 100000.0 is beyond the largest 'f16'", inKernel("let x = h + @1e5;")},
      {"TILE0504", "constant 100000 is beyond the largest 'f16'", inKernel("let x: f16 = @100000;")},
      {"TILE0505", "-9223372036854775809", inKernel("let x = @-9223372036854775809;")},
      {"TILE0505", "is outside of", inKernel("let x = @~9223372036854775808;")},
      {"TILE0506", "division by zero", inKernel("let x = n / @0;")},
      {"TILE0506", "division by zero", inKernel("let x = n % @(1 - 1);")},
      {"TILE0506", "division by zero", inKernel("let x = floordiv(n, @0);")},
      {"TILE0508", "'stages' is 0, outside of 1", inKernel("for i in pipelined(4, stages = @0) { }")},
      {"TILE0219", "a string is no value", inKernel("print(\"a\", @\"b\");")},
  });
}

TEST(SemaTypes, ImplicitWidening) {
  expectValid(inKernel(
      "let a: i64 = n; let b: f32 = h; let d: f64 = s; let e: f32 = tf32(s); let f: u64 = u8(n);"
      "var g: f32 = 1; g = h; g += h; F[0, 0] = h; fill(S, h); var k: i32 = 0; k max= n; k min= 3;"));
}
