//===- AST.h - syntax tree of a .tile file ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One node kind a construct of the grammar, nothing resolved: names are text, types are spellings. A tree is
// complete (no null children but the ones marked optional; what did not parse is left out) and immutable
// after parsing, since a kernel or a macro is checked once per instance from the same nodes. All nodes live
// in the bump allocator of their File and hold StringRefs into the SourceManager's texts; both must outlive
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_FRONTEND_AST_H
#define TILEC_FRONTEND_AST_H

#include "tilec/Support/SourceManager.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace llvm {
class raw_ostream;
}

namespace tilec::frontend {

class Parser;

/// The scalar types the language has words for. `index` is another name of i64 but keeps its spelling here.
enum class ScalarKind : uint8_t {
#define TILEC_SCALAR_TYPE(Spelling, Name) Name,
#include "tilec/Frontend/Token.def"
};
llvm::StringRef getSpelling(ScalarKind kind);

namespace ast {

/// A name where it is declared or used.
struct Identifier {
  llvm::StringRef text;
  SourceRange range;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

class Expr {
public:
  enum class Kind : uint8_t {
    IntegerLiteral,
    FloatLiteral, // inf and nan too
    BoolLiteral,
    StringLiteral, // only as an argument of a CallStmt
    NameRef,
    Paren,
    Type,       // f16 as a value (N15); a type parameter there is a NameRef
    Conversion, // f16(x); a conversion to a type parameter is a Call
    Bitcast,
    Call,
    Index, // NAME[...]: element, region or window
    Target,
    Unary,
    Binary,
    Chain, // a < b <= c
    Conditional,
  };

  Kind getKind() const { return kind; }
  SourceRange getRange() const { return range; }
  /// Levels of expressions below this one. Never more than maxHeight, so that walking a tree recursively is
  /// safe.
  unsigned getHeight() const { return height; }
  static constexpr unsigned maxHeight = 1024;

protected:
  Expr(Kind kind, SourceRange range) : kind(kind), range(range) {}

private:
  friend class frontend::Parser; // sets the height
  Kind kind;
  uint16_t height = 0;
  SourceRange range;
};

/// Gives a node class its kind and LLVM's casting protocol.
template <typename Base, typename Base::Kind K> class NodeOf : public Base {
public:
  static constexpr typename Base::Kind nodeKind = K;
  static bool classof(const Base *node) { return node->getKind() == K; }

protected:
  explicit NodeOf(SourceRange range) : Base(K, range) {}
};

class IntegerLiteral : public NodeOf<Expr, Expr::Kind::IntegerLiteral> {
public:
  IntegerLiteral(SourceRange range, uint64_t low, uint64_t high) : NodeOf(range), low(low), high(high) {}
  /// The exact value, 128 bits wide and unsigned. A literal that needs more is a lexical error.
  llvm::APInt getValue() const { return llvm::APInt(128, {low, high}); }

private:
  uint64_t low, high;
};

class FloatLiteral : public NodeOf<Expr, Expr::Kind::FloatLiteral> {
public:
  FloatLiteral(SourceRange range, double value) : NodeOf(range), value(value) {}
  /// Correctly rounded to f64. Infinite and NaN only for the words inf and nan.
  double getValue() const { return value; }

private:
  double value;
};

class BoolLiteral : public NodeOf<Expr, Expr::Kind::BoolLiteral> {
public:
  BoolLiteral(SourceRange range, bool value) : NodeOf(range), value(value) {}
  bool getValue() const { return value; }

private:
  bool value;
};

class StringLiteral : public NodeOf<Expr, Expr::Kind::StringLiteral> {
public:
  StringLiteral(SourceRange range, llvm::StringRef value) : NodeOf(range), value(value) {}
  /// Without quotes, escapes replaced.
  llvm::StringRef getValue() const { return value; }

private:
  llvm::StringRef value;
};

class NameRef : public NodeOf<Expr, Expr::Kind::NameRef> {
public:
  explicit NameRef(Identifier name) : NodeOf(name.range), name(name.text) {}
  llvm::StringRef getName() const { return name; }
  Identifier getIdentifier() const { return {name, getRange()}; }

private:
  llvm::StringRef name;
};

class ParenExpr : public NodeOf<Expr, Expr::Kind::Paren> {
public:
  ParenExpr(SourceRange range, const Expr *inner) : NodeOf(range), inner(inner) {}
  const Expr *getInner() const { return inner; }

private:
  const Expr *inner;
};

/// Without the parentheses round it.
const Expr *ignoreParens(const Expr *expr);

/// A type where the grammar wants one: a word of the language or the name of a type parameter.
struct TypeName {
  std::optional<ScalarKind> scalar; ///< none: `text` names a type parameter
  llvm::StringRef text;             ///< the spelling in both cases
  SourceRange range;

