//===- Bytecode.h - instructions of the evaluator -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel (or a launch program) is compiled once to a register bytecode. Every SSA scalar has a slot of its
// own and every object a view of its own, so nothing is saved or spilled, and roles, which share no values,
// can run interleaved in one frame. Scalar work is done by small typed instructions; everything on whole
// tiles is a `Call` of a closure made at compile time: those take microseconds, so how they are reached does
// not matter.
//
// R is the slots, V the views, a b c d x the fields of the instruction, k a position in the code.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_BYTECODE_H
#define TILEC_LIB_EVAL_BYTECODE_H

#include "Value.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/FunctionExtras.h"
#include <utility>
#include <vector>

namespace tilec::eval {

class Machine;

// clang-format off
#define TILEC_EVAL_OPCODES(X)                                                                                 \
  /* control: Loop is one trip of a sequential loop, ParBegin/ParNext one dimension of a parallel one */      \
  X(Halt)      /* end of this piece of code */                                                                \
  X(Jump)      /* go to a */                                                                                  \
  X(JumpBack)  /* the same, the back edge of a while: counts against the step limit */                        \
  X(JumpIfNot) /* if !R[a] go to b */                                                                         \
  X(JumpIfNotEq) X(JumpIfNotNe) X(JumpIfNotLt) X(JumpIfNotLe) /* if !(R[a] op R[b]) go to c; signed */        \
  X(LoopBegin) /* R[a] = R[b]; if R[a] >= R[c] go to d; x: register number offset, see Compiler */            \
  X(LoopNext)  /* R[a] += R[b]; if R[a] < R[c] go to d */                                                     \
  X(ParBegin)  /* if R[c] <= 0 go to d; R[b] = R[c]; R[a] = first index in the run's order */                 \
  X(ParNext)   /* if --R[b] > 0 { R[a] += step of the run's order; go to d } */                               \
  X(Iteration) /* ++R[a]: a new iteration of a parallel that updates fragments */                             \
  X(Call)      /* closure a: may fail or block */                                                             \
  X(CallIfNot) /* closure b if !R[a] */                                                                       \
  /* moves */                                                                                                 \
  X(Move) X(MoveView) X(Select) X(SelectView) /* [a] = [b]; [a] = R[b] ? [c] : [d] */                         \
  /* integers: R[a] = R[b] op R[c], sign extended from 64 - x bits */                                         \
  X(AddI) X(SubI) X(MulI) X(AndI) X(OrI) X(XorI) X(ShlI) X(ShrSI) X(ShrUI)                                    \
  X(DivSI) X(DivUI) X(RemSI) X(RemUI) X(CeilDivSI) X(CeilDivUI) X(FloorDivSI)                                 \
  X(MaxSI) X(MaxUI) X(MinSI) X(MinUI) X(AbsI)                                                                 \
  X(SignExtend) X(ZeroExtend) X(And1) X(Negate)                                                               \
  X(MulHighSI) X(MulHighUI)                                                                                   \
  X(CmpEq) X(CmpNe) X(CmpSlt) X(CmpSle) X(CmpUlt) X(CmpUle)                                                   \
  /* floats of at most 32 bits in .f */                                                                       \
  X(AddF) X(SubF) X(MulF) X(DivF) X(NegF) X(MulAddF) /* R[a] = R[b] * R[c] + R[d], rounded twice */           \
  X(MaxF) X(MinF) X(BinaryF) X(UnaryF) X(FmaF) X(CmpF)                                                        \
  X(RoundF)    /* R[a].f = R[b].f rounded to kind x */                                                        \
  /* doubles in .d */                                                                                         \
  X(AddD) X(SubD) X(MulD) X(DivD) X(NegD) X(BinaryD) X(UnaryD) X(FmaD) X(CmpD)                                \
  X(RoundD)    /* R[a].f = R[b].d rounded to kind x */                                                        \
  /* conversions */                                                                                           \
  X(FToD) X(SIToF) X(UIToF) X(SIToD) X(UIToD) X(IToKind) /* to kind x, d: unsigned */                         \
  X(FToI) X(DToI) /* saturating to x bits, d: unsigned; NaN is 0 */                                           \
  X(Bitcast)   /* kind x to kind d */                                                                         \
  /* elements: ranks 1 and 2 have their indices in c, d; others in the index table from c on */               \
  X(ReadF32R1) X(ReadF32R2) X(ReadF32RN) X(ReadF16R1) X(ReadF16R2) X(ReadF16RN)                               \
  X(ReadR1) X(ReadR2) X(ReadRN)                                                                               \
  X(WriteF32R1) X(WriteF32R2) X(WriteF32RN) X(WriteF16R1) X(WriteF16R2) X(WriteF16RN)                         \
  X(WriteR1) X(WriteR2) X(WriteRN)                                                                            \
  X(RefReadF32R1) X(RefReadF32R2) X(RefReadRN) X(RefWriteF32R1) X(RefWriteF32R2) X(RefWriteRN)                \
  X(Update)    /* V[b][indices at c] = V[b][…] op R[a], op: x */                                              \
  X(RefUpdate)
// clang-format on

enum class Opcode : uint16_t {
#define TILEC_ENUM(name) name,
  TILEC_EVAL_OPCODES(TILEC_ENUM)
#undef TILEC_ENUM
};

/// Operands of UnaryF/UnaryD and BinaryF/BinaryD.
enum class UnaryFn : uint16_t {
  Abs,
  Ceil,
  Cos,
  Erf,
  Exp,
  Exp2,
  Expm1,
  Floor,
  Log,
  Log10,
  Log1p,
  Log2,
  Rcp,
  Round,
  RoundEven,
  Rsqrt,
  Sigmoid,
  Sin,
  Sqrt,
  Tan,
  Tanh,
  Trunc,
  IsNaN,
  IsInf,
  IsFinite,
  Sinh,
  Cosh,
  Atan,
  Asin,
  Acos,
  Cbrt
};
enum class BinaryFn : uint16_t { Rem, MaxNum, MinNum, Maximum, Minimum, CopySign, Pow, Atan2 };

struct Instr {
  Opcode op;
  uint16_t x = 0;
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

/// What running a piece of code, or a closure, came to.
enum class Outcome { Ok, Failed, Blocked };

using Closure = llvm::unique_function<Outcome(Machine &) const>;

/// A fragment under update: the views of the values before the loop and now.
struct RefInfo {
  unsigned before = 0, now = 0,
           stamps = 0;    ///< stamps: which iteration wrote an element last, number of a stamp table
  unsigned iteration = 0; ///< slot of the iteration's number, from 1 on
};

struct Program {
  std::vector<Instr> code;
  std::vector<mlir::Location> locations; ///< of every instruction
  std::vector<Closure> closures;
  std::vector<uint32_t> indices; ///< slots of the indices of RN accesses
  std::vector<RefInfo> refs;     ///< by the view of the value now
  std::vector<std::pair<unsigned, Slot>> constants;
  std::vector<View> views; ///< what every view holds at the start: kind and static shape
  unsigned numSlots = 0, numStamps = 0, numStates = 0;
  std::vector<unsigned> arguments; ///< slot of a scalar argument, view of a pointer one
};

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_BYTECODE_H
