//===- ParserErrorTest.cpp - broken programs, what is said and where -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row is one mistake and exactly the reports it may cause: recovery is tested by what is not reported.
//
//===----------------------------------------------------------------------===//

#include "ParseTestUtil.h"

using namespace tilec;
using namespace tilec::frontend;

namespace {

struct Row {
  std::string text, reports;
};

void check(llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows) {
    Parsed parsed(row.text);
    EXPECT_EQ(parsed.getReports(), row.reports) << row.text;
    EXPECT_TRUE(parsed.file->hasErrors()) << row.text;
  }
}

TEST(ParserErrors, Declarations) {
  check({
      {"kernal k() { }", "TILE0206 1:1 expected a declaration, found 'kernal'\n"},
      {"x = 3;", "TILE0206 1:1 expected a declaration, found 'x'\n"},
      {"import foo;", "TILE0206 1:1 expected a declaration, found 'import'\n"},
      {"oracle k() { }", "TILE0206 1:1 expected a declaration, found 'oracle'\n"},
      {"check { }", "TILE0206 1:1 expected a declaration, found 'check'\n"},
      {"}", "TILE0204 1:1 '}' without a '{' before it\n"},
      {"const A = 1; } const B = 2;", "TILE0204 1:14 '}' without a '{' before it\n"},
      {"void f() { }",
       "TILE0222 1:1 'void' does not exist: kernels are declared 'kernel NAME(...)', functions "
       "'fn NAME(...)'\n"},
      {"struct S { int x; };",
       "TILE0222 1:1 'struct' does not exist: there are scalars, tensors and tiles only\n"},
      {"const A = 1", "TILE0202 1:12 expected ';' after the value of 'A'\n"},
      {"const A = 1\nconst B = 2;", "TILE0202 1:12 expected ';' after the value of 'A'\n"},
      {"const A = 1 2; const B = ;", "TILE0202 1:12 expected ';' after the value of 'A'\n"
                                     "TILE0205 1:26 expected an expression after '=', found ';'\n"},
      {"const A;", "TILE0201 1:8 expected '=' after the constant's name, found ';'\n"},
      {"const A: i32 = 3;", "TILE0201 1:8 expected '=' after the constant's name, found ':'\n"},
      {"const float A = 3;", "TILE0221 1:7 a variable is not declared by its type\n"},
      {"const f32 A = 3;", "TILE0221 1:7 a variable is not declared by its type\n"},
      {"const in = 3;", "TILE0244 1:7 'in' is a reserved word and cannot be a name\n"},
      {"const f16 = 3;", "TILE0244 1:7 'f16' is a reserved word and cannot be a name\n"},
      {"const 3 = 3;", "TILE0201 1:7 expected a name after 'const', found '3'\n"},
      {"instantiate k as;", "TILE0201 1:17 expected a name after 'as', found ';'\n"},
      {"instantiate k<N = > as e;", "TILE0205 1:19 expected an expression as the value, found '>'\n"},
      {"instantiate k<3> as e;", "TILE0201 1:15 expected a name of a compile-time parameter, found '3'\n"},
      {"instantiate k<N = 3;", "TILE0203 1:14 '<' is never closed\n"},
      {"instantiate k<N = 3 M = 4> as e;",
       "TILE0201 1:21 expected ',' or '>' after the compile-time argument, found 'M'\n"},
      {"instantiate k<,> as e;", "TILE0201 1:15 expected a name of a compile-time parameter, found ','\n"},
      {"instantiate k<N = 3 & 1> as e;", "TILE0218 1:21 '&' between '<' and '>' needs parentheses\n"},
      {"instantiate k<N = a == b> as e;", "TILE0218 1:21 '==' between '<' and '>' needs parentheses\n"},
      {"instantiate k<N = a ? b : c> as e;", "TILE0218 1:21 '?' between '<' and '>' needs parentheses\n"},
      {"instantiate k<N = a < b> as e;", "TILE0218 1:21 '<' between '<' and '>' needs parentheses\n"},
      {"tune k { N in [1] M in [2]; }", "TILE0202 1:18 expected ';' after the values of 'N'\n"},
      {"tune k { N in []; M in [3]; }", "TILE0205 1:16 expected an expression as a value, found ']'\n"},
      {"tune k { N = 3; M 4; }", "TILE0201 1:12 expected 'in' after the parameter's name, found '='\n"
                                 "TILE0201 1:19 expected 'in' after the parameter's name, found '4'\n"},
      {"tune k { N in [1];\n\nconst A = 1;", "TILE0203 1:8 '{' is never closed\n"},
      {"tune k [ ]", "TILE0201 1:8 expected '{' after the kernel's name, found '['\n"},
      {"check k { N = 3 } agianst reference tolerance 1;",
       "TILE0201 1:19 expected 'against' after the values, found 'agianst'\n"},
      {"check k { N = 3 } against reference;",
       "TILE0201 1:36 expected 'tolerance' after the oracle, found ';'\n"},
      {"check k { N = 3 } against reference<> tolerance 1;",
       "TILE0242 1:36 'reference' takes no compile-time arguments\n"},
      {"check k { N } against o tolerance 1;", "TILE0201 1:13 expected '=' after the name, found '}'\n"},
      {"check k { N = 1 against o tolerance 1;",
       "TILE0201 1:17 expected ',' or '}' after the value, found 'against'\n"},
      {"check k { N = 1; } against o tolerance 1;",
       "TILE0203 1:9 '{' is never closed\n"
       "TILE0204 1:18 '}' without a '{' before it\n"
       "TILE0206 1:20 expected a declaration, found 'against'\n"},
      {"check k { N in range(1) } against o tolerance 1;",
       "TILE0229 1:21 'range' takes 2 arguments, got 1\n"},
      {"check k { N in foo(1, 2) } against o tolerance 1;",
       "TILE0201 1:16 expected 'range' after 'in', found 'foo'\n"},
      {"check k against o tolerance 1;",
       "TILE0201 1:9 expected '{' before the values of dimensions and scalars, found 'against'\n"},
      {"bench k { } bytes 1 flops 2;", "TILE0201 1:21 expected ';' after 'bytes ...', found 'flops'\n"},
      {"fn f<>(x: f32) -> f32 { return x; }",
       "TILE0201 1:5 expected 'type NAME' between '<' and '>', found nothing\n"},
      {"fn f<T>(x: T) -> T { return x; }",
       "TILE0201 1:6 expected 'type' before a type parameter's name, found 'T'\n"},
      {"fn f(x) { }", "TILE0201 1:7 expected ':' after the parameter's name, found ')'\n"},
      {"fn f(x: f32[3]) { }", "TILE0201 1:12 expected ',' or ')' after a scalar's type, found '['\n"},
      {"fn f(x: shared f32) { }", "TILE0201 1:19 expected '[' as an extent of the tile, found ')'\n"},
      {"fn f(float x) { }", "TILE0221 1:6 a variable is not declared by its type\n"},
      {"fn f { }", "TILE0201 1:6 expected '(' before the parameters of 'f', found '{'\n"},
      {"fn f() -> { return 1; }", "TILE0201 1:11 expected a type after '->', found '{'\n"},
      {"fn f(a: f32", "TILE0203 1:5 '(' is never closed\n"},
      {"fn f();", "TILE0201 1:7 expected '{' before the body of 'f', found ';'\n"},
  });
}