  bool isScalar() const { return scalar.has_value(); }
  Identifier getIdentifier() const { return {text, range}; }
};

class TypeExpr : public NodeOf<Expr, Expr::Kind::Type> {
public:
  TypeExpr(SourceRange range, ScalarKind type) : NodeOf(range), type(type) {}
  ScalarKind getType() const { return type; }

private:
  ScalarKind type;
};

class ConversionExpr : public NodeOf<Expr, Expr::Kind::Conversion> {
public:
  ConversionExpr(SourceRange range, SourceRange typeRange, ScalarKind type, const Expr *operand)
      : NodeOf(range), typeRange(typeRange), type(type), operand(operand) {}
  SourceRange getTypeRange() const { return typeRange; }
  ScalarKind getType() const { return type; }
  const Expr *getOperand() const { return operand; }

private:
  SourceRange typeRange;
  ScalarKind type;
  const Expr *operand;
};

class BitcastExpr : public NodeOf<Expr, Expr::Kind::Bitcast> {
public:
  BitcastExpr(SourceRange range, TypeName type, const Expr *operand)
      : NodeOf(range), type(type), operand(operand) {}
  TypeName getType() const { return type; }
  const Expr *getOperand() const { return operand; }

private:
  TypeName type;
  const Expr *operand;
};

/// NAME(…): a built-in function, a fn, or a conversion to a type parameter (N6).
class CallExpr : public NodeOf<Expr, Expr::Kind::Call> {
public:
  CallExpr(SourceRange range, Identifier callee, llvm::ArrayRef<const Expr *> args)
      : NodeOf(range), callee(callee), args(args) {}
  Identifier getCallee() const { return callee; }
  llvm::ArrayRef<const Expr *> getArgs() const { return args; }

private:
  Identifier callee;
  llvm::ArrayRef<const Expr *> args;
};

/// One item between the brackets of NAME[…].
struct IndexItem {
  enum class Kind : uint8_t {
    At,   ///< e
    Span, ///< e +: length
    All,  ///< :
  };
  Kind kind;
  SourceRange range;
  const Expr *start = nullptr;  ///< At and Span
  const Expr *length = nullptr; ///< Span
};

class IndexExpr : public NodeOf<Expr, Expr::Kind::Index> {
public:
  IndexExpr(SourceRange range, Identifier base, llvm::ArrayRef<IndexItem> items)
      : NodeOf(range), base(base), items(items) {}
  Identifier getBase() const { return base; }
  llvm::ArrayRef<IndexItem> getItems() const { return items; }
  /// True if an item is `+:` or `:` (N5: a region with extents or a window, whatever the place).
  bool hasExtents() const;

private:
  Identifier base;
  llvm::ArrayRef<IndexItem> items;
};

/// target.NAME
class TargetExpr : public NodeOf<Expr, Expr::Kind::Target> {
public:
  TargetExpr(SourceRange range, Identifier field) : NodeOf(range), field(field) {}
  Identifier getField() const { return field; }

private:
  Identifier field;
};

enum class UnaryOp : uint8_t { Negate, Not, Complement };
llvm::StringRef getSpelling(UnaryOp op);

class UnaryExpr : public NodeOf<Expr, Expr::Kind::Unary> {
public:
  UnaryExpr(SourceRange range, UnaryOp op, SourceRange opRange, const Expr *operand)
      : NodeOf(range), op(op), opRange(opRange), operand(operand) {}
  UnaryOp getOp() const { return op; }
  SourceRange getOpRange() const { return opRange; }
  const Expr *getOperand() const { return operand; }

private:
  UnaryOp op;
  SourceRange opRange;
  const Expr *operand;
};

enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
};
llvm::StringRef getSpelling(BinaryOp op);

class BinaryExpr : public NodeOf<Expr, Expr::Kind::Binary> {
public:
  BinaryExpr(SourceRange range, BinaryOp op, SourceRange opRange, const Expr *lhs, const Expr *rhs)
      : NodeOf(range), op(op), opRange(opRange), lhs(lhs), rhs(rhs) {}
  BinaryOp getOp() const { return op; }
  SourceRange getOpRange() const { return opRange; }
  const Expr *getLhs() const { return lhs; }
  const Expr *getRhs() const { return rhs; }

private:
  BinaryOp op;
  SourceRange opRange;
  const Expr *lhs, *rhs;
};

/// Two or more comparisons in a row, all of < <= or all of > >= (N4). One comparison alone is a BinaryExpr.
class ChainExpr : public NodeOf<Expr, Expr::Kind::Chain> {
public:
  struct Link {
    BinaryOp op;
    SourceRange opRange;
    const Expr *rhs;
  };
  ChainExpr(SourceRange range, const Expr *first, llvm::ArrayRef<Link> links)
      : NodeOf(range), first(first), links(links) {}
  const Expr *getFirst() const { return first; }
  llvm::ArrayRef<Link> getLinks() const { return links; }

private:
  const Expr *first;
  llvm::ArrayRef<Link> links;
};

class ConditionalExpr : public NodeOf<Expr, Expr::Kind::Conditional> {
public:
  ConditionalExpr(SourceRange range, SourceRange questionRange, const Expr *condition, const Expr *whenTrue,
                  const Expr *whenFalse)
      : NodeOf(range), questionRange(questionRange), condition(condition), whenTrue(whenTrue),
        whenFalse(whenFalse) {}
  SourceRange getQuestionRange() const { return questionRange; }
  const Expr *getCondition() const { return condition; }
  const Expr *getTrue() const { return whenTrue; }
  const Expr *getFalse() const { return whenFalse; }

private:
  SourceRange questionRange;
  const Expr *condition, *whenTrue, *whenFalse;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

class Stmt {
public:
  enum class Kind : uint8_t {
    Let,
    Var,
    Tile,
    Assign,
    Call,
    For,
    If,
    While,
    Return,
    Break,
    Continue,
    Block,
    Grid, // only as Kernel::getGrid
  };

