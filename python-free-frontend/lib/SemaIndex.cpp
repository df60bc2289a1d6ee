//===- SemaIndex.cpp - evaluating indices, proving them out of bounds ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SemaIndex.h for the idea. Here also: the bounds rule of LANGUAGE section 6 for elements and regions.
//
//===----------------------------------------------------------------------===//
#include "SemaIndex.h"

namespace tilec::frontend::sema {

namespace {
constexpr int64_t kLarge = int64_t(1) << 60; // beyond: give up rather than wrap

std::string keyOf(const LinearForm &form) {
  std::string key = std::to_string(form.constant);
  for (const auto &[atom, factor] : form.terms)
    key += "+" + std::to_string(factor) + "#" + std::to_string(atom);
  return key;
}

std::optional<LinearForm> constantForm(ExactInt value) {
  if (value > kLarge || value < -kLarge)
    return std::nullopt;
  LinearForm form;
  form.constant = int64_t(value);
  return form;
}

/// a + factor * b
std::optional<LinearForm> combine(const LinearForm &a, const LinearForm &b, int64_t factor) {
  ExactInt constant = ExactInt(a.constant) + ExactInt(factor) * b.constant;
  auto result = constantForm(constant);
  if (!result)
    return std::nullopt;
  result->terms = a.terms;
  for (const auto &[atom, coefficient] : b.terms) {
    ExactInt sum = ExactInt(result->terms[atom]) + ExactInt(factor) * coefficient;
    if (sum > kLarge || sum < -kLarge)
      return std::nullopt;
    if (sum == 0)
      result->terms.erase(atom);
    else
      result->terms[atom] = int64_t(sum);
  }
  return result;
}

std::optional<ConstOp> constOpOf(hir::BinaryOp op) {
  switch (op) {
  case hir::BinaryOp::Div:
    return ConstOp::Div;
  case hir::BinaryOp::Rem:
    return ConstOp::Rem;
  case hir::BinaryOp::Shl:
    return ConstOp::Shl;
  case hir::BinaryOp::Shr:
    return ConstOp::Shr;
  case hir::BinaryOp::And:
    return ConstOp::And;
  case hir::BinaryOp::Or:
    return ConstOp::Or;
  case hir::BinaryOp::Xor:
    return ConstOp::Xor;
  default:
    return std::nullopt;
  }
}

std::optional<LinearForm> foldConcrete(ConstOp op, const LinearForm &a, const LinearForm &b,
                                       ScalarType type) {
  ConstValue lhs = convert(ConstValue::makeInt(a.constant), type);
  ConstValue rhs = convert(ConstValue::makeInt(b.constant), type);
  if (op == ConstOp::Shl || op == ConstOp::Shr)
    rhs = ConstValue::makeInt(b.constant);
  ConstResult result = evaluate(op, lhs, rhs);
  return result ? constantForm(result.value->integer) : std::nullopt;
}

class DepthScope {
public:
  explicit DepthScope(unsigned &depth) : depth(depth) { ++depth; }
  ~DepthScope() { --depth; }

private:
  unsigned &depth;
};
constexpr unsigned kMaxDepth = 200;
} // namespace

bool IndexEvaluator::dependsOnlyOn(unsigned atom,
                                   const llvm::DenseSet<const hir::Variable *> &variables) const {
  return !atoms[atom].opaque && llvm::all_of(atoms[atom].mentions, [&](const hir::Variable *variable) {
    return variables.contains(variable);
  });
}

LinearForm IndexEvaluator::atomForm(const std::string &key, Atom atom) {
  auto [it, inserted] = atomIds.try_emplace(key, atoms.size());
  if (inserted)
    atoms.push_back(std::move(atom));
  LinearForm form;
  form.terms[it->second] = 1;
  return form;
}

std::optional<LinearForm> IndexEvaluator::makeAtom(std::string key,
                                                   llvm::ArrayRef<const hir::Expr *> operands, bool opaque) {
  Atom atom;
  atom.opaque = opaque;
  for (const hir::Expr *operand : operands) {
    auto form = evaluate(operand);
    if (!form)
      return std::nullopt;
    key += "," + keyOf(*form);
    for (const auto &[id, factor] : form->terms) {
      atom.opaque |= atoms[id].opaque;
      atom.mentions.insert(atom.mentions.end(), atoms[id].mentions.begin(), atoms[id].mentions.end());
    }
  }
  return atomForm(key, std::move(atom));
}

std::optional<LinearForm> IndexEvaluator::evaluate(const hir::Expr *expr) {
  if (depth > kMaxDepth)
    return std::nullopt;
  DepthScope scope(depth);
  return evaluateNode(expr);
}

std::optional<bool> IndexEvaluator::evaluateBool(const hir::Expr *expr) {
  auto form = evaluate(expr);
  if (!form || !form->isConcrete())
    return std::nullopt;
  return form->constant != 0;
}

static std::string pointerKey(const void *pointer) {
  return std::to_string(reinterpret_cast<uintptr_t>(pointer));
}

std::optional<LinearForm> IndexEvaluator::evaluateNode(const hir::Expr *expr) {
  switch (expr->kind) {
  case hir::ExprKind::Const: {
    auto *constant = llvm::cast<hir::Const>(expr);
    if (isFloat(constant->type))
      return makeAtom("f" + formatReal(constant->real), {}, /*opaque=*/true);
    return constantForm(constant->type == ScalarType::U64 ? ExactInt(uint64_t(constant->integer))
                                                          : ExactInt(constant->integer));
  }
  case hir::ExprKind::VarRef: {
    const hir::Variable *variable = llvm::cast<hir::VarRef>(expr)->variable;
    if (auto it = values.find(variable); it != values.end())
      return constantForm(it->second);
    if (auto it = lets.find(variable); it != lets.end()) {
      if (auto known = memo.find(variable); known != memo.end())
        return known->second;
      auto form = evaluate(it->second);
      memo[variable] = form;
      return form;
    }
    if (variable->kind == hir::VarKind::Var) {
      // Assigned somewhere: equal to itself only at this very place, and unknown if the loop changes it.
      if (variable->id >= firstInnerVariable)
        return std::nullopt;
      Atom atom;
      atom.opaque = true;
      atom.mentions.push_back(variable);
      return atomForm("m" + pointerKey(expr), std::move(atom));
    }
    if (variable->kind == hir::VarKind::Loop && variable->id >= firstInnerVariable)
      return std::nullopt; // of an inner loop that is not tried
    Atom atom;
    atom.variable = variable;
    atom.mentions.push_back(variable);
    return atomForm("v" + pointerKey(variable), std::move(atom));
  }
  case hir::ExprKind::Unary: {
    auto *unary = llvm::cast<hir::Unary>(expr);
    auto operand = evaluate(unary->operand);
    if (!operand)
      return std::nullopt;
    if (unary->op == hir::UnaryOp::Neg && isInteger(expr->type))
      return combine(LinearForm(), *operand, -1);
    if (operand->isConcrete() && unary->op == hir::UnaryOp::LogicalNot)
      return constantForm(operand->constant == 0);
    return makeAtom("u" + std::to_string(unsigned(unary->op)), {unary->operand}, false);
  }
  case hir::ExprKind::Binary:
    return evaluateBinary(llvm::cast<hir::Binary>(expr));
  case hir::ExprKind::Cast: {
    auto *cast = llvm::cast<hir::Cast>(expr);
    auto operand = evaluate(cast->operand);
    if (!operand)
      return std::nullopt;
    bool integers = !isFloat(cast->type) && !isFloat(cast->operand->type);
    if (integers && operand->isConcrete())
      return constantForm(convert(ConstValue::makeInt(operand->constant), cast->type).integer);
    if (integers && !isBool(cast->type) && widensTo(cast->operand->type, cast->type))
      return operand;
    return makeAtom("c" + std::to_string(unsigned(cast->type)), {cast->operand}, !integers);
  }
  case hir::ExprKind::Bitcast:
    return makeAtom("b" + std::to_string(unsigned(expr->type)), {llvm::cast<hir::Bitcast>(expr)->operand},
                    true);
  case hir::ExprKind::Conditional: {
    auto *choice = llvm::cast<hir::Conditional>(expr);
    if (auto taken = evaluateBool(choice->condition))
      return evaluate(*taken ? choice->onTrue : choice->onFalse);
    return makeAtom("?", {choice->condition, choice->onTrue, choice->onFalse}, false);
  }
  case hir::ExprKind::Call: {
    auto *call = llvm::cast<hir::Call>(expr);
    std::optional<ConstOp> op;
    if (call->function == hir::Builtin::CeilDiv)
      op = ConstOp::CeilDiv;
    else if (call->function == hir::Builtin::FloorDiv)
      op = ConstOp::FloorDiv;
    else if (call->function == hir::Builtin::Min)
      op = ConstOp::Min;
    else if (call->function == hir::Builtin::Max)
      op = ConstOp::Max;
    if (op && isInteger(call->type)) {
      auto a = evaluate(call->args[0]), b = evaluate(call->args[1]);
      if (a && b && a->isConcrete() && b->isConcrete())
        return foldConcrete(*op, *a, *b, call->type);
    }
    if (call->function == hir::Builtin::Abs && isInteger(call->type)) {
      auto a = evaluate(call->args[0]);
      if (a && a->isConcrete())
        return constantForm(a->constant < 0 ? -a->constant : a->constant);
    }
    std::vector<const hir::Expr *> args(call->args.begin(), call->args.end());
    return makeAtom("k" + std::to_string(unsigned(call->function)), args, !isInteger(call->type));
  }
  case hir::ExprKind::ElementRead: {
    auto *read = llvm::cast<hir::ElementRead>(expr);
    if (written.contains(rootOf(read->object)))
      return std::nullopt;
    std::vector<const hir::Expr *> indices(read->indices.begin(), read->indices.end());
    return makeAtom("e" + pointerKey(expr), indices, /*opaque=*/true);
  }
  case hir::ExprKind::InlineCall: {
    auto *call = llvm::cast<hir::InlineCall>(expr);
    // A body that only returns is its value: parameters are lets of the arguments.
    if (call->body.size() == 1)
      if (auto *result = llvm::dyn_cast<hir::Return>(call->body.front()))
        return evaluate(result->value);
    std::vector<const hir::Expr *> args(call->args.begin(), call->args.end());
    return makeAtom("i" + pointerKey(expr), args, /*opaque=*/true);
  }
  }
  llvm_unreachable("unknown expression");
}

std::optional<LinearForm> IndexEvaluator::evaluateBinary(const hir::Binary *binary) {
  using hir::BinaryOp;
  auto a = evaluate(binary->lhs);
  if (binary->op == BinaryOp::LogicalAnd || binary->op == BinaryOp::LogicalOr) {
    bool isAnd = binary->op == BinaryOp::LogicalAnd;
    if (a && a->isConcrete())
      return (a->constant != 0) == isAnd ? evaluate(binary->rhs) : a;
    auto b = evaluate(binary->rhs);
    if (b && b->isConcrete() && (b->constant != 0) != isAnd)
      return b;
    return makeAtom("l" + std::to_string(isAnd), {binary->lhs, binary->rhs}, false);
  }
  auto b = evaluate(binary->rhs);
  if (!a || !b)
    return std::nullopt;
  std::string key = "o" + std::to_string(unsigned(binary->op));
  if (isFloat(binary->lhs->type))
    return makeAtom(key, {binary->lhs, binary->rhs}, /*opaque=*/true);
  switch (binary->op) {
  case BinaryOp::Add:
    return combine(*a, *b, 1);
  case BinaryOp::Sub:
    return combine(*a, *b, -1);
  case BinaryOp::Mul:
    if (a->isConcrete())
      return combine(LinearForm(), *b, a->constant);
    if (b->isConcrete())
      return combine(LinearForm(), *a, b->constant);
    break;
  case BinaryOp::Eq:
  case BinaryOp::Ne:
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge: {
    auto difference = combine(*a, *b, -1);
    if (!difference || !difference->isConcrete())
      break;
    int64_t d = difference->constant;
    bool truth = binary->op == BinaryOp::Eq   ? d == 0
                 : binary->op == BinaryOp::Ne ? d != 0
                 : binary->op == BinaryOp::Lt ? d < 0
                 : binary->op == BinaryOp::Le ? d <= 0
                 : binary->op == BinaryOp::Gt ? d > 0
                                              : d >= 0;
    return constantForm(truth);
  }
  default:
    if (a->isConcrete() && b->isConcrete() && isBool(binary->type)) {
      bool x = a->constant != 0, y = b->constant != 0;
      return constantForm(binary->op == BinaryOp::And  ? (x && y)
                          : binary->op == BinaryOp::Or ? (x || y)
                                                       : x != y);
    }
    if (auto op = constOpOf(binary->op); op && a->isConcrete() && b->isConcrete())
      return foldConcrete(*op, *a, *b, binary->type);
    break;
  }
  return makeAtom(key, {binary->lhs, binary->rhs}, false);
}

//===----------------------------------------------------------------------===//
// What to try
//===----------------------------------------------------------------------===//

std::vector<int64_t> candidateValues(int64_t first, int64_t step, int64_t count, size_t limit,
                                     llvm::ArrayRef<int64_t> constants) {
  std::set<int64_t> positions; // of 0 … count-1
  if (count <= int64_t(limit)) {
    for (int64_t i = 0; i < count; ++i)
      positions.insert(i);
  } else {
    auto add = [&](ExactInt position) {
      if (position >= 0 && position < count && positions.size() < limit)
        positions.insert(int64_t(position));
    };
    for (int64_t i : {0, 1})
      for (ExactInt position : {ExactInt(i), ExactInt(count) - 1 - i})
        add(position);
    for (int64_t constant : constants)
      for (ExactInt near : {ExactInt(constant), ExactInt(constant) - 1, ExactInt(constant) + 1})
        for (ExactInt position :
             {near, -near, (near - first) / step, ExactInt(count) - near, ExactInt(count) - 1 - near})
          add(position);
    for (int64_t i = 2; positions.size() < limit && i < count / 2; ++i)
      for (ExactInt position : {ExactInt(i), ExactInt(count) - 1 - i})
        add(position);
  }
  std::vector<int64_t> values;
  for (int64_t position : positions)
    values.push_back(first + position * step);
  return values;
}

void collectConstants(const hir::Expr *root, const IndexEvaluator::LetValues &lets,
                      llvm::SmallVectorImpl<int64_t> &constants) {
  llvm::SmallVector<const hir::Expr *, 16> stack{root};
  llvm::DenseSet<const hir::Variable *> seen;
  while (!stack.empty() && constants.size() < 16) {
    const hir::Expr *expr = stack.pop_back_val();
    if (auto value = constantInt(expr)) {
      if (*value > -kLarge && *value < kLarge && !llvm::is_contained(constants, *value))
        constants.push_back(*value);
    } else if (auto *ref = llvm::dyn_cast<hir::VarRef>(expr)) {
      if (auto it = lets.find(ref->variable); it != lets.end() && seen.insert(ref->variable).second)
        stack.push_back(it->second);
    } else if (auto *unary = llvm::dyn_cast<hir::Unary>(expr)) {
      stack.push_back(unary->operand);
    } else if (auto *binary = llvm::dyn_cast<hir::Binary>(expr)) {
      stack.append({binary->lhs, binary->rhs});
    } else if (auto *cast = llvm::dyn_cast<hir::Cast>(expr)) {
      stack.push_back(cast->operand);
    } else if (auto *choice = llvm::dyn_cast<hir::Conditional>(expr)) {
      stack.append({choice->condition, choice->onTrue, choice->onFalse});
    } else if (auto *call = llvm::dyn_cast<hir::Call>(expr)) {
      stack.append(call->args.begin(), call->args.end());
    }
  }
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

namespace {
struct Trial {
  const hir::Variable *variable;
  int64_t first, step, count;
  std::vector<int64_t> values;
};

/// Searches for iterations in which all guards hold and [index, index + length) leaves [0, extent).
class BoundsProver {
public:
  /// `budget` is how many iterations may still be tried in this kernel.
  BoundsProver(const IndexEvaluator::LetValues &lets, unsigned &budget)
      : lets(lets), budget(budget), evaluator(lets) {}

  /// The offending index and the iteration that has it, as text.
  struct Witness {
    int64_t index;
    std::string iteration;
  };

  std::optional<Witness> prove(const hir::Expr *index, int64_t length, int64_t extent, const Guard *guards) {
    auto form = evaluator.evaluate(index);
    if (!form)
      return std::nullopt;
    if (form->isConcrete()) // a constant is wrong wherever it stands
      return outside(form->constant, length, extent) ? std::optional(Witness{form->constant, ""})
                                                     : std::nullopt;
    if (!collectGuards(guards) || isClearlyInside(*form, length, extent))
      return std::nullopt;
    for (const auto &[atom, factor] : form->terms)
      if (!evaluator.dependsOnlyOn(atom, loopVariables))
        return std::nullopt;
    if (!chooseValues(index, {extent, length}))
      return std::nullopt;
    return search(index, length, extent);
  }

private:
  struct Condition {
    const hir::Expr *expr;
    bool polarity;
  };

  static bool outside(int64_t index, int64_t length, int64_t extent) {
    return index < 0 || ExactInt(index) + length > extent;
  }

  bool collectGuards(const Guard *guards) {
    for (const Guard *guard = guards; guard; guard = guard->parent) {
      switch (guard->kind) {
      case Guard::Kind::Opaque:
        return false;
      case Guard::Kind::Condition:
        conditions.push_back({guard->condition, guard->polarity});
        break;
      case Guard::Kind::Loop:
      case Guard::Kind::Parallel:
        if (guard->count == 0)
          return false;
        if (guard->count < 0) // a runtime extent: the variable stays unknown
          break;
        loopVariables.insert(guard->variable);
        trials.push_back({guard->variable, guard->first, guard->step, guard->count, {}});
        break;
      }
    }
    return true;
  }

  /// A quick answer for what most programs do: a sum of loop variables within the bounds.
  bool isClearlyInside(const LinearForm &form, int64_t length, int64_t extent) const {
    ExactInt lowest = form.constant, highest = form.constant;
    for (const auto &[atom, factor] : form.terms) {
      auto trial = llvm::find_if(
          trials, [&, atom = atom](const Trial &t) { return t.variable == evaluator.variableOf(atom); });
      if (trial == trials.end())
        return false;
      ExactInt first = ExactInt(trial->first) * factor;
      ExactInt last = (ExactInt(trial->first) + ExactInt(trial->step) * (trial->count - 1)) * factor;
      lowest += std::min(first, last);
      highest += std::max(first, last);
    }
    return lowest >= 0 && highest + length <= extent;
  }

  /// Which variables to vary and over what. A condition that has nothing to do with them cannot save the
  /// access: it is dropped. False if one cannot be understood.
  bool chooseValues(const hir::Expr *index, std::initializer_list<int64_t> limits) {
    llvm::SmallVector<int64_t, 16> constants(limits);
    auto addMentioned = [&](const LinearForm &form) {
      for (const auto &[atom, factor] : form.terms)
        for (const hir::Variable *variable : evaluator.mentions(atom))
          if (loopVariables.contains(variable))
            relevant.insert(variable);
    };
    addMentioned(*evaluator.evaluate(index));
    collectConstants(index, lets, constants);
    unsigned firstInner = ~0u;
    for (const Trial &trial : trials) // all variables of the body are inside the grid
      if (trial.variable->kind != hir::VarKind::Block || relevant.contains(trial.variable))
        firstInner = std::min(firstInner, trial.variable->id);
    std::vector<Condition> kept;
    for (const Condition &condition : conditions) {
      auto form = evaluator.evaluate(condition.expr);
      if (!form)
        return false;
      if (form->isConcrete()) {
        if ((form->constant != 0) != condition.polarity)
          return false; // never reached
        continue;
      }
      bool dependent = false;
      for (const auto &[atom, factor] : form->terms)
        for (const hir::Variable *variable : evaluator.mentions(atom))
          dependent |= loopVariables.contains(variable) ||
                       (variable->kind == hir::VarKind::Var && variable->id >= firstInner);
      if (!dependent)
        continue;
      addMentioned(*form);
      collectConstants(condition.expr, lets, constants);
      kept.push_back(condition);
    }
    conditions = std::move(kept);
    size_t varied = std::max<size_t>(relevant.size(), 1);
    size_t limit = varied == 1 ? 512 : varied == 2 ? 24 : varied == 3 ? 9 : varied == 4 ? 5 : 3;
    for (Trial &trial : trials)
      trial.values = relevant.contains(trial.variable)
                         ? candidateValues(trial.first, trial.step, trial.count, limit, constants)
                         : std::vector<int64_t>{trial.first};
    return true;
  }

  std::optional<Witness> search(const hir::Expr *index, int64_t length, int64_t extent) {
    std::vector<size_t> position(trials.size(), 0);
    for (size_t tries = 0; tries < 2000 && budget > 0; ++tries, --budget) {
      evaluator.clearValues();
      for (size_t i = 0; i < trials.size(); ++i)
        evaluator.setValue(trials[i].variable, trials[i].values[position[i]]);
      auto value = evaluator.evaluate(index);
      bool found = value && value->isConcrete() && outside(value->constant, length, extent) &&
                   llvm::all_of(conditions, [&](const Condition &condition) {
                     return evaluator.evaluateBool(condition.expr) == condition.polarity;
                   });
      if (found) {
        Witness witness{value->constant, ""};
        for (size_t i = trials.size(); i-- > 0;)
          if (relevant.contains(trials[i].variable))
            witness.iteration += (witness.iteration.empty() ? "" : ", ") + trials[i].variable->name + " = " +
                                 std::to_string(trials[i].values[position[i]]);
        return witness;
      }
      size_t i = 0;
      while (i < trials.size() && ++position[i] == trials[i].values.size())
        position[i++] = 0;
      if (i == trials.size())
        break;
    }
    return std::nullopt;
  }

  const IndexEvaluator::LetValues &lets;
  unsigned &budget;
  IndexEvaluator evaluator;
  std::vector<Trial> trials;
  llvm::DenseSet<const hir::Variable *> loopVariables, relevant;
  std::vector<Condition> conditions;
};
} // namespace

void Checker::checkElementBounds(hir::Object *object, llvm::ArrayRef<hir::Expr *> indices,
                                 llvm::ArrayRef<SourceRange> ranges) {
  std::vector<int64_t> extents = constantExtents(object);
  bool padded = llvm::isa<hir::Tensor, hir::Window>(object);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (padded) { // only a constant is an error: everything else reads pad
      auto index = constantInt(indices[i]);
      if (!index || (*index >= 0 && (extents[i] < 0 || *index < extents[i])))
        continue;
      error(DiagId::IndexOutOfBounds, ranges[i], *index, object->name, i,
            extents[i] < 0 ? std::string("not negative") : std::to_string(extents[i]))
          .note(object->range, "'" + object->name + "' is declared here");
      continue;
    }
    auto witness = BoundsProver(letValues, proofBudget).prove(indices[i], 1, extents[i], guards);
    if (!witness)
      continue;
    auto diag = error(DiagId::IndexOutOfBounds, ranges[i], witness->index, object->name, i, extents[i]);
    if (!witness->iteration.empty())
      diag.note("where " + witness->iteration);
    diag.note(object->range, "'" + object->name + "' is declared here");
    if (!witness->iteration.empty())
      diag.note("tiles are not padded: guard the access with an 'if' or '?:'");
  }
}

void Checker::checkTileBounds(const RegionOperand &operand) {
  if (llvm::isa<hir::Tensor, hir::Window>(operand.object))
    return;
  std::vector<int64_t> extents = constantExtents(operand.object);
  for (size_t i = 0; i < extents.size(); ++i) {
    auto witness = BoundsProver(letValues, proofBudget)
                       .prove(operand.offsets[i], operand.extents[i], extents[i], guards);
    if (!witness)
      continue;
    auto diag = error(DiagId::RegionOutOfBounds, operand.range, witness->index,
                      ExactInt(witness->index) + operand.extents[i] > ExactInt(INT64_MAX)
                          ? std::string("beyond")
                          : std::to_string(witness->index + operand.extents[i]),
                      operand.object->name, i, extents[i]);
    if (!witness->iteration.empty())
      diag.note("where " + witness->iteration);
    diag.note(operand.object->range, "'" + operand.object->name + "' is declared here");
  }
}

} // namespace tilec::frontend::sema
