//===- IndexAnalysis.cpp - what is known about indices ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs of `form >= 0` by elimination: take the symbol of the form that is defined last, find a fact `G >=
// 0` that has it with the same sign, and go on with form - k * G, which must then be >= 0 as well. Facts
// about a symbol mention only symbols defined before it, so this ends; guards may not, so there is fuel.
//
//===----------------------------------------------------------------------===//

#include "tilec/Transforms/IndexAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace tilec::tile {

static constexpr unsigned maxZeros = 62;

static unsigned zerosOf(int64_t value) {
  return value == 0 ? maxZeros
                    : std::min<unsigned>(maxZeros, llvm::countr_zero(static_cast<uint64_t>(value)));
}

static std::optional<int64_t> getConstantInt(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// LinearForm
//===----------------------------------------------------------------------===//

bool LinearForm::add(const LinearForm &other, int64_t factor) {
  auto addTo = [&](int64_t &sum, int64_t value) {
    std::optional<int64_t> product = llvm::checkedMul(value, factor);
    std::optional<int64_t> total = product ? llvm::checkedAdd(sum, *product) : std::nullopt;
    sum = total.value_or(sum);
    return total.has_value();
  };
  if (!addTo(constant, other.constant))
    return false;
  for (auto [symbol, coefficient] : other.terms) {
    auto it = llvm::find_if(terms, [&, symbol = symbol](auto &term) { return term.first == symbol; });
    if (it == terms.end())
      it = terms.insert(terms.end(), {symbol, 0});
    if (!addTo(it->second, coefficient))
      return false;
    if (it->second == 0)
      terms.erase(it);
  }
  return true;
}

bool LinearForm::scale(int64_t factor) {
  LinearForm result;
  bool fits = result.add(*this, factor);
  *this = result;
  return fits;
}

int64_t LinearForm::getCoefficient(Value symbol) const {
  for (auto [value, coefficient] : terms)
    if (value == symbol)
      return coefficient;
  return 0;
}

LinearForm LinearForm::without(ValueRange symbols) const {
  LinearForm result(constant);
  for (auto term : terms)
    if (!llvm::is_contained(symbols, term.first))
      result.terms.push_back(term);
  return result;
}

bool LinearForm::hasSameTerms(const LinearForm &other) const {
  return terms.size() == other.terms.size() && llvm::all_of(terms, [&](const auto &term) {
           return other.getCoefficient(term.first) == term.second;
         });
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// If the condition says that a value is a multiple of a constant, that value and the constant's zeros.
static std::optional<std::pair<Value, unsigned>> matchDivisibility(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq || getConstantInt(compare.getRhs()) != 0)
    return std::nullopt;
  Operation *rest = compare.getLhs().getDefiningOp();
  if (!isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(rest))
    return std::nullopt;
  std::optional<int64_t> divisor = getConstantInt(rest->getOperand(1));
  if (!divisor || *divisor == 0)
    return std::nullopt;
  return std::pair(rest->getOperand(0), zerosOf(*divisor));
}

IndexAnalysis::IndexAnalysis(KernelOp kernel) : kernel(kernel) {
  unsigned next = 0;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      order[result] = next++;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          order[argument] = next++;
    if (auto global = dyn_cast<GlobalOp>(op)) {
      extents.insert_range(global.getSizes());
      extents.insert_range(global.getStrides());
      sizes.insert_range(global.getSizes());
    }
  });
  // Assumptions at the top of the grid hold in all of it.
  for (auto assume : kernel.getGrid().getBody()->getOps<AssumeOp>())
    if (auto fact = matchDivisibility(assume.getCondition()))
      assumedZeros[fact->first] = std::max(assumedZeros[fact->first], fact->second);
}

//===----------------------------------------------------------------------===//
// Forms and divisors
//===----------------------------------------------------------------------===//

LinearForm IndexAnalysis::linearize(OpFoldResult value) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return LinearForm(cast<IntegerAttr>(attribute).getInt());
  return linearize(cast<Value>(value));
}

