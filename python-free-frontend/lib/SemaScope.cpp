//===- SemaScope.cpp - names: declaring, looking up, suggesting --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes are a chain that ends at a kernel's parameters or a fn's; behind it are the names of the file that
// the text stands in. Functions are looked up in the file alone: variables never hide them.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

#include "tilec/Frontend/Parser.h"

namespace tilec::frontend::sema {

static std::string sortedLetters(llvm::StringRef text) {
  std::string letters = text.lower();
  llvm::sort(letters);
  return letters;
}

llvm::StringRef closest(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  std::string letters = sortedLetters(name);
  llvm::StringRef best;
  unsigned bestDistance = name.size() / 3 + 1; // more edits than that is another word
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = sortedLetters(candidate) == letters // other case, or letters swapped
                            ? 0
                            : name.edit_distance(candidate, /*AllowReplacements=*/true, bestDistance);
    bool better = distance < bestDistance || (distance == bestDistance && (best.empty() || candidate < best));
    if (better && distance <= bestDistance && candidate != name) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

llvm::StringRef describe(const hir::Object *object) {
  switch (object->kind) {
  case hir::ObjectKind::Tensor:
    return "a tensor";
  case hir::ObjectKind::Shared:
    return "a shared tile";
  case hir::ObjectKind::Fragment:
    return "a fragment";
  case hir::ObjectKind::Window:
    return "a window";
  case hir::ObjectKind::SharedView:
    return "a view of a shared tile";
  }
  llvm_unreachable("unknown kind of object");
}

hir::Object *rootOf(hir::Object *object) {
  while (true) {
    if (auto *window = llvm::dyn_cast<hir::Window>(object))
      object = window->base;
    else if (auto *view = llvm::dyn_cast<hir::SharedView>(object))
      object = view->base;
    else
      return object;
  }
}

std::optional<int64_t> constantInt(const hir::Expr *expr) {
  auto *constant = llvm::dyn_cast_or_null<hir::Const>(expr);
  if (!constant || !isInteger(constant->type))
    return std::nullopt;
  return constant->integer;
}

std::vector<int64_t> constantExtents(const hir::Object *object) {
  std::vector<int64_t> extents;
  if (auto *tile = llvm::dyn_cast<hir::Tile>(object))
    return tile->extents;
  if (auto *view = llvm::dyn_cast<hir::SharedView>(object))
    return view->extents;
  if (auto *tensor = llvm::dyn_cast<hir::Tensor>(object)) {
    for (const hir::Expr *extent : tensor->extents)
      extents.push_back(constantInt(extent).value_or(-1));
    return extents;
  }
  for (const hir::ViewItem &item : llvm::cast<hir::Window>(object)->items)
    if (item.length) {
      auto length = constantInt(item.length);
      extents.push_back(length ? std::max<int64_t>(*length, 0) : -1);
    }
  return extents;
}

std::string formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? std::string("?") : std::to_string(shape[i]));
  return text + "]";
}

const Symbol *Checker::lookup(llvm::StringRef name) const {
  for (const Scope *s = scope; s; s = s->parent)
    if (auto it = s->names.find(name); it != s->names.end())
      return &it->second;
  return nullptr;
}

const FileName *Checker::lookupFile(llvm::StringRef name) const {
  auto it = file->names.find(name);
  return it == file->names.end() ? nullptr : &it->second;
}

std::optional<ScalarType> Checker::lookupTypeParam(llvm::StringRef name) const {
  for (const Scope *s = scope; s; s = s->parent)
    if (auto it = s->names.find(name); it != s->names.end())
      if (it->second.kind == Symbol::Kind::Constant && it->second.constant.isType())
        return it->second.constant.type;
  return std::nullopt;
}

std::vector<llvm::StringRef> Checker::visibleNames() const {
  std::vector<llvm::StringRef> names;
  for (const Scope *s = scope; s; s = s->parent)
    for (const auto &entry : s->names)
      names.push_back(entry.first());
  for (const auto &entry : file->names)
    if (llvm::isa<ast::Constant>(entry.second.decl))
      names.push_back(entry.first());
  return names;
}

