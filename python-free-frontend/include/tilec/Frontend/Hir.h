//===- Hir.h - the checked program ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What semantic analysis hands to the importer: for every kernel instance (a kernel with a value for each
// compile-time parameter) a fresh tree in which
//   - every name is resolved to a variable or an object, every expression has its scalar type and every
//     implicit conversion is a Cast;
//   - compile-time parameters, constants, `target.*`, sizeof and everything computed from them are Const;
//     the untaken side of a constant `if`, `?:`, `&&`, `||` is gone;
//   - `unroll` loops are expanded (a Block an iteration), `fn` calls are inlined (InlineCall), tile macros
//     too (InlineBlock), their tile parameters replaced by the caller's objects;
//   - operator assignments are ElementUpdate in `parallel` on tiles, plain reads and writes elsewhere;
//   - all rules of the language hold: the importer reports nothing.
// Nodes live in the Program's allocator and are immutable once built.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_HIR_H
#define TILEC_FRONTEND_HIR_H

#include "tilec/Frontend/ScalarType.h"
#include "tilec/Support/SourceManager.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tilec::frontend::hir {

//===----------------------------------------------------------------------===//
// Variables and objects
//===----------------------------------------------------------------------===//

enum class VarKind : uint8_t {
  Let,       // one value, from its declaration
  Var,       // assigned
  Loop,      // loop or parallel index, always i64
  Block,     // block index of the grid, i64
  Param,     // scalar parameter of the kernel
  Dim,       // runtime dimension, i64
  Stride,    // runtime stride, i64
  FnParam,   // scalar parameter of an inlined fn (initialised by its InlineCall/InlineBlock)
};

struct Expr;

/// A scalar variable. Unique per declaration and instance; compare by address.
struct Variable {
  std::string name;
  VarKind kind;
  ScalarType type;
  SourceRange range;
  unsigned id = 0; // dense in the kernel instance, in order of declaration
};

enum class Access : uint8_t { In, Out, InOut };
enum class ObjectKind : uint8_t { Tensor, Shared, Fragment, Window, SharedView };

/// Something with elements. Compare by address.
struct Object {
  ObjectKind kind;
  std::string name;
  ScalarType element;
  SourceRange range;
  unsigned id = 0; // dense in the kernel instance
  unsigned rank() const;

protected:
  Object(ObjectKind kind) : kind(kind) {}
};

/// A tensor parameter. Extents and strides are i64 expressions over constants and Dim/Stride variables.
struct Tensor : Object {
  Tensor() : Object(ObjectKind::Tensor) {}
  Access access = Access::In;
  std::vector<Expr *> extents;
  std::vector<Expr *> strides; // in elements; empty: row-major and contiguous
  static bool classof(const Object *o) { return o->kind == ObjectKind::Tensor; }
};

enum class Swizzle : uint8_t { Unset, None, B32, B64, B128 };

/// A shared or fragment tile.
struct Tile : Object {
  Tile(bool shared) : Object(shared ? ObjectKind::Shared : ObjectKind::Fragment) {}
  std::vector<int64_t> extents;
  Swizzle swizzle = Swizzle::Unset; // from `layout(…)`
  static bool classof(const Object *o) {
    return o->kind == ObjectKind::Shared || o->kind == ObjectKind::Fragment;
  }
};

/// One item of a window or view, one per dimension of its base.
struct ViewItem {
  Expr *offset = nullptr; // i64, never null
  Expr *length = nullptr; // i64 length of the kept dimension; null: a plain index, the dimension is dropped
};

/// `let W = A[…];` of a tensor or window. Offsets and lengths are evaluated once, at the WindowDecl. A
/// negative length counts as 0. An element is readable where it lies in the window's bounds and in its base's.
struct Window : Object {
  Window() : Object(ObjectKind::Window) {}
  Object *base = nullptr; // Tensor or Window
  std::vector<ViewItem> items;
  static bool classof(const Object *o) { return o->kind == ObjectKind::Window; }
};