LinearForm IndexAnalysis::linearize(Value value) const {
  if (std::optional<int64_t> constant = getConstantInt(value))
    return LinearForm(*constant);
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    LinearForm sum = linearize(op->getOperand(0));
    if (sum.add(linearize(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1))
      return sum;
  } else if (isa_and_nonnull<arith::MulIOp>(op)) {
    LinearForm lhs = linearize(op->getOperand(0)), rhs = linearize(op->getOperand(1));
    if (lhs.isConstant())
      std::swap(lhs, rhs);
    if (rhs.isConstant() && lhs.scale(rhs.getConstant()))
      return lhs;
  } else if (auto shift = dyn_cast_if_present<arith::ShLIOp>(op)) {
    LinearForm form = linearize(shift.getLhs());
    std::optional<int64_t> count = getConstantInt(shift.getRhs());
    if (count && *count >= 0 && *count < 62 && form.scale(int64_t(1) << *count))
      return form;
  }
  return LinearForm::symbol(value);
}

unsigned IndexAnalysis::trailingZeros(const LinearForm &form) const {
  unsigned zeros = zerosOf(form.getConstant());
  for (auto [symbol, coefficient] : form.getTerms())
    zeros = std::min(zeros, zerosOf(coefficient) + trailingZeros(symbol));
  return std::min(zeros, maxZeros);
}

