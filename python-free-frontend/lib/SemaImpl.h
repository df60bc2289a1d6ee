//===- SemaImpl.h - the classes of semantic analysis -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyzer holds what is true of the whole program (files, constants, instances, -D values). A Checker walks
// the syntax of one kernel instance, or of one file-level expression, and builds HIR. The one idea: a syntax
// tree is walked anew for every instance, every `unroll` iteration and every inlined call, with names bound
// to values, variables and objects; so types are never symbolic and constants are just values.
//
// Errors never cascade: what is wrong is reported once and becomes a Poison value or symbol, about which
// nothing is said again.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_FRONTEND_SEMAIMPL_H
#define TILEC_LIB_FRONTEND_SEMAIMPL_H

#include "tilec/Frontend/AST.h"
#include "tilec/Frontend/ConstEval.h"
#include "tilec/Frontend/Frontend.h"
#include "tilec/Frontend/Hir.h"
#include "tilec/Frontend/Sema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <map>
#include <set>

namespace tilec::frontend::sema {

class Checker;

//===----------------------------------------------------------------------===//
// Values of expressions
//===----------------------------------------------------------------------===//

struct AdaptTree;

/// What an expression is. Adapt is `c ? 1 : 0`: constants behind a runtime condition, which still take the
/// type of their context.
struct Value {
  enum class Kind : uint8_t { Poison, Constant, Adapt, Runtime };
  Kind kind = Kind::Poison;
  ConstValue constant;
  hir::Expr *expr = nullptr;
  const AdaptTree *tree = nullptr;

  Value() = default;
  Value(ConstValue constant) : kind(Kind::Constant), constant(constant) {}
  Value(hir::Expr *expr) : kind(expr ? Kind::Runtime : Kind::Poison), expr(expr) {}
  Value(const AdaptTree *tree) : kind(Kind::Adapt), tree(tree) {}

  bool isPoison() const { return kind == Kind::Poison; }
  bool isConstant() const { return kind == Kind::Constant; }
  bool isType() const { return isConstant() && constant.isType(); }
  /// Takes the type of its context.
  bool isAdapting() const { return kind == Kind::Adapt || (isConstant() && constant.isAdapting()); }
  /// The type of a value that has one (bools and typed constants too).
  std::optional<ScalarType> type() const;
};

struct AdaptTree {
  hir::Expr *condition;
  Value onTrue, onFalse;
  bool lazy;
  SourceRange range;
};

struct Operand {
  Value value;
  SourceRange range;
};

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

struct Symbol {
  enum class Kind : uint8_t { Poison, Constant, Variable, Object };
  Kind kind = Kind::Poison;
  SourceRange range = {}; // of the name where it is declared
  ConstValue constant = {};
  hir::Variable *variable = nullptr;
  hir::Object *object = nullptr;
  bool inParallel = false; // declared inside the `parallel` loop that is being checked
  bool reported = false;   // its name clashes, and that was said

  static Symbol poison(SourceRange range) { return Symbol{Kind::Poison, range}; }
};

struct Scope {
  Scope *parent = nullptr;
  llvm::StringMap<Symbol> names;
};

struct FileContext;

/// A file-level const, fn or kernel as a file sees it.
struct FileName {
  const ast::Decl *decl = nullptr;
  FileContext *owner = nullptr; // where it is written: its own names are looked up there
  SourceRange range;
  bool imported = false;
};

struct FileContext {
  std::unique_ptr<ast::File> file;
  std::string path;
  llvm::StringMap<FileName> names;
};

/// A compile-time argument that was given, and where.
struct GivenArg {
  ConstValue value;
  SourceRange range;
};
using GivenArgs = std::map<std::string, GivenArg, std::less<>>;

//===----------------------------------------------------------------------===//
// Proofs about indices
//===----------------------------------------------------------------------===//

/// What is known to hold where an access stands: a chain from the innermost fact outwards.
struct Guard {
  enum class Kind : uint8_t {
    Condition, // `condition` is `polarity` here
    Opaque,    // the place may not be reached, for reasons the proofs do not follow
    Loop,      // inside `for variable` with constant bounds
    Parallel,  // a parallel variable; `count` is its extent, or -1 for a runtime one
  };
  Kind kind;
  const Guard *parent = nullptr;
  hir::Expr *condition = nullptr;
  bool polarity = true;
  hir::Variable *variable = nullptr;
  int64_t first = 0, step = 1, count = 0; // the values first, first + step, …
};

enum class AccessKind : uint8_t { Read, Write, Update };

struct Access {
  AccessKind kind;
  hir::Object *object;
  std::vector<hir::Expr *> indices;
  SourceRange range;
  const Guard *guards;
};

//===----------------------------------------------------------------------===//
// The whole program
//===----------------------------------------------------------------------===//

struct KernelRequest {
  const ast::Kernel *kernel = nullptr;
  FileContext *file = nullptr;
  GivenArgs args;
  SourceRange range; // of what asks for it
};

class Analyzer {
public:
  Analyzer(SourceManager &sources, const SemaOptions &options, DiagnosticEngine &diags)
      : sources(sources), options(options), diags(diags), program(std::make_unique<hir::Program>()) {}