/// A region of a shared tile that stands for a tile: `let W = S[…]`, a macro's argument, an operand `S[k, :, :]`.
/// All lengths are constant. Offsets are evaluated where the view is declared (ViewDecl).
struct SharedView : Object {
  SharedView() : Object(ObjectKind::SharedView) {}
  Object *base = nullptr; // Tile (shared) or SharedView
  std::vector<ViewItem> items;
  std::vector<int64_t> extents; // of the kept dimensions
  static bool classof(const Object *o) { return o->kind == ObjectKind::SharedView; }
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

enum class ExprKind : uint8_t {
  Const, VarRef, Unary, Binary, Cast, Bitcast, Conditional, Call, ElementRead, InlineCall
};

/// Expressions are pure but for what they read, and may be shared: the middle operand of `a <= b < c` hangs
/// below both comparisons. The parser bounds their depth (1024).
struct Expr {
  ExprKind kind;
  ScalarType type; // never I4/U4
  SourceRange range;

protected:
  Expr(ExprKind kind, ScalarType type, SourceRange range) : kind(kind), type(type), range(range) {}
};

/// A constant of its type. Bool: 0 or 1; integers: the value's low bits, sign- or zero-extended by type;
/// floats: a double that `type` holds exactly (NaN and infinities included).
struct Const : Expr {
  Const(ScalarType type, SourceRange range) : Expr(ExprKind::Const, type, range) {}
  int64_t integer = 0; // bools and integers (u64: its bit pattern)
  double real = 0;     // floats
  static bool classof(const Expr *e) { return e->kind == ExprKind::Const; }
};

struct VarRef : Expr {
  VarRef(Variable *v, SourceRange range) : Expr(ExprKind::VarRef, v->type, range), variable(v) {}
  Variable *variable;
  static bool classof(const Expr *e) { return e->kind == ExprKind::VarRef; }
};

enum class UnaryOp : uint8_t { Neg, LogicalNot, BitNot };

struct Unary : Expr {
  Unary(UnaryOp op, Expr *operand, SourceRange range)
      : Expr(ExprKind::Unary, operand->type, range), op(op), operand(operand) {}
  UnaryOp op;
  Expr *operand;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Unary; }
};

/// Both operands have one type, which is the result's but for comparisons (bool). Shifts: the result has the
/// left operand's type, the right one any integer type; a count outside the width shifts every bit out.
/// Integer Div and Rem truncate; by zero: any value, no trap. Integer arithmetic wraps. Float types here are
/// f16 bf16 f32 f64 only. LogicalAnd/Or evaluate the right side only where needed.
enum class BinaryOp : uint8_t {
  Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Eq, Ne, Lt, Le, Gt, Ge, LogicalAnd, LogicalOr
};

struct Binary : Expr {
  Binary(BinaryOp op, ScalarType type, Expr *lhs, Expr *rhs, SourceRange range)
      : Expr(ExprKind::Binary, type, range), op(op), lhs(lhs), rhs(rhs) {}
  BinaryOp op;
  Expr *lhs, *rhs;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Binary; }
};

/// Value conversion from operand->type to type, as LANGUAGE section 3 writes it. To bool: `x != 0`.
struct Cast : Expr {
  Cast(ScalarType type, Expr *operand, SourceRange range)
      : Expr(ExprKind::Cast, type, range), operand(operand) {}
  Expr *operand;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Cast; }
};

/// Reinterpretation; storage sizes are equal.
struct Bitcast : Expr {
  Bitcast(ScalarType type, Expr *operand, SourceRange range)
      : Expr(ExprKind::Bitcast, type, range), operand(operand) {}
  Expr *operand;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Bitcast; }
};

/// `c ? a : b` (lazy: only one side is evaluated) and `select(c, a, b)` (both are).
struct Conditional : Expr {
  Conditional(Expr *c, Expr *a, Expr *b, bool lazy, SourceRange range)
      : Expr(ExprKind::Conditional, a->type, range), condition(c), onTrue(a), onFalse(b), lazy(lazy) {}
  Expr *condition, *onTrue, *onFalse;
  bool lazy;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Conditional; }
};

/// Built-in functions that remain in the program; `clamp` is Min(Max), sizeof a Const. Operands and result have
/// one type (IsNan, IsInf give bool). Functions from Exp on are floats only, over f16 bf16 f32 f64; for f16 and
/// bf16 they compute in f32 and round once.
enum class Builtin : uint8_t {
  CeilDiv, FloorDiv, Min, Max, Abs,
  Exp, Exp2, Log, Log2, Sqrt, Rsqrt, Rcp, Tanh, Sigmoid, Erf, Sin, Cos, Pow, Fma, Floor, Ceil, Round, Trunc,
  IsNan, IsInf
};

struct Call : Expr {
  Call(Builtin fn, ScalarType type, std::vector<Expr *> args, SourceRange range)
      : Expr(ExprKind::Call, type, range), function(fn), args(std::move(args)) {}
  Builtin function;
  std::vector<Expr *> args;
  static bool classof(const Expr *e) { return e->kind == ExprKind::Call; }
};