unsigned IndexAnalysis::trailingZeros(Value value) const {
  if (auto it = zerosCache.find(value); it != zerosCache.end())
    return it->second;
  // Loops may refer to themselves: until more is known, nothing is.
  zerosCache[value] = 0;
  auto compute = [&]() -> unsigned {
    if (std::optional<int64_t> constant = getConstantInt(value))
      return zerosOf(*constant);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (parent == kernel.getOperation())
        if (auto divisor = kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tile.divisible"))
          return zerosOf(divisor.getInt());
      if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument == loop.getInductionVar())
        return std::min(trailingZeros(loop.getLowerBound()), trailingZeros(loop.getStep()));
      return 0;
    }
    Operation *op = value.getDefiningOp();
    auto operand = [&](unsigned index) { return trailingZeros(op->getOperand(index)); };
    if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp,
            arith::OrIOp, arith::XOrIOp>(op))
      return std::min(operand(0), operand(1));
    if (isa<arith::MulIOp>(op))
      return operand(0) + operand(1);
    if (isa<arith::AndIOp>(op))
      return std::max(operand(0), operand(1));
    if (isa<arith::SelectOp>(op))
      return std::min(operand(1), operand(2));
    if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
      return operand(0);
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return std::min(operand(0), operand(1));
    if (isa<arith::ShLIOp>(op)) {
      std::optional<int64_t> count = getConstantInt(op->getOperand(1));
      return operand(0) + (count && *count > 0 && *count < 64 ? *count : 0);
    }
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op)) {
      // An exact division by a power of two takes its zeros away.
      std::optional<int64_t> divisor = getConstantInt(op->getOperand(1));
      if (divisor && *divisor > 0 && llvm::isPowerOf2_64(*divisor) && operand(0) >= zerosOf(*divisor))
        return operand(0) - zerosOf(*divisor);
    }
    return 0;
  };
  unsigned zeros = compute();
  if (auto it = assumedZeros.find(value); it != assumedZeros.end())
    zeros = std::max(zeros, it->second);
  zeros = std::min(zeros, maxZeros);
  zerosCache[value] = zeros;
  return zeros;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void IndexAnalysis::appendBounds(Value symbol, SmallVectorImpl<LinearForm> &facts) const {
  // a >= b
  auto atLeast = [&](LinearForm a, const LinearForm &b, int64_t offset = 0) {
    if (a.add(b, -1) && a.add(LinearForm(offset)))
      facts.push_back(a);
  };
  LinearForm self = LinearForm::symbol(symbol);
  auto below = [&](OpFoldResult extent) {
    atLeast(self, LinearForm(0));
    atLeast(linearizeExactly(extent), self, -1);
  };

  if (extents.contains(symbol))
    atLeast(self, LinearForm(0));
  if (auto argument = dyn_cast<BlockArgument>(symbol)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto grid = dyn_cast<GridOp>(parent)) {
      below(grid.getExtents()[argument.getArgNumber()]);
    } else if (auto parallel = dyn_cast<ParallelOp>(parent)) {
      if (argument.getArgNumber() < parallel.getRank())
        below(parallel.getMixedExtents()[argument.getArgNumber()]);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent); loop && symbol == loop.getInductionVar()) {
      LinearForm lower = linearizeExactly(loop.getLowerBound()),
                 upper = linearizeExactly(loop.getUpperBound());
      atLeast(self, lower);
      std::optional<int64_t> step = getConstantInt(loop.getStep());
      int64_t last = 1; // the variable is at most upper - last
      if (step && *step > 1) {
        // Whole steps: what both ends are multiples of, the variable is too.
        LinearForm range = upper;
        if (range.add(lower, -1))
          last = std::gcd(*step, int64_t(1) << trailingZeros(range));
        if (range.isConstant() && range.getConstant() > 0)
          last = (range.getConstant() - 1) % *step + 1;
      }
      atLeast(upper, self, -last);
    }
    return;
  }

  Operation *op = symbol.getDefiningOp();
  auto operand = [&](unsigned index) { return linearizeExactly(op->getOperand(index)); };
  if (auto decode = dyn_cast<DecodeOp>(op)) {
    below(decode.getExtents()[cast<OpResult>(symbol).getResultNumber()]);
  } else if (isa<arith::MinSIOp>(op)) {
    atLeast(operand(0), self);
    atLeast(operand(1), self);
  } else if (isa<arith::MaxSIOp>(op)) {
    atLeast(self, operand(0));
    atLeast(self, operand(1));
  } else if (isa<arith::ExtUIOp, arith::ExtSIOp>(op)) {
    unsigned width = op->getOperand(0).getType().getIntOrFloatBitWidth();
    bool isSigned = isa<arith::ExtSIOp>(op);
    if (width < 62) {
      int64_t span = int64_t(1) << (isSigned ? width - 1 : width);
      atLeast(self, LinearForm(isSigned ? -span : 0));
      atLeast(LinearForm(span - 1), self);
    }
  } else if (op->getNumOperands() == 2) {
    std::optional<int64_t> divisor = getConstantInt(op->getOperand(1));
    if (!divisor || *divisor <= 0)
      return;
    if (isa<arith::AndIOp, arith::RemUIOp>(op)) {
      atLeast(self, LinearForm(0));
      atLeast(LinearForm(*divisor - (isa<arith::AndIOp>(op) ? 0 : 1)), self);
    } else if (isa<arith::RemSIOp>(op)) {
      bool positive = false;
      if (unsigned fuel = 64; prove(operand(0), {}, 6, fuel))
        positive = true;
      atLeast(self, LinearForm(positive ? 0 : 1 - *divisor));
      atLeast(LinearForm(*divisor - 1), self);
    } else if (isa<arith::CeilDivSIOp, arith::FloorDivSIOp, arith::DivSIOp>(op)) {
      // With q = ceil(n / d) and n a multiple of g = gcd(d, …): n <= d*q <= n + d - g. With floor:
      // n - (d - g) <= d*q <= n. Truncation is one of the two, and floor where n >= 0.
      LinearForm scaled = self;
      LinearForm dividend = operand(0);
      if (!scaled.scale(*divisor))
        return;
      int64_t slack = *divisor - std::gcd(*divisor, int64_t(1) << trailingZeros(dividend));
      bool isFloor = isa<arith::FloorDivSIOp>(op), isCeil = isa<arith::CeilDivSIOp>(op);
      if (isa<arith::DivSIOp>(op)) {
        unsigned fuel = 64;
        isFloor = prove(dividend, {}, 6, fuel);
        if (isFloor)
          atLeast(self, LinearForm(0));
      }
      atLeast(scaled, dividend, isCeil ? 0 : slack);
      atLeast(dividend, scaled, isFloor ? 0 : slack);
    }
  }
}

