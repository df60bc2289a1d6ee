//===- MlirText.cpp - is a text safe to give to the MLIR parser? ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the characters with a stack of open brackets. It knows strings, comments, arrows and the
// names of aliases, nothing else of the syntax: what is wrong there the parser reports.
//
//===----------------------------------------------------------------------===//
#include "MlirText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tilec {
namespace {

/// What an alias stands for, written out.
struct Alias {
  unsigned depth = 0;
  uint64_t uses = 1;
};

class Scanner {
public:
  Scanner(FileId file, DiagnosticEngine &diags)
      : file(file), diags(diags), text(diags.getSources().getText(file)) {}

  bool run();

private:
  void scanString();
  bool scanAlias();
  void close(char opener);
  bool checkDepth(size_t depth);
  SourceRange here() const { return {file, uint32_t(pos), uint32_t(std::min(pos + 1, text.size()))}; }
  char next() const { return pos + 1 < text.size() ? text[pos + 1] : '\0'; }

  FileId file;
  DiagnosticEngine &diags;
  llvm::StringRef text;
  size_t pos = 0;
  std::string open;
  unsigned signs = 0; // that end here, one after the other
  llvm::StringMap<Alias> aliases;
  Alias *defined = nullptr; // whose definition this is
};

void Scanner::scanString() {
  for (++pos; pos < text.size() && text[pos] != '"' && text[pos] != '\n'; ++pos)
    if (text[pos] == '\\')
      ++pos;
}

/// A bracket that closes also ends what is open inside: '<' may be a comparison.
void Scanner::close(char opener) {
  size_t at = open.rfind(opener);
  if (at != std::string::npos)
    open.resize(at);
}

bool Scanner::checkDepth(size_t depth) {
  if (defined)
    defined->depth = std::max<unsigned>(defined->depth, depth);
  if (depth <= maxMlirNesting)
    return true;
  diags.report(DiagId::NestedTooDeep, here(), maxMlirNesting, "brackets and signs");
  return false;
}

/// `#name` or `!name`: a use, or where a line begins with it and '=' follows a definition.
bool Scanner::scanAlias() {
  llvm::StringRef name =
      text.substr(pos, 1 + text.drop_front(pos + 1)
                               .take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; })
                               .size());
  llvm::StringRef rest = text.drop_front(pos + name.size()).ltrim(" \t");
  bool startsLine = pos == 0 || text[pos - 1] == '\n';
  if (startsLine && rest.starts_with("=")) {
    defined = &aliases[name];
    *defined = Alias();
    return true;
  }
  auto it = aliases.find(name);
  if (it == aliases.end() || &it->second == defined)
    return true;
  if (!checkDepth(open.size() + it->second.depth))
    return false;
  if (!defined)
    return true;
  defined->uses += it->second.uses;
  if (defined->uses <= maxMlirAliasUses)
    return true;
  diags.report(DiagId::BackEndError, here(),
               "the alias '" + name.str() + "' makes this one longer than " +
                   std::to_string(maxMlirAliasUses) + " aliases, written out");
  return false;
}

bool Scanner::run() {
  if (text.starts_with("ML\xefR")) {
    diags.report(DiagId::BackEndError, here(), "this is MLIR bytecode; --from reads MLIR text");
    return false;
  }
  for (; pos < text.size(); ++pos) {
    char c = text[pos];
    if (llvm::isSpace(c)) {
      if (c == '\n' && defined && open.empty() && !llvm::isSpace(next()))
        defined = nullptr; // the next line begins something else
      continue;
    }
    unsigned signsBefore = std::exchange(signs, 0);
    switch (c) {
    case '"':
      scanString();
      break;
    case '/':
      if (next() == '/') {
        signs = signsBefore;
        pos = std::min(text.find('\n', pos), text.size()) - 1;
      }
      break;
    case '-':
      if (next() == '>') {
        ++pos;
        break;
      }
      signs = signsBefore + 1;
      if (!checkDepth(open.size() + signs))
        return false;
      break;
    case '#':
    case '!':
      if (!scanAlias())
        return false;
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      open += c;
      if (!checkDepth(open.size()))
        return false;
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    case '>':
      if (!open.empty() && open.back() == '<')
        open.pop_back();
      break;
    default:
      break;
    }
  }
  return true;
}

} // namespace

bool checkMlirText(FileId file, DiagnosticEngine &diags) { return Scanner(file, diags).run(); }

} // namespace tilec