/// An element of a tensor, window, tile or view. Type: loadedType(object->element). Inside `parallel` one read an
/// iteration, outside one read for the whole block. Indices: rank() of any integer type cast to i64.
struct ElementRead : Expr {
  ElementRead(Object *object, std::vector<Expr *> indices, SourceRange range)
      : Expr(ExprKind::ElementRead, loadedType(object->element), range), object(object),
        indices(std::move(indices)) {}
  Object *object;
  std::vector<Expr *> indices;
  static bool classof(const Expr *e) { return e->kind == ExprKind::ElementRead; }
};

struct Stmt;
using StmtList = std::vector<Stmt *>;

/// A scalar `fn`, inlined: `params[i]` (FnParam variables) take `args[i]`, then the body runs; it ends every path
/// in a Return, possibly from inside loops and ifs. Pure.
struct InlineCall : Expr {
  InlineCall(ScalarType type, SourceRange callRange) : Expr(ExprKind::InlineCall, type, callRange) {}
  std::string function;
  std::vector<Variable *> params;
  std::vector<Expr *> args;
  StmtList body;
  static bool classof(const Expr *e) { return e->kind == ExprKind::InlineCall; }
};

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// A tile-shaped region of an object. `extents` has the object's rank; `dropped` marks plain indices.
/// For whole objects offsets are Const 0. Extents are positive constants.
struct Region {
  Object *object = nullptr;
  std::vector<Expr *> offsets; // i64
  std::vector<int64_t> extents;
  llvm::BitVector dropped;
  SourceRange range;
  bool isWhole() const; // a tile or view from zero offsets over all its extents
  std::vector<int64_t> tileShape() const; // extents of the kept dimensions
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
  VarDecl, Assign, TileDecl, WindowDecl, ViewDecl, ElementWrite, ElementUpdate, ElementAtomic,
  Copy, Gemm, Fill, Reduce, Scan, Transpose, RegionAtomic,
  For, Parallel, While, If, Break, Continue, Return, Block, InlineBlock, Assume, Assert, Print
};

struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};

#define TILEC_HIR_STMT(NAME)                                                                                 \
  NAME(SourceRange range) : Stmt(StmtKind::NAME, range) {}                                                   \
  static bool classof(const Stmt *s) { return s->kind == StmtKind::NAME; }

/// `let`/`var`: the initialiser has the variable's type.
struct VarDecl : Stmt {
  TILEC_HIR_STMT(VarDecl)
  Variable *variable = nullptr;
  Expr *init = nullptr;
};

struct Assign : Stmt {
  TILEC_HIR_STMT(Assign)
  Variable *variable = nullptr;
  Expr *value = nullptr;
};

/// Allocates a tile whose contents are unspecified each time, or `init` (of the loaded element type) everywhere.
struct TileDecl : Stmt {
  TILEC_HIR_STMT(TileDecl)
  Tile *tile = nullptr;
  Expr *init = nullptr; // may be null
};

struct WindowDecl : Stmt {
  TILEC_HIR_STMT(WindowDecl)
  Window *window = nullptr;
};

struct ViewDecl : Stmt {
  TILEC_HIR_STMT(ViewDecl)
  SharedView *view = nullptr;
};

/// `X[i, …] = v;` the value has loadedType(element) (i4/u4 elements keep its low four bits).
struct ElementWrite : Stmt {
  TILEC_HIR_STMT(ElementWrite)
  Object *object = nullptr;
  std::vector<Expr *> indices;
  Expr *value = nullptr;
};

enum class UpdateOp : uint8_t { Add, Sub, Mul, Div, Max, Min };

/// `X[i, …] op= v;` inside `parallel` on a tile or view: every iteration that names the element counts.
struct ElementUpdate : Stmt {
  TILEC_HIR_STMT(ElementUpdate)
  Object *object = nullptr;
  std::vector<Expr *> indices;
  UpdateOp op = UpdateOp::Add;
  Expr *value = nullptr;
};

enum class AtomicOp : uint8_t { Add, Max, Min };

/// `atomic_*` on an element: in `parallel` once an iteration, outside once a block.
struct ElementAtomic : Stmt {
  TILEC_HIR_STMT(ElementAtomic)
  Object *object = nullptr; // tensor, window, shared tile or view
  std::vector<Expr *> indices;
  AtomicOp op = AtomicOp::Add;
  Expr *value = nullptr;
};

/// `atomic_*` on a region: `value` (a scalar for every element) or `tile` (element by element; unit extents
/// dropped, shapes agree; elements convert).
struct RegionAtomic : Stmt {
  TILEC_HIR_STMT(RegionAtomic)
  Region target;
  AtomicOp op = AtomicOp::Add;
  Expr *value = nullptr;
  Region tile; // object null if `value` is set
};

