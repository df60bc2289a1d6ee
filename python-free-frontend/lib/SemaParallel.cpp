//===- SemaParallel.cpp - conflicts between iterations of a parallel loop -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations are tried; every access files the element that it names under that iteration. Two iterations
// that write one element, or of which one reads what the other writes, are an error, and the message names
// both.
//
//===----------------------------------------------------------------------===//
#include "SemaIndex.h"

namespace tilec::frontend::sema {

namespace {
struct Tried {
  const hir::Variable *variable;
  std::vector<int64_t> values;
};

/// Who touched an element first.
struct Toucher {
  std::vector<int64_t> iteration;
  const Access *access;
};

class ConflictProver {
public:
  ConflictProver(const ParallelContext &parallel, const IndexEvaluator::LetValues &lets, unsigned &budget)
      : parallel(parallel), budget(budget), evaluator(lets) {
    evaluator.firstInnerVariable = parallel.variables.front()->id;
    for (const Access &access : parallel.accesses)
      if (access.kind != AccessKind::Read)
        evaluator.written.insert(rootOf(access.object));
    for (const Access &access : parallel.accesses)
      for (const hir::Expr *index : access.indices)
        collectConstants(index, lets, constants);
  }

  struct Conflict {
    Toucher first, second;
  };

  /// Calls `visit(element, iteration)` for every tried iteration in which the access is certain to happen.
  template <typename Fn> void forEach(const Access &access, Fn visit) {
    std::vector<Tried> tried;
    llvm::SmallVector<std::pair<const hir::Expr *, bool>, 4> conditions;
    size_t variables = parallel.variables.size();
    for (const Guard *guard = access.guards; guard != parallel.outer; guard = guard->parent)
      variables += guard->kind == Guard::Kind::Loop;
    size_t limit = variables == 1 ? 256 : variables == 2 ? 20 : variables == 3 ? 9 : variables == 4 ? 5 : 2;
    for (const Guard *guard = access.guards; guard != parallel.outer; guard = guard->parent) {
      switch (guard->kind) {
      case Guard::Kind::Opaque:
        return;
      case Guard::Kind::Condition:
        conditions.push_back({guard->condition, guard->polarity});
        break;
      case Guard::Kind::Loop:
        if (guard->count <= 0)
          return;
        tried.push_back(
            {guard->variable, candidateValues(guard->first, guard->step, guard->count, limit, constants)});
        break;
      case Guard::Kind::Parallel: {
        // A runtime extent is one other than 1: two iterations stand for it.
        int64_t count = guard->count < 0 ? 2 : guard->count;
        if (count == 0)
          return;
        tried.push_back({guard->variable, candidateValues(0, 1, count, limit, constants)});
        break;
      }
      }
    }
    std::vector<int64_t> extents = constantExtents(access.object);
    std::vector<size_t> position(tried.size(), 0);
    for (; budget > 0; --budget) {
      evaluator.clearValues();
      for (size_t i = 0; i < tried.size(); ++i)
        evaluator.setValue(tried[i].variable, tried[i].values[position[i]]);
      std::string element;
      bool certain = llvm::all_of(conditions, [&](const auto &condition) {
        return evaluator.evaluateBool(condition.first) == condition.second;
      });
      for (size_t d = 0; certain && d < access.indices.size(); ++d) {
        auto form = evaluator.evaluate(access.indices[d]);
        certain = form.has_value();
        if (!certain)
          break;
        if (form->isConcrete() && (form->constant < 0 || (extents[d] >= 0 && form->constant >= extents[d])))
          certain = false; // no element there
        element += std::to_string(form->constant);
        for (const auto &[atom, factor] : form->terms)
          element += "+" + std::to_string(factor) + "#" + std::to_string(atom);
        element += ",";
      }
      if (certain) {
        std::vector<int64_t> iteration;
        for (const hir::Variable *variable : parallel.variables)
          for (size_t i = 0; i < tried.size(); ++i)
            if (tried[i].variable == variable)
              iteration.push_back(tried[i].values[position[i]]);
        if (!visit(element, iteration))
          return;
      }
      size_t i = 0;
      while (i < tried.size() && ++position[i] == tried[i].values.size())
        position[i++] = 0;
      if (i == tried.size())
        return;
    }
  }