  std::unique_ptr<hir::Program> run(FileId mainFile);

  SourceManager &sources;
  const SemaOptions &options;
  DiagnosticEngine &diags;
  std::unique_ptr<hir::Program> program;

  /// Reports an error once for a place, however often instances and iterations come by.
  DiagnosticBuilder error(DiagId id, SourceRange range, llvm::SmallVector<DiagArg, 4> args);
  llvm::StringRef text(SourceRange range) const { return sources.getText(range); }

  // SemaImports.cpp
  FileContext *loadFile(FileId id, std::vector<FileContext *> &stack);

  // SemaDecl.cpp
  void declareNames(FileContext &file);
  void checkFunctions();
  /// The value of a file-level constant; none after an error.
  std::optional<ConstValue> constantValue(const ast::Constant *constant, FileContext &file);
  void evaluateOperands(const ast::Constant *root, FileContext &file);
  std::optional<ConstValue> evaluateConstant(const ast::Constant *constant, FileContext &file);
  bool isRecursive(const ast::Function *fn) const { return recursive.contains(fn); }
  const FileName *findKernel(ast::Identifier name);

  // SemaInstances.cpp
  void parseDefines();
  void checkDefinesUsed();
  void instantiateEntries();
  void checkUnusedKernels();
  /// The compile-time values of an instance, in declared order: given, inherited, -D, default. False after an
  /// error.
  bool resolveCompileArgs(const KernelRequest &request, std::vector<ConstValue> &values);
  /// The instance for these values; null after an error. Entry points have a `symbol`.
  hir::Kernel *getInstance(const KernelRequest &request, llvm::StringRef symbol);
  bool evaluateArgs(const ast::Kernel *kernel, const ast::CompileArgs &args, FileContext &file,
                    GivenArgs &result);
  std::string uniqueSymbol(llvm::StringRef base);

  // SemaChecks.cpp, SemaTune.cpp
  void checkChecks();
  /// Names of SemaOptions::checkValues that no check has.
  void reportUnusedReplacements();
  std::set<std::string> replacedValues;
  void checkBenches();
  void checkTunes();

  FileContext *mainContext = nullptr;
  std::vector<std::unique_ptr<FileContext>> files;
  llvm::DenseSet<const ast::Kernel *> used; // instantiated at least once
  /// By the place of its declaration: whether any instance uses the tile.
  std::map<std::pair<FileId, uint32_t>, std::pair<hir::Tile *, bool>> tileUse;
  void warnUnusedTiles();

private:
  struct Define {
    std::string name;
    ConstValue value;
    SourceRange range;
  };
  void checkEntryName(ast::Identifier name, bool isDefault);
  void checkDefaultsByName();
  friend class CheckBuilder;

