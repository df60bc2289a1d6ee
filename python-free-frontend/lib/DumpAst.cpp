//===- DumpAst.cpp - syntax tree as text -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec --emit=ast: a node a line, `Kind <line:col-line:col> details`, children indented by two. A child that
// is not simply the next operand says its role in front: `init: IntegerLiteral …`.
//
//===----------------------------------------------------------------------===//

#include "tilec/Frontend/Frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

namespace tilec::frontend {

using namespace ast;

namespace {

class Dumper {
public:
  Dumper(const SourceManager &sources, llvm::raw_ostream &os) : sources(sources), os(os) {}
  void dump(const File &file);

private:
  /// Prints one line and indents what is printed during its life.
  class Line {
  public:
    Line(Dumper &dumper, llvm::StringRef role, llvm::StringRef kind, SourceRange range) : dumper(dumper) {
      dumper.os.indent(2 * dumper.depth++);
      if (!role.empty())
        dumper.os << role << ": ";
      dumper.os << kind;
      if (range.isValid()) {
        LineColumn begin = dumper.sources.getLineColumn(range.getBegin());
        LineColumn end = dumper.sources.getLineColumn(range.getEnd());
        dumper.os << " <" << begin.line << ':' << begin.column << '-' << end.line << ':' << end.column << '>';
      }
    }
    ~Line() { --dumper.depth; }
    llvm::raw_ostream &details() { return dumper.os << ' '; }
    void end() { dumper.os << '\n'; }

  private:
    Dumper &dumper;
  };

  void dumpDecl(const Decl *decl);
  void dumpKernel(const Kernel &kernel);
  void dumpFunction(const Function &function);
  void dumpStmt(const Stmt *stmt, llvm::StringRef role = "");
  void dumpExpr(const Expr *expr, llvm::StringRef role = "");
  void dumpExprs(llvm::ArrayRef<const Expr *> exprs, llvm::StringRef role) {
    for (const Expr *expr : exprs)
      dumpExpr(expr, role);
  }
  void dumpCompileArgs(const CompileArgs &args, llvm::StringRef role);
  void dumpValues(llvm::ArrayRef<CheckValue> values);