  /// Two iterations of which one writes (or updates) what the other writes, or reads if `reads` is set.
  std::optional<Conflict> findConflict(const hir::Object *object, bool reads) {
    std::map<std::string, Toucher> writers;
    std::optional<Conflict> found;
    auto meet = [&](const Access &access, bool insert) {
      forEach(access, [&](const std::string &element, const std::vector<int64_t> &iteration) {
        auto it = writers.find(element);
        if (it != writers.end() && it->second.iteration != iteration) {
          found = Conflict{it->second, {iteration, &access}};
          return false;
        }
        if (insert && it == writers.end())
          writers[element] = {iteration, &access};
        return true;
      });
    };
    for (const Access &access : parallel.accesses)
      if (!found && access.object == object && access.kind == AccessKind::Write)
        meet(access, /*insert=*/true);
    for (const Access &access : parallel.accesses)
      if (!found && access.object == object &&
          (access.kind == AccessKind::Update || (reads && access.kind == AccessKind::Read)))
        meet(access, /*insert=*/false);
    return found;
  }

  /// Whether the two accesses certainly name different elements: some index is a different constant.
  bool certainlyDistinct(const Access &a, const Access &b) {
    evaluator.clearValues();
    for (size_t d = 0; d < a.indices.size(); ++d) {
      auto x = evaluator.evaluate(a.indices[d]), y = evaluator.evaluate(b.indices[d]);
      if (x && y && x->isConcrete() && y->isConcrete() && x->constant != y->constant)
        return true;
    }
    return false;
  }

  std::string describe(const std::vector<int64_t> &iteration) const {
    std::string text;
    for (size_t i = 0; i < iteration.size(); ++i)
      text += (i ? ", " : "") + parallel.variables[i]->name + " = " + std::to_string(iteration[i]);
    return text;
  }

private:
  llvm::SmallVector<int64_t, 16> constants; // worth trying as values of variables
  const ParallelContext &parallel;
  unsigned &budget; // iterations that may still be tried in this kernel
  IndexEvaluator evaluator;
};
} // namespace

void Checker::checkConflicts(const ParallelContext &context) {
  llvm::SmallVector<hir::Object *, 4> objects;
  bool writes = false;
  for (const Access &access : context.accesses)
    if (access.kind != AccessKind::Read) {
      writes = true;
      if (!llvm::is_contained(objects, access.object))
        objects.push_back(access.object);
    }
  if (!writes)
    return;
  ConflictProver prover(context, letValues, proofBudget);
  for (hir::Object *object : objects) {
    const Access *update = nullptr;
    for (const Access &access : context.accesses)
      if (!update && access.object == object && access.kind == AccessKind::Update)
        update = &access;
    if (update)
      for (const Access &access : context.accesses)
        if (access.object == object && access.kind == AccessKind::Read &&
            !prover.certainlyDistinct(access, *update)) {
          error(DiagId::UpdateAndRead, access.range, object->name)
              .note(update->range, "it is updated here")
              .note("read it in a loop of its own, after this one");
          break;
        }
    bool isFragment = object->kind == hir::ObjectKind::Fragment;
    auto conflict = prover.findConflict(object, /*reads=*/!isFragment);
    if (!conflict)
      continue;
    bool isRead = conflict->second.access->kind == AccessKind::Read;
    auto diag =
        isRead
            ? error(DiagId::ReadWriteConflict, conflict->second.access->range, object->name,
                    prover.describe(conflict->second.iteration), prover.describe(conflict->first.iteration))
            : error(DiagId::WriteConflict, conflict->second.access->range, object->name,
                    prover.describe(conflict->first.iteration), prover.describe(conflict->second.iteration));
    if (conflict->first.access != conflict->second.access)
      diag.note(conflict->first.access->range, "it is written here");
    bool isTensor = llvm::isa<hir::Tensor, hir::Window>(object);
    if (isRead)
      diag.note("read a copy, or write in a loop of its own");
    else if (isTensor)
      diag.note("use 'atomic_add' and the like, or let one iteration write the element");
    else
      diag.note("use 'op=' to combine the values, or let one iteration write the element");
  }
}

} // namespace tilec::frontend::sema