  std::vector<Define> defines;
  std::set<std::tuple<unsigned, FileId, uint32_t, uint32_t>> reported;
  enum class ConstState : uint8_t { Running, Done };
  std::map<const ast::Constant *, std::pair<ConstState, std::optional<ConstValue>>> constants;
  unsigned constantDepth = 0;
  llvm::DenseSet<const ast::Function *> recursive;
  std::map<std::string, hir::Kernel *> instances;
  std::map<std::string, SourceRange> entryNames;
  llvm::StringMap<unsigned> symbolCounts; // the last number that uniqueSymbol gave out, a kernel's name each
  std::set<std::string> failedInstances;
};

//===----------------------------------------------------------------------===//
// One kernel instance or expression
//===----------------------------------------------------------------------===//

/// What an operand of `copy` and the like names.
struct RegionOperand {
  enum class Form : uint8_t {
    Whole,   // a bare name
    Start,   // NAME[e, …]: extents come from the other side
    Extents, // with `+:` or `:`
  };
  hir::Object *object = nullptr; // null: poison
  Form form = Form::Whole;
  SourceRange range;
  std::vector<hir::Expr *> offsets;
  std::vector<int64_t> extents; // -1: not a constant (Whole tensors only), 0: unknown (Start)
  llvm::BitVector dropped;

  bool hasExtents() const { return form != Form::Start; }
};

struct LoopContext {
  enum class Kind : uint8_t { Sequential, Unroll, Parallel };
  Kind kind;
  LoopContext *parent = nullptr;
  bool hasBreak = false;
  bool hasContinue = false; // of an unrolled loop: in this iteration
};

struct ParallelContext {
  std::vector<hir::Variable *> variables;
  std::vector<Access> accesses;
  const Guard *outer = nullptr; // the guards outside
  SourceRange range;
};

/// A diagnostic that ends with notes about where the checker is.
class ContextDiagnostic {
public:
  ContextDiagnostic(const Checker &checker, DiagnosticBuilder builder)
      : checker(checker), builder(std::move(builder)) {}
  ContextDiagnostic(const ContextDiagnostic &) = delete;
  ContextDiagnostic &operator=(const ContextDiagnostic &) = delete;
  ~ContextDiagnostic();

  ContextDiagnostic &note(SourceRange range, const llvm::Twine &message) {
    builder.note(range, message);
    return *this;
  }
  ContextDiagnostic &note(const llvm::Twine &message) { return note(SourceRange(), message); }
  ContextDiagnostic &highlight(SourceRange range) {
    builder.highlight(range);
    return *this;
  }
  ContextDiagnostic &fixIt(SourceRange range, const llvm::Twine &text) {
    builder.fixIt(range, text);
    return *this;
  }

private:
  const Checker &checker;
  DiagnosticBuilder builder;
};

class Checker {
public:
  Checker(Analyzer &analyzer, FileContext &file)
      : analyzer(analyzer), program(*analyzer.program), file(&file) {}

  // SemaKernel.cpp: fills `kernel` from its declaration; false after an error.
  bool checkKernel(const ast::Kernel *decl, llvm::ArrayRef<ConstValue> compileValues, hir::Kernel &kernel);

  // SemaNames.cpp: names only, for what is not instantiated.
  void checkKernelNames(const ast::Kernel *decl);
  void checkFunctionNames(const ast::Function *decl);
  void checkNames(const ast::Expr *expr);
  void checkNames(const ast::Stmt *stmt);

  // SemaExpr.cpp
  Value checkExpr(const ast::Expr *expr);
  /// A constant that is no type; none after an error. `what` names it in messages ("a grid's 'threads'").
  std::optional<ConstValue> checkConstant(const ast::Expr *expr, llvm::StringRef what);
  /// A constant integer within limits.
  std::optional<int64_t> checkConstantInt(const ast::Expr *expr, llvm::StringRef what, int64_t lo,
                                          int64_t hi);
  std::optional<bool> checkConstantBool(const ast::Expr *expr, llvm::StringRef what);
  std::optional<double> checkConstantReal(const ast::Expr *expr, llvm::StringRef what);
  std::optional<ConstValue> requireConstant(const Value &value, SourceRange range, llvm::StringRef what);
  /// A compile-time argument: a type or a number, whichever it is.
  std::optional<ConstValue> checkCompileValue(const ast::Expr *expr);