TEST(ParserErrors, Kernels) {
  const std::string body = " { grid(N, threads = 32) as (x) { } }";
  check({
      {"kernel reference()" + body, "TILE0241 1:8 no kernel may be called 'reference'\n"},
      {"kernel for()" + body, "TILE0244 1:8 'for' is a reserved word and cannot be a name\n"},
      {"kernel k" + body, "TILE0201 1:10 expected '(' before the parameters of 'k', found '{'\n"},
      {"kernel k<N>()" + body,
       "TILE0201 1:11 expected '=' or ':' after the compile-time parameter's name, found '>'\n"},
      {"kernel k<N: i32>()" + body, "TILE0201 1:13 expected int, float or bool after ':', found 'i32'\n"},
      {"kernel k<int N = 3>()" + body,
       "TILE0201 1:14 expected '=' or ':' after the compile-time parameter's name, found 'N'\n"},
      {"kernel k<type T = 3>()" + body, "TILE0201 1:19 expected a type after '=', found '3'\n"},
      {"kernel k<type T = float>()" + body, "TILE0220 1:19 'float' is no type of this language\n"},
      {"kernel k<N = 3 (A: f32[N])" + body, "TILE0203 1:9 '<' is never closed\n"},
      {"kernel k(A: f32[N]" + body, "TILE0203 1:9 '(' is never closed\n"},
      {"kernel k(A: f32[N)" + body, "TILE0203 1:16 '[' is never closed\n"},
      {"kernel k(A: f32[N], B: )" + body, "TILE0201 1:24 expected a type after ':', found ')'\n"},
      {"kernel k(A: f32[])" + body, "TILE0205 1:17 expected an expression as a dimension, found ']'\n"},
      {"kernel k(A: f32[N] strides)" + body, "TILE0201 1:27 expected '[' as a stride, found ')'\n"},
      {"kernel k(A: float[N])" + body, "TILE0220 1:13 'float' is no type of this language\n"},
      {"kernel k(float* A, B: f32)" + body, "TILE0221 1:10 a variable is not declared by its type\n"},
      {"kernel k(A: f32*)" + body,
       "TILE0201 1:16 expected ',' or ')' after the parameter's type, found '*'\n"},
      {"kernel k(out s: f32)" + body, "TILE0225 1:10 's' is a scalar; only tensors can be 'out'\n"},
      {"kernel k(inout s: f32)" + body, "TILE0225 1:10 's' is a scalar; only tensors can be 'inout'\n"},
      {"kernel k(A: f32[N],, B: f32)" + body, "TILE0201 1:20 expected a name for the parameter, found ','\n"},
      {"kernel k() where" + body, "TILE0205 1:18 expected an expression after 'where', found '{'\n"},
      {"kernel k() where N > 0," + body, "TILE0223 1:23 no ',' is allowed after the last fact\n"},
      {"kernel k() where N = 0" + body, "TILE0210 1:20 '=' assigns and cannot stand in an expression\n"},
      {"kernel k();", "TILE0201 1:11 expected '{' before the kernel's body, found ';'\n"},
      {"kernel k() { }", "TILE0239 1:8 kernel 'k' has no grid\n"},
      {"kernel k() { x = 3; grid(N, threads = 1) as (x) { } }",
       "TILE0238 1:14 only 'let' may stand before 'grid'\n"},
      {"kernel k() { ; grid(N, threads = 1) as (x) { } }",
       "TILE0238 1:14 only 'let' may stand before 'grid'\n"},
      {"kernel k() { grid(N, threads = 1) as (x) { } let q = 3; }",
       "TILE0240 1:46 nothing may follow the grid in a kernel's body\n"},
      {"kernel k() { grid(N, threads = 1) as (x) { } grid(N, threads = 1) as (x) { } }",
       "TILE0243 1:46 'grid' stands only directly in a kernel's body, once\n"},
      {"kernel k() { grid(threads = 1) as (x) { } }", "TILE0226 1:18 a grid has 1 to 3 extents, got 0\n"},
      {"kernel k() { grid(1, 2, 3, 4, threads = 1) as (x) { } }",
       "TILE0226 1:28 a grid has 1 to 3 extents, got 4\n"},
      {"kernel k() { grid(N) as (x) { } }", "TILE0227 1:18 grid needs 'threads = N' after its extents\n"},
      {"kernel k() { grid(N, threads = 1, M) as (x) { } }",
       "TILE0224 1:35 positional argument after a named one\n"},
      {"kernel k() { grid(N, threads = 1) as x { } }", "TILE0201 1:38 expected '(' after 'as', found 'x'\n"},
      {"kernel k() { grid(N, threads = 1) (x) { } }",
       "TILE0201 1:35 expected 'as' after 'grid(...)', found '('\n"},
      {"kernel k() { grid(N, threads = 1) as () { } }",
       "TILE0201 1:39 expected a name for the block index, found ')'\n"},
      {"kernel k() { grid(N, threads = 1) as (x, y) { } }", "TILE0228 1:38 2 names for 1 extent\n"},
      {"kernel k() { grid(N, M, threads = 1) as (x) { } }", "TILE0228 1:41 1 name for 2 extents\n"},
      {"kernel k() { grid(N, threads = 1, c = (1,)) as (x) { } }",
       "TILE0223 1:41 no ',' is allowed after a single value in parentheses\n"},
      {"kernel k() { grid N { } }", "TILE0201 1:19 expected '(' after 'grid', found 'N'\n"},
  });
}

