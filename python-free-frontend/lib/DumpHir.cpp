//===- DumpHir.cpp - checked programs as text ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests and for people: every implicit step is visible, and equal programs give equal text.
//
//===----------------------------------------------------------------------===//
#include "tilec/Frontend/ConstEval.h"
#include "tilec/Frontend/Hir.h"
#include "llvm/Support/raw_ostream.h"

namespace tilec::frontend::hir {
namespace {

constexpr llvm::StringRef kBinary[] = {"+", "-",  "*",  "/", "%",  "<<", ">>", "&",  "|",
                                       "^", "==", "!=", "<", "<=", ">",  ">=", "&&", "||"};
constexpr llvm::StringRef kBuiltin[] = {"ceildiv", "floordiv", "min",   "max",   "abs", "exp",   "exp2",
                                        "log",     "log2",     "sqrt",  "rsqrt", "rcp", "tanh",  "sigmoid",
                                        "erf",     "sin",      "cos",   "pow",   "fma", "floor", "ceil",
                                        "round",   "trunc",    "isnan", "isinf"};
constexpr llvm::StringRef kUnary[] = {"-", "!", "~"};
constexpr llvm::StringRef kUpdate[] = {"+=", "-=", "*=", "/=", "max=", "min="};
constexpr llvm::StringRef kAtomic[] = {"atomic_add", "atomic_max", "atomic_min"};
constexpr llvm::StringRef kReduce[] = {"reduce_max", "reduce_min", "reduce_sum", "reduce_absmax",
                                       "reduce_prod"};
constexpr llvm::StringRef kSwizzle[] = {"", "none", "32", "64", "128"};
constexpr llvm::StringRef kWarps[] = {"", "square", "rows", "cols"};
constexpr llvm::StringRef kAccess[] = {"", "out ", "inout "};

class Dumper {
public:
  explicit Dumper(llvm::raw_ostream &os) : os(os) {}

  void kernel(const Kernel &kernel);
  void program(const Program &program);

private:
  llvm::raw_ostream &line() { return os.indent(2 * level); }

  template <typename List, typename Fn> void commas(const List &list, Fn print) {
    bool first = true;
    for (const auto &item : list) {
      if (!first)
        os << ", ";
      first = false;
      print(item);
    }
  }

  void variable(const Variable *v) { os << v->name << '%' << v->id; }
  void declare(const Variable *v) {
    variable(v);
    os << ": " << spelling(v->type);
  }
  void object(const Object *o) { os << o->name << '#' << o->id; }

  void exprs(const std::vector<Expr *> &list) {
    commas(list, [&](const Expr *e) { expr(e); });
  }
  void element(const Object *o, const std::vector<Expr *> &indices) {
    object(o);
    os << '[';
    exprs(indices);
    os << ']';
  }
  void items(const std::vector<ViewItem> &list) {
    os << '[';
    commas(list, [&](const ViewItem &item) {
      expr(item.offset);
      if (item.length) {
        os << " +: ";
        expr(item.length);
      }
    });
    os << ']';
  }
  void region(const Region &r) {
    object(r.object);
    if (r.isWhole())
      return;
    os << '[';
    for (size_t i = 0; i < r.offsets.size(); ++i) {
      os << (i ? ", " : "");
      expr(r.offsets[i]);
      if (!r.dropped.test(i))
        os << " +: " << r.extents[i];
    }
    os << ']';
  }
  void block(const StmtList &body) {
    ++level;
    for (const Stmt *s : body)
      stmt(s);
    --level;
  }
  void params(const std::vector<Variable *> &variables, const std::vector<Expr *> &args) {
    for (size_t i = 0; i < variables.size(); ++i) {
      os << (i ? ", " : "");
      declare(variables[i]);
      os << " = ";
      expr(args[i]);
    }
  }

  void expr(const Expr *e);
  void stmt(const Stmt *s);
  void values(const std::vector<NamedValue> &list, const std::vector<DataRange> &ranges);