/// Reads everything before it writes. Unit extents dropped, both shapes are equal. Elements convert as a written
/// conversion does. `pad`: the destination's loaded element type, only with a tensor or window source; null: 0.
struct Copy : Stmt {
  TILEC_HIR_STMT(Copy)
  Region source, dest;
  Expr *pad = nullptr;
};

enum class WarpShape : uint8_t { Unset, Square, Rows, Cols };

/// C += op(A)·op(B). a, b: shared tiles, views or whole fragments; c: a whole fragment. Rank 2 each.
struct Gemm : Stmt {
  TILEC_HIR_STMT(Gemm)
  Object *a = nullptr, *b = nullptr, *c = nullptr;
  bool transA = false, transB = false;
  WarpShape warps = WarpShape::Unset;
};

/// `fill`/`clear`: `value` has the loaded element type.
struct Fill : Stmt {
  TILEC_HIR_STMT(Fill)
  Region target;
  Expr *value = nullptr;
};

enum class ReduceOp : uint8_t { Max, Min, Sum, AbsMax, Prod };

/// R = fold of X over `axis` (folded into R's old value if `accumulate`). R has X's rank less one, or the same
/// rank with extent 1 there. R's element type is X's or one it widens to.
struct Reduce : Stmt {
  TILEC_HIR_STMT(Reduce)
  ReduceOp op = ReduceOp::Sum;
  Object *source = nullptr, *dest = nullptr; // tiles or views
  unsigned axis = 0;
  bool accumulate = false;
  bool propagateNan = false;
};

enum class ScanOp : uint8_t { Sum, Max };

struct Scan : Stmt { // in place
  TILEC_HIR_STMT(Scan)
  ScanOp op = ScanOp::Sum;
  Object *object = nullptr;
  unsigned axis = 0;
  bool reverse = false;
};

struct Transpose : Stmt { // dest[j, i] = source[i, j], converting
  TILEC_HIR_STMT(Transpose)
  Object *source = nullptr, *dest = nullptr;
};

enum class LoopKind : uint8_t { Range, Pipelined };

/// Bounds and step have the variable's type and are evaluated once. A constant negative step runs while i > hi;
/// a runtime step <= 0 runs nothing.
struct For : Stmt {
  TILEC_HIR_STMT(For)
  LoopKind loop = LoopKind::Range;
  Variable *variable = nullptr;
  Expr *lo = nullptr, *hi = nullptr, *step = nullptr; // step: Const 1 where unsaid
  int64_t stages = 1;
  StmtList body;
};

struct Parallel : Stmt {
  TILEC_HIR_STMT(Parallel)
  std::vector<Variable *> variables;
  std::vector<Expr *> extents; // i64, constant or runtime; <= 0 runs nothing
  StmtList body;
};

struct While : Stmt {
  TILEC_HIR_STMT(While)
  Expr *condition = nullptr;
  StmtList body;
};

struct If : Stmt {
  TILEC_HIR_STMT(If)
  Expr *condition = nullptr;
  StmtList thenBody, elseBody;
};

struct Break : Stmt { TILEC_HIR_STMT(Break) };       // of the innermost For/While
struct Continue : Stmt { TILEC_HIR_STMT(Continue) }; // of the innermost For/While, or ends the Parallel element
struct Return : Stmt {                               // of the innermost InlineCall
  TILEC_HIR_STMT(Return)
  Expr *value = nullptr;
};
struct Block : Stmt { // a scope; also an iteration of an expanded `unroll` (see `breakTarget`)
  TILEC_HIR_STMT(Block)
  StmtList body;
};

/// An expanded loop or an inlined macro. `unroll`: each element of `parts` is one iteration; Break inside leaves
/// the InlineBlock, Continue goes to the next part. Macro: one part; the params are initialised first.
struct InlineBlock : Stmt {
  TILEC_HIR_STMT(InlineBlock)
  bool isUnroll = false;
  std::string macro; // name of the fn, for call-site locations; empty for unroll
  std::vector<Variable *> params;
  std::vector<Expr *> args;
  std::vector<StmtList> parts;
};

struct Assume : Stmt {
  TILEC_HIR_STMT(Assume)
  Expr *condition = nullptr;
};
struct Assert : Stmt {
  TILEC_HIR_STMT(Assert)
  Expr *condition = nullptr;
  std::string text;
};
struct Print : Stmt {
  TILEC_HIR_STMT(Print)
  std::string text;
  std::vector<Expr *> args;
};
#undef TILEC_HIR_STMT

