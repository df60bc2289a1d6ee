//===- Machine.cpp - the interpreter loop ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One label an opcode, and every handler jumps to the next one itself: the branch predictor then sees a jump
// of its own per opcode, which is worth a third of the time of naive oracles. This file is compiled with
// optimisation in every preset, without contraction of a * b + c.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "ScalarMath.h"

#pragma clang diagnostic ignored "-Wgnu-label-as-value"
#pragma clang diagnostic ignored "-Wpedantic"

using namespace tilec;
using namespace tilec::eval;

Machine::Machine(const Program &program, const EvalOptions &options, EvalResult &result)
    : program(program), options(options), result(result), states(program.numStates),
      stamps(program.numStamps), stepsLeft(options.maxSteps ? options.maxSteps : UINT64_MAX),
      slots(program.numSlots), views(program.views) {
  for (const auto &[index, value] : program.constants)
    slots[index] = value;
}

Outcome Machine::fail(const llvm::Twine &message, ErrorKind kind) {
  if (result.kind != ErrorKind::None)
    return Outcome::Failed; // the first error stands
  result.kind = kind;
  result.message = message.str();
  result.location = location();
  if (inBlock)
    result.block = {blockIndex[0], blockIndex[1], blockIndex[2]};
  return Outcome::Failed;
}

TileRef Machine::allocateUnwritten(ElementKind kind, int64_t count) {
  TileRef tile = allocate(kind, count, false);
  if (!options.checkUninitialised)
    tile->init.reset();
  return tile;
}

TileRef Machine::allocate(ElementKind kind, int64_t count, bool initialised) {
  return TileRef(new TileData(kind, count, initialised));
}

void Machine::makeUnique(View &view) {
  TileRef copy = allocate(view.kind, view.owner->count, true);
  std::memcpy(copy->data.get(), view.owner->data.get(),
              static_cast<size_t>(storageBytes(view.kind, view.owner->count)));
  if (view.owner->init) {
    copy->init.reset(new uint8_t[static_cast<size_t>(view.owner->count)]);
    std::memcpy(copy->init.get(), view.owner->init.get(), static_cast<size_t>(view.owner->count));
  }
  view.bind(std::move(copy));
}

bool Machine::offsetOf(const View &view, const uint32_t *indexSlots, int64_t &offset,
                       unsigned &badDim) const {
  offset = view.offset;
  for (unsigned d = 0; d < view.rank; ++d) {
    const int64_t index = slots[indexSlots[d]].i;
    if (!isValid(view.dims[d], index)) {
      badDim = d;
      return false;
    }
    offset += index * view.dims[d].stride;
  }
  badDim = maxRank;
  return !view.dead;
}

Outcome Machine::failOutOfBounds(const View &view, const uint32_t *indexSlots, unsigned badDim) {
  if (badDim == maxRank)
    return fail("access of an element outside its tile");
  return fail("index " + llvm::Twine(slots[indexSlots[badDim]].i) + " of dimension " + llvm::Twine(badDim) +
              " is outside [0, " + llvm::Twine(view.dims[badDim].size) + ")");
}

Outcome Machine::failUninitialised(const uint32_t *indexSlots, unsigned count) {
  std::string text = "read of an element that was never written: [";
  for (unsigned d = 0; d < count; ++d)
    text += (d ? ", " : "") + std::to_string(slots[indexSlots[d]].i);
  return fail(text + "]");
}