  Kind getKind() const { return kind; }
  /// The whole statement, its ';' or '}' included.
  SourceRange getRange() const { return range; }

protected:
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}

private:
  Kind kind;
  SourceRange range;
};

/// Empty statements (';') leave no node.
class BlockStmt : public NodeOf<Stmt, Stmt::Kind::Block> {
public:
  BlockStmt(SourceRange range, llvm::ArrayRef<const Stmt *> body) : NodeOf(range), body(body) {}
  llvm::ArrayRef<const Stmt *> getBody() const { return body; }

private:
  llvm::ArrayRef<const Stmt *> body;
};

class LetStmt : public NodeOf<Stmt, Stmt::Kind::Let> {
public:
  LetStmt(SourceRange range, Identifier name, std::optional<TypeName> type, const Expr *value)
      : NodeOf(range), name(name), type(type), value(value) {}
  Identifier getName() const { return name; }
  std::optional<TypeName> getType() const { return type; }
  const Expr *getValue() const { return value; }

private:
  Identifier name;
  std::optional<TypeName> type;
  const Expr *value;
};

class VarStmt : public NodeOf<Stmt, Stmt::Kind::Var> {
public:
  VarStmt(SourceRange range, Identifier name, std::optional<TypeName> type, const Expr *value)
      : NodeOf(range), name(name), type(type), value(value) {}
  Identifier getName() const { return name; }
  std::optional<TypeName> getType() const { return type; }
  const Expr *getValue() const { return value; }

private:
  Identifier name;
  std::optional<TypeName> type;
  const Expr *value;
};

enum class TileSpace : uint8_t { Shared, Fragment };
llvm::StringRef getSpelling(TileSpace space);

class TileStmt : public NodeOf<Stmt, Stmt::Kind::Tile> {
public:
  TileStmt(SourceRange range, TileSpace space, Identifier name, TypeName type,
           llvm::ArrayRef<const Expr *> dims, const Expr *init)
      : NodeOf(range), space(space), name(name), type(type), dims(dims), init(init) {}
  TileSpace getSpace() const { return space; }
  Identifier getName() const { return name; }
  TypeName getType() const { return type; }
  llvm::ArrayRef<const Expr *> getDims() const { return dims; }
  const Expr *getInit() const { return init; } ///< optional

private:
  TileSpace space;
  Identifier name;
  TypeName type;
  llvm::ArrayRef<const Expr *> dims;
  const Expr *init;
};

enum class AssignOp : uint8_t { Set, Add, Sub, Mul, Div, Max, Min };
llvm::StringRef getSpelling(AssignOp op);

class AssignStmt : public NodeOf<Stmt, Stmt::Kind::Assign> {
public:
  AssignStmt(SourceRange range, const Expr *target, AssignOp op, SourceRange opRange, const Expr *value)
      : NodeOf(range), target(target), op(op), opRange(opRange), value(value) {}
  /// A NameRef, or an IndexExpr whose items are all IndexItem::Kind::At.
  const Expr *getTarget() const { return target; }
  AssignOp getOp() const { return op; }
  SourceRange getOpRange() const { return opRange; }
  const Expr *getValue() const { return value; }

private:
  const Expr *target;
  AssignOp op;
  SourceRange opRange;
  const Expr *value;
};

/// NAME = e among the arguments of a call statement.
struct NamedArg {
  Identifier name; ///< "nan" is possible
  const Expr *value;
  SourceRange range;
};

/// A built-in statement or a tile macro. Which of them exist, and with what arguments, is not syntax.
class CallStmt : public NodeOf<Stmt, Stmt::Kind::Call> {
public:
  CallStmt(SourceRange range, Identifier callee, SourceRange argsRange, llvm::ArrayRef<const Expr *> args,
           llvm::ArrayRef<NamedArg> namedArgs)
      : NodeOf(range), callee(callee), argsRange(argsRange), args(args), namedArgs(namedArgs) {}
  Identifier getCallee() const { return callee; }
  /// From '(' through ')'.
  SourceRange getArgsRange() const { return argsRange; }
  /// Positional ones; StringLiterals are possible.
  llvm::ArrayRef<const Expr *> getArgs() const { return args; }
  llvm::ArrayRef<NamedArg> getNamedArgs() const { return namedArgs; }

private:
  Identifier callee;
  SourceRange argsRange;
  llvm::ArrayRef<const Expr *> args;
  llvm::ArrayRef<NamedArg> namedArgs;
};

enum class LoopKind : uint8_t { Range, Unroll, Pipelined, Parallel };
llvm::StringRef getSpelling(LoopKind kind);

class ForStmt : public NodeOf<Stmt, Stmt::Kind::For> {
public:
  ForStmt(SourceRange range, llvm::ArrayRef<Identifier> names, LoopKind loop, SourceRange loopRange,
          llvm::ArrayRef<const Expr *> args, const Expr *stages, const BlockStmt *body)
      : NodeOf(range), names(names), loop(loop), loopRange(loopRange), args(args), stages(stages),
        body(body) {}
  /// One name, or for parallel as many as getArgs (N8, checked by the parser).
  llvm::ArrayRef<Identifier> getNames() const { return names; }
  LoopKind getLoop() const { return loop; }
  /// `range(…)`, the closing parenthesis included.
  SourceRange getLoopRange() const { return loopRange; }
  /// range and unroll: hi | lo, hi | lo, hi, step. pipelined: hi | lo, hi. parallel: the extents.
  llvm::ArrayRef<const Expr *> getArgs() const { return args; }
  const Expr *getStages() const { return stages; } ///< pipelined only
  const BlockStmt *getBody() const { return body; }

private:
  llvm::ArrayRef<Identifier> names;
  LoopKind loop;
  SourceRange loopRange;
  llvm::ArrayRef<const Expr *> args;
  const Expr *stages;
  const BlockStmt *body;
};

class IfStmt : public NodeOf<Stmt, Stmt::Kind::If> {
public:
  IfStmt(SourceRange range, const Expr *condition, const BlockStmt *thenBlock, const Stmt *elseStmt)
      : NodeOf(range), condition(condition), thenBlock(thenBlock), elseStmt(elseStmt) {}
  const Expr *getCondition() const { return condition; }
  const BlockStmt *getThen() const { return thenBlock; }
  const Stmt *getElse() const { return elseStmt; } ///< optional; an IfStmt or a BlockStmt

private:
  const Expr *condition;
  const BlockStmt *thenBlock;
  const Stmt *elseStmt;
};

class WhileStmt : public NodeOf<Stmt, Stmt::Kind::While> {
public:
  WhileStmt(SourceRange range, const Expr *condition, const BlockStmt *body)
      : NodeOf(range), condition(condition), body(body) {}
  const Expr *getCondition() const { return condition; }
  const BlockStmt *getBody() const { return body; }

private:
  const Expr *condition;
  const BlockStmt *body;
};

class ReturnStmt : public NodeOf<Stmt, Stmt::Kind::Return> {
public:
  ReturnStmt(SourceRange range, const Expr *value) : NodeOf(range), value(value) {}
  const Expr *getValue() const { return value; }

private:
  const Expr *value;
};

class BreakStmt : public NodeOf<Stmt, Stmt::Kind::Break> {
public:
  explicit BreakStmt(SourceRange range) : NodeOf(range) {}
};

class ContinueStmt : public NodeOf<Stmt, Stmt::Kind::Continue> {
public:
  explicit ContinueStmt(SourceRange range) : NodeOf(range) {}
};

/// NAME = e or NAME = (e, e, …) of a grid.
struct GridOption {
  Identifier name;
  llvm::ArrayRef<const Expr *> values; ///< one, or two and more for the tuple form
  SourceRange range;
};

class GridStmt : public NodeOf<Stmt, Stmt::Kind::Grid> {
public:
  GridStmt(SourceRange range, SourceRange headRange, llvm::ArrayRef<const Expr *> extents,
           llvm::ArrayRef<GridOption> options, llvm::ArrayRef<Identifier> names, const BlockStmt *body)
      : NodeOf(range), headRange(headRange), extents(extents), options(options), names(names), body(body) {}
  /// `grid(…)`, the closing parenthesis included.
  SourceRange getHeadRange() const { return headRange; }
  llvm::ArrayRef<const Expr *> getExtents() const { return extents; } ///< 1 to 3
  llvm::ArrayRef<GridOption> getOptions() const {
    return options;
  } ///< at least one; which exist is not syntax
  llvm::ArrayRef<Identifier> getNames() const { return names; } ///< as many as extents
  const BlockStmt *getBody() const { return body; }

private:
  SourceRange headRange;
  llvm::ArrayRef<const Expr *> extents;
  llvm::ArrayRef<GridOption> options;
  llvm::ArrayRef<Identifier> names;
  const BlockStmt *body;
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

class Decl {
public:
  enum class Kind : uint8_t { Kernel, Function, Constant, Import, Instantiate, Tune, Check, Bench };