  // SemaTypes.cpp
  std::optional<ScalarType> resolveType(const ast::TypeName &type);
  /// A type that variables may have: not i4, u4.
  std::optional<ScalarType> resolveScalarType(const ast::TypeName &type);
  hir::Expr *makeConstant(const ConstValue &value, ScalarType type, SourceRange range);
  hir::Expr *makeIndexConstant(int64_t value, SourceRange range);
  /// `value` as an expression of `type`, by implicit conversion; null after an error.
  hir::Expr *materialize(const Value &value, ScalarType type, SourceRange range);
  /// The same in the type it has by itself.
  hir::Expr *materializeDefault(const Value &value, SourceRange range);
  std::optional<ScalarType> defaultType(const Value &value);
  /// Any integer as i64.
  hir::Expr *materializeIndex(const Value &value, SourceRange range, llvm::StringRef what);
  hir::Expr *makeCast(hir::Expr *operand, ScalarType type, SourceRange range);
  /// The type all operands take. `adapting` is set (and the answer i64 or f32) if none of them decides.
  std::optional<ScalarType> unify(llvm::ArrayRef<Operand> operands, bool promoteNarrow, SourceRange range,
                                  llvm::StringRef what, bool &adapting);
  bool rejectTypes(llvm::ArrayRef<Operand> operands);

  // SemaExpr.cpp, used for assignments and bench formulas too
  /// `shown` is how messages call the operator; empty: as itself.
  Value binary(ast::BinaryOp op, SourceRange opRange, const Operand &lhs, const Operand &rhs,
               SourceRange range, llvm::StringRef shown = "");
  Value minMax(bool isMax, const Operand &lhs, const Operand &rhs, SourceRange range);

  Scope *scope = nullptr;
  bool usesTarget = false;
  void pushScope(Scope &inner) {
    inner.parent = scope;
    scope = &inner;
  }
  void popScope() { scope = scope->parent; }
  bool declare(ast::Identifier name, Symbol symbol);

private:
  friend class IndexProver;

  template <typename T, typename... Args> T *make(Args &&...args) {
    countNodes(1);
    return program.make<T>(std::forward<Args>(args)...);
  }
  void countNodes(unsigned count);

  template <typename... Args> ContextDiagnostic error(DiagId id, SourceRange range, Args &&...args) {
    hadError = true;
    return ContextDiagnostic(*this, analyzer.error(id, range, {DiagArg(std::forward<Args>(args))...}));
  }
  friend class ContextDiagnostic;
  /// Says in which calls and with which compile-time values.
  void addContext(DiagnosticBuilder &builder) const;

  // Names
  const Symbol *lookup(llvm::StringRef name) const;
  const FileName *lookupFile(llvm::StringRef name) const;
  std::optional<ScalarType> lookupTypeParam(llvm::StringRef name) const;
  std::vector<llvm::StringRef> visibleNames() const;
  void reportUnknown(DiagId id, ast::Identifier name, llvm::ArrayRef<llvm::StringRef> candidates);
  hir::Object *lookupObject(ast::Identifier name);
  hir::Variable *makeVariable(ast::Identifier name, hir::VarKind kind, ScalarType type);

  // SemaExpr.cpp
  Value checkExprKind(const ast::Expr *expr);
  Value checkName(const ast::NameRef *name);
  Value checkUnary(const ast::UnaryExpr *expr);
  Value checkBinaryChain(const ast::BinaryExpr *expr);
  Value checkBinaryStep(const ast::BinaryExpr *expr, const Operand &lhs);
  Value checkLogical(const ast::BinaryExpr *expr, const Operand &lhs);
  Value checkChain(const ast::ChainExpr *expr);
  Value checkConditional(const ast::ConditionalExpr *expr);
  Value checkTarget(const ast::TargetExpr *expr);
  Value checkConversion(const ast::Expr *operand, ScalarType type, SourceRange range);
  Value checkBitcast(const ast::BitcastExpr *expr);
  Value checkElement(const ast::IndexExpr *expr);
  Value makeChoice(hir::Expr *condition, const Operand &a, const Operand &b, bool lazy, SourceRange range,
                   llvm::StringRef what);
  Value fold(ConstResult result, SourceRange range, SourceRange operandRange);
  Value logicalAnd(const Operand &lhs, const Operand &rhs, SourceRange range);
  bool requireBool(const Operand &operand, llvm::StringRef what);
  /// Indices of an element, checked against rank and bounds.
  bool checkIndices(const ast::IndexExpr *expr, hir::Object *object, std::vector<hir::Expr *> &indices);