TEST(ParserErrors, Statements) {
  auto at2 = [](llvm::StringRef statements, llvm::StringRef reports) {
    return Row{inBody(statements), reports.str()};
  };
  check({
      at2("let a 3;", "TILE0201 2:7 expected '=' and a value for 'a', found '3'\n"),
      at2("let a;", "TILE0201 2:6 expected '=' and a value for 'a', found ';'\n"),
      at2("let a: = 3;", "TILE0201 2:8 expected a type after ':', found '='\n"),
      at2("let a: f32[3] = 3;", "TILE0201 2:11 expected '=' after a scalar's type, found '['\n"),
      at2("let for = 3;", "TILE0244 2:5 'for' is a reserved word and cannot be a name\n"),
      at2("let a = 3\nlet b = 4;", "TILE0202 2:10 expected ';' after the value of 'a'\n"),
      at2("let a = 3 }",
          "TILE0202 2:10 expected ';' after the value of 'a'\nTILE0204 3:2 '}' without a '{' before it\n"),
      at2("shared S: f32;", "TILE0201 2:14 expected '[' as an extent of the tile, found ';'\n"),
      at2("shared S: half[3];", "TILE0220 2:11 'half' is no type of this language\n"),
      at2("shared f32 S[3];", "TILE0244 2:8 'f32' is a reserved word and cannot be a name\n"),
      at2("float a = 3;", "TILE0221 2:1 a variable is not declared by its type\n"),
      at2("f32 a = 3;", "TILE0221 2:1 a variable is not declared by its type\n"),
      at2("let f32 a = 3;", "TILE0221 2:5 a variable is not declared by its type\n"),
      at2("var int a = 3;", "TILE0221 2:5 a variable is not declared by its type\n"),
      at2(" const A = 3;", "TILE0237 2:2 'const' stands only at file level\n"),
      at2(" fn f() { }", "TILE0237 2:2 'fn' stands only at file level\n"),
      at2("i++;", "TILE0211 2:2 there is no operator '++'\n"),
      at2("--i;", "TILE0211 2:1 there is no operator '--'\n"),
      at2("A[i]++;", "TILE0211 2:5 there is no operator '++'\n"),
      at2("a = b++;", "TILE0211 2:6 there is no operator '++'\n"),
      at2("a = b++c; d = ;", "TILE0211 2:6 there is no operator '++'\n"
                             "TILE0205 2:15 expected an expression after '=', found ';'\n"),
      at2("a = --b;", "TILE0211 2:5 there is no operator '--'\n"),
      at2("a = +b;", "TILE0212 2:5 there is no unary '+'\n"),
      at2("a %= 3;", "TILE0213 2:3 there is no operator assignment '%='\n"),
      at2("a <<= 3;", "TILE0213 2:3 there is no operator assignment '<<='\n"),
      at2("a[1] |= 3;", "TILE0213 2:6 there is no operator assignment '|='\n"),
      at2("a + = 3;", "TILE0201 2:3 expected an assignment operator after 'a', found '+'\n"),
      at2("a = b = c;", "TILE0210 2:7 '=' assigns and cannot stand in an expression\n"),
      at2("a = (b = c);", "TILE0210 2:8 '=' assigns and cannot stand in an expression\n"),
      at2("a = f(b = c);", "TILE0210 2:9 '=' assigns and cannot stand in an expression\n"),
      at2("if a = b { c = 1; }", "TILE0210 2:6 '=' assigns and cannot stand in an expression\n"),
      at2("while a = b { c = 1; }", "TILE0210 2:9 '=' assigns and cannot stand in an expression\n"),
      at2("A[i][j] = 3;", "TILE0214 2:5 only a name can be indexed, and only once\n"),
      at2("a = A[i][j];", "TILE0214 2:9 only a name can be indexed, and only once\n"),
      at2("a = f(x)[i];", "TILE0214 2:9 only a name can be indexed, and only once\n"),
      at2("a = (A)[i];", "TILE0214 2:8 only a name can be indexed, and only once\n"),
      at2("f(x)[i] = 1;", "TILE0214 2:5 only a name can be indexed, and only once\n"),
      at2("a = threadIdx.x;", "TILE0215 2:14 '.' stands only in 'target.NAME', not after 'threadIdx'\n"),
      at2("a.b = 1;", "TILE0215 2:2 '.' stands only in 'target.NAME', not after 'a'\n"),
      at2("a = (b).c;", "TILE0215 2:8 '.' stands only in 'target.NAME', not after an expression\n"),
      at2("a = b == c == d;", "TILE0216 2:12 '==' and '!=' cannot be chained\n"),
      at2("a = b < c > d;", "TILE0217 2:11 a chain of comparisons is all '<' and '<=' or all '>' and '>='\n"),
      at2("a = \"x\";",
          "TILE0219 2:5 a string is no value; it stands only as an argument of a call statement\n"),
      at2("print(\"a\" \"b\");", "TILE0201 2:11 expected ',' or ')' after a string, found another string\n"),
      at2("a = b and c;", "TILE0222 2:7 'and' does not exist: it is written '&&'\n"),
      at2("a = not b or c;", "TILE0222 2:5 'not' does not exist: it is written '!'\n"
                             "TILE0222 2:11 'or' does not exist: it is written '||'\n"),
      at2("elif a { }", "TILE0222 2:1 'elif' does not exist: it is written 'else if'\n"),
      at2("if a { } elif b { } else { }", "TILE0222 2:10 'elif' does not exist: it is written 'else if'\n"),
      at2("auto a = 3;",
          "TILE0222 2:1 'auto' does not exist: values are declared 'let NAME = value;', variables "
          "'var NAME = value;'\n"),
      at2("a = f32(b,);", "TILE0223 2:10 no ',' is allowed after the operand of a conversion\n"),
      at2("a = (b,);", "TILE0223 2:7 no ',' is allowed after the expression in parentheses\n"),
      at2("a = bitcast<u32>(b,);", "TILE0223 2:19 no ',' is allowed after the operand of a bitcast\n"),
      at2("a = bitcast<u32,>(b);", "TILE0223 2:16 no ',' is allowed after the type of a bitcast\n"),
      at2("a = bitcast(b);", "TILE0201 2:12 expected '<' after 'bitcast', found '('\n"),
      at2("a = (b, c);", "TILE0201 2:7 expected ')' after the expression in parentheses, found ','\n"),
      at2("f(axis = 1, x);", "TILE0224 2:13 positional argument after a named one\n"),
      at2("f(a b);", "TILE0201 2:5 expected ',' or ')' after the argument, found 'b'\n"),
      at2("f(,);", "TILE0205 2:3 expected an expression as an argument of 'f', found ','\n"),
      at2("a = b c;", "TILE0202 2:6 expected ';' after the assignment\n"),
      at2("a = ;", "TILE0205 2:5 expected an expression after '=', found ';'\n"),
      at2("a = b + ;", "TILE0205 2:9 expected an expression after '+', found ';'\n"),
      at2("a = b ? c;", "TILE0201 2:10 expected ':' after the second operand of '?:', found ';'\n"),
      at2("a = A[1:2];", "TILE0201 2:8 expected '+:' after the start of a range, found ':'\n"),
      at2("a = A[:2];", "TILE0201 2:8 expected ',' or ']' after ':', found '2'\n"),
      at2("A[0 +: 2] = 1;", "TILE0236 2:3 a region cannot be assigned\n"),
      at2("A[:] = 1;", "TILE0236 2:3 a region cannot be assigned\n"),
      at2("a + b;", "TILE0201 2:3 expected an assignment operator after 'a', found '+'\n"),
      at2("3;", "TILE0207 2:1 expected a statement, found '3'\n"),
      at2("a = 1;) b = 2;", "TILE0204 2:7 ')' without a '(' before it\n"),
      at2("] b = 2;", "TILE0204 2:1 ']' without a '[' before it\n"),
      at2("else { }", "TILE0207 2:1 expected a statement, found 'else'\n"),
      at2("return 3;", "TILE0234 2:1 'return' stands only in a scalar fn\n"),
      at2("return;", "TILE0234 2:1 'return' stands only in a scalar fn\n"),
      at2("break;", "TILE0235 2:1 'break' stands only in a loop\n"),
      at2("if a { continue; }", "TILE0235 2:8 'continue' stands only in a loop\n"),
      at2("grid(N, threads = 3) as (x) { }",
          "TILE0243 2:1 'grid' stands only directly in a kernel's body, once\n"),
      at2("if a b = 1;", "TILE0201 2:6 expected '{' after the condition of 'if', found 'b'\n"),
      at2("if { b = 1; }", "TILE0205 2:4 expected an expression after 'if', found '{'\n"),
      at2("if (a { b = 1; }", "TILE0203 2:4 '(' is never closed\n"),
      at2("while { b = 1; } a = ;", "TILE0205 2:7 expected an expression after 'while', found '{'\n"
                                    "TILE0205 2:22 expected an expression after '=', found ';'\n"),
  });
}

