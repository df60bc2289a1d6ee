//===- ParserTest.cpp - valid programs and their trees ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GRAMMAR sections 2 to 4, contextual words and the notes that allow things.
//
//===----------------------------------------------------------------------===//

#include "ParseTestUtil.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilec;
using namespace tilec::frontend;
using namespace tilec::frontend::ast;

namespace {

std::string show(const Expr *expr);

std::string showAll(llvm::ArrayRef<const Expr *> exprs) {
  return llvm::join(llvm::map_range(exprs, show), ", ");
}

std::string show(const IndexItem &item) {
  switch (item.kind) {
  case IndexItem::Kind::At:
    return show(item.start);
  case IndexItem::Kind::Span:
    return show(item.start) + " +: " + show(item.length);
  case IndexItem::Kind::All:
    return ":";
  }
  return "";
}

/// The expression with brackets round every operator; written parentheses are shown as {}.
std::string show(const Expr *expr) {
  switch (expr->getKind()) {
  case Expr::Kind::IntegerLiteral:
    return llvm::toString(llvm::cast<IntegerLiteral>(expr)->getValue(), 10, false);
  case Expr::Kind::FloatLiteral:
    return std::to_string(llvm::cast<FloatLiteral>(expr)->getValue());
  case Expr::Kind::BoolLiteral:
    return llvm::cast<BoolLiteral>(expr)->getValue() ? "true" : "false";
  case Expr::Kind::StringLiteral:
    return "\"" + llvm::cast<StringLiteral>(expr)->getValue().str() + "\"";
  case Expr::Kind::NameRef:
    return llvm::cast<NameRef>(expr)->getName().str();
  case Expr::Kind::Paren:
    return "{" + show(llvm::cast<ParenExpr>(expr)->getInner()) + "}";
  case Expr::Kind::Type:
    return getSpelling(llvm::cast<TypeExpr>(expr)->getType()).str();
  case Expr::Kind::Conversion: {
    const auto *node = llvm::cast<ConversionExpr>(expr);
    return getSpelling(node->getType()).str() + "(" + show(node->getOperand()) + ")";
  }
  case Expr::Kind::Bitcast: {
    const auto *node = llvm::cast<BitcastExpr>(expr);
    return "bitcast<" + node->getType().text.str() + ">(" + show(node->getOperand()) + ")";
  }
  case Expr::Kind::Call: {
    const auto *node = llvm::cast<CallExpr>(expr);
    return node->getCallee().text.str() + "(" + showAll(node->getArgs()) + ")";
  }
  case Expr::Kind::Index: {
    const auto *node = llvm::cast<IndexExpr>(expr);
    return node->getBase().text.str() + "[" +
           llvm::join(llvm::map_range(node->getItems(), [](const IndexItem &item) { return show(item); }),
                      ", ") +
           "]";
  }
  case Expr::Kind::Target:
    return "target." + llvm::cast<TargetExpr>(expr)->getField().text.str();
  case Expr::Kind::Unary: {
    const auto *node = llvm::cast<UnaryExpr>(expr);
    return "(" + getSpelling(node->getOp()).str() + show(node->getOperand()) + ")";
  }
  case Expr::Kind::Binary: {
    const auto *node = llvm::cast<BinaryExpr>(expr);
    return "(" + show(node->getLhs()) + " " + getSpelling(node->getOp()).str() + " " + show(node->getRhs()) +
           ")";
  }
  case Expr::Kind::Chain: {
    const auto *node = llvm::cast<ChainExpr>(expr);
    std::string out = "chain(" + show(node->getFirst());
    for (const ChainExpr::Link &link : node->getLinks())
      out += " " + getSpelling(link.op).str() + " " + show(link.rhs);
    return out + ")";
  }
  case Expr::Kind::Conditional: {
    const auto *node = llvm::cast<ConditionalExpr>(expr);
    return "(" + show(node->getCondition()) + " ? " + show(node->getTrue()) + " : " + show(node->getFalse()) +
           ")";
  }
  }
  return "";
}

TEST(Parser, Expressions) {
  struct Row {
    llvm::StringRef text, tree;
  };
  const Row rows[] = {
      {"1", "1"},
      {"0xff", "255"},
      {"340282366920938463463374607431768211455", "340282366920938463463374607431768211455"},
      {"true", "true"},
      {"1.5", "1.500000"},
      {"-inf", "(-inf)"},
      {"nan", "nan"},
      {"(a)", "{a}"},
      {"a + b * c - d", "((a + (b * c)) - d)"},
      {"a / b % c * d", "(((a / b) % c) * d)"},
      {"a << b + c >> d", "((a << (b + c)) >> d)"},
      {"a | b ^ c & d", "(a | (b ^ (c & d)))"},
      {"a & b ^ c | d", "(((a & b) ^ c) | d)"},
      {"a || b && c || d", "((a || (b && c)) || d)"},
      {"a & b == c", "(a & (b == c))"},
      {"a == b < c", "(a == (b < c))"},
      {"a < b == c < d", "((a < b) == (c < d))"},
      {"a < b", "(a < b)"},
      {"a <= b < c", "chain(a <= b < c)"},
      {"a > b >= c > d", "chain(a > b >= c > d)"},
      {"a < b + 1 < c << 2", "chain(a < (b + 1) < (c << 2))"},
      {"a < b && b < c", "((a < b) && (b < c))"},
      {"(a == b) == c", "({(a == b)} == c)"},
      {"-a * b", "((-a) * b)"},
      {"- -a", "(-(-a))"},
      {"!~-a", "(!(~(-a)))"},
      {"a - -b", "(a - (-b))"},
      {"a ? b : c", "(a ? b : c)"},
      {"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
      {"a ? b ? c : d : e", "(a ? (b ? c : d) : e)"},
      {"a || b ? c + 1 : d", "((a || b) ? (c + 1) : d)"},
      {"f()", "f()"},
      {"f(a, b + 1,)", "f(a, (b + 1))"},
      {"T(x)", "T(x)"},
      {"f16(x + 1)", "f16((x + 1))"},
      {"T == f16", "(T == f16)"},
      {"sizeof(bf16)", "sizeof(bf16)"},
      {"bitcast<u32>(x)", "bitcast<u32>(x)"},
      {"bitcast<T>(x) < y", "(bitcast<T>(x) < y)"},
      {"a[i]", "a[i]"},
      {"a[i, j + 1,]", "a[i, (j + 1)]"},
      {"a[b, q0 +: BM, h, :]", "a[b, q0 +: BM, h, :]"},
      {"a[c ? x : y]", "a[(c ? x : y)]"},
      {"a[c ? x : y +: 2]", "a[(c ? x : y) +: 2]"},
      {"a[:]", "a[:]"},
      {"target.sm >= 90", "(target.sm >= 90)"},
      {"a<b", "(a < b)"},
      {"a < b > (c)", "error"},
      {"max(x, 2) + min", "(max(x, 2) + min)"},
  };
  for (const Row &row : rows) {
    Parsed parsed(("const X = " + row.text + ";").str());
    if (row.tree == "error") {
      EXPECT_TRUE(parsed.file->hasErrors()) << row.text.str();
      continue;
    }
    ASSERT_EQ(parsed.getReports(), "") << row.text.str();
    EXPECT_FALSE(parsed.file->hasErrors());
    const auto *constant = llvm::cast<Constant>(parsed.file->getDecls()[0]);
    EXPECT_EQ(show(constant->getValue()), row.tree) << row.text.str();
    EXPECT_EQ(parsed.sources.getText(constant->getValue()->getRange()), row.text)
        << "the range is the whole text";
  }
}

/// N1: every contextual word as a name of everything.
TEST(Parser, ContextualWordsAreNames) {
#define TILEC_CONTEXTUAL(Spelling)                                                                           \
  {                                                                                                          \
    const std::string w = Spelling;                                                                          \
    const std::string program =                                                                              \
        "const " + w + " = 1;\nfn " + w + "(" + w + ": f32) -> f32 { return " + w + " + " + w + "(" + w +    \
        "); }\n" + "kernel " + w + "<" + w + " = 3>(" + w + ": f32[" + w + "], out " + w + ": f32[" + w +    \
        "] strides [" + w + "], inout " + w + ": f32[1]) where " + w + " > 0 {\nlet " + w + " = " + w +      \
        ";\ngrid(" + w + ", " + w + " = 32) as (" + w + ") {\nvar " + w + ": f32 = " + w + ";\n" + w +       \
        " = 1; " + w + " += 2; " + w + " max= 3; " + w + " min = 3;\n" + w + "[" + w + "] max = " + w +      \
        "[" + w + " +: " + w + ", :];\n" + w + "(" + w + ", " + w + " = 2);\nshared " + w +                  \
        ": f32[2]; for " + w + " in range(" + w + ") { }\n" + "for (" + w + ") in parallel(" + w +           \
        ") { }\nfor " + w + " in pipelined(" + w + ", stages = " + w + ") { }\n" + "if " + w +               \
        " { } while " + w + " { }\n{ " + w + " = " + w + "; }\n" + w + "\nmax= 1;\n}}\n" + "instantiate " +  \
        w + "<" + w + " = " + w + "> as " + w + ";\n" + "tune " + w + " { " + w + " in [1]; require " + w +  \
        "; }\n" + "check " + w + "<" + w + " = 1> { " + w + " = " + w + ", " + w +                           \
        " in range(1, 2) } against " + w + "<" + w + " = 1> tolerance " + w + ", " + w + " " + w + ";\n" +   \
        "bench " + w + " { " + w + " = 1 } flops " + w + " bytes " + w + ";\n";                              \
    Parsed parsed(program);                                                                                  \
    EXPECT_EQ(parsed.getReports(), "") << w;                                                                 \
    EXPECT_EQ(parsed.file->getDecls().size(), 7u) << w;                                                      \
  }
#include "tilec/Frontend/Token.def"
}

/// N1 by the next token.
TEST(Parser, ContextualWordsByTheNextToken) {
  Parsed parsed(
      "kernel k<type T, type = 3, U: bool>(out: f32, out x: f32[N], inout: f32[N], inout inout: T[N]) {\n"
      "grid(target + target.sm, threads = 32) as (x) { }}\n"
      "tune k { require in [1]; require require; }");
  ASSERT_EQ(parsed.getReports(), "");
  const auto *kernel = llvm::cast<Kernel>(parsed.file->getDecls()[0]);
  EXPECT_EQ(kernel->getCompileParams()[0].kind, CompileParam::Kind::Type);
  EXPECT_EQ(kernel->getCompileParams()[1].kind, CompileParam::Kind::Default);
  EXPECT_EQ(kernel->getCompileParams()[1].name.text, "type");
  EXPECT_EQ(kernel->getCompileParams()[2].kind, CompileParam::Kind::Bool);
  auto params = kernel->getParams();
  EXPECT_TRUE(params[0].access == Param::Access::Read && params[0].name.text == "out" && !params[0].isTensor);
  EXPECT_TRUE(params[1].access == Param::Access::Out && params[1].name.text == "x");
  EXPECT_TRUE(params[2].access == Param::Access::Read && params[2].name.text == "inout");
  EXPECT_TRUE(params[3].access == Param::Access::InOut && params[3].name.text == "inout");
  const auto *tune = llvm::cast<Tune>(parsed.file->getDecls()[1]);
  EXPECT_FALSE(tune->getItems()[0].isRequire());
  EXPECT_TRUE(tune->getItems()[1].isRequire());
}

/// A declaration's words at the beginning of a line in a body are names there.
TEST(Parser, DeclarationWordsInBodies) {
  EXPECT_EQ(Parsed(inBody("tune max= 2;\ncheck min = 3;\nbench = 4;\nimport(3);\ninstantiate[3] = 1;\n"))
                .getReports(),
            "");
}

/// N3: the first '>' outside parentheses closes the list.
TEST(Parser, ValuesBetweenAngleBrackets) {
  Parsed parsed("instantiate k<N = 64 >> 1, F = (A > 2), T = bf16, M = f(a, b > c), X = -1,> as k2;\n"
                "instantiate k<> as k3; instantiate k as k4;");
  ASSERT_EQ(parsed.getReports(), "");
  const auto *node = llvm::cast<Instantiate>(parsed.file->getDecls()[0]);
  std::string values;
  for (const CompileArg &arg : node->getArgs().args)
    values += show(arg.value) + "; ";
  EXPECT_EQ(values, "(64 >> 1); {(A > 2)}; bf16; f(a, (b > c)); (-1); ");
  EXPECT_TRUE(llvm::cast<Instantiate>(parsed.file->getDecls()[1])->getArgs().range.isValid());
  EXPECT_FALSE(llvm::cast<Instantiate>(parsed.file->getDecls()[2])->getArgs().range.isValid());
}

TEST(Parser, ValidPrograms) {
  const std::string programs[] = {
      "",
      ";;",
      "\n// only a comment",
      "import \"a b.tile\";",
      "kernel k() { grid(1, threads = 32) as (x) { } }",
      "kernel k<>(s: f32,) where s > 0, s < 4 { let a = 1; let b: i32 = 2; grid(a, b, 1, threads = 32, "
      "cluster = (1, 2, 1),"
      " persistent = true,) as (x, y, z,) { } }",
      "kernel k<N: int, F: float, B: bool, type T,>(A: T[N,] strides [1,],) { grid(N, threads = (1) + 2, c = "
      "(1, 2,)) as (x) { } }",
      "fn f() { }",
      "fn f<type T, type U,>(a: T, b: shared U[R, C], c: fragment f32[R],) { }",
      "fn f(x: f32) -> f32 { if x > 0 { return 1; } else if x < 0 { return 2; } else { return 3; } }",
      "check k { } against reference tolerance 0;",
      "check k<T = f16> { M = 1, X in range(0, 2), } against n<> tolerance 1e-5, ids 0, y 1e-3;",
      "bench k { };",
      "bench k { } bytes 3;",
      "bench k { } flops 3;",
      "tune k { }",
      inBody(";;{ } { ; }"),
      inBody("f(); f(a,); f(\"t\", a, nan = propagate, axis = 1,); f(nan = nan); f(-nan, inf);"),
      inBody("for i in range(3,) { } for i in unroll(0, 3, 1) { } for i in pipelined(0, 3, stages = 2,) { }"),
      inBody(
          "for i in parallel(3) { } for (i,) in parallel(3,) { } for (i, j) in parallel(3, 4) { continue; }"),
      inBody("while true { break; if a { continue; } }"),
      inBody("if (a) { } if a { } else { }"),
      inBody("a = 1; a += 1; a -= 1; a *= 1; a /= 1; a max= 1; a min\n= 1; a[0, 1,] max= 2;"),
      inBody("let w = A[a +: b, :]; shared S: f16[2, 3,]; fragment F: T[1] = -inf;"),
  };
  for (const std::string &program : programs) {
    Parsed parsed(program);
    EXPECT_EQ(parsed.getReports(), "") << program;
    EXPECT_FALSE(parsed.file->hasErrors()) << program;
  }
}

TEST(Parser, DumpOfEveryStatementAndDeclaration) {
  Parsed parsed(
      "import \"c.tile\";\n"
      "fn f<type T>(x: T) -> T { return -x; }\n"
      "fn m(a: shared f16[R]) { a[0] max= 1; }\n"
      "oracle kernel k<B: int, type T = f16>(A: T[N] strides [s], out C: f32[N], a: f32) where N > 0 {\n"
      "  grid(N, threads = 32, cluster = (1, 2)) as (x) {\n"
      "    for (i, j) in parallel(2, 3) { continue; }\n"
      "    for q in pipelined(1, N, stages = 2) { print(\"q\\n\", q, nan = 1); }\n"
      "    if a < 0 { } else if a <= b < 1 { } else { }\n"
      "    while true { break; }\n"
      "    let w = A[x +: 4, :];\n"
      "  }\n"
      "}\n"
      "instantiate k<B = 1> as e;\n"
      "tune k { B in [1, 2]; require B < 3; }\n"
      "check k { N = 3, A in range(0, 2) } against o<B = 2> tolerance 1e-3, C 0.5;\n"
      "bench k { } flops 1 bytes 2;\n");
  ASSERT_EQ(parsed.getReports(), "");
  EXPECT_EQ(parsed.dump(), R"(File t.tile
  Import <1:1-1:17> "c.tile"
  Function <2:1-2:39> f -> T
    TypeParam <2:11-2:12> T
    Param <2:14-2:18> x: T
    Block <2:25-2:39>
      Return <2:27-2:37>
        Unary <2:34-2:36> -
          NameRef <2:35-2:36> x
  Function <3:1-3:40> m
    Param <3:6-3:22> a: shared f16
      dim: NameRef <3:20-3:21> R
    Block <3:24-3:40>
      Assign <3:26-3:38> max=
        Index <3:26-3:30> a
          IntegerLiteral <3:28-3:29> 0
        IntegerLiteral <3:36-3:37> 1
  Kernel <4:1-12:2> oracle k
    CompileParam <4:17-4:23> B: int
    CompileParam <4:25-4:37> type T = f16
    Tensor <4:39-4:58> A: T
      dim: NameRef <4:44-4:45> N
      stride: NameRef <4:56-4:57> s
    Tensor <4:60-4:73> out C: f32
      dim: NameRef <4:71-4:72> N
    Scalar <4:75-4:81> a: f32
    where: Binary <4:89-4:94> >
      NameRef <4:89-4:90> N
      IntegerLiteral <4:93-4:94> 0
    Grid <5:3-11:4> as x
      extent: NameRef <5:8-5:9> N
      threads: IntegerLiteral <5:21-5:23> 32
      cluster: IntegerLiteral <5:36-5:37> 1
      cluster: IntegerLiteral <5:39-5:40> 2
      Block <5:50-11:4>
        For <6:5-6:47> i, j in parallel
          IntegerLiteral <6:28-6:29> 2
          IntegerLiteral <6:31-6:32> 3
          Block <6:34-6:47>
            Continue <6:36-6:45>
        For <7:5-7:71> q in pipelined
          IntegerLiteral <7:24-7:25> 1
          NameRef <7:27-7:28> N
          stages: IntegerLiteral <7:39-7:40> 2
          Block <7:42-7:71>
            Call <7:44-7:69> print
              StringLiteral <7:50-7:55> "q\n"
              NameRef <7:57-7:58> q
              nan: IntegerLiteral <7:66-7:67> 1
        If <8:5-8:49>
          Binary <8:8-8:13> <
            NameRef <8:8-8:9> a
            IntegerLiteral <8:12-8:13> 0
          then: Block <8:14-8:17>
          ElseIf <8:23-8:49>
          Chain <8:26-8:36>
            NameRef <8:26-8:27> a
            <=: NameRef <8:31-8:32> b
            <: IntegerLiteral <8:35-8:36> 1
          then: Block <8:37-8:40>
          else: Block <8:46-8:49>
        While <9:5-9:26>
          BoolLiteral <9:11-9:15> true
          Block <9:16-9:26>
            Break <9:18-9:24>
        Let <10:5-10:26> w
          Index <10:13-10:25> A
            Span <10:15-10:21>
              NameRef <10:15-10:16> x
              length: IntegerLiteral <10:20-10:21> 4
            All <10:23-10:24>
  Instantiate <13:1-13:27> k as e
    B: IntegerLiteral <13:19-13:20> 1
  Tune <14:1-14:39> k
    Choices <14:10-14:22> B
      IntegerLiteral <14:16-14:17> 1
      IntegerLiteral <14:19-14:20> 2
    Require <14:23-14:37>
      Binary <14:31-14:36> <
        NameRef <14:31-14:32> B
        IntegerLiteral <14:35-14:36> 3
  Check <15:1-15:76> k against o
    Value <15:11-15:16> N
      IntegerLiteral <15:15-15:16> 3
    Data <15:18-15:34> A
      IntegerLiteral <15:29-15:30> 0
      IntegerLiteral <15:32-15:33> 2
    against B: IntegerLiteral <15:51-15:52> 2
    tolerance: FloatLiteral <15:64-15:68> 0.001
    tolerance C: FloatLiteral <15:72-15:75> 0.5
  Bench <16:1-16:29> k
    flops: IntegerLiteral <16:19-16:20> 1
    bytes: IntegerLiteral <16:27-16:28> 2
)");
}

} // namespace