void IndexAnalysis::appendCondition(Value condition, bool isTrue, SmallVectorImpl<LinearForm> &facts) const {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return;
  if (isTrue ? isa<arith::AndIOp>(op) : isa<arith::OrIOp>(op)) {
    appendCondition(op->getOperand(0), isTrue, facts);
    appendCondition(op->getOperand(1), isTrue, facts);
    return;
  }
  if (isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One())) {
    appendCondition(op->getOperand(0), !isTrue, facts);
    return;
  }
  // `a && b`, written so that b is evaluated only if a holds.
  auto shortCircuit = [&](Value guard, Value ifTrue, Value ifFalse) {
    if (isTrue && matchPattern(ifFalse, m_Zero())) {
      appendCondition(guard, true, facts);
      appendCondition(ifTrue, true, facts);
    } else if (!isTrue && matchPattern(ifTrue, m_One())) {
      appendCondition(guard, false, facts);
      appendCondition(ifFalse, false, facts);
    }
  };
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return shortCircuit(select.getCondition(), select.getTrueValue(), select.getFalseValue());
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(condition).getResultNumber();
    return shortCircuit(branch.getCondition(), branch.thenYield().getOperand(index),
                        branch.elseYield().getOperand(index));
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !compare.getLhs().getType().isInteger(64))
    return;
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (!isTrue)
    predicate = arith::invertPredicate(predicate);
  LinearForm lhs = linearizeExactly(compare.getLhs()), rhs = linearizeExactly(compare.getRhs());
  auto atLeast = [&](LinearForm a, const LinearForm &b, int64_t offset) {
    if (a.add(b, -1) && a.add(LinearForm(offset)))
      facts.push_back(a);
  };
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return atLeast(rhs, lhs, -1);
  case arith::CmpIPredicate::sle:
    return atLeast(rhs, lhs, 0);
  case arith::CmpIPredicate::sgt:
    return atLeast(lhs, rhs, -1);
  case arith::CmpIPredicate::sge:
    return atLeast(lhs, rhs, 0);
  case arith::CmpIPredicate::eq:
    atLeast(lhs, rhs, 0);
    return atLeast(rhs, lhs, 0);
  default:
    return;
  }
}