TEST(ParserErrors, Loops) {
  auto at2 = [](llvm::StringRef statements, llvm::StringRef reports) {
    return Row{inBody(statements), reports.str()};
  };
  check({
      at2("for i in foo(3) { }",
          "TILE0230 2:10 'foo' is no loop; after 'in' comes range, unroll, pipelined or parallel\n"),
      at2("for i in 3 { }",
          "TILE0201 2:10 expected range, unroll, pipelined or parallel after 'in', found '3'\n"),
      at2("for i range(3) { }", "TILE0201 2:7 expected 'in' after the loop variable, found 'range'\n"),
      at2("for i in range { }", "TILE0201 2:16 expected '(' after 'range', found '{'\n"),
      at2("for i in range() { }", "TILE0205 2:16 expected an expression as a bound of 'range', found ')'\n"),
      at2("for i in range(1, 2, 3, 4) { }", "TILE0229 2:10 'range' takes 1 to 3 arguments, got 4\n"),
      at2("for i in pipelined(1, 2, 3, stages = 2) { }",
          "TILE0229 2:10 'pipelined' takes 1 or 2 arguments, got 3\n"),
      at2("for i in pipelined(stages = 2) { }", "TILE0229 2:10 'pipelined' takes 1 or 2 arguments, got 0\n"),
      at2("for i in pipelined(3) { }", "TILE0231 2:10 'pipelined' needs 'stages = n' after its bounds\n"),
      at2("for i in pipelined(stages = 2, 3) { }", "TILE0224 2:32 positional argument after a named one\n"),
      at2("for i in pipelined(3, stages = 2, stages = 3) { }",
          "TILE0201 2:35 expected ')' after 'stages', found a second 'stages'\n"),
      at2("for i in range(3, stages = 2) { }",
          "TILE0232 2:19 'stages' belongs to 'pipelined', not to 'range'\n"),
      at2("for (i) in range(3) { }",
          "TILE0201 2:6 expected one name without parentheses before 'in range', found '('\n"),
      at2("for i in parallel(3, 4) { }", "TILE0228 2:5 1 name for 2 extents\n"),
      at2("for (i, j) in parallel(3) { }", "TILE0228 2:6 2 names for 1 extent\n"),
      at2("for () in parallel(3) { }", "TILE0201 2:6 expected a name for the loop variable, found ')'\n"),
      at2("for (int i = 0; i < 3; i++) { a = 1; } b = ;",
          "TILE0233 2:5 'for' runs over a range; there is no three-part form\n"
          "TILE0205 2:44 expected an expression after '=', found ';'\n"),
      at2("for (i = 0; i < 3; ++i) { a = 1; }",
          "TILE0233 2:5 'for' runs over a range; there is no three-part form\n"),
      at2("for i in range(3) a = 1;", "TILE0201 2:19 expected '{' after the head of 'for', found 'a'\n"),
      // The block of a broken head is read for its own errors.
      at2("for i in foo(3) { a = ; }",
          "TILE0230 2:10 'foo' is no loop; after 'in' comes range, unroll, pipelined or parallel\n"
          "TILE0205 2:23 expected an expression after '=', found ';'\n"),
  });
}

