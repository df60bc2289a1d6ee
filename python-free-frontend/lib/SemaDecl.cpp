//===- SemaDecl.cpp - file-level names, constants and fns ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File-level names are visible in the whole file, so constants are evaluated when first needed.
//
//===----------------------------------------------------------------------===//
#include "SemaImpl.h"

#include "tilec/Support/CNames.h"

namespace tilec::frontend::sema {

bool isReservedEntryName(llvm::StringRef name) {
  // Names with a leading underscore belong to the implementation at file scope, those with two anywhere; `main`
  // and `std` are no keywords, but nobody may declare them either.
  return name.starts_with("_") || name.contains("__") || name == "main" || name == "std" || isReservedInC(name);
}

DiagnosticBuilder Analyzer::error(DiagId id, SourceRange range, llvm::SmallVector<DiagArg, 4> args) {
  Diagnostic diag;
  diag.id = id;
  diag.range = range;
  diag.severity = Severity::Ignored;
  if (reported.emplace(unsigned(id), range.file, range.begin, range.end).second) {
    diag.severity = diags.getSeverity(id);
    diag.message = formatMessage(getDiagInfo(id).message, args);
    diag.promoted = diag.severity == Severity::Error && getDiagInfo(id).defaultSeverity != Severity::Error;
  }
  return DiagnosticBuilder(diags, std::move(diag));
}

void Analyzer::declareNames(FileContext &file) {
  for (const ast::Decl *decl : file.file->getDecls()) {
    ast::Identifier name;
    if (auto *kernel = llvm::dyn_cast<ast::Kernel>(decl)) {
      name = kernel->getName();
    } else if (auto *constant = llvm::dyn_cast<ast::Constant>(decl)) {
      name = constant->getName();
    } else if (auto *fn = llvm::dyn_cast<ast::Function>(decl)) {
      name = fn->getName();
      if (isBuiltinName(name.text)) {
        error(DiagId::NameOfBuiltin, name.range, {DiagArg(name.text)}).note("choose another name");
        continue;
      }
    } else {
      continue;
    }
    auto [it, inserted] = file.names.try_emplace(name.text, FileName{decl, &file, name.range, false});
    if (!inserted)
      error(DiagId::DuplicateName, name.range, {DiagArg(name.text)})
          .note(it->second.range, "the first declaration is here");
  }
}

const FileName *Analyzer::findKernel(ast::Identifier name) {
  auto it = mainContext->names.find(name.text);
  if (it != mainContext->names.end() && llvm::isa<ast::Kernel>(it->second.decl))
    return &it->second;
  if (it != mainContext->names.end()) {
    error(DiagId::NotAKernel, name.range, {DiagArg(name.text)}).note(it->second.range, "it is declared here");
    return nullptr;
  }
  std::vector<llvm::StringRef> candidates;
  for (const auto &entry : mainContext->names)
    if (llvm::isa<ast::Kernel>(entry.second.decl))
      candidates.push_back(entry.first());
  auto diag = error(DiagId::UnknownKernel, name.range, {DiagArg(name.text)});
  for (const ast::Decl *decl : mainContext->file->getDecls())
    if (auto *entry = llvm::dyn_cast<ast::Instantiate>(decl); entry && entry->getName().text == name.text) {
      diag.note(entry->getName().range, "this names an entry point; write the kernel, '" +
                                            entry->getKernel().text +
                                            "', and its compile-time arguments between '<' and '>'");
      return nullptr;
    }
  llvm::StringRef suggestion = closest(name.text, candidates);
  if (!suggestion.empty())
    diag.note(name.range, "did you mean '" + suggestion + "'?").fixIt(name.range, suggestion);
  return nullptr;
}

/// Evaluates what `root` is made of, innermost first, so that a long chain of consts is no deep recursion.
/// What a const leads back to itself through is left to its own evaluation, which may not need it: an untaken
/// side.
void Analyzer::evaluateOperands(const ast::Constant *root, FileContext &file) {
  struct Entry {
    const ast::Constant *constant;
    FileContext *file;
  };
  llvm::SmallVector<Entry, 8> stack{{root, &file}};
  llvm::DenseSet<const ast::Constant *> entered;
  while (!stack.empty()) {
    Entry entry = stack.back();
    if (constants.contains(entry.constant) || !entered.insert(entry.constant).second) {
      stack.pop_back();
      if (entry.constant != root && !constants.contains(entry.constant))
        evaluateConstant(entry.constant, *entry.file);
      continue;
    }
    llvm::SmallVector<const ast::Expr *, 8> exprs{entry.constant->getValue()};
    while (!exprs.empty()) {
      const ast::Expr *expr = exprs.pop_back_val();
      forEachOperand(expr, [&](const ast::Expr *operand) { exprs.push_back(operand); });
      auto *name = llvm::dyn_cast<ast::NameRef>(expr);
      auto known = name ? entry.file->names.find(name->getName()) : entry.file->names.end();
      if (known == entry.file->names.end())
        continue;
      auto *constant = llvm::dyn_cast<ast::Constant>(known->second.decl);
      if (constant && !constants.contains(constant) && !entered.contains(constant))
        stack.push_back({constant, known->second.owner});
    }
  }
}

std::optional<ConstValue> Analyzer::evaluateConstant(const ast::Constant *constant, FileContext &file) {
  constexpr unsigned maxDepth = 64; // only consts in cycles are evaluated inside one another
  constants[constant] = {ConstState::Running, std::nullopt};
  std::optional<ConstValue> value;
  if (++constantDepth > maxDepth)
    error(DiagId::NestedTooDeep, constant->getName().range, {DiagArg(maxDepth), DiagArg("consts")});
  else
    value = Checker(*this, file).checkConstant(constant->getValue(), "the value of a const");
  --constantDepth;
  constants[constant] = {ConstState::Done, value};
  return value;
}

std::optional<ConstValue> Analyzer::constantValue(const ast::Constant *constant, FileContext &file) {
  if (!constants.contains(constant))
    evaluateOperands(constant, file);
  auto known = constants.find(constant);
  if (known == constants.end())
    return evaluateConstant(constant, file);
  if (known->second.first == ConstState::Running) {
    error(DiagId::ConstantCycle, constant->getName().range, {DiagArg(constant->getName().text)})
        .note("a const may use only what does not use it");
    return std::nullopt;
  }
  return known->second.second;
}

void forEachOperand(const ast::Expr *expr, llvm::function_ref<void(const ast::Expr *)> visit) {
  if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr)) {
    llvm::for_each(call->getArgs(), visit);
  } else if (auto *paren = llvm::dyn_cast<ast::ParenExpr>(expr)) {
    visit(paren->getInner());
  } else if (auto *conversion = llvm::dyn_cast<ast::ConversionExpr>(expr)) {
    visit(conversion->getOperand());
  } else if (auto *cast = llvm::dyn_cast<ast::BitcastExpr>(expr)) {
    visit(cast->getOperand());
  } else if (auto *index = llvm::dyn_cast<ast::IndexExpr>(expr)) {
    for (const ast::IndexItem &item : index->getItems())
      for (const ast::Expr *part : {item.start, item.length})
        if (part)
          visit(part);
  } else if (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr)) {
    visit(unary->getOperand());
  } else if (auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr)) {
    visit(binary->getLhs());
    visit(binary->getRhs());
  } else if (auto *chain = llvm::dyn_cast<ast::ChainExpr>(expr)) {
    visit(chain->getFirst());
    for (const auto &link : chain->getLinks())
      visit(link.rhs);
  } else if (auto *conditional = llvm::dyn_cast<ast::ConditionalExpr>(expr)) {
    visit(conditional->getCondition());
    visit(conditional->getTrue());
    visit(conditional->getFalse());
  }
}

