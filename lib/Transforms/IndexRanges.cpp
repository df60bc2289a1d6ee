//===- IndexRanges.cpp - what index arithmetic can give ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of i64 values from their definitions alone, in 128 bits: an operation whose interval leaves the
// range of an i64 may wrap, and then its value may be anything.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tilec/Transforms/IndexAnalysis.h"
#include <array>
#include <limits>

using namespace mlir;

namespace tilec::tile {

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

static constexpr __int128 leastI64 = std::numeric_limits<int64_t>::min();
static constexpr __int128 greatestI64 = std::numeric_limits<int64_t>::max();
/// Elements of a dimension: addresses have 57 bits, and two elements may share a byte.
static constexpr __int128 maxExtent = __int128(1) << 58;
/// gridDim.x is at most this, and so is the product of a grid's extents (tile-persist).
static constexpr __int128 maxBlocks = (__int128(1) << 31) - 1;

IndexAnalysis::Range IndexAnalysis::getRange(const LinearForm &form) const {
  // Coefficients and ends have 64 bits, so products fit. What leaves this limit is far from an i64.
  Range sum{form.getConstant(), form.getConstant()};
  constexpr __int128 limit = __int128(1) << 125;
  for (auto [symbol, coefficient] : form.getTerms()) {
    Range range = getRange(symbol);
    if (coefficient < 0)
      std::swap(range.low, range.high);
    sum.low += range.low * coefficient;
    sum.high += range.high * coefficient;
    if (sum.low < -limit || sum.high > limit)
      return {-limit, limit};
  }
  return sum;
}

bool IndexAnalysis::isExact(const LinearForm &form) const {
  Range range = getRange(form);
  return range.low >= leastI64 && range.high <= greatestI64;
}

LinearForm IndexAnalysis::linearizeExactly(Value value) const {
  LinearForm form = linearize(value);
  return isExact(form) ? form : LinearForm::symbol(value);
}

LinearForm IndexAnalysis::linearizeExactly(OpFoldResult value) const {
  if (auto attribute = dyn_cast<Attribute>(value))
    return LinearForm(cast<IntegerAttr>(attribute).getInt());
  return linearizeExactly(cast<Value>(value));
}

IndexAnalysis::Range IndexAnalysis::getRange(Value value) const {
  if (auto it = rangeCache.find(value); it != rangeCache.end())
    return it->second;
  // Loops may refer to themselves: until more is known, nothing is.
  rangeCache[value] = {leastI64, greatestI64};
  Range range = computeRange(value);
  if (sizes.contains(value))
    range = {std::max<__int128>(range.low, 0), std::min(range.high, maxExtent)};
  // What may wrap may be anything.
  if (range.low < leastI64 || range.high > greatestI64)
    range = {leastI64, greatestI64};
  return rangeCache[value] = range;
}

IndexAnalysis::Range IndexAnalysis::computeRange(Value value) const {
  const Range any{leastI64, greatestI64};
  if (std::optional<int64_t> constant = getConstant(value))
    return {*constant, *constant};
  auto rangeOf = [&](OpFoldResult extent) {
    std::optional<int64_t> constant = getConstantIntValue(extent);
    return constant ? Range{*constant, *constant} : getRange(cast<Value>(extent));
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    // A body runs for what is below an extent: then that is 1 or more.
    auto below = [&](OpFoldResult extent) {
      return Range{0, std::max<__int128>(rangeOf(extent).high - 1, 0)};
    };
    if (isa<GridOp>(parent))
      return {0, maxBlocks - 1};
    if (auto parallel = dyn_cast<ParallelOp>(parent);
        parallel && argument.getArgNumber() < parallel.getRank())
      return below(parallel.getMixedExtents()[argument.getArgNumber()]);
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument == loop.getInductionVar()) {
      Range first = getRange(loop.getLowerBound()), end = getRange(loop.getUpperBound());
      return {first.low, std::max(end.high - 1, first.low)};
    }
    return any;
  }
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned index) { return getRange(op->getOperand(index)); };
  if (isa<DecodeOp>(op))
    return {0, maxBlocks - 1};
  if (isa<arith::ExtUIOp, arith::ExtSIOp>(op)) {
    unsigned width = op->getOperand(0).getType().getIntOrFloatBitWidth();
    __int128 span = __int128(1) << (isa<arith::ExtSIOp>(op) ? width - 1 : width);
    return {isa<arith::ExtSIOp>(op) ? -span : 0, span - 1};
  }
  if (!value.getType().isInteger(64))
    return any;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp>(op)) {
    LinearForm form = linearize(value);
    if (form.getTerms().size() != 1 || form.getTerms().front().first != value)
      return getRange(form);
    if (!isa<arith::MulIOp>(op))
      return any;
    Range a = operand(0), b = operand(1);
    std::array<__int128, 4> corners{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return {*llvm::min_element(corners), *llvm::max_element(corners)};
  }
  if (isa<arith::MinSIOp>(op))
    return {std::min(operand(0).low, operand(1).low), std::min(operand(0).high, operand(1).high)};
  if (isa<arith::MaxSIOp>(op))
    return {std::max(operand(0).low, operand(1).low), std::max(operand(0).high, operand(1).high)};
  if (isa<arith::SelectOp>(op))
    return {std::min(operand(1).low, operand(2).low), std::max(operand(1).high, operand(2).high)};
  if (op->getNumOperands() != 2)
    return any;
  Range dividend = operand(0);
  std::optional<int64_t> divisor = getConstant(op->getOperand(1));
  if (!divisor || *divisor <= 0)
    return any;
  if (isa<arith::AndIOp>(op))
    return {0, *divisor};
  if (isa<arith::RemUIOp>(op) || (isa<arith::RemSIOp>(op) && dividend.low >= 0))
    return {0, *divisor - 1};
  if (isa<arith::RemSIOp>(op))
    return {1 - *divisor, *divisor - 1};
  if (isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op)) // one more for the rounding
    return {std::max(dividend.low / *divisor - 1, dividend.low >= 0 ? __int128(0) : leastI64),
            dividend.high / *divisor + 1};
  return any;
}

} // namespace tilec::tile
