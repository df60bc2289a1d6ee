//===- Parser.h - tokens to syntax tree ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive descent, one function a rule of the grammar. A function that cannot build its node has reported
// why and answers null (or false); whoever owns the next place where text makes sense again, a statement list
// or the file, skips to it. Depth is bounded by counting, never by the stack: brackets, unary operators, `?:`
// and `else if` each have a limit, and an expression has a greatest height.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_FRONTEND_PARSER_H
#define TILEC_FRONTEND_PARSER_H

#include "tilec/Frontend/AST.h"
#include "tilec/Frontend/Lexer.h"
#include "llvm/ADT/SmallVector.h"

namespace tilec::frontend {

/// The type of this language that a C or CUDA type name stands for, as its word; "" if there is none.
llvm::StringRef getTypeForForeignName(llvm::StringRef name);
/// What to write instead of a word of C, CUDA or Python ("__syncthreads", "threadIdx", "and"); "" if unknown.
llvm::StringRef getForeignWordHint(llvm::StringRef word);
/// The built-in function or statement that C or CUDA call `name` ("max" for "fmaxf"); "" if unknown.
llvm::StringRef getBuiltinForForeignName(llvm::StringRef name);

class Parser {
public:
  /// Nesting limits (N14): this much is legal, one more is an error.
  static constexpr unsigned maxNesting = 256;

  Parser(const SourceManager &sources, FileId file, DiagnosticEngine &diags);
  std::unique_ptr<ast::File> parse();

private:
  template <typename T> using List = llvm::SmallVectorImpl<T>;
  using ExprList = llvm::SmallVector<const ast::Expr *, 4>;

  /// An opened bracket; counts as open until it goes out of scope.
  class Bracket {
  public:
    Bracket(Parser &parser, TokenKind opener);
    ~Bracket();
    Bracket(const Bracket &) = delete;
    const Token &getToken() const { return token; }

  private:
    Parser &parser;
    Token token;
  };

  /// A level of a construct whose nesting is limited.
  class Nesting {
  public:
    Nesting(unsigned &depth) : depth(depth) { ++depth; }
    ~Nesting() { --depth; }
    Nesting(const Nesting &) = delete;

  private:
    unsigned &depth;
  };

  // Tokens.
  const Token &peek(unsigned ahead = 0);
  Token take();
  bool at(TokenKind kind) { return peek().is(kind); }
  bool atName(llvm::StringRef word) { return peek().isName(word); }
  bool consumeIf(TokenKind kind);
  std::string describeCurrent();
  void stop(); ///< nothing further is parsed

  // Errors.
  template <typename... Args> DiagnosticBuilder error(DiagId id, SourceRange range, Args &&...args) {
    if (!mayReport(range))
      return DiagnosticBuilder::makeDropped();
    return diags.report(id, range, std::forward<Args>(args)...);
  }
  bool mayReport(SourceRange range);
  bool expect(TokenKind kind, llvm::StringRef where);
  bool expectWord(llvm::StringRef word, llvm::StringRef where);
  bool expectSemicolon(llvm::StringRef after);
  bool expectClose(const Bracket &bracket, TokenKind closer, llvm::StringRef where);
  bool expectName(ast::Identifier &name, llvm::StringRef what);
  void reportUnclosed(const Token &opener, llvm::StringRef closer);
  bool checkNesting(unsigned depth, SourceRange range, llvm::StringRef what);

  // Recovery.
  bool atDeclaration();
  bool atDeclarationOnOwnLine();
  bool isReadThrough(SourceRange begin);
  void skipStatement(SourceRange begin);
  void skipDeclaration(SourceRange begin);
  bool skipToBlock();
  void skipPast(TokenKind closer);

  // Lists. `parseItem` parses one item and answers whether it could.
  template <typename Fn>
  bool parseList(const Bracket &bracket, TokenKind closer, llvm::StringRef where, Fn parseItem);
  template <typename Fn> bool parseAngleList(SourceRange &range, llvm::StringRef where, Fn parseItem);
  bool parseExprList(TokenKind opener, TokenKind closer, llvm::StringRef where,
                     List<const ast::Expr *> &exprs, SourceRange *range = nullptr);

  // Declarations (ParseDecl.cpp).
  const ast::Decl *parseDecl();
  const ast::Decl *parseKernel();
  bool parseKernelBody(ast::Kernel::Parts &parts);
  bool parseCompileParam(ast::CompileParam &param);
  bool parseParam(ast::Param &param);
  const ast::Decl *parseFunction();
  bool parseFnParam(ast::FnParam &param);
  const ast::Decl *parseConstant();
  const ast::Decl *parseImport();
  const ast::Decl *parseInstantiate();
  const ast::Decl *parseTune();
  bool parseTuneItem(ast::TuneItem &item);
  const ast::Decl *parseCheck();
  const ast::Decl *parseBench();
  bool parseValues(llvm::ArrayRef<ast::CheckValue> &values, SourceRange &range);
  bool parseCompileArgs(ast::CompileArgs &args);
  const ast::Decl *reportNoDeclaration();