void forEachCall(const ast::Stmt *root, llvm::function_ref<void(ast::Identifier)> visit) {
  llvm::SmallVector<const ast::Stmt *, 16> stmts{root};
  llvm::SmallVector<const ast::Expr *, 16> exprs;
  auto push = [&](const ast::Expr *expr) {
    if (expr)
      exprs.push_back(expr);
  };
  while (!stmts.empty() || !exprs.empty()) {
    if (!exprs.empty()) {
      const ast::Expr *expr = exprs.pop_back_val();
      if (auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
        visit(call->getCallee());
      forEachOperand(expr, push);
      continue;
    }
    const ast::Stmt *stmt = stmts.pop_back_val();
    if (auto *block = llvm::dyn_cast<ast::BlockStmt>(stmt)) {
      stmts.append(block->getBody().begin(), block->getBody().end());
    } else if (auto *let = llvm::dyn_cast<ast::LetStmt>(stmt)) {
      push(let->getValue());
    } else if (auto *var = llvm::dyn_cast<ast::VarStmt>(stmt)) {
      push(var->getValue());
    } else if (auto *tile = llvm::dyn_cast<ast::TileStmt>(stmt)) {
      llvm::for_each(tile->getDims(), push);
      push(tile->getInit());
    } else if (auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
      push(assign->getTarget());
      push(assign->getValue());
    } else if (auto *call = llvm::dyn_cast<ast::CallStmt>(stmt)) {
      visit(call->getCallee());
      llvm::for_each(call->getArgs(), push);
      for (const ast::NamedArg &named : call->getNamedArgs())
        push(named.value);
    } else if (auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
      llvm::for_each(loop->getArgs(), push);
      push(loop->getStages());
      stmts.push_back(loop->getBody());
    } else if (auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
      push(branch->getCondition());
      stmts.push_back(branch->getThen());
      if (branch->getElse())
        stmts.push_back(branch->getElse());
    } else if (auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
      push(loop->getCondition());
      stmts.push_back(loop->getBody());
    } else if (auto *result = llvm::dyn_cast<ast::ReturnStmt>(stmt)) {
      push(result->getValue());
    }
  }
}

/// Recursion is an error where it is written; calls of such a fn are poison. Fns are also checked for names,
/// and for type parameters that nothing binds.
namespace {
struct CallEdge {
  unsigned callee;
  SourceRange range;
};
} // namespace

/// The strongly connected component of every fn of a call graph: two that reach one another share a number
/// (Tarjan's algorithm, on a stack of its own).
static std::vector<unsigned> findComponents(const std::vector<std::vector<CallEdge>> &calls) {
  struct Frame {
    unsigned node;
    unsigned nextCall;
  };
  size_t count = calls.size();
  std::vector<unsigned> order(count, 0), low(count, 0), components(count, 0);
  std::vector<unsigned> open; // entered, component not complete
  unsigned entered = 0, found = 0;
  for (unsigned root = 0; root < count; ++root) {
    if (order[root] != 0)
      continue;
    std::vector<Frame> stack{{root, 0}};
    while (!stack.empty()) {
      auto &[node, nextCall] = stack.back();
      if (nextCall == 0) {
        order[node] = low[node] = ++entered;
        open.push_back(node);
      } else {
        // Back from a callee; a complete one has left `open` and its `low` is larger than any here.
        unsigned callee = calls[node][nextCall - 1].callee;
        if (components[callee] == 0)
          low[node] = std::min(low[node], low[callee]);
      }
      if (nextCall < calls[node].size()) {
        unsigned callee = calls[node][nextCall++].callee;
        if (order[callee] == 0)
          stack.push_back({callee, 0});
        continue;
      }
      if (low[node] == order[node]) {
        ++found;
        unsigned member;
        do {
          member = open.back();
          open.pop_back();
          components[member] = found;
        } while (member != node);
      }
      stack.pop_back();
    }
  }
  return components;
}

void Analyzer::checkFunctions() {
  struct Node {
    const ast::Function *fn;
    FileContext *owner;
  };
  std::vector<Node> nodes;
  for (const auto &file : files)
    for (const ast::Decl *decl : file->file->getDecls())
      if (auto *fn = llvm::dyn_cast<ast::Function>(decl))
        nodes.push_back({fn, file.get()});

  llvm::DenseMap<const ast::Function *, unsigned> numbers;
  for (auto [number, node] : llvm::enumerate(nodes))
    numbers[node.fn] = number;
  std::vector<std::vector<CallEdge>> calls(nodes.size());
  for (auto [number, node] : llvm::enumerate(nodes))
    forEachCall(node.fn->getBody(), [&](ast::Identifier callee) {
      auto it = node.owner->names.find(callee.text);
      if (it != node.owner->names.end())
        if (auto *fn = llvm::dyn_cast<ast::Function>(it->second.decl))
          calls[number].push_back({numbers[fn], callee.range});
    });
  std::vector<unsigned> components = findComponents(calls);
  for (auto [number, node] : llvm::enumerate(nodes))
    for (const CallEdge &call : calls[number])
      if (components[number] == components[call.callee]) {
        if (recursive.insert(node.fn).second)
          error(DiagId::Recursion, call.range,
                {DiagArg(node.fn->getName().text), DiagArg(nodes[call.callee].fn->getName().text)})
              .note("every fn is inlined: use a loop");
      }

  for (const Node &node : nodes) {
    for (const ast::Identifier &type : node.fn->getTypeParams()) {
      bool bound = llvm::any_of(node.fn->getParams(), [&](const ast::FnParam &param) {
        return !param.type.isScalar() && param.type.text == type.text;
      });
      if (!bound)
        error(DiagId::UnboundTypeParam, type.range, {DiagArg(type.text), DiagArg(node.fn->getName().text)})
            .note("a type parameter is taken from the arguments: give a parameter that type");
    }
    for (const ast::FnParam &param : node.fn->getParams())
      if (param.space && !node.fn->isMacro())
        error(DiagId::TileInScalarFn, param.range,
              {DiagArg(node.fn->getName().text), DiagArg(param.name.text)})
            .note("a fn with '->' takes scalars; drop '-> …' to make it a tile macro");
    Checker checker(*this, *node.owner);
    checker.checkFunctionNames(node.fn);
  }
}

} // namespace tilec::frontend::sema