//===----------------------------------------------------------------------===//
// Kernels, checks, the program
//===----------------------------------------------------------------------===//

/// A parameter in declared order: exactly one of the two is set.
struct Param {
  Tensor *tensor = nullptr;
  Variable *scalar = nullptr;
  llvm::StringRef name() const { return tensor ? llvm::StringRef(tensor->name) : scalar->name; }
};

/// Where a runtime dimension or stride is read: `param`'s extent (or stride) number `axis`.
struct Binding {
  Variable *variable = nullptr;
  unsigned param = 0, axis = 0;
  bool isStride = false;
};

struct Fact { // a `where` condition (bool) and its text
  Expr *condition = nullptr;
  std::string text;
};

struct CompileArg {
  std::string name, value; // "BM", "128"; "T", "f16"
};

struct RasterSpec {
  int64_t panel = 0; // 0: none
  bool columnOrder = false;
};

struct Kernel {
  std::string symbol;      // entry point name, or a unique derived one for instances that only checks use
  std::string sourceName;  // as declared
  SourceRange range;       // of the declaration's name
  bool isEntry = false;    // gets a launch stub
  bool isOracle = false;
  std::vector<CompileArg> compileArgs; // in declared order
  std::vector<Param> params;
  std::vector<Binding> bindings; // every runtime dimension and stride once, at its first mention
  std::vector<Fact> facts;
  StmtList prologue; // VarDecls before the grid
  std::vector<Expr *> gridExtents; // 1 to 3, i64
  std::vector<Variable *> blockIndices;
  int64_t threads = 0;
  std::vector<int64_t> cluster; // empty: none
  bool persistent = false;
  RasterSpec raster;
  StmtList body;
  bool usesTarget = false; // mentions target.*: differs from target to target
};

struct NamedValue { // a runtime dimension, stride or scalar of a check or bench
  std::string name;
  ScalarType type;
  int64_t integer = 0;
  double real = 0;
};
struct DataRange { // `idx in range(lo, hi)`
  std::string tensor;
  double lo = 0, hi = 0;       // as doubles for float tensors
  int64_t loInt = 0, hiInt = 0; // exact for integer tensors
};
struct OutputTolerance {
  std::string tensor; // empty: the default of the check
  double value = 0;
};

struct Check {
  SourceRange range;
  std::string text; // one line, for tables: `matmul<BM = 64> { M = 256, … }`
  Kernel *kernel = nullptr;
  Kernel *oracle = nullptr; // null: `against reference`
  std::vector<NamedValue> values;       // of the tested kernel: dims, strides, scalars
  std::vector<NamedValue> oracleValues; // of the oracle (its dims bound from the extents)
  std::vector<DataRange> ranges;
  std::vector<OutputTolerance> tolerances; // the first is the default
};

struct Bench {
  SourceRange range;
  std::string text;
  Kernel *kernel = nullptr;
  std::vector<NamedValue> values;
  std::vector<DataRange> ranges;
  double flops = 0, bytes = 0; // 0: not given
};

/// One value of a tuning axis: an integer, bool, float or type, as text that `-D` accepts.
struct TuneAxis {
  std::string name;
  std::vector<std::string> values;
};
struct Tune {
  SourceRange range;
  std::string kernel;
  std::vector<TuneAxis> axes; // the legal combinations are those whose `require`s hold
  std::vector<std::vector<unsigned>> legal; // an index per axis, in row-major order; at most 100,000
};

class Program {
public:
  std::deque<Kernel> kernels; // stable addresses, in order of first use: entries first, in source order
  llvm::StringSet<> symbols;  // of `kernels`
  std::vector<Check> checks;
  std::vector<Bench> benches;
  std::vector<Tune> tunes;
  std::vector<std::string> files; // every file read, the main one first (for dependency files)

  /// Owns a node. Nodes have vectors, so they are destroyed with the program.
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto *node = new T(std::forward<Args>(args)...);
    owned.emplace_back(node, [](void *p) { delete static_cast<T *>(p); });
    return node;
  }

private:
  std::vector<std::unique_ptr<void, void (*)(void *)>> owned;
};

/// A readable text of everything above, the same for equal programs: one statement a line, scopes indented,
/// variables as name%id, conversions written out.
void dumpHir(const Program &program, llvm::raw_ostream &os);
void dumpHir(const Kernel &kernel, llvm::raw_ostream &os);

} // namespace tilec::frontend::hir

#endif