Outcome Machine::execute(uint32_t &pc) {
  static const void *const labels[] = {
#define TILEC_LABEL(name) &&L_##name,
      TILEC_EVAL_OPCODES(TILEC_LABEL)
#undef TILEC_LABEL
  };
  const Instr *const code = program.code.data();
  const Instr *I = code + pc;
  Slot *const R = slots.data();
  View *const V = views.data();
  const int64_t step = isReverse() ? -1 : 1;

#define DISPATCH() goto *labels[static_cast<unsigned>(I->op)]
#define NEXT()                                                                                               \
  do {                                                                                                       \
    ++I;                                                                                                     \
    DISPATCH();                                                                                              \
  } while (false)
#define GO(target)                                                                                           \
  do {                                                                                                       \
    I = code + (target);                                                                                     \
    DISPATCH();                                                                                              \
  } while (false)
#define LEAVE(outcome)                                                                                       \
  do {                                                                                                       \
    pc = static_cast<uint32_t>(I - code);                                                                    \
    return (outcome);                                                                                        \
  } while (false)
#define HERE() (current = static_cast<uint32_t>(I - code))
#define OP(name) L_##name:

  DISPATCH();

  OP(Halt) LEAVE(Outcome::Ok);
  OP(Jump) GO(I->a);
  OP(JumpBack) {
    if (--stepsLeft == 0)
      goto outOfSteps;
    GO(I->a);
  }
  OP(JumpIfNot) if (!R[I->a].i) GO(I->b);
  NEXT();
  OP(JumpIfNotEq) if (R[I->a].i != R[I->b].i) GO(I->c);
  NEXT();
  OP(JumpIfNotNe) if (R[I->a].i == R[I->b].i) GO(I->c);
  NEXT();
  OP(JumpIfNotLt) if (R[I->a].i >= R[I->b].i) GO(I->c);
  NEXT();
  OP(JumpIfNotLe) if (R[I->a].i > R[I->b].i) GO(I->c);
  NEXT();
  OP(LoopBegin) {
    R[I->a] = R[I->b];
    if (R[I->a].i >= R[I->c].i)
      GO(I->d);
    NEXT();
  }
  OP(LoopNext) {
    // The last step may leave the range of i64: then the loop is over, too.
    int64_t next;
    const bool over = __builtin_add_overflow(R[I->a].i, R[I->b].i, &next);
    R[I->a].i = next;
    if (!over && next < R[I->c].i) {
      if (--stepsLeft == 0)
        goto outOfSteps;
      GO(I->d);
    }
    NEXT();
  }
  OP(ParBegin) {
    const int64_t extent = R[I->c].i;
    if (extent <= 0)
      GO(I->d);
    R[I->b].i = extent;
    R[I->a].i = step > 0 ? 0 : extent - 1;
    NEXT();
  }
  OP(ParNext) {
    if (--R[I->b].i > 0) {
      R[I->a].i += step;
      GO(I->d);
    }
    NEXT();
  }
  OP(Iteration)++ R[I->a].i;
  NEXT();
  OP(CallIfNot) {
    if (R[I->a].i)
      NEXT();
    HERE();
    const Outcome outcome = program.closures[I->b](*this);
    if (outcome != Outcome::Ok)
      LEAVE(outcome);
    NEXT();
  }
  OP(Call) {
    HERE();
    const Outcome outcome = program.closures[I->a](*this);
    if (outcome != Outcome::Ok)
      LEAVE(outcome);
    NEXT();
  }

  OP(Move) R[I->a] = R[I->b];
  NEXT();
  OP(MoveView) V[I->a] = V[I->b];
  NEXT();
  OP(Select) R[I->a] = R[I->b].i ? R[I->c] : R[I->d];
  NEXT();
  OP(SelectView) V[I->a] = R[I->b].i ? V[I->c] : V[I->d];
  NEXT();

#define BIN_I(name, expression)                                                                              \
  OP(name) {                                                                                                 \
    const int64_t b = R[I->b].i, c = R[I->c].i;                                                              \
    const uint64_t ub = static_cast<uint64_t>(b), uc = static_cast<uint64_t>(c);                             \
    (void)b, (void)c, (void)ub, (void)uc;                                                                    \
    R[I->a].i = signExtend(static_cast<int64_t>(expression), I->x);                                          \
    NEXT();                                                                                                  \
  }
#define LOW(value) ((static_cast<uint64_t>(value) << I->x) >> I->x)
  BIN_I(AddI, ub + uc)
  BIN_I(SubI, ub - uc)
  BIN_I(MulI, ub * uc)
  BIN_I(AndI, ub & uc)
  BIN_I(OrI, ub | uc)
  BIN_I(XorI, ub ^ uc)
  BIN_I(ShlI, LOW(c) < 64u - I->x ? ub << LOW(c) : 0)
  BIN_I(ShrSI, LOW(c) < 64u - I->x ? b >> LOW(c) : b >> 63)
  BIN_I(ShrUI, LOW(c) < 64u - I->x ? LOW(b) >> LOW(c) : 0)
  BIN_I(DivSI, divideSigned(b, c))
  BIN_I(DivUI, LOW(c) ? LOW(b) / LOW(c) : 0)
  BIN_I(RemSI, c == 0 ? b : c == -1 ? 0 : b % c)
  BIN_I(RemUI, LOW(c) ? LOW(b) % LOW(c) : LOW(b))
  BIN_I(CeilDivSI, ceilDivideSigned(b, c))
  BIN_I(CeilDivUI, LOW(c) ? LOW(b) / LOW(c) + (LOW(b) % LOW(c) != 0) : 0)
  BIN_I(FloorDivSI, floorDivideSigned(b, c))
  BIN_I(MaxSI, b > c ? b : c)
  BIN_I(MinSI, b < c ? b : c)
  BIN_I(MaxUI, ub > uc ? ub : uc)
  BIN_I(MinUI, ub < uc ? ub : uc)
  BIN_I(MulHighSI, (static_cast<__int128>(b) * c) >> (64 - I->x))
  BIN_I(MulHighUI, (static_cast<unsigned __int128>(LOW(b)) * LOW(c)) >> (64 - I->x))
  OP(AbsI) R[I->a].i = signExtend(R[I->b].i < 0 ? static_cast<int64_t>(-R[I->b].u) : R[I->b].i, I->x);
  NEXT();
  OP(SignExtend) R[I->a].i = signExtend(R[I->b].i, I->x);
  NEXT();
  OP(ZeroExtend) R[I->a].u = LOW(R[I->b].i);
  NEXT();
  OP(And1) R[I->a].i = R[I->b].i & 1;
  NEXT();
  OP(Negate) R[I->a].u = -R[I->b].u;
  NEXT();
  OP(CmpEq) R[I->a].i = R[I->b].i == R[I->c].i;
  NEXT();
  OP(CmpNe) R[I->a].i = R[I->b].i != R[I->c].i;
  NEXT();
  OP(CmpSlt) R[I->a].i = R[I->b].i < R[I->c].i;
  NEXT();
  OP(CmpSle) R[I->a].i = R[I->b].i <= R[I->c].i;
  NEXT();
  OP(CmpUlt) R[I->a].i = R[I->b].u < R[I->c].u;
  NEXT();
  OP(CmpUle) R[I->a].i = R[I->b].u <= R[I->c].u;
  NEXT();

  OP(AddF) R[I->a].f = R[I->b].f + R[I->c].f;
  NEXT();
  OP(SubF) R[I->a].f = R[I->b].f - R[I->c].f;
  NEXT();
  OP(MulF) R[I->a].f = R[I->b].f * R[I->c].f;
  NEXT();
  OP(DivF) R[I->a].f = R[I->b].f / R[I->c].f;
  NEXT();
  OP(NegF) R[I->a].f = -R[I->b].f;
  NEXT();
  OP(MulAddF) {
    const float product = R[I->b].f * R[I->c].f;
    R[I->a].f = product + R[I->d].f;
    NEXT();
  }
  OP(MaxF) R[I->a].f = std::fmax(R[I->b].f, R[I->c].f);
  NEXT();
  OP(MinF) R[I->a].f = std::fmin(R[I->b].f, R[I->c].f);
  NEXT();
  OP(BinaryF) {
    R[I->a].f = static_cast<float>(binary(static_cast<BinaryFn>(I->x), R[I->b].f, R[I->c].f));
    NEXT();
  }
  OP(UnaryF) {
    const UnaryFn fn = static_cast<UnaryFn>(I->x);
    if (isPredicate(fn))
      R[I->a].i = unaryPredicate(fn, R[I->b].f);
    else
      R[I->a].f = static_cast<float>(unary(fn, R[I->b].f));
    NEXT();
  }
  OP(FmaF) R[I->a].f = std::fma(R[I->b].f, R[I->c].f, R[I->d].f);
  NEXT();
  OP(CmpF) R[I->a].i = compareFloats(I->x, R[I->b].f, R[I->c].f);
  NEXT();
  OP(RoundF) R[I->a] = slotOfFloat(roundFloat(static_cast<ElementKind>(I->x), R[I->b].f));
  NEXT();

  OP(AddD) R[I->a].d = R[I->b].d + R[I->c].d;
  NEXT();
  OP(SubD) R[I->a].d = R[I->b].d - R[I->c].d;
  NEXT();
  OP(MulD) R[I->a].d = R[I->b].d * R[I->c].d;
  NEXT();
  OP(DivD) R[I->a].d = R[I->b].d / R[I->c].d;
  NEXT();
  OP(NegD) R[I->a].d = -R[I->b].d;
  NEXT();
  OP(BinaryD) R[I->a].d = binary(static_cast<BinaryFn>(I->x), R[I->b].d, R[I->c].d);
  NEXT();
  OP(UnaryD) {
    const UnaryFn fn = static_cast<UnaryFn>(I->x);
    if (isPredicate(fn))
      R[I->a].i = unaryPredicate(fn, R[I->b].d);
    else
      R[I->a].d = unary(fn, R[I->b].d);
    NEXT();
  }
  OP(FmaD) R[I->a].d = std::fma(R[I->b].d, R[I->c].d, R[I->d].d);
  NEXT();
  OP(CmpD) R[I->a].i = compareFloats(I->x, R[I->b].d, R[I->c].d);
  NEXT();
  OP(RoundD) R[I->a] = slotOfFloat(roundDouble(static_cast<ElementKind>(I->x), R[I->b].d));
  NEXT();

  OP(FToD) R[I->a].d = R[I->b].f;
  NEXT();
  OP(SIToF) R[I->a] = slotOfFloat(static_cast<float>(R[I->b].i));
  NEXT();
  OP(UIToF) R[I->a] = slotOfFloat(static_cast<float>(LOW(R[I->b].i)));
  NEXT();
  OP(SIToD) R[I->a].d = static_cast<double>(R[I->b].i);
  NEXT();
  OP(UIToD) R[I->a].d = static_cast<double>(LOW(R[I->b].i));
  NEXT();
  OP(IToKind) R[I->a] = slotOfFloat(intToKind(static_cast<ElementKind>(I->x), R[I->b].i, I->c));
  NEXT();
  OP(FToI) R[I->a].i = floatToInt(R[I->b].f, I->x, I->d);
  NEXT();
  OP(DToI) R[I->a].i = floatToInt(R[I->b].d, I->x, I->d);
  NEXT();
  OP(Bitcast) {
    R[I->a] = bitcastSlot(static_cast<ElementKind>(I->x), static_cast<ElementKind>(I->d), R[I->b]);
    NEXT();
  }

  // Elements. On the way out of bounds everything meets in one place, with the indices as a list.
  uint32_t inlineIndices[2];
  const uint32_t *indexSlots;
  unsigned badDim;
  int64_t offset;

#define OFFSET_R1                                                                                            \
  View &view = V[I->b];                                                                                      \
  {                                                                                                          \
    const int64_t i0 = R[I->c].i;                                                                            \
    if (!isValid(view.dims[0], i0) || view.dead)                                                             \
      goto indices1;                                                                                         \
    offset = view.offset + i0 * view.dims[0].stride;                                                         \
  }
#define OFFSET_R2                                                                                            \
  View &view = V[I->b];                                                                                      \
  {                                                                                                          \
    const int64_t i0 = R[I->c].i, i1 = R[I->d].i;                                                            \
    if (!isValid(view.dims[0], i0) || !isValid(view.dims[1], i1) || view.dead)                               \
      goto indices2;                                                                                         \
    offset = view.offset + i0 * view.dims[0].stride + i1 * view.dims[1].stride;                              \
  }
#define OFFSET_RN                                                                                            \
  View &view = V[I->b];                                                                                      \
  indexSlots = program.indices.data() + I->c;                                                                \
  if (!offsetOf(view, indexSlots, offset, badDim))                                                           \
    goto outOfBounds;
#define CHECK_INIT(storage, at, rank)                                                                        \
  if ((storage).init && !(storage).init[at]) {                                                               \
    goto uninitialised##rank;                                                                                \
  }
#define READ(name, rank, value)                                                                              \
  OP(name) {                                                                                                 \
    OFFSET_##rank CHECK_INIT(view, offset, rank) R[I->a] = (value);                                          \
    NEXT();                                                                                                  \
  }
#define LOAD_F32(v, at) slotOfFloat(tilec::detail::loadAt<float>((v).data, at))
#define LOAD_F16(v, at) slotOfFloat(decodeF16(tilec::detail::loadAt<uint16_t>((v).data, at)))
#define LOAD_ANY(v, at) loadSlot((v).kind, (v).data, at)
  READ(ReadF32R1, R1, LOAD_F32(view, offset))
  READ(ReadF32R2, R2, LOAD_F32(view, offset))
  READ(ReadF32RN, RN, LOAD_F32(view, offset))
  READ(ReadF16R1, R1, LOAD_F16(view, offset))
  READ(ReadF16R2, R2, LOAD_F16(view, offset))
  READ(ReadF16RN, RN, LOAD_F16(view, offset))
  READ(ReadR1, R1, LOAD_ANY(view, offset))
  READ(ReadR2, R2, LOAD_ANY(view, offset))
  READ(ReadRN, RN, LOAD_ANY(view, offset))

#define WRITE(name, rank, store)                                                                             \
  OP(name) {                                                                                                 \
    OFFSET_##rank if (view.owner && view.owner->readersInFlight) goto inFlight;                              \
    store;                                                                                                   \
    if (view.init)                                                                                           \
      view.init[offset] = 1;                                                                                 \
    NEXT();                                                                                                  \
  }
#define STORE_F32(v, at) tilec::detail::storeAt<float>((v).data, at, R[I->a].f)
#define STORE_F16(v, at) tilec::detail::storeAt<uint16_t>((v).data, at, encodeF16(R[I->a].f))
#define STORE_ANY(v, at) storeSlot((v).kind, (v).data, at, R[I->a])
  WRITE(WriteF32R1, R1, STORE_F32(view, offset))
  WRITE(WriteF32R2, R2, STORE_F32(view, offset))
  WRITE(WriteF32RN, RN, STORE_F32(view, offset))
  WRITE(WriteF16R1, R1, STORE_F16(view, offset))
  WRITE(WriteF16R2, R2, STORE_F16(view, offset))
  WRITE(WriteF16RN, RN, STORE_F16(view, offset))
  WRITE(WriteR1, R1, STORE_ANY(view, offset))
  WRITE(WriteR2, R2, STORE_ANY(view, offset))
  WRITE(WriteRN, RN, STORE_ANY(view, offset))

  // References: b is the view of the value now.
#define REF_READ(name, rank, load)                                                                           \
  OP(name) {                                                                                                 \
    OFFSET_##rank const RefInfo &ref = program.refs[I->b];                                                   \
    const bool own =                                                                                         \
        stamps[ref.stamps][static_cast<size_t>(offset)] == static_cast<uint32_t>(R[ref.iteration].i);        \
    View &from = own ? view : V[ref.before];                                                                 \
    CHECK_INIT(from, offset, rank) R[I->a] = load(from, offset);                                             \
    NEXT();                                                                                                  \
  }
  REF_READ(RefReadF32R1, R1, LOAD_F32)
  REF_READ(RefReadF32R2, R2, LOAD_F32)
  REF_READ(RefReadRN, RN, LOAD_ANY)
#define REF_WRITE(name, rank, store)                                                                         \
  OP(name) {                                                                                                 \
    OFFSET_##rank const RefInfo &ref = program.refs[I->b];                                                   \
    stamps[ref.stamps][static_cast<size_t>(offset)] = static_cast<uint32_t>(R[ref.iteration].i);             \
    store(view, offset);                                                                                     \
    if (view.init)                                                                                           \
      view.init[offset] = 1;                                                                                 \
    NEXT();                                                                                                  \
  }
  REF_WRITE(RefWriteF32R1, R1, STORE_F32)
  REF_WRITE(RefWriteF32R2, R2, STORE_F32)
  REF_WRITE(RefWriteRN, RN, STORE_ANY)
  OP(RefUpdate) {
    OFFSET_RN const RefInfo &ref = program.refs[I->b];
    CHECK_INIT(view, offset, RN)
    stamps[ref.stamps][static_cast<size_t>(offset)] = static_cast<uint32_t>(R[ref.iteration].i);
    storeSlot(view.kind, view.data, offset, combine(view.kind, I->x, LOAD_ANY(view, offset), R[I->a]));
    NEXT();
  }
  OP(Update) {
    OFFSET_RN CHECK_INIT(view, offset, RN) if (view.owner && view.owner->readersInFlight) goto inFlight;
    storeSlot(view.kind, view.data, offset, combine(view.kind, I->x, LOAD_ANY(view, offset), R[I->a]));
    NEXT();
  }

indices1:
  inlineIndices[0] = I->c;
  goto inlineOutOfBounds;
indices2:
  inlineIndices[0] = I->c;
  inlineIndices[1] = I->d;
inlineOutOfBounds:
  indexSlots = inlineIndices;
  offsetOf(V[I->b], indexSlots, offset, badDim);
outOfBounds:
  HERE();
  if (!V[I->b].global)
    LEAVE(failOutOfBounds(V[I->b], indexSlots, badDim));
  if (I->x && I->op >= Opcode::ReadF32R1 && I->op <= Opcode::WriteRN) {
    failOutOfBounds(V[I->b], indexSlots, badDim);
    result.message += ", which was proved not to happen";
    LEAVE(Outcome::Failed);
  }
  // The bounds rule of tensors: a read gives 0, a write or an update does nothing.
  if (I->op >= Opcode::ReadF32R1 && I->op <= Opcode::ReadRN)
    R[I->a].u = 0;
  NEXT();
uninitialisedR1:
  inlineIndices[0] = I->c;
  HERE();
  LEAVE(failUninitialised(inlineIndices, 1));
uninitialisedR2:
  inlineIndices[0] = I->c;
  inlineIndices[1] = I->d;
  HERE();
  LEAVE(failUninitialised(inlineIndices, 2));
uninitialisedRN:
  HERE();
  LEAVE(failUninitialised(indexSlots, V[I->b].rank));
inFlight:
  HERE();
  LEAVE(fail("write to a shared tile that a started gemm still reads"));
outOfSteps:
  HERE();
  LEAVE(fail("gave up: too many loop iterations", ErrorKind::Limit));
}