void Checker::reportUnknown(DiagId id, ast::Identifier name, llvm::ArrayRef<llvm::StringRef> candidates) {
  {
    auto diag = error(id, name.range, name.text);
    llvm::StringRef suggestion = getBuiltinForForeignName(name.text);
    if (suggestion.empty() || !llvm::is_contained(candidates, suggestion))
      suggestion = closest(name.text, candidates);
    if (llvm::StringRef hint = getForeignWordHint(name.text); !hint.empty())
      diag.note(hint);
    else if (!suggestion.empty())
      diag.note(name.range, "did you mean '" + suggestion + "'?").fixIt(name.range, suggestion);
  }
  if (id != DiagId::UnknownName && id != DiagId::UnknownType)
    return;
  // Once is enough: from here on the name is known to be wrong.
  Scope *outermost = scope;
  while (outermost && outermost->parent)
    outermost = outermost->parent;
  if (outermost) {
    Symbol known = Symbol::poison(name.range);
    known.reported = true;
    outermost->names.try_emplace(name.text, known);
  }
}

bool Checker::declare(ast::Identifier name, Symbol symbol) {
  symbol.range = name.range;
  symbol.inParallel = parallel != nullptr;
  auto [it, inserted] = scope->names.try_emplace(name.text, symbol);
  if (!inserted && !it->second.reported) {
    error(DiagId::DuplicateName, name.range, name.text)
        .note(it->second.range, "the first declaration is here");
    it->second = Symbol::poison(it->second.range);
    it->second.reported = true;
  }
  return inserted;
}

hir::Object *Checker::lookupObject(ast::Identifier name) {
  if (const Symbol *symbol = lookup(name.text)) {
    if (symbol->kind == Symbol::Kind::Object)
      return symbol->object;
    if (symbol->kind != Symbol::Kind::Poison) {
      bool isType = symbol->kind == Symbol::Kind::Constant && symbol->constant.isType();
      error(DiagId::NotIndexable, name.range, name.text,
            isType                                   ? "a type"
            : symbol->kind == Symbol::Kind::Constant ? "a constant"
                                                     : "a scalar")
          .note(symbol->range, "it is declared here");
    }
    return nullptr;
  }
  if (const FileName *known = lookupFile(name.text)) {
    error(DiagId::NotIndexable, name.range, name.text,
          llvm::isa<ast::Constant>(known->decl) ? "a constant"
          : llvm::isa<ast::Kernel>(known->decl) ? "a kernel"
                                                : "a fn")
        .note(known->range, "it is declared here");
    return nullptr;
  }
  std::vector<llvm::StringRef> candidates;
  for (const Scope *s = scope; s; s = s->parent)
    for (const auto &entry : s->names)
      if (entry.second.kind == Symbol::Kind::Object || entry.second.kind == Symbol::Kind::Poison)
        candidates.push_back(entry.first());
  reportUnknown(DiagId::UnknownName, name, candidates);
  return nullptr;
}

hir::Variable *Checker::makeVariable(ast::Identifier name, hir::VarKind kind, ScalarType type) {
  countNodes(1);
  auto *variable = program.make<hir::Variable>();
  variable->name = name.text.str();
  variable->kind = kind;
  variable->type = type;
  variable->range = name.range;
  variable->id = nextVariable++;
  return variable;
}

void Checker::countNodes(unsigned count) {
  nodes += count;
  if (aborted || nodes <= analyzer.options.maxNodesPerKernel)
    return;
  SourceRange range = kernelDecl ? kernelDecl->getName().range : SourceRange();
  if (!calls.empty())
    range = calls.front().range;
  if (expanding.isValid())
    range = expanding;
  error(DiagId::KernelTooLarge, range, analyzer.options.maxNodesPerKernel)
      .note("unroll less, or use 'range' where the loop need not be unrolled");
  aborted = true;
}

void Checker::addContext(DiagnosticBuilder &builder) const {
  for (const CallFrame &frame : llvm::reverse(calls))
    builder.note(frame.range, "in this call of '" + frame.fn->getName().text + "'");
  if (!kernel)
    return;
  // Values that are not simply the defaults as written: those one can read in the kernel's head.
  std::string values;
  for (size_t i = 0; i < kernel->compileArgs.size(); ++i) {
    const hir::CompileArg &arg = kernel->compileArgs[i];
    const ast::CompileParam &param = kernelDecl->getCompileParams()[i];
    llvm::StringRef byDefault = param.value         ? analyzer.text(param.value->getRange())
                                : param.defaultType ? param.defaultType->text
                                                    : llvm::StringRef();
    if (byDefault != arg.value)
      values += (values.empty() ? "" : ", ") + arg.name + " = " + arg.value;
  }
  if (!values.empty())
    builder.note(kernel->range, "in kernel '" + kernel->sourceName + "' with " + values);
}

ContextDiagnostic::~ContextDiagnostic() { checker.addContext(builder); }

void Checker::pushGuard(Guard guard) {
  guard.parent = guards;
  guardStorage.push_back(guard);
  guards = &guardStorage.back();
}

} // namespace tilec::frontend::sema