  const SourceManager &sources;
  llvm::raw_ostream &os;
  unsigned depth = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

static llvm::StringRef getKindName(Expr::Kind kind) {
  static constexpr llvm::StringRef names[] = {
      "IntegerLiteral", "FloatLiteral", "BoolLiteral", "StringLiteral", "NameRef", "Paren",
      "Type",           "Conversion",   "Bitcast",     "Call",          "Index",   "Target",
      "Unary",          "Binary",       "Chain",       "Conditional"};
  return names[unsigned(kind)];
}

/// Shortest text that reads back as the value, the same on every host.
static void printFloat(double value, llvm::raw_ostream &os) {
  if (std::isnan(value))
    os << "nan";
  else if (std::isinf(value))
    os << "inf";
  else
    os << llvm::format("%.17g", value);
}

void Dumper::dumpExpr(const Expr *expr, llvm::StringRef role) {
  Line line(*this, role, getKindName(expr->getKind()), expr->getRange());
  switch (expr->getKind()) {
  case Expr::Kind::IntegerLiteral:
    llvm::cast<IntegerLiteral>(expr)->getValue().print(line.details(), /*isSigned=*/false);
    return line.end();
  case Expr::Kind::FloatLiteral:
    printFloat(llvm::cast<FloatLiteral>(expr)->getValue(), line.details());
    return line.end();
  case Expr::Kind::BoolLiteral:
    line.details() << (llvm::cast<BoolLiteral>(expr)->getValue() ? "true" : "false");
    return line.end();
  case Expr::Kind::StringLiteral:
    line.details() << '"';
    os.write_escaped(llvm::cast<StringLiteral>(expr)->getValue(), /*UseHexEscapes=*/true);
    os << '"';
    return line.end();
  case Expr::Kind::NameRef:
    line.details() << llvm::cast<NameRef>(expr)->getName();
    return line.end();
  case Expr::Kind::Paren:
    line.end();
    return dumpExpr(llvm::cast<ParenExpr>(expr)->getInner());
  case Expr::Kind::Type:
    line.details() << getSpelling(llvm::cast<TypeExpr>(expr)->getType());
    return line.end();
  case Expr::Kind::Conversion: {
    const auto *node = llvm::cast<ConversionExpr>(expr);
    line.details() << getSpelling(node->getType());
    line.end();
    return dumpExpr(node->getOperand());
  }
  case Expr::Kind::Bitcast: {
    const auto *node = llvm::cast<BitcastExpr>(expr);
    line.details() << node->getType().text;
    line.end();
    return dumpExpr(node->getOperand());
  }
  case Expr::Kind::Call: {
    const auto *node = llvm::cast<CallExpr>(expr);
    line.details() << node->getCallee().text;
    line.end();
    return dumpExprs(node->getArgs(), "");
  }
  case Expr::Kind::Index: {
    const auto *node = llvm::cast<IndexExpr>(expr);
    line.details() << node->getBase().text;
    line.end();
    for (const IndexItem &item : node->getItems()) {
      if (item.kind == IndexItem::Kind::At) {
        dumpExpr(item.start);
        continue;
      }
      Line itemLine(*this, "", item.kind == IndexItem::Kind::All ? "All" : "Span", item.range);
      itemLine.end();
      if (item.kind == IndexItem::Kind::Span) {
        dumpExpr(item.start);
        dumpExpr(item.length, "length");
      }
    }
    return;
  }
  case Expr::Kind::Target:
    line.details() << llvm::cast<TargetExpr>(expr)->getField().text;
    return line.end();
  case Expr::Kind::Unary: {
    const auto *node = llvm::cast<UnaryExpr>(expr);
    line.details() << getSpelling(node->getOp());
    line.end();
    return dumpExpr(node->getOperand());
  }
  case Expr::Kind::Binary: {
    const auto *node = llvm::cast<BinaryExpr>(expr);
    line.details() << getSpelling(node->getOp());
    line.end();
    dumpExpr(node->getLhs());
    return dumpExpr(node->getRhs());
  }
  case Expr::Kind::Chain: {
    const auto *node = llvm::cast<ChainExpr>(expr);
    line.end();
    dumpExpr(node->getFirst());
    for (const ChainExpr::Link &link : node->getLinks())
      dumpExpr(link.rhs, getSpelling(link.op));
    return;
  }
  case Expr::Kind::Conditional: {
    const auto *node = llvm::cast<ConditionalExpr>(expr);
    line.end();
    dumpExpr(node->getCondition());
    dumpExpr(node->getTrue(), "true");
    return dumpExpr(node->getFalse(), "false");
  }
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static llvm::StringRef getKindName(Stmt::Kind kind) {
  static constexpr llvm::StringRef names[] = {"Let",   "Var",    "Tile",  "Assign",   "Call",  "For", "If",
                                              "While", "Return", "Break", "Continue", "Block", "Grid"};
  return names[unsigned(kind)];
}

static std::string getNames(llvm::ArrayRef<Identifier> names) {
  return llvm::join(llvm::map_range(names, [](const Identifier &name) { return name.text.str(); }), ", ");
}

template <typename Binding> static void printBinding(const Binding &node, llvm::raw_ostream &os) {
  os << node.getName().text;
  if (std::optional<TypeName> type = node.getType())
    os << ": " << type->text;
}

void Dumper::dumpStmt(const Stmt *stmt, llvm::StringRef role) {
  Line line(*this, role, getKindName(stmt->getKind()), stmt->getRange());
  switch (stmt->getKind()) {
  case Stmt::Kind::Let:
    printBinding(*llvm::cast<LetStmt>(stmt), line.details());
    line.end();
    return dumpExpr(llvm::cast<LetStmt>(stmt)->getValue());
  case Stmt::Kind::Var:
    printBinding(*llvm::cast<VarStmt>(stmt), line.details());
    line.end();
    return dumpExpr(llvm::cast<VarStmt>(stmt)->getValue());
  case Stmt::Kind::Tile: {
    const auto *node = llvm::cast<TileStmt>(stmt);
    line.details() << getSpelling(node->getSpace()) << ' ' << node->getName().text << ": "
                   << node->getType().text;
    line.end();
    dumpExprs(node->getDims(), "dim");
    if (node->getInit())
      dumpExpr(node->getInit(), "init");
    return;
  }
  case Stmt::Kind::Assign: {
    const auto *node = llvm::cast<AssignStmt>(stmt);
    line.details() << getSpelling(node->getOp());
    line.end();
    dumpExpr(node->getTarget());
    return dumpExpr(node->getValue());
  }
  case Stmt::Kind::Call: {
    const auto *node = llvm::cast<CallStmt>(stmt);
    line.details() << node->getCallee().text;
    line.end();
    dumpExprs(node->getArgs(), "");
    for (const NamedArg &arg : node->getNamedArgs())
      dumpExpr(arg.value, arg.name.text);
    return;
  }
  case Stmt::Kind::For: {
    const auto *node = llvm::cast<ForStmt>(stmt);
    line.details() << getNames(node->getNames()) << " in " << getSpelling(node->getLoop());
    line.end();
    dumpExprs(node->getArgs(), "");
    if (node->getStages())
      dumpExpr(node->getStages(), "stages");
    return dumpStmt(node->getBody());
  }
  case Stmt::Kind::If: {
    // The chain of `else if` is flat here as it is in the text.
    line.end();
    const auto *node = llvm::cast<IfStmt>(stmt);
    while (true) {
      dumpExpr(node->getCondition());
      dumpStmt(node->getThen(), "then");
      const auto *next = llvm::dyn_cast_or_null<IfStmt>(node->getElse());
      if (!next)
        break;
      Line elseLine(*this, "", "ElseIf", next->getRange());
      elseLine.end();
      node = next;
    }
    if (node->getElse())
      dumpStmt(node->getElse(), "else");
    return;
  }
  case Stmt::Kind::While:
    line.end();
    dumpExpr(llvm::cast<WhileStmt>(stmt)->getCondition());
    return dumpStmt(llvm::cast<WhileStmt>(stmt)->getBody());
  case Stmt::Kind::Return:
    line.end();
    return dumpExpr(llvm::cast<ReturnStmt>(stmt)->getValue());
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    return line.end();
  case Stmt::Kind::Block:
    line.end();
    for (const Stmt *inner : llvm::cast<BlockStmt>(stmt)->getBody())
      dumpStmt(inner);
    return;
  case Stmt::Kind::Grid: {
    const auto *node = llvm::cast<GridStmt>(stmt);
    line.details() << "as " << getNames(node->getNames());
    line.end();
    dumpExprs(node->getExtents(), "extent");
    for (const GridOption &option : node->getOptions())
      dumpExprs(option.values, option.name.text);
    return dumpStmt(node->getBody());
  }
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static llvm::StringRef getKindName(Decl::Kind kind) {
  static constexpr llvm::StringRef names[] = {"Kernel",      "Function", "Constant", "Import",
                                              "Instantiate", "Tune",     "Check",    "Bench"};
  return names[unsigned(kind)];
}

void Dumper::dumpCompileArgs(const CompileArgs &args, llvm::StringRef role) {
  for (const CompileArg &arg : args.args)
    dumpExpr(arg.value, (role + arg.name.text).str());
}

void Dumper::dumpValues(llvm::ArrayRef<CheckValue> values) {
  for (const CheckValue &value : values) {
    Line line(*this, "", value.isDataRange() ? "Data" : "Value", value.range);
    line.details() << value.name.text;
    line.end();
    if (value.isDataRange()) {
      dumpExpr(value.low);
      dumpExpr(value.high);
    } else {
      dumpExpr(value.value);
    }
  }
}

void Dumper::dumpKernel(const Kernel &kernel) {
  for (const CompileParam &param : kernel.getCompileParams()) {
    Line line(*this, "", "CompileParam", param.range);
    switch (param.kind) {
    case CompileParam::Kind::Default:
      line.details() << param.name.text;
      line.end();
      dumpExpr(param.value);
      break;
    case CompileParam::Kind::Int:
    case CompileParam::Kind::Float:
    case CompileParam::Kind::Bool:
      line.details() << param.name.text << ": "
                     << (param.kind == CompileParam::Kind::Int     ? "int"
                         : param.kind == CompileParam::Kind::Float ? "float"
                                                                   : "bool");
      line.end();
      break;
    case CompileParam::Kind::Type:
      line.details() << "type " << param.name.text;
      if (param.defaultType)
        os << " = " << param.defaultType->text;
      line.end();
      break;
    }
  }
  for (const Param &param : kernel.getParams()) {
    Line line(*this, "", param.isTensor ? "Tensor" : "Scalar", param.range);
    line.details() << (param.access == Param::Access::Out     ? "out "
                       : param.access == Param::Access::InOut ? "inout "
                                                              : "")
                   << param.name.text << ": " << param.type.text;
    line.end();
    dumpExprs(param.dims, "dim");
    dumpExprs(param.strides, "stride");
  }
  dumpExprs(kernel.getWhere(), "where");
  for (const LetStmt *let : kernel.getLets())
    dumpStmt(let);
  dumpStmt(kernel.getGrid());
}

void Dumper::dumpFunction(const Function &function) {
  for (const Identifier &name : function.getTypeParams()) {
    Line line(*this, "", "TypeParam", name.range);
    line.details() << name.text;
    line.end();
  }
  for (const FnParam &param : function.getParams()) {
    Line line(*this, "", "Param", param.range);
    line.details() << param.name.text << ": ";
    if (param.space)
      os << getSpelling(*param.space) << ' ';
    os << param.type.text;
    line.end();
    dumpExprs(param.dims, "dim");
  }
  dumpStmt(function.getBody());
}

void Dumper::dumpDecl(const Decl *decl) {
  Line line(*this, "", getKindName(decl->getKind()), decl->getRange());
  switch (decl->getKind()) {
  case Decl::Kind::Kernel: {
    const auto &kernel = *llvm::cast<Kernel>(decl);
    line.details() << (kernel.isOracle() ? "oracle " : "") << kernel.getName().text;
    line.end();
    return dumpKernel(kernel);
  }
  case Decl::Kind::Function: {
    const auto &function = *llvm::cast<Function>(decl);
    line.details() << function.getName().text;
    if (std::optional<TypeName> type = function.getReturnType())
      os << " -> " << type->text;
    line.end();
    return dumpFunction(function);
  }
  case Decl::Kind::Constant:
    line.details() << llvm::cast<Constant>(decl)->getName().text;
    line.end();
    return dumpExpr(llvm::cast<Constant>(decl)->getValue());
  case Decl::Kind::Import:
    line.details() << '"';
    os.write_escaped(llvm::cast<Import>(decl)->getPath(), /*UseHexEscapes=*/true);
    os << '"';
    return line.end();
  case Decl::Kind::Instantiate: {
    const auto &node = *llvm::cast<Instantiate>(decl);
    line.details() << node.getKernel().text << " as " << node.getName().text;
    line.end();
    return dumpCompileArgs(node.getArgs(), "");
  }
  case Decl::Kind::Tune: {
    const auto &node = *llvm::cast<Tune>(decl);
    line.details() << node.getKernel().text;
    line.end();
    for (const TuneItem &item : node.getItems()) {
      Line itemLine(*this, "", item.isRequire() ? "Require" : "Choices", item.range);
      if (!item.isRequire())
        itemLine.details() << item.name.text;
      itemLine.end();
      if (item.isRequire())
        dumpExpr(item.require);
      dumpExprs(item.choices, "");
    }
    return;
  }
  case Decl::Kind::Check: {
    const auto &node = *llvm::cast<Check>(decl);
    line.details() << node.getKernel().text << " against " << node.getOracle().text;
    line.end();
    dumpCompileArgs(node.getArgs(), "");
    dumpValues(node.getValues());
    dumpCompileArgs(node.getOracleArgs(), "against ");
    dumpExpr(node.getTolerance(), "tolerance");
    for (const OutputTolerance &output : node.getOutputTolerances())
      dumpExpr(output.value, ("tolerance " + output.name.text).str());
    return;
  }
  case Decl::Kind::Bench: {
    const auto &node = *llvm::cast<Bench>(decl);
    line.details() << node.getKernel().text;
    line.end();
    dumpCompileArgs(node.getArgs(), "");
    dumpValues(node.getValues());
    if (node.getFlops())
      dumpExpr(node.getFlops(), "flops");
    if (node.getBytes())
      dumpExpr(node.getBytes(), "bytes");
    return;
  }
  }
}

void Dumper::dump(const File &file) {
  os << "File ";
  os.write_escaped(llvm::sys::path::filename(sources.getName(file.getId())), /*UseHexEscapes=*/true);
  os << '\n';
  depth = 1;
  for (const Decl *decl : file.getDecls())
    dumpDecl(decl);
}

void dumpAst(const File &file, const SourceManager &sources, llvm::raw_ostream &os) {
  Dumper(sources, os).dump(file);
}

} // namespace tilec::frontend