  // Blocks and simple statements (ParseStmt.cpp).
  const ast::BlockStmt *parseBlock(llvm::StringRef where);
  const ast::Stmt *parseStmt();
  template <typename Node> const Node *parseBinding();
  const ast::Stmt *parseTile();
  const ast::Stmt *parseNameStmt();
  const ast::Stmt *parseCallStmt();
  const ast::Stmt *finishAssignment(const ast::Expr *target);
  const ast::Stmt *parseJump();
  const ast::Stmt *parseForeignDeclaration(llvm::StringRef tileType, llvm::StringRef newWord);
  const ast::Stmt *reportNoStatement();
  const ast::Stmt *reportIncrement(SourceRange target, const Token &op);
  void noteBraces(const Token &open, const Token &close);

  // Control flow (ParseControl.cpp).
  const ast::Stmt *parseFor();
  bool parseForHead(List<ast::Identifier> &names, ast::LoopKind &loop, SourceRange &loopRange, ExprList &args,
                    const ast::Expr *&stages);
  const ast::Stmt *parseIf();
  const ast::Stmt *parseWhile();
  const ast::GridStmt *parseGrid();
  bool parseGridHead(ExprList &extents, List<ast::GridOption> &options, List<ast::Identifier> &names,
                     SourceRange &range);
  bool parseGridOption(ast::GridOption &option);

  // Expressions (ParseExpr.cpp).
  const ast::Expr *parseExpr(llvm::StringRef where);
  const ast::Expr *parseCondition(llvm::StringRef where);
  const ast::Expr *parseCompileValue();
  const ast::Expr *parseOperators(unsigned minPrecedence, llvm::StringRef where,
                                  const ast::Expr *first = nullptr);
  const ast::Expr *finishConditional(const ast::Expr *condition, llvm::StringRef where);
  const ast::Expr *parseUnary(llvm::StringRef where);
  const ast::Expr *parsePrimary(llvm::StringRef where);
  const ast::Expr *parseNamePrimary();
  const ast::Expr *parseIndex(ast::Identifier base);
  bool parseIndexItem(ast::IndexItem &item);
  const ast::Expr *parseConversion();
  const ast::Expr *parseBitcast();
  const ast::Expr *parseParens();
  const ast::Expr *parseSingleOperand(llvm::StringRef where, SourceRange &range);
  bool parseType(ast::TypeName &type, llvm::StringRef where);
  const ast::Expr *checkPostfix(const ast::Expr *expr);

  /// Creates an expression over children and sets its height; null (reported) if it is too high.
  template <typename Node, typename... Args>
  const ast::Expr *make(std::initializer_list<const ast::Expr *> children, SourceRange range,
                        Args &&...args) {
    return make<Node>(llvm::ArrayRef(children.begin(), children.size()), range, std::forward<Args>(args)...);
  }
  template <typename Node, typename... Args>
  const ast::Expr *make(llvm::ArrayRef<const ast::Expr *> children, SourceRange range, Args &&...args) {
    Node *node = file->create<Node>(range, std::forward<Args>(args)...);
    return setHeight(*node, children) ? node : nullptr;
  }
  bool setHeight(ast::Expr &node, llvm::ArrayRef<const ast::Expr *> children);
  template <typename T> llvm::ArrayRef<T> copy(const List<T> &items) {
    return file->copy(llvm::ArrayRef<T>(items));
  }

  const SourceManager &sources;
  DiagnosticEngine &diags;
  Lexer lexer;
  std::unique_ptr<ast::File> file;

  llvm::SmallVector<Token, 4> ahead; ///< tokens that were looked at and not taken
  Token last;                        ///< the token taken last
  bool stopped = false;
  bool failed = false; ///< an error was found

  std::optional<uint32_t> lastErrorAt; ///< where the last error was reported: one is enough there
  std::optional<uint32_t> unclosedAt;  ///< the token at which an unclosed bracket was noticed
  Token suspectBrace;                  ///< the first '{' whose '}' stands at another indentation

  unsigned openBrackets = 0;
  unsigned unaryDepth = 0;
  unsigned conditionalDepth = 0;
  unsigned elseIfDepth = 0;
  unsigned loopDepth = 0;
  bool inScalarFunction = false;
  llvm::SmallVector<llvm::StringRef, 2> typeParams; ///< of the declaration being parsed
};

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// One item or more with commas between and possibly one at the end, then the closer.
template <typename Fn>
bool Parser::parseList(const Bracket &bracket, TokenKind closer, llvm::StringRef where, Fn parseItem) {
  do {
    if (!parseItem())
      return false;
  } while (consumeIf(TokenKind::Comma) && !at(closer));
  return expectClose(bracket, closer, where);
}

/// `<` nothing or items `>`; the '<' is at the current token. These brackets do not count as nesting: a value
/// between them cannot hold such a list.
template <typename Fn> bool Parser::parseAngleList(SourceRange &range, llvm::StringRef where, Fn parseItem) {
  Token opener = take();
  while (!at(TokenKind::Greater)) {
    if (!parseItem())
      return false;
    if (!consumeIf(TokenKind::Comma))
      break;
  }
  if (!at(TokenKind::Greater)) {
    if (at(TokenKind::EndOfFile) || at(TokenKind::Semicolon) || at(TokenKind::LBrace) ||
        at(TokenKind::LParen))
      reportUnclosed(opener, ">");
    else
      error(DiagId::ExpectedToken, peek().range, "',' or '>'", where, describeCurrent());
    return false;
  }
  range = opener.range.through(take().range);
  return true;
}

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_PARSER_H
