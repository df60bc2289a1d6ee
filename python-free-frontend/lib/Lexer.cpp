//===- Lexer.cpp - text to tokens ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are cut out generously first (everything that touches them) and judged afterwards, so that 1.0f is
// one error and not a float followed by a name.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Lexer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Error.h"

namespace tilec::frontend {

//===----------------------------------------------------------------------===//
// The table of tokens
//===----------------------------------------------------------------------===//

namespace {
struct TokenInfo {
  llvm::StringRef name, spelling, description;
};
} // namespace

static constexpr TokenInfo tokenTable[] = {
#define TILEC_TOKEN(Name, Description) {#Name, "", Description},
#define TILEC_PUNCTUATION(Spelling, Name) {#Name, Spelling, ""},
#define TILEC_KEYWORD(Spelling, Name) {"Kw" #Name, Spelling, ""},
#define TILEC_SCALAR_TYPE(Spelling, Name) {"Type" #Name, Spelling, ""},
#include "tilec/Frontend/Token.def"
};

llvm::StringRef getTokenKindName(TokenKind kind) { return tokenTable[unsigned(kind)].name; }

llvm::StringRef getFixedSpelling(TokenKind kind) { return tokenTable[unsigned(kind)].spelling; }

std::string describe(TokenKind kind) {
  const TokenInfo &info = tokenTable[unsigned(kind)];
  return info.spelling.empty() ? info.description.str() : "'" + info.spelling.str() + "'";
}

TokenKind getWordKind(llvm::StringRef word) {
  static const llvm::StringMap<TokenKind> words = {
#define TILEC_KEYWORD(Spelling, Name) {Spelling, TokenKind::Kw##Name},
#define TILEC_SCALAR_TYPE(Spelling, Name) {Spelling, TokenKind::Type##Name},
#include "tilec/Frontend/Token.def"
  };
  auto it = words.find(word);
  return it == words.end() ? TokenKind::Name : it->second;
}

std::optional<ScalarKind> getScalarKind(TokenKind kind) {
  switch (kind) {
#define TILEC_SCALAR_TYPE(Spelling, Name)                                                                    \
  case TokenKind::Type##Name:                                                                                \
    return ScalarKind::Name;
#include "tilec/Frontend/Token.def"
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Characters
//===----------------------------------------------------------------------===//

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool isWordChar(char c) { return isWordStart(c) || isDigit(c); }
static bool isAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// How many bytes the well-formed UTF-8 character at the front has; 0 if it is malformed.
static unsigned getCharBytes(llvm::StringRef text) {
  unsigned bytes = llvm::getNumBytesForUTF8(static_cast<unsigned char>(text.front()));
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  return bytes <= text.size() && llvm::isLegalUTF8Sequence(begin, begin + bytes) ? bytes : 0;
}

//===----------------------------------------------------------------------===//
// Lexer
//===----------------------------------------------------------------------===//

Lexer::Lexer(const SourceManager &sources, FileId file, DiagnosticEngine &diags)
    : file(file), text(sources.getText(file)), diags(diags) {
  checkEncoding();
}

void Lexer::checkEncoding() {
  constexpr unsigned maxBadLines = 8; // more than that is no text
  unsigned badLines = 0;
  for (size_t at = 0; at < text.size();) {
    unsigned bytes = isAscii(text[at]) ? 1 : getCharBytes(text.substr(at));
    if (bytes != 0 && text[at] != '\0') {
      at += bytes;
      continue;
    }
    error(text[at] == '\0' ? DiagId::NulByte : DiagId::MalformedUtf8, makeRange(at, at + 1));
    if (++badLines == maxBadLines) {
      text = "";
      return;
    }
    at = text.find('\n', at); // one report a line
    if (at == llvm::StringRef::npos)
      return;
  }
}

Token Lexer::make(TokenKind kind, size_t begin) const {
  Token token;
  token.kind = kind;
  token.range = makeRange(begin, pos);
  token.text = text.slice(begin, pos);
  return token;
}

Token Lexer::next() {
  bool startsLine = pos == 0;
  startsLine |= skipBlank();
  Token token;
  char c = peek();
  if (pos >= text.size())
    token = make(TokenKind::EndOfFile, pos);
  else if (isWordStart(c))
    token = lexWord();
  else if (isDigit(c) || (c == '.' && isDigit(peek(1))))
    token = lexNumber();
  else if (c == '"')
    token = lexString();
  else
    token = lexPunctuation();
  token.startsLine = startsLine;
  return token;
}

bool Lexer::skipBlank() {
  bool lineEnded = false;
  while (pos < text.size()) {
    char c = text[pos];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      lineEnded |= c == '\n';
      ++pos;
    } else if (c == '/' && peek(1) == '/') {
      pos = std::min(text.find('\n', pos), text.size());
    } else if (c == '/' && peek(1) == '*') {
      size_t begin = pos;
      skipBlockComment();
      lineEnded |= text.slice(begin, pos).contains('\n');
    } else {
      break;
    }
  }
  return lineEnded;
}

void Lexer::skipBlockComment() {
  size_t begin = pos;
  size_t depth = 0;
  while (pos < text.size()) {
    if (text[pos] == '/' && peek(1) == '*') {
      ++depth;
      pos += 2;
    } else if (text[pos] == '*' && peek(1) == '/') {
      pos += 2;
      if (--depth == 0)
        return;
    } else {
      ++pos;
    }
  }
  openComment = true;
  auto diag = error(DiagId::UnterminatedComment, makeRange(begin, begin + 2));
  if (depth > 1)
    diag.note("comments nest: " + llvm::Twine(depth) + " are open at the end of the file");
}

Token Lexer::lexWord() {
  size_t begin = pos;
  while (pos < text.size() && isWordChar(text[pos]))
    ++pos;
  if (pos < text.size() && !isAscii(text[pos]) && getCharBytes(text.substr(pos)) != 0) {
    size_t bad = pos;
    pos = begin;
    Token token = lexUnknown();
    if (pos > bad)
      return token;
  }
  if (pos - begin > maxWordBytes)
    error(DiagId::NameTooLong, makeRange(begin, pos), maxWordBytes);
  return make(getWordKind(text.slice(begin, pos)), begin);
}

//===----------------------------------------------------------------------===//
// Numbers and strings
//===----------------------------------------------------------------------===//

/// Takes digits that '_' may separate one by one off the front; false if there are none.
template <typename Pred> static bool consumeDigits(llvm::StringRef &s, Pred isDigitOfBase) {
  if (s.empty() || !isDigitOfBase(s.front()))
    return false;
  size_t n = 1;
  while (n < s.size() &&
         (isDigitOfBase(s[n]) || (s[n] == '_' && n + 1 < s.size() && isDigitOfBase(s[n + 1]))))
    n += s[n] == '_' ? 2 : 1;
  s = s.drop_front(n);
  return true;
}

namespace {
struct NumberForm {
  TokenKind kind = TokenKind::Integer;
  std::string problem;     ///< empty: well formed
  std::string replacement; ///< of the whole number, where the intention is clear
};
} // namespace

/// Judges a piece of text that begins as a number does.
static NumberForm classifyNumber(llvm::StringRef spelling) {
  NumberForm form;
  llvm::StringRef s = spelling;
  auto finish = [&](llvm::StringRef rest) {
    if (rest.empty())
      return form;
    llvm::StringRef number = spelling.drop_back(rest.size());
    if (rest.starts_with("_"))
      form.problem = "'_' stands only between two digits";
    else if (rest.starts_with("."))
      form.problem = "a number has one point";
    else {
      form.problem = "there are no suffixes";
      form.replacement = number.str();
    }
    return form;
  };
  if (s.starts_with_insensitive("0x") || s.starts_with_insensitive("0b")) {
    bool hex = s[1] == 'x' || s[1] == 'X';
    llvm::StringRef prefix = hex ? "0x" : "0b";
    s = s.drop_front(2);
    bool some = hex ? consumeDigits(s, llvm::isHexDigit)
                    : consumeDigits(s, [](char c) { return c == '0' || c == '1'; });
    if (!some || (!s.empty() && !hex && isDigit(s.front()))) {
      form.problem = std::string(hex ? "a hexadecimal digit" : "0 or 1") + " is expected after '" +
                     spelling.drop_back(s.size()).str() + "'";
    } else if (!spelling.starts_with(prefix)) {
      form.problem = "the prefix is written " + prefix.str();
      form.replacement = prefix.str() + spelling.drop_front(2).str();
    } else {
      return finish(s);
    }
    return form;
  }

  consumeDigits(s, isDigit);
  llvm::StringRef whole = spelling.drop_back(s.size());
  if (s.consume_front(".")) {
    form.kind = TokenKind::Float;
    consumeDigits(s, isDigit);
  }
  if (s.starts_with_insensitive("e")) {
    llvm::StringRef beforeExponent = s;
    s = s.drop_front();
    if (!s.consume_front("-"))
      s.consume_front("+");
    if (!consumeDigits(s, isDigit)) {
      form.kind = TokenKind::Float;
      form.problem = "the exponent has no digits";
      form.replacement = s.empty() ? spelling.drop_back(beforeExponent.size()).str() : "";
      return form;
    }
    form.kind = TokenKind::Float;
  }
  if (!s.empty())
    return finish(s);
  if (form.kind == TokenKind::Integer && whole.size() > 1 && whole.front() == '0') {
    form.problem = "an integer does not begin with 0 (octal is not supported)";
    llvm::StringRef trimmed = whole.ltrim("0_");
    form.replacement = trimmed.empty() ? "0" : trimmed.str();
  }
  return form;
}

Token Lexer::lexNumber() {
  size_t begin = pos;
  bool decimalSoFar = true; // 1e-3 takes its sign along, 0xe-3 does not
  while (pos < text.size()) {
    char c = text[pos];
    bool sign = (c == '+' || c == '-') && decimalSoFar && pos > begin && (text[pos - 1] | 0x20) == 'e';
    if (!isWordChar(c) && c != '.' && !sign)
      break;
    if (sign || ((c | 0x20) != 'e' && !isDigit(c) && c != '.' && c != '_'))
      decimalSoFar = false;
    ++pos;
  }
  llvm::StringRef spelling = text.slice(begin, pos);
  SourceRange range = makeRange(begin, pos);
  if (spelling.size() > maxWordBytes) {
    error(DiagId::NumberTooLong, range, maxWordBytes);
    return make(TokenKind::Error, begin);
  }
  NumberForm form = classifyNumber(spelling);
  if (!form.problem.empty()) {
    auto diag = error(DiagId::MalformedNumber, range, spelling, form.problem);
    if (!form.replacement.empty())
      diag.fixIt(range, form.replacement);
    return make(TokenKind::Error, begin);
  }
  if (form.kind == TokenKind::Integer ? !evaluateInteger(spelling) : !evaluateFloat(spelling)) {
    if (form.kind == TokenKind::Integer)
      error(DiagId::IntegerTooLarge, range);
    else
      error(DiagId::FloatTooLarge, range).note("write inf for infinity");
    return make(TokenKind::Error, begin);
  }
  return make(form.kind, begin);
}

Token Lexer::lexString() {
  size_t begin = pos++;
  while (pos < text.size() && text[pos] != '\n') {
    if (text[pos] == '"') {
      ++pos;
      return make(TokenKind::String, begin);
    }
    if (text[pos] != '\\') {
      ++pos;
      continue;
    }
    size_t escape = pos++;
    if (llvm::StringRef("nt\"\\").contains(peek()) && peek() != '\0') {
      ++pos;
      continue;
    }
    if (pos < text.size() && text[pos] != '\n')
      pos += std::max(1u, getCharBytes(text.substr(pos)));
    error(DiagId::UnknownEscape, makeRange(escape, pos), text.slice(escape, pos))
        .note("the escapes are \\n, \\t, \\\" and \\\\");
  }
  size_t end = begin + text.slice(begin, pos).rtrim('\r').size();
  error(DiagId::UnterminatedString, makeRange(begin, end)).fixIt(makeRange(end, end), "\"");
  return make(TokenKind::String, begin);
}

//===----------------------------------------------------------------------===//
// Punctuation and everything else
//===----------------------------------------------------------------------===//

namespace {
struct Punctuation {
  llvm::StringRef spelling;
  TokenKind kind;
};
} // namespace

/// The spellings that begin with an ASCII character, longest first.
static llvm::ArrayRef<Punctuation> getPunctuation(char first) {
  using Table = std::array<llvm::SmallVector<Punctuation, 4>, 128>;
  static const Table table = [] {
    Table rows;
    for (Punctuation row : {
#define TILEC_PUNCTUATION(Spelling, Name) Punctuation{Spelling, TokenKind::Name},
#include "tilec/Frontend/Token.def"
         })
      rows[row.spelling.front()].push_back(row);
    for (auto &list : rows)
      llvm::sort(list, [](const Punctuation &a, const Punctuation &b) {
        return a.spelling.size() > b.spelling.size();
      });
    return rows;
  }();
  return isAscii(first) ? llvm::ArrayRef<Punctuation>(table[first]) : llvm::ArrayRef<Punctuation>();
}

Token Lexer::lexPunctuation() {
  size_t begin = pos;
  llvm::StringRef rest = text.substr(pos);
  if (rest.starts_with("*/") && !rest.starts_with("*//") && !rest.starts_with("*/*")) {
    pos += 2;
    error(DiagId::UnopenedComment, makeRange(begin, pos));
    return make(TokenKind::Error, begin);
  }
  for (const Punctuation &row : getPunctuation(rest.front())) {
    if (rest.starts_with(row.spelling)) {
      pos += row.spelling.size();
      return make(row.kind, begin);
    }
  }
  return lexUnknown();
}

namespace {
/// Characters that word processors and mathematicians write for tokens of the language.
struct Lookalike {
  llvm::StringRef character, meant;
  TokenKind kind;
};
} // namespace

static constexpr Lookalike lookalikes[] = {
    {"\u2212", "-", TokenKind::Minus},         {"\u2013", "-", TokenKind::Minus},
    {"\u00D7", "*", TokenKind::Star},          {"\u00B7", "*", TokenKind::Star},
    {"\u00F7", "/", TokenKind::Slash},         {"\u2264", "<=", TokenKind::LessEqual},
    {"\u2265", ">=", TokenKind::GreaterEqual}, {"\u2260", "!=", TokenKind::ExclaimEqual},
    {"\u2192", "->", TokenKind::Arrow},        {"\u221E", "inf", TokenKind::KwInf},
    {"\u037E", ";", TokenKind::Semicolon},
};

Token Lexer::lexUnknown() {
  size_t begin = pos;
  llvm::StringRef rest = text.substr(pos);
  for (const Lookalike &row : lookalikes) {
    if (!rest.starts_with(row.character))
      continue;
    pos += row.character.size();
    error(DiagId::UnexpectedCharacter, makeRange(begin, pos), row.character)
        .fixIt(makeRange(begin, pos), row.meant);
    return make(row.kind, begin);
  }
  // A run of letters of other scripts with ASCII ones between them is one mistaken name. Malformed bytes were
  // reported with the encoding.
  size_t firstForeign = llvm::StringRef::npos;
  while (pos < text.size()) {
    if (isWordChar(text[pos])) {
      ++pos;
      continue;
    }
    unsigned bytes = isAscii(text[pos]) ? 0 : getCharBytes(text.substr(pos));
    bool isLookalike = llvm::any_of(
        lookalikes, [&](const Lookalike &row) { return text.substr(pos).starts_with(row.character); });
    if (bytes == 0 || isLookalike)
      break;
    firstForeign = std::min(firstForeign, pos);
    pos += bytes;
  }
  if (firstForeign != llvm::StringRef::npos) {
    const auto *source = reinterpret_cast<const llvm::UTF8 *>(text.data()) + firstForeign;
    llvm::UTF32 codePoint = 0, *target = &codePoint;
    llvm::ConvertUTF8toUTF32(&source, source + getCharBytes(text.substr(firstForeign)), &target,
                             &codePoint + 1, llvm::strictConversion);
    error(DiagId::NonAsciiName,
          makeRange(firstForeign, firstForeign + getCharBytes(text.substr(firstForeign))),
          "U+" + llvm::utohexstr(codePoint, /*LowerCase=*/false, /*Width=*/4));
    return make(TokenKind::Error, begin);
  }
  if (pos > begin) // ASCII only: lexWord has it
    return make(TokenKind::Error, begin);
  char c = text[pos++];
  if (c == '\0' || !isAscii(c))
    return make(TokenKind::Error, begin);
  if (c == '\'') {
    // Take the rest of a quoted text along: its content is no program.
    size_t close = rest.find('\'', 1), lineEnd = rest.find('\n');
    if (close != llvm::StringRef::npos && close < lineEnd)
      pos = begin + close + 1;
    auto diag = error(DiagId::UnexpectedCharacter, makeRange(begin, pos), "'");
    diag.note("texts stand in double quotes; there are no character constants");
    return make(TokenKind::Error, begin);
  }
  std::string shown(1, c);
  auto diag = error(DiagId::UnexpectedCharacter, makeRange(begin, pos), shown);
  if (c == '#') {
    diag.note("there is no preprocessor; constants are written 'const NAME = value;', other files are read "
              "by 'import \"file.tile\";'");
    pos = std::min(text.find('\n', pos), text.size());
  }
  return make(TokenKind::Error, begin);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<std::array<uint64_t, 2>> evaluateInteger(llvm::StringRef spelling) {
  unsigned base = 10;
  if (spelling.consume_front("0x"))
    base = 16;
  else if (spelling.consume_front("0b"))
    base = 2;
  unsigned __int128 value = 0;
  for (char c : spelling) {
    if (c == '_')
      continue;
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, llvm::hexDigitValue(c), &value))
      return std::nullopt;
  }
  return std::array<uint64_t, 2>{uint64_t(value), uint64_t(value >> 64)};
}

std::optional<double> evaluateFloat(llvm::StringRef spelling) {
  std::string digits = spelling.str();
  llvm::erase(digits, '_');
  llvm::APFloat value(llvm::APFloat::IEEEdouble());
  auto status = value.convertFromString(digits, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  if (value.isInfinity())
    return std::nullopt;
  return value.convertToDouble();
}

std::string evaluateString(llvm::StringRef spelling) {
  spelling.consume_front("\"");
  std::string value;
  for (size_t i = 0; i < spelling.size() && spelling[i] != '"'; ++i) {
    if (spelling[i] != '\\' || i + 1 == spelling.size()) {
      value += spelling[i];
      continue;
    }
    switch (spelling[++i]) {
    case 'n':
      value += '\n';
      break;
    case 't':
      value += '\t';
      break;
    case '"':
    case '\\':
      value += spelling[i];
      break;
    default:
      value += '\\';
      value += spelling[i];
    }
  }
  return value;
}

} // namespace tilec::frontend