TEST(ParserErrors, BracketsAreReportedWhereTheyOpen) {
  check({
      {inBody("copy(A, B;\na = 1;"), "TILE0203 2:5 '(' is never closed\n"},
      {inBody("a = (1 + (2 * 3);"), "TILE0203 2:5 '(' is never closed\n"},
      {inBody("a = A[1, 2;"), "TILE0203 2:6 '[' is never closed\n"},
      {inBody("a = f(A[1, 2);"), "TILE0203 2:8 '[' is never closed\n"},
      {inBody("a = A[f(1, 2];"), "TILE0203 2:8 '(' is never closed\n"},
      {"const A = (1 +\n 2", "TILE0203 1:11 '(' is never closed\n"},
      {"kernel k() { grid(N, threads = 1) as (x) { }", "TILE0203 1:12 '{' is never closed\n"},
      // By indentation: the 'if' lacks its brace although the file ends in the kernel.
      {"kernel k()\n{\n  grid(N, threads = 1) as (x) {\n    if a {\n      b = 1;\n    c = 2;\n  }\n}\n",
       "TILE0203 4:10 '{' is never closed\n"},
      {"kernel k()\n{\n  grid(N, threads = 1) as (x) {\n    if a {\n      b = 1;\n    }\n    c = "
       "2;\n}\nkernel j() {\n"
       "  grid(N, threads = 1) as (x) { } }\n",
       "TILE0203 3:31 '{' is never closed\n"},
      {"fn f() {\n  a = 1;\n\nfn g() {\n  a = ;\n}\n",
       "TILE0203 1:8 '{' is never closed\n"
       "TILE0205 5:7 expected an expression after '=', found ';'\n"},
  });
}

