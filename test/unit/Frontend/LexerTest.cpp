//===- LexerTest.cpp - tokens ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GRAMMAR section 1: what is one token, what is none, and where that is said.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Lexer.h"
#include "tilec/Frontend/Frontend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::frontend;

namespace {

struct Lexed {
  explicit Lexed(llvm::StringRef text) {
    FileId file = sources.addText("t.tile", text);
    Lexer lexer(sources, file, diags);
    while (true) {
      Token token = lexer.next();
      if (token.is(TokenKind::EndOfFile))
        break;
      if (!tokens.empty())
        tokens += ' ';
      tokens += getTokenKindName(token.kind);
      tokens += "(" + token.text.str() + ")";
    }
    for (const Diagnostic &diag : consumer.diags) {
      LineColumn at = sources.getLineColumn(diag.range.getBegin());
      reports += getDiagInfo(diag.id).id.str() + " " + std::to_string(at.line) + ":" +
                 std::to_string(at.column) + " " + diag.message + "\n";
    }
    EXPECT_EQ(lexer.hadErrors(), !consumer.diags.empty());
  }

  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags{sources, consumer};
  std::string tokens, reports;
};

TEST(Lexer, EveryFixedSpelling) {
#define TILEC_PUNCTUATION(Spelling, Name)                                                                    \
  EXPECT_EQ(Lexed(Spelling).tokens, #Name "(" Spelling ")");                                                 \
  EXPECT_EQ(getFixedSpelling(TokenKind::Name), Spelling);
#define TILEC_KEYWORD(Spelling, Name) EXPECT_EQ(Lexed(Spelling).tokens, "Kw" #Name "(" Spelling ")");
#define TILEC_SCALAR_TYPE(Spelling, Name)                                                                    \
  EXPECT_EQ(Lexed(Spelling).tokens, "Type" #Name "(" Spelling ")");                                          \
  EXPECT_EQ(getSpelling(*getScalarKind(TokenKind::Type##Name)), Spelling);
#define TILEC_CONTEXTUAL(Spelling) EXPECT_EQ(Lexed(Spelling).tokens, "Name(" Spelling ")");
#include "tilec/Frontend/Token.def"
}

TEST(Lexer, ValidTokens) {
  struct Row {
    llvm::StringRef text, tokens;
  };
  const Row rows[] = {
      {"", ""},
      {" \t\r\n // nothing", ""},
      {"forx for_ _for For", "Name(forx) Name(for_) Name(_for) Name(For)"},
      {"a/**/b/* /* x */ */c", "Name(a) Name(b) Name(c)"},
      {"a//**/\nb", "Name(a) Name(b)"},
      {"a*//x\nb", "Name(a) Star(*) Name(b)"},
      {"a*/*x*/b", "Name(a) Star(*) Name(b)"},
      {"/*/ */a", "Name(a)"},
      {"/**/a/***/b", "Name(a) Name(b)"},
      // Numbers.
      {"0 7 42 1_000_000", "Integer(0) Integer(7) Integer(42) Integer(1_000_000)"},
      {"0xff 0xA_b 0b101 0b1_0", "Integer(0xff) Integer(0xA_b) Integer(0b101) Integer(0b1_0)"},
      {"1.0 .5 5. 1e-3 1E+3 1.5e3 5.e3 .5e3 1_0.0_1e1_0",
       "Float(1.0) Float(.5) Float(5.) Float(1e-3) Float(1E+3) Float(1.5e3) Float(5.e3) Float(.5e3) "
       "Float(1_0.0_1e1_0)"},
      {"007.5 00e1", "Float(007.5) Float(00e1)"},
      {"0xe-1 0xe+1", "Integer(0xe) Minus(-) Integer(1) Integer(0xe) Plus(+) Integer(1)"},
      {"1-2 1+2", "Integer(1) Minus(-) Integer(2) Integer(1) Plus(+) Integer(2)"},
      {"x.5", "Name(x) Float(.5)"},
      {"340282366920938463463374607431768211455", "Integer(340282366920938463463374607431768211455)"},
      {"1e308 1e-999", "Float(1e308) Float(1e-999)"},
      // The longest match.
      {"a+:b a+ :b", "Name(a) PlusColon(+:) Name(b) Name(a) Plus(+) Colon(:) Name(b)"},
      {"a++b a+ +b", "Name(a) PlusPlus(++) Name(b) Name(a) Plus(+) Plus(+) Name(b)"},
      {"a--b", "Name(a) MinusMinus(--) Name(b)"},
      {"a->b a- >b", "Name(a) Arrow(->) Name(b) Name(a) Minus(-) Greater(>) Name(b)"},
      {"a<<=b", "Name(a) LessLess(<<) Equal(=) Name(b)"},
      {"a<-1", "Name(a) Less(<) Minus(-) Integer(1)"},
      {"a===b", "Name(a) EqualEqual(==) Equal(=) Name(b)"},
      {"max=", "Name(max) Equal(=)"},
      // Strings.
      {R"("" "a b" "\n\t\"\\" "// no /* comment")",
       R"(String("") String("a b") String("\n\t\"\\") String("// no /* comment"))"},
      {"\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\" // \xC3\xA9",
       "String(\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\")"},
      {"\"a\tb\rc\"", "String(\"a\tb\rc\")"},
  };
  for (const Row &row : rows) {
    Lexed lexed(row.text);
    EXPECT_EQ(lexed.tokens, row.tokens) << row.text.str();
    EXPECT_EQ(lexed.reports, "") << row.text.str();
  }
}

TEST(Lexer, InvalidTokens) {
  struct Row {
    std::string text, reports;
  };
  const Row rows[] = {
      {std::string("a\n \0b", 5), "TILE0101 2:2 NUL byte in the source text\n"},
      {std::string("// \0", 4), "TILE0101 1:4 NUL byte in the source text\n"},
      {std::string("\"\0\"", 3), "TILE0101 1:2 NUL byte in the source text\n"},
      {"/* \xFF */ a", "TILE0102 1:4 malformed UTF-8 in the source text\n"},
      {"\"\xC3\"", "TILE0102 1:2 malformed UTF-8 in the source text\n"},
      {"// \xC0\xAF overlong", "TILE0102 1:4 malformed UTF-8 in the source text\n"},
      {"// \xED\xA0\x80 a surrogate", "TILE0102 1:4 malformed UTF-8 in the source text\n"},
      {"// \xF4\x90\x80\x80 too large", "TILE0102 1:4 malformed UTF-8 in the source text\n"},
      {"// \xE2\x82", "TILE0102 1:4 malformed UTF-8 in the source text\n"},
      {"a /* b", "TILE0103 1:3 this comment is never closed\n"},
      {"/* /* */", "TILE0103 1:1 this comment is never closed\n"},
      {"/*/", "TILE0103 1:1 this comment is never closed\n"},
      {"a */ b", "TILE0104 1:3 '*/' without a '/*' before it\n"},
      {"\"abc", "TILE0105 1:1 this string is not closed on its line\n"},
      {"\"abc\n\"", "TILE0105 1:1 this string is not closed on its line\n"
                    "TILE0105 2:1 this string is not closed on its line\n"},
      {"\"abc\\\"", "TILE0105 1:1 this string is not closed on its line\n"},
      {"\"abc\\", "TILE0106 1:5 unknown escape '\\' in a string\n"
                  "TILE0105 1:1 this string is not closed on its line\n"},
      {"\"a\\qb\\xc\"", "TILE0106 1:3 unknown escape '\\q' in a string\n"
                        "TILE0106 1:6 unknown escape '\\x' in a string\n"},
      {"1.0f", "TILE0107 1:1 malformed number '1.0f': there are no suffixes\n"},
      {"10u", "TILE0107 1:1 malformed number '10u': there are no suffixes\n"},
      {"007",
       "TILE0107 1:1 malformed number '007': an integer does not begin with 0 (octal is not supported)\n"},
      {"0_1",
       "TILE0107 1:1 malformed number '0_1': an integer does not begin with 0 (octal is not supported)\n"},
      {"1.2.3", "TILE0107 1:1 malformed number '1.2.3': a number has one point\n"},
      {"1..2", "TILE0107 1:1 malformed number '1..2': a number has one point\n"},
      {"1__0", "TILE0107 1:1 malformed number '1__0': '_' stands only between two digits\n"},
      {"1_", "TILE0107 1:1 malformed number '1_': '_' stands only between two digits\n"},
      {"1_.5", "TILE0107 1:1 malformed number '1_.5': '_' stands only between two digits\n"},
      {"1._5", "TILE0107 1:1 malformed number '1._5': '_' stands only between two digits\n"},
      {"1e", "TILE0107 1:1 malformed number '1e': the exponent has no digits\n"},
      {"1e+", "TILE0107 1:1 malformed number '1e+': the exponent has no digits\n"},
      {"0x", "TILE0107 1:1 malformed number '0x': a hexadecimal digit is expected after '0x'\n"},
      {"0xg", "TILE0107 1:1 malformed number '0xg': a hexadecimal digit is expected after '0x'\n"},
      {"0x_1", "TILE0107 1:1 malformed number '0x_1': a hexadecimal digit is expected after '0x'\n"},
      {"0XFF", "TILE0107 1:1 malformed number '0XFF': the prefix is written 0x\n"},
      {"0b", "TILE0107 1:1 malformed number '0b': 0 or 1 is expected after '0b'\n"},
      {"0b12", "TILE0107 1:1 malformed number '0b12': 0 or 1 is expected after '0b1'\n"},
      {"0x1.5", "TILE0107 1:1 malformed number '0x1.5': a number has one point\n"},
      {"340282366920938463463374607431768211456", "TILE0108 1:1 integer needs more than 128 bits\n"},
      {"0x1_0000_0000_0000_0000_0000_0000_0000_0000", "TILE0108 1:1 integer needs more than 128 bits\n"},
      {"1e309", "TILE0109 1:1 float is too large for f64\n"},
      {"1e99999999999999999999", "TILE0109 1:1 float is too large for f64\n"},
      {"@", "TILE0112 1:1 unexpected character '@'\n"},
      {"a $ b ` c", "TILE0112 1:3 unexpected character '$'\nTILE0112 1:7 unexpected character '`'\n"},
      {"'text' a", "TILE0112 1:1 unexpected character '''\n"},
      {"#define A 1 @ $\n@",
       "TILE0112 1:1 unexpected character '#'\nTILE0112 2:1 unexpected character '@'\n"},
      {"\x01", "TILE0112 1:1 unexpected character '\x01'\n"},
      {"gr\xC3\xB6\xC3\x9F"
       "e",
       "TILE0113 1:3 unexpected character U+00F6: outside comments and strings the source "
       "is ASCII\n"},
      {"a\xC2\xA0"
       "b",
       "TILE0113 1:2 unexpected character U+00A0: outside comments and strings the source is ASCII\n"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(Lexed(row.text).reports, row.reports) << row.text;
}

TEST(Lexer, FixIts) {
  struct Row {
    llvm::StringRef text, fixed;
  };
  const Row rows[] = {
      {"1.0f", "1.0"},
      {"007", "7"},
      {"000", "0"},
      {"0XfF", "0xfF"},
      {"1e", "1"},
      {"\"a", "\"a\""},
      {"\"a\r\n", "\"a\"\r\n"},
      {"\xE2\x88\x92"
       "1",
       "-1"},
      {"a \xE2\x89\xA4 b", "a <= b"},
  };
  for (const Row &row : rows) {
    Lexed lexed(row.text);
    ASSERT_EQ(lexed.consumer.diags.size(), 1u) << row.text.str();
    ASSERT_EQ(lexed.consumer.diags[0].fixIts.size(), 1u) << row.text.str();
    const FixIt &fix = lexed.consumer.diags[0].fixIts[0];
    std::string text = row.text.str();
    text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
    EXPECT_EQ(text, row.fixed);
    EXPECT_EQ(Lexed(text).reports, "");
  }
}

TEST(Lexer, LookalikesAreWhatWasMeant) {
  EXPECT_EQ(Lexed("a\xE2\x88\x92"
                  "b\xC3\x97"
                  "c")
                .tokens,
            "Name(a) Minus(\xE2\x88\x92) Name(b) Star(\xC3\x97) Name(c)");
}

TEST(Lexer, LengthLimits) { // TILE0110, TILE0111
  EXPECT_EQ(Lexed(std::string(1024, 'a')).reports, "");
  EXPECT_EQ(Lexed(std::string(1025, 'a')).reports, "TILE0110 1:1 name is longer than 1024 bytes\n");
  EXPECT_EQ(Lexed("1." + std::string(1022, '0')).reports, "");
  EXPECT_EQ(Lexed("1." + std::string(1023, '0')).reports, "TILE0111 1:1 number is longer than 1024 bytes\n");
  EXPECT_EQ(Lexed(std::string(1000000, '9')).reports, "TILE0111 1:1 number is longer than 1024 bytes\n");
}

TEST(Lexer, NestedCommentsOfAnyDepth) {
  std::string open, close;
  for (int i = 0; i < 1000000; ++i) {
    open += "/*";
    close += "*/";
  }
  EXPECT_EQ(Lexed(open + close + "a").tokens, "Name(a)");
  Lexed unclosed(open + close.substr(2));
  EXPECT_EQ(unclosed.reports, "TILE0103 1:1 this comment is never closed\n");
}

TEST(Lexer, BinaryFilesAreGivenUpSoon) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "\xFE\n";
  Lexed lexed(text);
  EXPECT_EQ(lexed.consumer.diags.size(), 8u);
  EXPECT_EQ(lexed.tokens, "");
}

TEST(Lexer, ExactValues) {
  auto value = [](llvm::StringRef text) {
    auto words = evaluateInteger(text);
    return words ? llvm::toString(llvm::APInt(128, *words), 10, false) : std::string("none");
  };
  EXPECT_EQ(value("0"), "0");
  EXPECT_EQ(value("1_000"), "1000");
  EXPECT_EQ(value("0xFf"), "255");
  EXPECT_EQ(value("0b1_01"), "5");
  EXPECT_EQ(value("18446744073709551616"), "18446744073709551616");
  EXPECT_EQ(value("340282366920938463463374607431768211455"), "340282366920938463463374607431768211455");
  EXPECT_EQ(value("340282366920938463463374607431768211456"), "none");
  EXPECT_EQ(*evaluateFloat("1_0.2_5e-1"), 1.025);
  EXPECT_EQ(*evaluateFloat(".5"), 0.5);
  EXPECT_EQ(*evaluateFloat("5."), 5.0);
  EXPECT_EQ(*evaluateFloat("5.e3"), 5000.0);
  EXPECT_EQ(*evaluateFloat("0.1"), 0.1);
  EXPECT_EQ(*evaluateFloat("9007199254740993.0"), 9007199254740992.0) << "ties to even";
  EXPECT_EQ(*evaluateFloat("1e-400"), 0.0);
  EXPECT_FALSE(evaluateFloat("1e400"));
  EXPECT_EQ(evaluateString(R"("a\n\t\"\\b")"), "a\n\t\"\\b");
}

TEST(Lexer, StartsLine) {
  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags(sources, consumer);
  Lexer lexer(sources, sources.addText("t", "a b\n  c /* x\n */ d e"), diags);
  for (bool expected : {true, false, true, true, false})
    EXPECT_EQ(lexer.next().startsLine, expected);
}

TEST(Lexer, DumpTokens) {
  SourceManager sources;
  CapturingDiagnosticConsumer consumer;
  DiagnosticEngine diags(sources, consumer);
  std::string out;
  llvm::raw_string_ostream os(out);
  dumpTokens(sources, sources.addText("t", "let x\n  = \"\\n\";"), diags, os);
  EXPECT_EQ(out, "1:1-1:4 KwLet let\n"
                 "1:5-1:6 Name x\n"
                 "2:3-2:4 Equal =\n"
                 "2:5-2:9 String \"\\n\"\n"
                 "2:9-2:10 Semicolon ;\n"
                 "2:10-2:10 EndOfFile\n");
}

} // namespace