  Kind getKind() const { return kind; }
  SourceRange getRange() const { return range; }

protected:
  Decl(Kind kind, SourceRange range) : kind(kind), range(range) {}

private:
  Kind kind;
  SourceRange range;
};

struct CompileParam {
  enum class Kind : uint8_t {
    Default, ///< NAME = e; int, bool or float by its value
    Int,     ///< NAME: int, and likewise the next two: no default
    Float,
    Bool,
    Type, ///< type NAME [= type]
  };
  Kind kind;
  Identifier name;
  SourceRange range;
  const Expr *value = nullptr;         ///< Default
  std::optional<TypeName> defaultType; ///< Type; optional
};

/// NAME = value between < and >. The value is a TypeExpr or NameRef where NAME is a type parameter.
struct CompileArg {
  Identifier name;
  const Expr *value;
  SourceRange range;
};

struct CompileArgs {
  SourceRange range; ///< from < through >; invalid if left out, which means the same as <> (N2)
  llvm::ArrayRef<CompileArg> args;
};

struct Param {
  enum class Access : uint8_t { Read, Out, InOut };
  Access access = Access::Read;
  SourceRange accessRange; ///< of the word out or inout; invalid without
  Identifier name;
  TypeName type;
  SourceRange range;
  bool isTensor = false;             ///< has dimensions
  llvm::ArrayRef<const Expr *> dims; ///< tensor: one or more
  SourceRange dimsRange;             ///< from [ through ]
  bool hasStrides = false;
  llvm::ArrayRef<const Expr *> strides;
  SourceRange stridesRange; ///< from `strides` through ]
};

class Kernel : public NodeOf<Decl, Decl::Kind::Kernel> {
public:
  struct Parts {
    bool isOracle = false;
    Identifier name;
    SourceRange compileParamsRange; ///< from < through >; invalid without
    llvm::ArrayRef<CompileParam> compileParams;
    llvm::ArrayRef<Param> params;
    SourceRange paramsRange; ///< from ( through )
    llvm::ArrayRef<const Expr *> where;
    SourceRange bodyRange; ///< from { through }
    llvm::ArrayRef<const LetStmt *> lets;
    const GridStmt *grid = nullptr;
  };
  Kernel(SourceRange range, const Parts &parts) : NodeOf(range), parts(parts) {}
  bool isOracle() const { return parts.isOracle; }
  Identifier getName() const { return parts.name; }
  SourceRange getCompileParamsRange() const { return parts.compileParamsRange; }
  llvm::ArrayRef<CompileParam> getCompileParams() const { return parts.compileParams; }
  llvm::ArrayRef<Param> getParams() const { return parts.params; }
  SourceRange getParamsRange() const { return parts.paramsRange; }
  llvm::ArrayRef<const Expr *> getWhere() const { return parts.where; }
  SourceRange getBodyRange() const { return parts.bodyRange; }
  llvm::ArrayRef<const LetStmt *> getLets() const { return parts.lets; }
  const GridStmt *getGrid() const { return parts.grid; }

private:
  Parts parts;
};

struct FnParam {
  Identifier name;
  SourceRange range;
  std::optional<TileSpace> space; ///< none: a scalar
  SourceRange spaceRange;
  TypeName type;
  llvm::ArrayRef<const Expr *> dims; ///< of a tile
  SourceRange dimsRange;
};

class Function : public NodeOf<Decl, Decl::Kind::Function> {
public:
  struct Parts {
    Identifier name;
    llvm::ArrayRef<Identifier> typeParams;
    llvm::ArrayRef<FnParam> params;
    SourceRange paramsRange; ///< from ( through )
    std::optional<TypeName> returnType;
    const BlockStmt *body = nullptr;
  };
  Function(SourceRange range, const Parts &parts) : NodeOf(range), parts(parts) {}
  Identifier getName() const { return parts.name; }
  llvm::ArrayRef<Identifier> getTypeParams() const { return parts.typeParams; }
  llvm::ArrayRef<FnParam> getParams() const { return parts.params; }
  SourceRange getParamsRange() const { return parts.paramsRange; }
  /// With one it is a scalar function, without a tile macro.
  std::optional<TypeName> getReturnType() const { return parts.returnType; }
  bool isMacro() const { return !parts.returnType; }
  const BlockStmt *getBody() const { return parts.body; }

private:
  Parts parts;
};

class Constant : public NodeOf<Decl, Decl::Kind::Constant> {
public:
  Constant(SourceRange range, Identifier name, const Expr *value) : NodeOf(range), name(name), value(value) {}
  Identifier getName() const { return name; }
  const Expr *getValue() const { return value; }

private:
  Identifier name;
  const Expr *value;
};

class Import : public NodeOf<Decl, Decl::Kind::Import> {
public:
  Import(SourceRange range, llvm::StringRef path, SourceRange pathRange)
      : NodeOf(range), path(path), pathRange(pathRange) {}
  llvm::StringRef getPath() const { return path; }
  SourceRange getPathRange() const { return pathRange; }

private:
  llvm::StringRef path;
  SourceRange pathRange;
};

class Instantiate : public NodeOf<Decl, Decl::Kind::Instantiate> {
public:
  Instantiate(SourceRange range, Identifier kernel, CompileArgs args, Identifier name)
      : NodeOf(range), kernel(kernel), args(args), name(name) {}
  Identifier getKernel() const { return kernel; }
  const CompileArgs &getArgs() const { return args; }
  /// The entry point.
  Identifier getName() const { return name; }

private:
  Identifier kernel;
  CompileArgs args;
  Identifier name;
};

/// NAME in [e, …]; (`choices`) or require e; (`require`)
struct TuneItem {
  SourceRange range;
  Identifier name;
  llvm::ArrayRef<const Expr *> choices;
  const Expr *require = nullptr;