  // SemaCalls.cpp
  Value checkCall(const ast::CallExpr *expr);
  Value checkSelect(const ast::CallExpr *expr);
  Value checkClamp(const ast::CallExpr *expr);
  Value checkSizeof(const ast::CallExpr *expr);
  Value checkBuiltin(const ast::CallExpr *expr, unsigned row);
  Value callBuiltin(unsigned row, std::vector<Operand> operands, SourceRange range);
  Value checkFnCall(const ast::CallExpr *expr, const FileName &fn);
  void checkMacroCall(const ast::CallStmt *stmt, const FileName &fn);
  bool checkArity(ast::Identifier callee, size_t got, size_t min, size_t max, SourceRange range,
                  llvm::StringRef parameters);
  bool enterCall(SourceRange range);
  bool bindTypeParams(const ast::Function *fn, llvm::ArrayRef<Operand> scalars,
                      llvm::ArrayRef<hir::Object *> tiles, llvm::ArrayRef<SourceRange> ranges, Scope &scope);
  bool bindExtents(const ast::Function *fn, llvm::ArrayRef<hir::Object *> tiles,
                   llvm::ArrayRef<SourceRange> ranges, Scope &scope);

  // SemaStmt.cpp
  /// Checks statements in a scope of their own; false if control cannot leave at their end.
  bool checkBlock(const ast::BlockStmt *block, hir::StmtList &out);
  bool checkStatements(llvm::ArrayRef<const ast::Stmt *> body);
  bool checkStmt(const ast::Stmt *stmt);
  void checkLet(const ast::LetStmt *stmt);
  void checkVar(const ast::VarStmt *stmt);
  void checkTile(const ast::TileStmt *stmt);
  void checkAssign(const ast::AssignStmt *stmt);
  void checkScalarAssign(const ast::AssignStmt *stmt, ast::Identifier name);
  void checkElementAssign(const ast::AssignStmt *stmt, const ast::IndexExpr *target);
  bool checkIf(const ast::IfStmt *stmt);
  bool checkWhile(const ast::WhileStmt *stmt);
  bool checkReturn(const ast::ReturnStmt *stmt);
  bool checkBreak(const ast::Stmt *stmt, bool isBreak);
  hir::Expr *checkElementValue(const Value &value, ScalarType element, SourceRange range);
  bool rejectInScalarFn(const ast::Stmt *stmt, llvm::StringRef what);

  // SemaLoops.cpp
  bool checkFor(const ast::ForStmt *stmt);
  bool checkSequential(const ast::ForStmt *stmt);
  bool checkUnroll(const ast::ForStmt *stmt);
  bool checkParallel(const ast::ForStmt *stmt);
  void checkConflicts(const ParallelContext &parallel);

  // SemaKernel.cpp
  bool checkSignature(const ast::Kernel *decl);
  void collectDimNames(const ast::Kernel *decl, Scope &scope);
  hir::Expr *checkDimension(const ast::Expr *expr, bool isStride);
  void checkFacts(const ast::Kernel *decl);
  bool checkGrid(const ast::GridStmt *grid);
  bool checkGridOptions(const ast::GridStmt *grid);
  void rejectTarget(bool usedBefore, SourceRange range, llvm::StringRef where);

  // SemaRegions.cpp
  RegionOperand checkRegion(const ast::Expr *expr, llvm::StringRef what);
  bool checkItems(const ast::IndexExpr *expr, hir::Object *object, std::vector<hir::ViewItem> &items);
  hir::Region makeRegion(const RegionOperand &operand);
  /// A bare tile, or a region of a shared tile with extents made a view. Null after an error.
  hir::Object *checkTileOperand(const ast::Expr *expr, llvm::StringRef what);
  void declareWindow(const ast::LetStmt *stmt, const ast::IndexExpr *expr);
  bool takeExtents(RegionOperand &start, const RegionOperand &other);
  bool requireExtents(const RegionOperand &operand, llvm::StringRef what);
  void checkTileBounds(const RegionOperand &operand);
  hir::SharedView *makeView(ast::Identifier name, hir::Object *base, std::vector<hir::ViewItem> items,
                            SourceRange range);
  bool markRead(hir::Object *object, SourceRange range);
  bool markWrite(hir::Object *object, SourceRange range);
  void record(AccessKind kind, hir::Object *object, llvm::ArrayRef<hir::Expr *> indices, SourceRange range);
  void checkElementBounds(hir::Object *object, llvm::ArrayRef<hir::Expr *> indices,
                          llvm::ArrayRef<SourceRange> ranges);

