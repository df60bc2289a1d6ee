//===- PossibleBits.cpp - which bits of an index can be set ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rule an op. A set of bits is at once a multiple (its zeros at the low end) and, if it is no negative
// number's, a bound.
//
//===----------------------------------------------------------------------===//

#include "PossibleBits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tilec/CodeGen/PtxForms.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace tilec::lowering {

static unsigned lowZeros(uint64_t bits) { return bits ? llvm::countr_zero(bits) : 64; }

/// All bits from the lowest of `bits` to the highest of `bound`.
static uint64_t between(unsigned zeros, uint64_t bound) {
  uint64_t below = bound >> 63 ? ~uint64_t(0) : llvm::bit_ceil(bound + 1) - 1;
  return zeros >= 64 ? 0 : below & (~uint64_t(0) << zeros);
}

static uint64_t addBits(uint64_t a, uint64_t b) {
  if ((a & b) == 0)
    return a | b;
  unsigned zeros = std::min(lowZeros(a), lowZeros(b));
  uint64_t sum = a + b;
  return between(zeros, sum < a ? ~uint64_t(0) : sum);
}

static uint64_t mulBits(uint64_t a, uint64_t b) {
  if (!a || !b)
    return 0;
  unsigned zeros = lowZeros(a) + lowZeros(b);
  bool overflows = a > ~uint64_t(0) / b;
  return between(zeros, overflows ? ~uint64_t(0) : a * b);
}

static uint64_t getBits(Value value, int64_t threads, unsigned depth);

/// The induction variable of a loop: between its bounds, in steps.
static uint64_t getLoopBits(scf::ForOp loop, int64_t threads, unsigned depth) {
  unsigned zeros = std::min(lowZeros(getBits(loop.getLowerBound(), threads, depth)),
                            lowZeros(getBits(loop.getStep(), threads, depth)));
  APInt low, high;
  bool bounded = matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) &&
                 matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) && low.isNonNegative() &&
                 high.isStrictlyPositive();
  return between(zeros, bounded ? high.getZExtValue() - 1 : ~uint64_t(0));
}

static uint64_t getOpBits(Operation *op, int64_t threads, unsigned depth) {
  auto operand = [&](unsigned number) { return getBits(op->getOperand(number), threads, depth); };
  auto constant = [&](unsigned number) -> std::optional<uint64_t> {
    APInt value;
    if (matchPattern(op->getOperand(number), m_ConstantInt(&value)))
      return value.getZExtValue();
    return std::nullopt;
  };
  auto isShift = [](std::optional<uint64_t> amount) { return amount && *amount < 64; };
  uint64_t all = ~uint64_t(0);
  return llvm::TypeSwitch<Operation *, uint64_t>(op)
      .Case([&](arith::AddIOp) { return addBits(operand(0), operand(1)); })
      .Case([&](arith::SubIOp) {
        return between(std::min(lowZeros(operand(0)), lowZeros(operand(1))), ~uint64_t(0));
      })
      .Case([&](arith::MulIOp) { return mulBits(operand(0), operand(1)); })
      .Case<arith::OrIOp, arith::XOrIOp, arith::MinUIOp, arith::MaxUIOp, arith::MinSIOp, arith::MaxSIOp>(
          [&](auto) {
            // The lesser and the larger of two are one of them.
            return operand(0) | operand(1);
          })
      .Case([&](arith::AndIOp) { return operand(0) & operand(1); })
      .Case([&](arith::SelectOp) { return operand(1) | operand(2); })
      .Case([&](arith::ShLIOp) {
        std::optional<uint64_t> amount = constant(1);
        return isShift(amount) ? operand(0) << *amount : all;
      })
      .Case([&](arith::ShRUIOp) {
        std::optional<uint64_t> amount = constant(1);
        return isShift(amount) ? operand(0) >> *amount : all;
      })
      .Case([&](arith::DivUIOp) {
        std::optional<uint64_t> divisor = constant(1);
        if (!divisor || *divisor == 0)
          return all;
        uint64_t value = operand(0);
        return llvm::has_single_bit(*divisor) ? value >> llvm::countr_zero(*divisor)
                                              : between(0, value / *divisor);
      })
      .Case([&](arith::RemUIOp) {
        std::optional<uint64_t> divisor = constant(1);
        if (!divisor || *divisor == 0)
          return all;
        uint64_t value = operand(0);
        if (llvm::has_single_bit(*divisor))
          return value & (*divisor - 1);
        return between(std::min(lowZeros(value), lowZeros(*divisor)), std::min(value, *divisor - 1));
      })
      .Case<arith::ExtUIOp, arith::TruncIOp>([&](auto) { return operand(0); })
      .Case([&](arith::ExtSIOp) {
        unsigned width = op->getOperand(0).getType().getIntOrFloatBitWidth();
        uint64_t value = operand(0);
        return width < 64 && (value >> (width - 1) & 1) ? value | (all << width) : value;
      })
      .Case([&](LLVM::CallIntrinsicOp call) {
        bool isThread = call.getIntrin() == PtxForm::get(PtxFormId::TidX).text;
        return isThread ? between(0, threads - 1) : all;
      })
      .Default([&](Operation *) { return all; });
}

static uint64_t getBits(Value value, int64_t threads, unsigned depth) {
  unsigned width = value.getType().isIntOrFloat() ? value.getType().getIntOrFloatBitWidth() : 64;
  uint64_t mask = width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getZExtValue();
  if (depth == 0)
    return mask;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument.getArgNumber() == 0 ? getLoopBits(loop, threads, depth - 1) & mask : mask;
  }
  return getOpBits(value.getDefiningOp(), threads, depth - 1) & mask;
}

uint64_t getPossibleBits(Value value, int64_t threads) {
  // Indices are short expressions; what is deeper is not worth the time.
  return value ? getBits(value, threads, /*depth=*/16) : 0;
}

} // namespace tilec::lowering