  bool isRequire() const { return require != nullptr; }
};

class Tune : public NodeOf<Decl, Decl::Kind::Tune> {
public:
  Tune(SourceRange range, Identifier kernel, llvm::ArrayRef<TuneItem> items)
      : NodeOf(range), kernel(kernel), items(items) {}
  Identifier getKernel() const { return kernel; }
  llvm::ArrayRef<TuneItem> getItems() const { return items; }

private:
  Identifier kernel;
  llvm::ArrayRef<TuneItem> items;
};

/// NAME = e, or NAME in range(lo, hi): the data of an input tensor.
struct CheckValue {
  Identifier name;
  SourceRange range;
  const Expr *value = nullptr; ///< null in the second form
  const Expr *low = nullptr;
  const Expr *high = nullptr;

  bool isDataRange() const { return value == nullptr; }
};

struct OutputTolerance {
  Identifier name;
  const Expr *value;
};

class Check : public NodeOf<Decl, Decl::Kind::Check> {
public:
  struct Parts {
    Identifier kernel;
    CompileArgs args;
    llvm::ArrayRef<CheckValue> values;
    SourceRange valuesRange; ///< from { through }
    Identifier oracle;       ///< "reference" is the reference evaluator and has no arguments (N10)
    CompileArgs oracleArgs;
    const Expr *tolerance = nullptr;
    llvm::ArrayRef<OutputTolerance> outputTolerances;
  };
  Check(SourceRange range, const Parts &parts) : NodeOf(range), parts(parts) {}
  Identifier getKernel() const { return parts.kernel; }
  const CompileArgs &getArgs() const { return parts.args; }
  llvm::ArrayRef<CheckValue> getValues() const { return parts.values; }
  SourceRange getValuesRange() const { return parts.valuesRange; }
  Identifier getOracle() const { return parts.oracle; }
  bool isAgainstReference() const { return parts.oracle.text == "reference"; }
  const CompileArgs &getOracleArgs() const { return parts.oracleArgs; }
  const Expr *getTolerance() const { return parts.tolerance; }
  llvm::ArrayRef<OutputTolerance> getOutputTolerances() const { return parts.outputTolerances; }

private:
  Parts parts;
};

class Bench : public NodeOf<Decl, Decl::Kind::Bench> {
public:
  struct Parts {
    Identifier kernel;
    CompileArgs args;
    llvm::ArrayRef<CheckValue> values;
    SourceRange valuesRange;
    const Expr *flops = nullptr; ///< optional
    const Expr *bytes = nullptr; ///< optional
  };
  Bench(SourceRange range, const Parts &parts) : NodeOf(range), parts(parts) {}
  Identifier getKernel() const { return parts.kernel; }
  const CompileArgs &getArgs() const { return parts.args; }
  llvm::ArrayRef<CheckValue> getValues() const { return parts.values; }
  SourceRange getValuesRange() const { return parts.valuesRange; }
  const Expr *getFlops() const { return parts.flops; }
  const Expr *getBytes() const { return parts.bytes; }

private:
  Parts parts;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// One parsed file and the memory of its nodes.
class File {
public:
  explicit File(FileId id) : id(id) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  FileId getId() const { return id; }
  /// In the order of the text.
  llvm::ArrayRef<const Decl *> getDecls() const { return decls; }
  /// A lexical or syntax error was reported: declarations and statements may be missing.
  bool hasErrors() const { return errors; }

  // For the parser.
  template <typename T, typename... Args> T *create(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>, "the allocator runs no destructors");
    return new (allocator.Allocate<T>()) T(std::forward<Args>(args)...);
  }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> items) {
    static_assert(std::is_trivially_destructible_v<T>, "the allocator runs no destructors");
    return items.copy(allocator);
  }
  llvm::StringRef copy(llvm::StringRef text) { return text.copy(allocator); }
  void setDecls(llvm::ArrayRef<const Decl *> list) { decls = list; }
  void setHasErrors() { errors = true; }

private:
  FileId id;
  bool errors = false;
  llvm::ArrayRef<const Decl *> decls;
  llvm::BumpPtrAllocator allocator;
};

} // namespace ast
} // namespace tilec::frontend

#endif // TILEC_FRONTEND_AST_H