  // SemaTileOps.cpp
  struct NamedArgs;
  void checkCallStmt(const ast::CallStmt *stmt);
  void checkBuiltinStmt(const ast::CallStmt *stmt, unsigned row);
#define TILEC_STATEMENT_HANDLERS(X)                                                                          \
  X(Copy)                                                                                                    \
  X(Gemm)                                                                                                    \
  X(Fill) X(Clear) X(Reduce) X(Scan) X(Transpose) X(Atomic) X(Rasterize) X(Layout) X(Assume) X(Assert)       \
      X(Print)
#define X(Name) void check##Name(const ast::CallStmt *stmt, const NamedArgs &named);
  TILEC_STATEMENT_HANDLERS(X)
#undef X
  void checkFillOf(const ast::CallStmt *stmt, const ast::Expr *valueExpr);
  std::optional<std::string> checkText(const ast::Expr *expr, llvm::StringRef callee);

  template <typename T> T *append(SourceRange range) {
    T *stmt = make<T>(range);
    out->push_back(stmt);
    return stmt;
  }
  void pushGuard(Guard guard);

  Analyzer &analyzer;
  hir::Program &program;
  FileContext *file;
  hir::Kernel *kernel = nullptr;
  const ast::Kernel *kernelDecl = nullptr;

  hir::StmtList *out = nullptr;
  ParallelContext *parallel = nullptr;
  LoopContext *loop = nullptr;
  std::optional<ScalarType> returnType; // inside a scalar fn
  bool inPrologue = false;              // before the grid and in its head: no elements
  bool inSignature = false;             // dimensions and `where`: no target.*
  bool inGridBody = false;              // directly in the grid's body
  unsigned jumps = 0, returns = 0;      // break, continue; return seen so far: they make what follows opaque

  const Guard *guards = nullptr;
  std::deque<Guard> guardStorage;
  llvm::DenseMap<const hir::Variable *, hir::Expr *> letValues; // of variables that are never assigned
  std::deque<AdaptTree> adaptTrees;
  llvm::DenseMap<const hir::Object *, bool> layoutSet;

  struct CallFrame {
    const ast::Function *fn;
    SourceRange range;
  };
  std::vector<CallFrame> calls;
  unsigned nodes = 0, nextVariable = 0, nextObject = 0;
  unsigned depth = 0;            // of nested expressions and blocks, inlined calls included
  unsigned proofBudget = 500000; // iterations that proofs may still try
  SourceRange expanding;         // the outermost unroll loop being expanded
  bool aborted = false;          // too large: nothing further is said
  bool hadError = false;
};

//===----------------------------------------------------------------------===//
// Shared helpers
//===----------------------------------------------------------------------===//

inline ScalarType toScalarType(ScalarKind kind) { return *parseScalarType(getSpelling(kind)); }

/// The candidate closest to `name`, or empty if none is close.
llvm::StringRef closest(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// "a tensor", "a shared tile", …
llvm::StringRef describe(const hir::Object *object);
/// The tensor, tile or fragment behind windows and views.
hir::Object *rootOf(hir::Object *object);
/// Extents that are constants; -1 elsewhere.
std::vector<int64_t> constantExtents(const hir::Object *object);
std::optional<int64_t> constantInt(const hir::Expr *expr);
/// "[64, 32]"
std::string formatShape(llvm::ArrayRef<int64_t> shape);

bool isBuiltinName(llvm::StringRef name);
/// Names of the table, for suggestions.
llvm::ArrayRef<llvm::StringRef> builtinFunctionNames();
llvm::ArrayRef<llvm::StringRef> builtinStatementNames();
bool isReservedEntryName(llvm::StringRef name);

/// Tiles never used, tiles read before anything wrote them (SemaFlow.cpp).
void warnAboutTiles(Analyzer &analyzer, hir::Kernel &kernel);

/// Calls `visit` with the direct operands of an expression.
void forEachOperand(const ast::Expr *expr, llvm::function_ref<void(const ast::Expr *)> visit);
/// Calls `visit` with every call of a fn below a statement or expression.
void forEachCall(const ast::Stmt *stmt, llvm::function_ref<void(ast::Identifier)> visit);

} // namespace tilec::frontend::sema

#endif