TEST(ParserErrors, LexicalErrorsAreNotRepeated) {
  check({
      {"const A = 1.0f; const B = ;", "TILE0107 1:11 malformed number '1.0f': there are no suffixes\n"
                                      "TILE0205 1:27 expected an expression after '=', found ';'\n"},
      {"const A = @;", "TILE0112 1:11 unexpected character '@'\n"},
      {"const A = b @ c;", "TILE0112 1:13 unexpected character '@'\n"},
      {"#include <x>\nconst A = 1;", "TILE0112 1:1 unexpected character '#'\n"},
      {"kernel k() { /* ", "TILE0103 1:14 this comment is never closed\n"},
      {"const A = a \xE2\x88\x92 b;", "TILE0112 1:13 unexpected character '\xE2\x88\x92'\n"},
  });
}

/// Several errors in one run, one for each mistake.
TEST(ParserErrors, SeveralInOneRun) {
  check({{"const A = ;\n"
          "kernel k<N = >(A: f32[N)\n"
          "{\n"
          "  let q = 3\n"
          "  grid(N, threads = 32) as (x) {\n"
          "    a = b c;\n"
          "    for i in rnge(3) { i++; }\n"
          "    if x { y = ; } else { z = f(; }\n"
          "    ok = 1;\n"
          "  }\n"
          "}\n"
          "instantiate k as;\n"
          "const B = 2;\n",
          "TILE0205 1:11 expected an expression after '=', found ';'\n"
          "TILE0205 2:14 expected an expression as the value, found '>'\n"
          "TILE0203 2:22 '[' is never closed\n"
          "TILE0202 4:12 expected ';' after the value of 'q'\n"
          "TILE0202 6:10 expected ';' after the assignment\n"
          "TILE0230 7:14 'rnge' is no loop; after 'in' comes range, unroll, pipelined or parallel\n"
          "TILE0211 7:25 there is no operator '++'\n"
          "TILE0205 8:16 expected an expression after '=', found ';'\n"
          "TILE0205 8:33 expected an expression as an argument, found ';'\n"
          "TILE0201 12:17 expected a name after 'as', found ';'\n"}});
}