  llvm::raw_ostream &os;
  unsigned level = 0;
};

void Dumper::expr(const Expr *e) {
  switch (e->kind) {
  case ExprKind::Const: {
    auto *c = llvm::cast<Const>(e);
    if (isBool(c->type))
      os << (c->integer ? "true" : "false");
    else if (isFloat(c->type))
      os << formatReal(c->real) << ':' << spelling(c->type);
    else {
      if (c->type == ScalarType::U64)
        os << uint64_t(c->integer);
      else
        os << c->integer;
      if (c->type != ScalarType::I64)
        os << ':' << spelling(c->type);
    }
    break;
  }
  case ExprKind::VarRef:
    variable(llvm::cast<VarRef>(e)->variable);
    break;
  case ExprKind::Unary:
    os << kUnary[unsigned(llvm::cast<Unary>(e)->op)];
    expr(llvm::cast<Unary>(e)->operand);
    break;
  case ExprKind::Binary: {
    auto *b = llvm::cast<Binary>(e);
    os << '(';
    expr(b->lhs);
    os << ' ' << kBinary[unsigned(b->op)] << ' ';
    expr(b->rhs);
    os << ')';
    break;
  }
  case ExprKind::Cast:
    os << spelling(e->type) << '(';
    expr(llvm::cast<Cast>(e)->operand);
    os << ')';
    break;
  case ExprKind::Bitcast:
    os << "bitcast<" << spelling(e->type) << ">(";
    expr(llvm::cast<Bitcast>(e)->operand);
    os << ')';
    break;
  case ExprKind::Conditional: {
    auto *c = llvm::cast<Conditional>(e);
    os << (c->lazy ? "(" : "select(");
    expr(c->condition);
    os << (c->lazy ? " ? " : ", ");
    expr(c->onTrue);
    os << (c->lazy ? " : " : ", ");
    expr(c->onFalse);
    os << ')';
    break;
  }
  case ExprKind::Call: {
    auto *c = llvm::cast<Call>(e);
    os << kBuiltin[unsigned(c->function)] << '(';
    exprs(c->args);
    os << ')';
    break;
  }
  case ExprKind::ElementRead:
    element(llvm::cast<ElementRead>(e)->object, llvm::cast<ElementRead>(e)->indices);
    break;
  case ExprKind::InlineCall: {
    auto *c = llvm::cast<InlineCall>(e);
    os << c->function << '(';
    params(c->params, c->args);
    os << ") -> " << spelling(c->type) << " {\n";
    ++level;
    block(c->body);
    line() << '}';
    --level;
    break;
  }
  }
}

void Dumper::stmt(const Stmt *s) {
  line();
  switch (s->kind) {
  case StmtKind::VarDecl: {
    auto *d = llvm::cast<VarDecl>(s);
    os << (d->variable->kind == VarKind::Var ? "var " : "let ");
    declare(d->variable);
    os << " = ";
    expr(d->init);
    break;
  }
  case StmtKind::Assign:
    variable(llvm::cast<Assign>(s)->variable);
    os << " = ";
    expr(llvm::cast<Assign>(s)->value);
    break;
  case StmtKind::TileDecl: {
    auto *d = llvm::cast<TileDecl>(s);
    os << (d->tile->kind == ObjectKind::Shared ? "shared " : "fragment ");
    object(d->tile);
    os << ": " << spelling(d->tile->element) << '[';
    commas(d->tile->extents, [&](int64_t extent) { os << extent; });
    os << ']';
    if (d->tile->swizzle != Swizzle::Unset)
      os << " swizzle " << kSwizzle[unsigned(d->tile->swizzle)];
    if (d->init) {
      os << " = ";
      expr(d->init);
    }
    break;
  }
  case StmtKind::WindowDecl: {
    auto *w = llvm::cast<WindowDecl>(s)->window;
    os << "window ";
    object(w);
    os << " = ";
    object(w->base);
    items(w->items);
    break;
  }
  case StmtKind::ViewDecl: {
    auto *v = llvm::cast<ViewDecl>(s)->view;
    os << "view ";
    object(v);
    os << " = ";
    object(v->base);
    items(v->items);
    break;
  }
  case StmtKind::ElementWrite: {
    auto *w = llvm::cast<ElementWrite>(s);
    element(w->object, w->indices);
    os << " = ";
    expr(w->value);
    break;
  }
  case StmtKind::ElementUpdate: {
    auto *u = llvm::cast<ElementUpdate>(s);
    element(u->object, u->indices);
    os << ' ' << kUpdate[unsigned(u->op)] << ' ';
    expr(u->value);
    break;
  }
  case StmtKind::ElementAtomic: {
    auto *a = llvm::cast<ElementAtomic>(s);
    os << kAtomic[unsigned(a->op)] << '(';
    element(a->object, a->indices);
    os << ", ";
    expr(a->value);
    os << ')';
    break;
  }
  case StmtKind::Copy: {
    auto *c = llvm::cast<Copy>(s);
    os << "copy(";
    region(c->source);
    os << ", ";
    region(c->dest);
    if (c->pad) {
      os << ", pad = ";
      expr(c->pad);
    }
    os << ')';
    break;
  }
  case StmtKind::Gemm: {
    auto *g = llvm::cast<Gemm>(s);
    os << "gemm(";
    object(g->a);
    os << ", ";
    object(g->b);
    os << ", ";
    object(g->c);
    os << (g->transA ? ", trans_a" : "") << (g->transB ? ", trans_b" : "");
    if (g->warps != WarpShape::Unset)
      os << ", warps = " << kWarps[unsigned(g->warps)];
    os << ')';
    break;
  }
  case StmtKind::Fill:
    os << "fill(";
    region(llvm::cast<Fill>(s)->target);
    os << ", ";
    expr(llvm::cast<Fill>(s)->value);
    os << ')';
    break;
  case StmtKind::Reduce: {
    auto *r = llvm::cast<Reduce>(s);
    os << kReduce[unsigned(r->op)] << '(';
    object(r->source);
    os << ", ";
    object(r->dest);
    os << ", axis = " << r->axis << (r->accumulate ? ", accumulate" : "")
       << (r->propagateNan ? ", propagate" : "") << ')';
    break;
  }
  case StmtKind::Scan: {
    auto *c = llvm::cast<Scan>(s);
    os << (c->op == ScanOp::Sum ? "cumsum(" : "cummax(");
    object(c->object);
    os << ", axis = " << c->axis << (c->reverse ? ", reverse" : "") << ')';
    break;
  }
  case StmtKind::Transpose:
    os << "transpose(";
    object(llvm::cast<Transpose>(s)->source);
    os << ", ";
    object(llvm::cast<Transpose>(s)->dest);
    os << ')';
    break;
  case StmtKind::RegionAtomic: {
    auto *a = llvm::cast<RegionAtomic>(s);
    os << kAtomic[unsigned(a->op)] << '(';
    region(a->target);
    os << ", ";
    if (a->value)
      expr(a->value);
    else
      region(a->tile);
    os << ')';
    break;
  }
  case StmtKind::For: {
    auto *f = llvm::cast<For>(s);
    os << "for ";
    variable(f->variable);
    os << (f->loop == LoopKind::Range ? " in range(" : " in pipelined(");
    expr(f->lo);
    os << ", ";
    expr(f->hi);
    os << ", ";
    expr(f->step);
    if (f->loop == LoopKind::Pipelined)
      os << ", stages = " << f->stages;
    os << ")\n";
    block(f->body);
    return;
  }
  case StmtKind::Parallel: {
    auto *p = llvm::cast<Parallel>(s);
    os << "for (";
    commas(p->variables, [&](const Variable *v) { variable(v); });
    os << ") in parallel(";
    exprs(p->extents);
    os << ")\n";
    block(p->body);
    return;
  }
  case StmtKind::While:
    os << "while ";
    expr(llvm::cast<While>(s)->condition);
    os << '\n';
    block(llvm::cast<While>(s)->body);
    return;
  case StmtKind::If: {
    auto *i = llvm::cast<If>(s);
    os << "if ";
    expr(i->condition);
    os << '\n';
    block(i->thenBody);
    if (!i->elseBody.empty()) {
      line() << "else\n";
      block(i->elseBody);
    }
    return;
  }
  case StmtKind::Break:
    os << "break";
    break;
  case StmtKind::Continue:
    os << "continue";
    break;
  case StmtKind::Return:
    os << "return ";
    expr(llvm::cast<Return>(s)->value);
    break;
  case StmtKind::Block:
    os << "block\n";
    block(llvm::cast<Block>(s)->body);
    return;
  case StmtKind::InlineBlock: {
    auto *b = llvm::cast<InlineBlock>(s);
    if (b->isUnroll) {
      os << "unroll\n";
    } else {
      os << "macro " << b->macro << '(';
      params(b->params, b->args);
      os << ")\n";
    }
    ++level;
    for (const StmtList &part : b->parts) {
      line() << "part\n";
      block(part);
    }
    --level;
    return;
  }
  case StmtKind::Assume:
    os << "assume(";
    expr(llvm::cast<Assume>(s)->condition);
    os << ')';
    break;
  case StmtKind::Assert:
    os << "assert(";
    expr(llvm::cast<Assert>(s)->condition);
    os << ", \"";
    os.write_escaped(llvm::cast<Assert>(s)->text) << "\")";
    break;
  case StmtKind::Print:
    os << "print(\"";
    os.write_escaped(llvm::cast<Print>(s)->text) << '"';
    for (const Expr *arg : llvm::cast<Print>(s)->args) {
      os << ", ";
      expr(arg);
    }
    os << ')';
    break;
  }
  os << '\n';
}

void Dumper::kernel(const Kernel &k) {
  line() << (k.isEntry ? "entry " : "kernel ") << k.symbol << " = " << k.sourceName << '<';
  commas(k.compileArgs, [&](const CompileArg &arg) { os << arg.name << " = " << arg.value; });
  os << '>' << (k.isOracle ? " oracle" : "") << (k.usesTarget ? " uses target" : "") << '\n';
  ++level;
  for (const Param &param : k.params) {
    if (param.scalar) {
      line() << "param ";
      declare(param.scalar);
      os << '\n';
      continue;
    }
    const Tensor *t = param.tensor;
    line() << "param " << kAccess[unsigned(t->access)];
    object(t);
    os << ": " << spelling(t->element) << '[';
    exprs(t->extents);
    os << ']';
    if (!t->strides.empty()) {
      os << " strides [";
      exprs(t->strides);
      os << ']';
    }
    os << '\n';
  }
  for (const Binding &binding : k.bindings) {
    line() << "bind ";
    variable(binding.variable);
    os << " = " << k.params[binding.param].name() << (binding.isStride ? ".stride(" : ".extent(")
       << binding.axis << ")\n";
  }
  for (const Fact &fact : k.facts) {
    line() << "where ";
    expr(fact.condition);
    os << '\n';
  }
  for (const Stmt *s : k.prologue)
    stmt(s);
  line() << "grid(";
  exprs(k.gridExtents);
  os << ", threads = " << k.threads;
  if (!k.cluster.empty()) {
    os << ", cluster = (";
    commas(k.cluster, [&](int64_t extent) { os << extent; });
    os << ')';
  }
  if (k.persistent)
    os << ", persistent";
  if (k.raster.panel)
    os << ", panel = " << k.raster.panel << (k.raster.columnOrder ? " column" : " row");
  os << ") as (";
  commas(k.blockIndices, [&](const Variable *v) { variable(v); });
  os << ")\n";
  block(k.body);
  --level;
}

void Dumper::values(const std::vector<NamedValue> &list, const std::vector<DataRange> &ranges) {
  os << " {";
  commas(list, [&](const NamedValue &value) {
    os << value.name << " = ";
    if (isFloat(value.type))
      os << formatReal(value.real);
    else if (isBool(value.type))
      os << (value.integer ? "true" : "false");
    else if (value.type == ScalarType::U64)
      os << uint64_t(value.integer);
    else
      os << value.integer;
  });
  for (const DataRange &range : ranges)
    os << ", " << range.tensor << " in range(" << range.loInt << ", " << range.hiInt << ')';
  os << '}';
}

void Dumper::program(const Program &program) {
  for (const Kernel &k : program.kernels)
    kernel(k);
  for (const Check &check : program.checks) {
    os << "check " << check.kernel->symbol;
    values(check.values, check.ranges);
    os << " against ";
    if (check.oracle) {
      os << check.oracle->symbol;
      values(check.oracleValues, {});
    } else {
      os << "reference";
    }
    os << " tolerance";
    for (const OutputTolerance &tolerance : check.tolerances)
      os << ' ' << tolerance.tensor << (tolerance.tensor.empty() ? "" : " ") << formatReal(tolerance.value);
    os << "  // " << check.text << '\n';
  }
  for (const Bench &bench : program.benches) {
    os << "bench " << bench.kernel->symbol;
    values(bench.values, bench.ranges);
    os << " flops " << formatReal(bench.flops) << " bytes " << formatReal(bench.bytes) << "  // "
       << bench.text << '\n';
  }
  for (const Tune &tune : program.tunes) {
    os << "tune " << tune.kernel << '\n';
    for (const TuneAxis &axis : tune.axes) {
      os << "  " << axis.name << " in [";
      commas(axis.values, [&](const std::string &value) { os << value; });
      os << "]\n";
    }
    os << "  " << tune.legal.size() << " legal\n";
  }
}

} // namespace

void dumpHir(const Kernel &kernel, llvm::raw_ostream &os) { Dumper(os).kernel(kernel); }
void dumpHir(const Program &program, llvm::raw_ostream &os) { Dumper(os).program(program); }

} // namespace tilec::frontend::hir
