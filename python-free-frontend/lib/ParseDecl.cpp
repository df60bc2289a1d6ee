//===- ParseDecl.cpp - files and declarations ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that begin declarations are names anywhere else (N1), so what begins here is decided by two
// tokens.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Parser.h"

namespace tilec::frontend {

using namespace ast;

std::unique_ptr<File> Parser::parse() {
  llvm::SmallVector<const Decl *, 16> decls;
  while (!at(TokenKind::EndOfFile)) {
    if (consumeIf(TokenKind::Semicolon))
      continue;
    typeParams.clear();
    suspectBrace = Token();
    SourceRange begin = peek().range;
    if (const Decl *decl = parseDecl()) {
      decls.push_back(decl);
      continue;
    }
    skipDeclaration(begin);
  }
  file->setDecls(copy<const Decl *>(decls));
  if (failed || lexer.hadErrors())
    file->setHasErrors();
  return std::move(file);
}

const Decl *Parser::parseDecl() {
  if (!atDeclaration())
    return reportNoDeclaration();
  switch (peek().kind) {
  case TokenKind::KwKernel:
    return parseKernel();
  case TokenKind::KwFn:
    return parseFunction();
  case TokenKind::KwConst:
    return parseConstant();
  default:
    break;
  }
  llvm::StringRef word = peek().text;
  if (word == "oracle")
    return parseKernel();
  if (word == "import")
    return parseImport();
  if (word == "instantiate")
    return parseInstantiate();
  if (word == "tune")
    return parseTune();
  return word == "check" ? parseCheck() : parseBench();
}

const Decl *Parser::reportNoDeclaration() {
  const Token &token = peek();
  if (token.is(TokenKind::RBrace)) {
    error(DiagId::UnopenedBracket, token.range, "}", "{");
    take(); // what follows it may be a declaration
    return nullptr;
  }
  llvm::StringRef hint = token.is(TokenKind::Name) ? getForeignWordHint(token.text) : "";
  if (!hint.empty()) {
    error(DiagId::ForeignWord, token.range, token.text, hint);
    return nullptr;
  }
  auto diag = error(DiagId::ExpectedDeclaration, token.range, describeCurrent());
  if (token.isName("import")) {
    diag.note("the file's name stands in double quotes: import \"file.tile\";");
  } else if (token.isName("oracle")) {
    diag.note("'kernel' is expected after 'oracle'");
  } else if (token.isName("instantiate") || token.isName("tune") || token.isName("check") ||
             token.isName("bench")) {
    diag.note("the name of a kernel is expected after '" + token.text + "'");
  } else {
    static constexpr llvm::StringRef words[] = {"kernel",      "oracle", "fn",    "const", "import",
                                                "instantiate", "tune",   "check", "bench"};
    if (token.is(TokenKind::Name))
      for (llvm::StringRef word : words)
        if (token.text.edit_distance(word) <= (word.size() > 3 ? 2u : 1u)) {
          diag.note("did you mean '" + word + "'?").fixIt(token.range, word);
          return nullptr;
        }
    diag.note("declarations begin with kernel, oracle kernel, fn, const, import, instantiate, tune, check or "
              "bench");
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const Decl *Parser::parseKernel() {
  SourceRange begin = peek().range;
  Kernel::Parts parts;
  bool ok = true;
  if (at(TokenKind::Name)) {
    take();
    parts.isOracle = true;
  }
  take();
  if (!expectName(parts.name, "after 'kernel'"))
    return nullptr;
  if (parts.name.text == "reference")
    error(DiagId::ReferenceName, parts.name.range)
        .note("in 'check ... against reference' it is the evaluator");

  if (at(TokenKind::Less)) {
    llvm::SmallVector<CompileParam, 8> params;
    bool listOk = parseAngleList(parts.compileParamsRange, "after the compile-time parameter", [&] {
      params.emplace_back();
      return parseCompileParam(params.back());
    });
    if (!listOk)
      skipPast(TokenKind::Greater);
    ok &= listOk;
    parts.compileParams = copy<CompileParam>(params);
  }

  if (!at(TokenKind::LParen)) {
    error(DiagId::ExpectedToken, peek().range, "'('",
          "before the parameters of '" + parts.name.text.take_front(40).str() + "'", describeCurrent());
    ok = false;
    if (!skipToBlock())
      return nullptr;
  } else {
    Bracket bracket(*this, TokenKind::LParen);
    llvm::SmallVector<Param, 8> params;
    if (!consumeIf(TokenKind::RParen)) {
      bool listOk = parseList(bracket, TokenKind::RParen, "after the parameter", [&] {
        params.emplace_back();
        return parseParam(params.back());
      });
      if (!listOk)
        skipPast(TokenKind::RParen);
      ok &= listOk;
    }
    parts.paramsRange = bracket.getToken().range.through(last.range);
    parts.params = copy<Param>(params);
  }

  if (consumeIf(TokenKind::KwWhere)) {
    ExprList facts;
    do {
      if (at(TokenKind::LBrace) && !facts.empty()) {
        error(DiagId::TrailingComma, last.range, "the last fact").fixIt(last.range, "");
        break;
      }
      const Expr *fact = parseCondition(facts.empty() ? "after 'where'" : "after ','");
      ok &= fact != nullptr;
      if (!fact) {
        skipToBlock();
        break;
      }
      facts.push_back(fact);
    } while (consumeIf(TokenKind::Comma));
    if (ok)
      parts.where = copy<const Expr *>(facts);
  }

  if (!at(TokenKind::LBrace)) {
    error(DiagId::ExpectedToken, peek().range, "'{'", "before the kernel's body", describeCurrent());
    ok = false;
    if (!skipToBlock())
      return nullptr;
  }
  if (!parseKernelBody(parts) || !ok)
    return nullptr;
  return file->create<Kernel>(begin.through(last.range), parts);
}

/// '{' Let* Grid '}'
bool Parser::parseKernelBody(Kernel::Parts &parts) {
  Bracket bracket(*this, TokenKind::LBrace);
  llvm::SmallVector<const LetStmt *, 4> lets;
  bool ok = true, hasGrid = false;
  while (!at(TokenKind::RBrace)) {
    if (at(TokenKind::EndOfFile) || atDeclarationOnOwnLine()) {
      reportUnclosed(bracket.getToken(), "}");
      return false;
    }
    SourceRange begin = peek().range;
    bool done = false;
    if (at(TokenKind::KwGrid) && !hasGrid) {
      hasGrid = true;
      parts.grid = parseGrid();
      done = parts.grid != nullptr;
    } else if (at(TokenKind::KwGrid)) {
      error(DiagId::MisplacedGrid, begin);
      parseGrid();
    } else if (at(TokenKind::KwLet) && !hasGrid) {
      const LetStmt *let = parseBinding<LetStmt>();
      done = let != nullptr;
      if (let)
        lets.push_back(let);
    } else {
      if (hasGrid && parts.grid)
        error(DiagId::StatementAfterGrid, begin);
      else if (!hasGrid)
        error(DiagId::StatementBeforeGrid, begin).note("everything else stands in the block of the grid");
      failed = true;
      parseStmt();
    }
    if (done)
      continue;
    ok = false;
    skipStatement(begin);
  }
  Token closer = take();
  noteBraces(bracket.getToken(), closer);
  parts.bodyRange = bracket.getToken().range.through(closer.range);
  parts.lets = copy<const LetStmt *>(lets);
  if (!hasGrid) {
    error(DiagId::GridMissing, parts.name.range, parts.name.text.take_front(40))
        .note("a body is written { grid(extents, threads = N) as (x) { ... } }");
    return false;
  }
  return ok;
}

bool Parser::parseCompileParam(CompileParam &param) {
  SourceRange begin = peek().range;
  if (atName("type") && peek(1).is(TokenKind::Name)) {
    take();
    param.kind = CompileParam::Kind::Type;
    if (!expectName(param.name, "after 'type'"))
      return false;
    if (consumeIf(TokenKind::Equal)) {
      param.defaultType.emplace();
      if (!parseType(*param.defaultType, "after '='"))
        return false;
    }
    typeParams.push_back(param.name.text);
    param.range = begin.through(last.range);
    return true;
  }
  if (!expectName(param.name, "for the compile-time parameter"))
    return false;
  if (consumeIf(TokenKind::Equal)) {
    param.kind = CompileParam::Kind::Default;
    param.value = parseCompileValue();
    if (!param.value)
      return false;
  } else if (consumeIf(TokenKind::Colon)) {
    if (atName("int"))
      param.kind = CompileParam::Kind::Int;
    else if (atName("float"))
      param.kind = CompileParam::Kind::Float;
    else if (at(TokenKind::TypeBool))
      param.kind = CompileParam::Kind::Bool;
    else {
      error(DiagId::ExpectedToken, peek().range, "int, float or bool", "after ':'", describeCurrent())
          .note("a compile-time parameter is written NAME = default, NAME: int or type NAME");
      return false;
    }
    take();
  } else {
    auto diag = error(DiagId::ExpectedToken, peek().range, "'=' or ':'",
                      "after the compile-time parameter's name", describeCurrent());
    diag.note("a compile-time parameter is written NAME = default, NAME: int or type NAME");
    return false;
  }
  param.range = begin.through(last.range);
  return true;
}

bool Parser::parseParam(Param &param) {
  SourceRange begin = peek().range;
  if ((atName("out") || atName("inout")) && !peek(1).is(TokenKind::Colon)) {
    Token word = take();
    param.access = word.text == "out" ? Param::Access::Out : Param::Access::InOut;
    param.accessRange = word.range;
  }
  if (getScalarKind(peek().kind) || (at(TokenKind::Name) && !getTypeForForeignName(peek().text).empty() &&
                                     (peek(1).is(TokenKind::Name) || peek(1).is(TokenKind::Star)))) {
    error(DiagId::ForeignDeclaration, peek().range)
        .note("a parameter is written 'NAME: TYPE' or, a tensor, 'NAME: TYPE[EXTENT, ...]'");
    return false;
  }
  if (!expectName(param.name, "for the parameter") ||
      !expect(TokenKind::Colon, "after the parameter's name") || !parseType(param.type, "after ':'"))
    return false;
  if (at(TokenKind::Star)) {
    error(DiagId::ExpectedToken, peek().range, "',' or ')'", "after the parameter's type", describeCurrent())
        .note("a tensor in global memory is written '" + param.name.text + ": " + param.type.text +
              "[EXTENT, ...]'");
    return false;
  }
  if (at(TokenKind::LBracket)) {
    param.isTensor = true;
    ExprList dims;
    if (!parseExprList(TokenKind::LBracket, TokenKind::RBracket, "as a dimension", dims, &param.dimsRange))
      return false;
    param.dims = copy<const Expr *>(dims);
    if (atName("strides")) {
      Token word = take();
      param.hasStrides = true;
      ExprList strides;
      SourceRange range;
      if (!parseExprList(TokenKind::LBracket, TokenKind::RBracket, "as a stride", strides, &range))
        return false;
      param.strides = copy<const Expr *>(strides);
      param.stridesRange = word.range.through(range);
    }
  } else if (param.accessRange.isValid()) {
    error(DiagId::OutScalar, param.accessRange, param.name.text.take_front(40),
          sources.getText(param.accessRange))
        .note("write a tensor of one element: '" + param.name.text + ": " + param.type.text + "[1]'");
  }
  param.range = begin.through(last.range);
  return true;
}

bool Parser::parseCompileArgs(CompileArgs &args) {
  if (!at(TokenKind::Less))
    return true;
  llvm::SmallVector<CompileArg, 4> list;
  bool ok = parseAngleList(args.range, "after the compile-time argument", [&] {
    CompileArg arg;
    if (!expectName(arg.name, "of a compile-time parameter") || !expect(TokenKind::Equal, "after its name"))
      return false;
    arg.value = parseCompileValue();
    arg.range = arg.name.range.through(last.range);
    list.push_back(arg);
    return arg.value != nullptr;
  });
  args.args = copy<CompileArg>(list);
  return ok;
}

//===----------------------------------------------------------------------===//
// Functions, constants, imports, instances
//===----------------------------------------------------------------------===//

const Decl *Parser::parseFunction() {
  Token word = take();
  Function::Parts parts;
  llvm::SmallVector<Identifier, 2> names;
  bool ok = true;
  if (!expectName(parts.name, "after 'fn'"))
    return nullptr;
  if (at(TokenKind::Less)) {
    SourceRange range;
    bool listOk = parseAngleList(range, "after the type parameter", [&] {
      Identifier name;
      if (!expectWord("type", "before a type parameter's name") || !expectName(name, "after 'type'"))
        return false;
      typeParams.push_back(name.text);
      names.push_back(name);
      return true;
    });
    parts.typeParams = copy<Identifier>(names);
    if (listOk && names.empty()) {
      error(DiagId::ExpectedToken, range, "'type NAME'", "between '<' and '>'", "nothing").fixIt(range, "");
      listOk = false;
    } else if (!listOk) {
      skipPast(TokenKind::Greater);
    }
    ok &= listOk;
  }
  if (!at(TokenKind::LParen)) {
    error(DiagId::ExpectedToken, peek().range, "'('",
          "before the parameters of '" + parts.name.text.take_front(40).str() + "'", describeCurrent());
    ok = false;
    if (!skipToBlock())
      return nullptr;
  } else {
    Bracket bracket(*this, TokenKind::LParen);
    llvm::SmallVector<FnParam, 4> params;
    if (!consumeIf(TokenKind::RParen)) {
      bool listOk = parseList(bracket, TokenKind::RParen, "after the parameter", [&] {
        params.emplace_back();
        return parseFnParam(params.back());
      });
      if (!listOk)
        skipPast(TokenKind::RParen);
      ok &= listOk;
    }
    parts.params = copy<FnParam>(params);
    parts.paramsRange = bracket.getToken().range.through(last.range);
  }
  if (consumeIf(TokenKind::Arrow)) {
    parts.returnType.emplace();
    if (!parseType(*parts.returnType, "after '->'")) {
      ok = false;
      if (!skipToBlock())
        return nullptr;
    }
  }
  inScalarFunction = parts.returnType.has_value() || !ok;
  parts.body = parseBlock("before the body of '" + parts.name.text.take_front(40).str() + "'");
  inScalarFunction = false;
  if (!parts.body || !ok)
    return nullptr;
  return file->create<Function>(word.range.through(last.range), parts);
}

bool Parser::parseFnParam(FnParam &param) {
  if (getScalarKind(peek().kind) ||
      (at(TokenKind::Name) && peek(1).is(TokenKind::Name) && !getTypeForForeignName(peek().text).empty())) {
    error(DiagId::ForeignDeclaration, peek().range)
        .note("a parameter is written 'NAME: TYPE' or, a tile, 'NAME: fragment TYPE[EXTENT, ...]'");
    return false;
  }
  if (!expectName(param.name, "for the parameter") || !expect(TokenKind::Colon, "after the parameter's name"))
    return false;
  bool isTile = at(TokenKind::KwShared) || at(TokenKind::KwFragment);
  if (isTile) {
    param.space = at(TokenKind::KwShared) ? TileSpace::Shared : TileSpace::Fragment;
    param.spaceRange = take().range;
  }
  if (!parseType(param.type, isTile ? "of the tile" : "after ':'"))
    return false;
  if (isTile) {
    ExprList dims;
    if (!parseExprList(TokenKind::LBracket, TokenKind::RBracket, "as an extent of the tile", dims,
                       &param.dimsRange))
      return false;
    param.dims = copy<const Expr *>(dims);
  } else if (at(TokenKind::LBracket)) {
    error(DiagId::ExpectedToken, peek().range, "',' or ')'", "after a scalar's type", "'['")
        .note("a tile is written '" + param.name.text + ": shared " + param.type.text + "[...]' or '" +
              param.name.text + ": fragment " + param.type.text + "[...]'; tensors cannot be passed");
    return false;
  }
  param.range = param.name.range.through(last.range);
  return true;
}

const Decl *Parser::parseConstant() {
  Token word = take();
  if (peek(1).is(TokenKind::Name) &&
      (getScalarKind(peek().kind) || (at(TokenKind::Name) && !getTypeForForeignName(peek().text).empty()))) {
    error(DiagId::ForeignDeclaration, peek().range)
        .note("a constant has no type of its own: const NAME = value;")
        .fixIt({file->getId(), peek().range.begin, peek(1).range.begin}, "");
    return nullptr;
  }
  Identifier name;
  if (!expectName(name, "after 'const'"))
    return nullptr;
  if (at(TokenKind::Colon)) {
    error(DiagId::ExpectedToken, peek().range, "'='", "after the constant's name", "':'")
        .note("a constant has no type of its own; 'const NAME = f32(value);' gives its value one");
    return nullptr;
  }
  if (!expect(TokenKind::Equal, "after the constant's name"))
    return nullptr;
  const Expr *value = parseExpr("after '='");
  if (!value || !expectSemicolon("the value of '" + name.text.take_front(40).str() + "'"))
    return nullptr;
  return file->create<Constant>(word.range.through(last.range), name, value);
}

const Decl *Parser::parseImport() {
  Token word = take();
  Token path = take();
  llvm::StringRef value = file->copy(llvm::StringRef(evaluateString(path.text)));
  if (!expectSemicolon("the file's name"))
    return nullptr;
  return file->create<Import>(word.range.through(last.range), value, path.range);
}

const Decl *Parser::parseInstantiate() {
  Token word = take();
  Identifier kernel, name;
  CompileArgs args;
  if (!expectName(kernel, "after 'instantiate'") || !parseCompileArgs(args) ||
      !expect(TokenKind::KwAs, "after the kernel and its arguments") || !expectName(name, "after 'as'") ||
      !expectSemicolon("the entry point's name"))
    return nullptr;
  return file->create<Instantiate>(word.range.through(last.range), kernel, args, name);
}

//===----------------------------------------------------------------------===//
// tune, check, bench
//===----------------------------------------------------------------------===//

const Decl *Parser::parseTune() {
  Token word = take();
  Identifier kernel;
  if (!expectName(kernel, "after 'tune'"))
    return nullptr;
  if (!at(TokenKind::LBrace)) {
    error(DiagId::ExpectedToken, peek().range, "'{'", "after the kernel's name", describeCurrent());
    return nullptr;
  }
  Bracket bracket(*this, TokenKind::LBrace);
  llvm::SmallVector<TuneItem, 8> items;
  while (!at(TokenKind::RBrace)) {
    if (at(TokenKind::EndOfFile) || atDeclarationOnOwnLine()) {
      reportUnclosed(bracket.getToken(), "}");
      return nullptr;
    }
    SourceRange begin = peek().range;
    TuneItem item;
    if (parseTuneItem(item)) {
      items.push_back(item);
      continue;
    }
    skipStatement(begin);
  }
  take();
  return file->create<Tune>(word.range.through(last.range), kernel, copy<TuneItem>(items));
}

bool Parser::parseTuneItem(TuneItem &item) {
  SourceRange begin = peek().range;
  if (atName("require") && !peek(1).is(TokenKind::KwIn)) {
    take();
    item.require = parseCondition("after 'require'");
    if (!item.require || !expectSemicolon("the condition"))
      return false;
  } else {
    ExprList choices;
    if (!expectName(item.name, "of a compile-time parameter or 'require'") ||
        !expect(TokenKind::KwIn, "after the parameter's name") ||
        !parseExprList(TokenKind::LBracket, TokenKind::RBracket, "as a value", choices) ||
        !expectSemicolon("the values of '" + item.name.text.take_front(40).str() + "'"))
      return false;
    item.choices = copy<const Expr *>(choices);
  }
  item.range = begin.through(last.range);
  return true;
}

/// '{' (Value (',' Value)* ','?)? '}'
bool Parser::parseValues(llvm::ArrayRef<CheckValue> &values, SourceRange &range) {
  if (!at(TokenKind::LBrace)) {
    error(DiagId::ExpectedToken, peek().range, "'{'", "before the values of dimensions and scalars",
          describeCurrent());
    return false;
  }
  Bracket bracket(*this, TokenKind::LBrace);
  llvm::SmallVector<CheckValue, 8> list;
  auto parseValue = [&] {
    CheckValue value;
    if (!expectName(value.name, "of a dimension, stride or parameter"))
      return false;
    if (consumeIf(TokenKind::KwIn)) {
      if (!expectWord("range", "after 'in'"))
        return false;
      if (!at(TokenKind::LParen)) {
        error(DiagId::ExpectedToken, peek().range, "'('", "after 'range'", describeCurrent());
        return false;
      }
      ExprList bounds;
      SourceRange boundsRange;
      if (!parseExprList(TokenKind::LParen, TokenKind::RParen, "as a bound", bounds, &boundsRange))
        return false;
      if (bounds.size() != 2) {
        error(DiagId::LoopArgumentCount, boundsRange, "range", 2, bounds.size())
            .note("data is drawn from lo to below hi: NAME in range(lo, hi)");
        return false;
      }
      value.low = bounds[0];
      value.high = bounds[1];
    } else {
      if (!expect(TokenKind::Equal, "after the name"))
        return false;
      value.value = parseExpr("after '='");
      if (!value.value)
        return false;
    }
    value.range = value.name.range.through(last.range);
    list.push_back(value);
    return true;
  };
  if (!consumeIf(TokenKind::RBrace) && !parseList(bracket, TokenKind::RBrace, "after the value", parseValue))
    return false;
  values = copy<CheckValue>(list);
  range = bracket.getToken().range.through(last.range);
  return true;
}

const Decl *Parser::parseCheck() {
  Token word = take();
  Check::Parts parts;
  if (!expectName(parts.kernel, "after 'check'") || !parseCompileArgs(parts.args) ||
      !parseValues(parts.values, parts.valuesRange) || !expectWord("against", "after the values") ||
      !expectName(parts.oracle, "after 'against'"))
    return nullptr;
  if (parts.oracle.text == "reference" && at(TokenKind::Less)) {
    error(DiagId::ReferenceArguments, peek().range)
        .note("it evaluates the kernel under test with its own values");
    return nullptr;
  }
  if (!parseCompileArgs(parts.oracleArgs) || !expectWord("tolerance", "after the oracle"))
    return nullptr;
  parts.tolerance = parseExpr("after 'tolerance'");
  if (!parts.tolerance)
    return nullptr;
  llvm::SmallVector<OutputTolerance, 2> outputs;
  while (consumeIf(TokenKind::Comma)) {
    OutputTolerance output;
    if (!expectName(output.name, "of an output"))
      return nullptr;
    output.value = parseExpr("as its tolerance");
    if (!output.value)
      return nullptr;
    outputs.push_back(output);
  }
  parts.outputTolerances = copy<OutputTolerance>(outputs);
  if (!expectSemicolon("the tolerance"))
    return nullptr;
  return file->create<Check>(word.range.through(last.range), parts);
}

const Decl *Parser::parseBench() {
  Token word = take();
  Bench::Parts parts;
  if (!expectName(parts.kernel, "after 'bench'") || !parseCompileArgs(parts.args) ||
      !parseValues(parts.values, parts.valuesRange))
    return nullptr;
  if (atName("flops")) {
    take();
    parts.flops = parseExpr("after 'flops'");
    if (!parts.flops)
      return nullptr;
  }
  if (atName("bytes")) {
    take();
    parts.bytes = parseExpr("after 'bytes'");
    if (!parts.bytes)
      return nullptr;
  }
  if (atName("flops")) {
    error(DiagId::ExpectedToken, peek().range, "';'", "after 'bytes ...'", "'flops'")
        .note("'flops' comes before 'bytes'");
    return nullptr;
  }
  if (!expectSemicolon("the benchmark"))
    return nullptr;
  return file->create<Bench>(word.range.through(last.range), parts);
}

} // namespace tilec::frontend