/// Only what parsed is in the tree.
TEST(ParserErrors, TreeKeepsTheRest) {
  Parsed parsed("const A = 1; const B = ; const C = 3;");
  ASSERT_EQ(parsed.file->getDecls().size(), 2u);
  EXPECT_EQ(llvm::cast<ast::Constant>(parsed.file->getDecls()[1])->getName().text, "C");
}

TEST(ParserErrors, FixItsMakeValidPrograms) {
  struct Fix {
    std::string text, fixed;
  };
  const Fix rows[] = {
      {"const A = 1\nconst B = 2;", "const A = 1;\nconst B = 2;"},
      {inBody("i++;"), inBody("i += 1;")},
      {inBody("--i;"), inBody("i -= 1;")},
      {inBody("A[i + 1]--;"), inBody("A[i + 1] -= 1;")},
      {inBody("a = +b;"), inBody("a = b;")},
      {inBody("if a = b { }"), inBody("if a == b { }")},
      {inBody("A[i][j] = B[k][l];"), inBody("A[i, j] = B[k, l];")},
      {inBody("a = b and not c;"), inBody("a = b && ! c;")},
      {inBody("float a = 1;"), inBody("var a: f32 = 1;")},
      {inBody("f16 a = 1;"), inBody("var a: f16 = 1;")},
      {inBody("let int a = 1;"), inBody("let a: i32 = 1;")},
      {inBody("shared S: __half[3];"), inBody("shared S: f16[3];")},
      {inBody(" const A = 3;"), inBody(" let A = 3;")},
      {inBody("if a { } elif b { }"), inBody("if a { } else if b { }")},
      {inBody("for i in pipelined(3) { }"), inBody("for i in pipelined(3, stages = 2) { }")},
      {inBody("a = f32(b,);"), inBody("a = f32(b);")},
      {inBody("a = (1 + 2;"), inBody("a = (1 + 2);")},
      {inBody("copy(A[1, 2, B);"), inBody("copy(A[1, 2, B]);")},
      {"kernel k() { grid(N, threads = 32) as x { } }", "kernel k() { grid(N, threads = 32) as (x) { } }"},
      {"kernel k() { grid(N) as (x) { } }", "kernel k() { grid(N, threads = 128) as (x) { } }"},
      {"kernel k() where N > 0, { grid(N, threads = 32) as (x) { } }",
       "kernel k() where N > 0 { grid(N, threads = 32) as (x) { } }"},
      {"const float A = 1;", "const A = 1;"},
      {"kernal k() { grid(N, threads = 32) as (x) { } }", "kernel k() { grid(N, threads = 32) as (x) { } }"},
      {"check k { } agianst reference tolerance 1;", "check k { } against reference tolerance 1;"},
  };
  for (const Fix &row : rows) {
    std::string fixed = Parsed(row.text).applyFixIts();
    EXPECT_EQ(fixed, row.fixed);
    EXPECT_EQ(Parsed(fixed).getReports(), "") << fixed;
  }
}

} // namespace