void IndexAnalysis::appendGuards(Operation *at, SmallVectorImpl<LinearForm> &facts) const {
  for (Operation *op = at; op && op != kernel; op = op->getParentOp()) {
    for (Operation &earlier : *op->getBlock()) {
      if (&earlier == op)
        break;
      if (auto assume = dyn_cast<AssumeOp>(earlier))
        appendCondition(assume.getCondition(), true, facts);
    }
    Operation *parent = op->getParentOp();
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      appendCondition(branch.getCondition(), op->getParentRegion() == &branch.getThenRegion(), facts);
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      // In the body the condition held for the values that were passed on; those that the condition itself
      // computed from are known under their own names only.
      if (op->getParentRegion() == &loop.getAfter()) {
        SmallVector<LinearForm> before;
        auto condition = loop.getConditionOp();
        appendCondition(condition.getCondition(), true, before);
        for (LinearForm &fact : before) {
          LinearForm renamed(fact.getConstant());
          bool known = true;
          for (auto [symbol, coefficient] : fact.getTerms()) {
            Value name = symbol;
            if (loop.getBefore().isAncestor(symbol.getParentRegion())) {
              auto passed = llvm::find(condition.getArgs(), symbol);
              known &= passed != condition.getArgs().end();
              if (known)
                name = loop.getAfterArguments()[passed - condition.getArgs().begin()];
            }
            known = known && renamed.add(LinearForm::symbol(name), coefficient);
          }
          if (known)
            facts.push_back(renamed);
        }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

bool IndexAnalysis::prove(LinearForm form, ArrayRef<LinearForm> guards, unsigned depth,
                          unsigned &fuel) const {
  if (form.isConstant())
    return form.getConstant() >= 0;
  if (depth == 0 || fuel == 0)
    return false;
  --fuel;
  auto [symbol, coefficient] = *llvm::max_element(form.getTerms(), [&](const auto &a, const auto &b) {
    return order.lookup(a.first) < order.lookup(b.first);
  });
  SmallVector<LinearForm> facts;
  appendBounds(symbol, facts);
  llvm::append_range(facts, guards);
  for (const LinearForm &fact : facts) {
    int64_t other = fact.getCoefficient(symbol);
    if (other == 0 || (other > 0) != (coefficient > 0))
      continue;
    // p * form - q * fact has the symbol no more.
    int64_t common = std::gcd(other, coefficient);
    LinearForm rest = form;
    if (rest.scale(std::abs(other / common)) && rest.add(fact, -std::abs(coefficient / common)) &&
        prove(std::move(rest), guards, depth - 1, fuel))
      return true;
  }
  return false;
}

bool IndexAnalysis::isNonNegative(const LinearForm &form, Operation *at, ArrayRef<LinearForm> assumed) const {
  SmallVector<LinearForm> guards(assumed);
  appendGuards(at, guards);
  unsigned fuel = 400;
  return prove(form, guards, 16, fuel);
}

bool IndexAnalysis::isInBounds(const BoundCheck &check, Operation *at) const {
  auto holds = [&](const LinearForm &index) {
    LinearForm room = check.size;
    return isNonNegative(index, at) && room.add(index, -1) && room.add(LinearForm(-1)) &&
           isNonNegative(room, at);
  };
  if (holds(check.index))
    return true;
  // A condition may be about a value whose form may wrap. Where the index is that value, or a constant away
  // from it, what is known of the value is enough, if it shows both ends.
  SmallVector<LinearForm> guards;
  appendGuards(at, guards);
  llvm::SetVector<Value> compared;
  for (const LinearForm &fact : guards)
    for (auto [symbol, coefficient] : fact.getTerms())
      compared.insert(symbol);
  return llvm::any_of(compared, [&](Value value) {
    LinearForm form = linearize(value), index = check.index;
    return !(form == LinearForm::symbol(value)) && index.add(form, -1) && index.isConstant() &&
           index.add(LinearForm::symbol(value)) && holds(index);
  });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::optional<GlobalAccess> IndexAnalysis::resolve(Value global, ValueRange indices) const {
  SmallVector<LinearForm, 4> forms;
  for (Value index : indices)
    forms.push_back(linearize(index));
  return resolve(global, forms);
}

std::optional<GlobalAccess> IndexAnalysis::resolve(Value global, ArrayRef<LinearForm> indices) const {
  GlobalAccess access;
  SmallVector<LinearForm, 4> current(indices.begin(), indices.end());
  while (auto window = global.getDefiningOp<WindowOp>()) {
    SmallVector<LinearForm, 4> base;
    unsigned next = 0;
    for (auto [dim, offset, size] : llvm::enumerate(window.getOffsets(), window.getMixedSizes())) {
      LinearForm form = linearize(offset);
      if (!llvm::is_contained(window.getDrop(), dim)) {
        access.checks.push_back({current[next], linearizeExactly(size)});
        if (!form.add(current[next++]))
          return std::nullopt;
      }
      base.push_back(form);
    }
    current = std::move(base);
    global = window.getBase();
  }
  access.root = global.getDefiningOp<GlobalOp>();
  if (!access.root)
    return std::nullopt;
  for (auto [index, size] : llvm::zip_equal(current, access.root.getMixedSizes()))
    access.checks.push_back({index, linearizeExactly(size)});
  access.rootIndices = std::move(current);
  return access;
}

} // namespace tilec::tile
