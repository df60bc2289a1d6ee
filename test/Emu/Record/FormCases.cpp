//===- FormCases.cpp - operands for every form ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are a mixture of special values, random bits, values with few digits (ties when they are narrowed)
// and values of a range that fits the form.
//
//===----------------------------------------------------------------------===//

#include "FormCases.h"
#include "Twins.h"
#include "tilec/Check/Random.h"
#include <bit>

using namespace tilec;
using namespace tilec::record;
using llvm::StringRef;

const Tolerance *record::findTolerance(std::string_view twin) {
  static constexpr Tolerance table[] = {
      {"ex2Ftz", 2, 0},
      {"ex2", 2, 0},
      {"lg2Ftz", 1, 0x1p-22},
      {"lg2", 1, 0x1p-22},
      {"rcpFtz", 1, 0},
      {"rcp", 1, 0},
      {"divFtz", 1, 0},
      {"divFull", 1, 0},
      {"rsqrtFtz", 1, 0},
      {"rsqrt", 1, 0},
      {"sqrtFtz", 1, 0},
      {"sqrt", 1, 0},
      {"sin", 0, 0x1p-21},
      {"cos", 0, 0x1p-21},
      {"tanh", 111, 0},
      {"rsqrtF64", 1, 0},
      // The device cuts terms and sum (lib/Emu/TwinsMatrix.cpp).
      {"mmaF16F32", 0, 0, 0x1p-23},
      {"mmaF16F16", 1, 0},
      {"mmaBf16F32", 0, 0, 0x1p-23},
      {"mmaTf32F32", 0, 0, 0x1p-23},
  };
  for (const Tolerance &row : table)
    if (row.twin == twin)
      return &row;
  return nullptr;
}

namespace {
/// Random words in order.
class Random {
public:
  explicit Random(uint64_t form) : stream(/*seed=*/1, form) {}
  uint64_t bits() { return stream.word(next++); }
  unsigned below(unsigned n) { return static_cast<unsigned>((bits() >> 32) * n >> 32); }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<unsigned>(high - low + 1)));
  }

private:
  check::Stream stream;
  uint64_t next = 0;
};

/// A binary floating-point type of up to 64 bits.
struct FloatType {
  int exponentBits, mantissaBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t sign() const { return uint64_t(1) << (exponentBits + mantissaBits); }
  uint64_t infinity() const { return sign() - one(); }
  uint64_t one() const { return uint64_t(1) << mantissaBits; }
};
constexpr FloatType f16{5, 10}, bf16{8, 7}, f32{8, 23}, f64{11, 52};

/// Exponents of the ordinary numbers; whether all other numbers may occur too.
struct Range {
  int low, high;
  bool anyBits;
};

uint64_t ordinary(Random &random, const FloatType &type, const Range &range) {
  const uint64_t exponent = static_cast<uint64_t>(random.between(range.low, range.high) + type.bias());
  return exponent << type.mantissaBits |
         (random.bits() & ((type.sign() | type.one()) - 1 & ~type.infinity())) |
         (random.bits() & type.sign());
}

uint64_t special(Random &random, const FloatType &type) {
  const uint64_t inf = type.infinity(), values[] = {0, inf, inf | 1, type.sign() - 1, 1, type.one() - 1};
  return values[random.below(std::size(values))] | (random.bits() & type.sign());
}

uint64_t drawFloat(Random &random, const FloatType &type, const Range &range) {
  switch (random.below(8)) {
  case 0:
    return special(random, type);
  case 1:
    if (range.anyBits)
      return random.bits() & (2 * type.sign() - 1);
    break;
  case 2: // 1 to 13 digits
    return ordinary(random, type, range) & ~(uint64_t(0))
                                               << std::max(0, type.mantissaBits - random.between(1, 13));
  default:
    break;
  }
  return ordinary(random, type, range);
}

Range rangeOf(StringRef twin) {
  if (twin.starts_with("ex2"))
    return {-6, 6, true};
  if (twin == "sin" || twin == "cos") // outside -pi … pi no error is promised
    return {-12, 0, false};
  if (twin == "tanh")
    return {-12, 4, true};
  if (twin.starts_with("cvtE"))
    return {-18, 17, true};
  if (twin == "cvtF16x2")
    return {-27, 17, true};
  if (twin.starts_with("cvtS") || twin.starts_with("cvtU"))
    return {-2, 66, true};
  if (twin == "redAddF64") // which NaN comes out of f64 is open
    return {-3, 3, false};
  if (twin.starts_with("redAdd"))
    return {-6, 6, true};
  return {-40, 40, true};
}

uint64_t pairOf(Random &random, const FloatType &type, const Range &range) {
  const uint64_t low = drawFloat(random, type, range);
  return low | drawFloat(random, type, range) << 16;
}

uint64_t drawInteger(Random &random, unsigned width) {
  const uint64_t mask = ~uint64_t(0) >> (64 - width);
  switch (random.below(4)) {
  case 0: // near the ends and zero
    return ((uint64_t(random.below(4)) << (width - 2)) + static_cast<uint64_t>(random.between(-2, 2))) & mask;
  case 1:
    return random.below(64);
  default:
    return random.bits() & mask;
  }
}

/// Whether negative operands give NaN.
bool isOfPositive(StringRef twin) {
  return twin.starts_with("lg2") || twin.starts_with("sqrt") || twin.starts_with("rsqrt");
}

uint64_t drawPlain(Random &random, PtxType type, StringRef twin) {
  Range range = rangeOf(twin);
  const Range narrow{-14, 15, true};
  switch (type.kind) {
  case PtxType::I1:
    return random.below(4) != 0;
  case PtxType::I16:
    if (twin == "redAddF16")
      return drawFloat(random, f16, range);
    if (twin == "redAddBf16")
      return drawFloat(random, bf16, range);
    return drawInteger(random, 16);
  case PtxType::I32:
    return drawInteger(random, 32);
  case PtxType::I64:
    return drawInteger(random, 64);
  case PtxType::F32: {
    const uint64_t value = drawFloat(random, f32, range);
    return isOfPositive(twin) && random.below(4) ? value & ~f32.sign() : value;
  }
  case PtxType::F64: {
    uint64_t value = drawFloat(random, f64, range);
    if (isOfPositive(twin) && random.below(4))
      value &= ~f64.sign();
    if (twin == "redAddF64" && (value & f64.infinity()) == f64.infinity())
      value = f64.one(); // see rangeOf
    return value;
  }
  case PtxType::F16x2:
    return pairOf(random, f16, narrow);
  case PtxType::BF16x2:
    return pairOf(random, bf16, range);
  default:
    return 0; // pointers are drawn by their form
  }
}

//===----------------------------------------------------------------------===//
// Forms of a warp
//===----------------------------------------------------------------------===//

/// The kinds of warps of a product of floats: whole numbers, whose products are exact however they are added;
/// ordinary numbers of both signs; the same with a few special ones.
uint64_t drawFactor(Random &random, const FloatType &type, unsigned warp) {
  if (warp % 4 == 0) {
    const int value = random.between(-8, 8);
    const uint64_t bits =
        std::bit_cast<uint64_t>(static_cast<double>(value)); // rebias and cut an exact number
    if (value == 0)
      return 0;
    const uint64_t exponent = (bits >> 52 & 0x7ff) - 1023 + static_cast<uint64_t>(type.bias());
    return (bits >> 63 ? type.sign() : 0) | exponent << type.mantissaBits |
           (bits & (f64.one() - 1)) >> (52 - type.mantissaBits);
  }
  if (warp % 4 == 3 && random.below(100) == 0)
    return special(random, type);
  return ordinary(random, type, {-3, 1, false});
}

uint64_t drawMma(Random &random, PtxType type, StringRef twin, unsigned warp) {
  auto pair = [&](const FloatType &element) {
    const uint64_t low = drawFactor(random, element, warp);
    return low | drawFactor(random, element, warp) << 16;
  };
  switch (type.kind) {
  case PtxType::F16x2:
    return pair(f16);
  case PtxType::F32:
    return drawFactor(random, f32, warp);
  case PtxType::F64:
    return drawFactor(random, f64, warp);
  default:
    if (twin == "mmaBf16F32")
      return pair(bf16);
    if (twin == "mmaTf32F32") // the low bits, which do not count, are random
      return (drawFactor(random, f32, warp) & ~uint64_t(0x1fff)) | random.below(0x2000);
    return random.bits() & 0xffffffff;
  }
}

/// Value, distance or lane, and the control word: segments of all sizes, also with a bound inside.
uint64_t drawShuffle(Random &random, unsigned operand) {
  if (operand != 3)
    return operand == 1 ? random.bits() & 0xffffffff : random.below(40);
  const unsigned segment = 32 - (1u << random.below(6)), clamps[] = {31, 0, random.below(32)};
  return (segment & 31) << 8 | clamps[random.below(3)];
}

uint32_t drawMembers(Random &random, StringRef twin) {
  // What a shuffle reads from a lane that does not take part is undefined.
  if (twin.starts_with("shfl") || random.below(2))
    return 0xffffffff;
  const auto some = static_cast<uint32_t>(random.bits() & random.bits());
  return some ? some : 1u << random.below(32);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Where a pointer of a lane points to, in its space.
uint64_t drawOffset(Random &random, const emu::FormShape &shape, PtxType type, unsigned lane) {
  const unsigned bytes = shape.accessBytes();
  const bool isSource = shape.form->twin == "cpAsync" && type.kind == PtxType::GlobalPtr;
  const bool reads = shape.form->effects == PtxEffects::Read || shape.form->effects == PtxEffects::ReadConst;
  if (isSource || reads)
    return bytes * random.below(globalBytes / bytes);
  return 16 * lane + bytes * random.below(16 / bytes);
}

void drawMemory(Random &random, FormCases &cases) {
  const StringRef twin = cases.form->twin;
  const Range range = rangeOf(twin);
  cases.memory.resize(size_t(cases.warps) * memoryBytes);
  for (size_t at = 0; at < cases.memory.size(); at += 8) {
    uint64_t word = random.bits();
    if (twin == "redAddF64")
      word = drawPlain(random, {PtxType::F64}, twin);
    else if (twin == "redAddF32")
      word = drawFloat(random, f32, range) | drawFloat(random, f32, range) << 32;
    else if (twin == "redAddF16")
      word = pairOf(random, f16, range) | pairOf(random, f16, range) << 32;
    else if (twin == "redAddBf16")
      word = pairOf(random, bf16, range) | pairOf(random, bf16, range) << 32;
    std::memcpy(cases.memory.data() + at, &word, 8);
  }
}
} // namespace

FormCases record::drawCases(const PtxForm &form) {
  const emu::FormShape &shape = emu::getShape(form);
  const PtxSignature signature = form.signature();
  const StringRef twin = form.twin;
  Random random(form.number());
  FormCases cases;
  cases.form = &form;
  cases.warps = form.isConvergent() ? 128 : 32;
  cases.numOperands = shape.numOperands;
  cases.numResults = shape.numResults;
  for (unsigned warp = 0; warp < cases.warps; ++warp) {
    const uint32_t members = shape.memberMask >= 0 ? drawMembers(random, twin) : 0;
    const unsigned votes = random.below(3); // none, all, each for itself
    for (unsigned lane = 0; lane < 32; ++lane) {
      const size_t first = cases.operands.size();
      for (unsigned i = 0; i < shape.numOperands; ++i) {
        const PtxType type = signature.operands[i];
        uint64_t value;
        if (static_cast<int>(i) == shape.memberMask)
          value = members;
        else if (twin.starts_with("shfl"))
          value = drawShuffle(random, i);
        else if (twin.starts_with("vote"))
          value = votes < 2 ? votes : random.below(2);
        else if (twin.starts_with("mma"))
          value = drawMma(random, type, twin, warp);
        else if (type.kind == PtxType::GlobalPtr || type.kind == PtxType::SharedPtr)
          value = drawOffset(random, shape, type, lane);
        else if (twin == "cpAsync") // how many bytes are read
          value = random.below(shape.accessBytes() + 1);
        else
          value = drawPlain(random, type, twin);
        cases.operands.push_back(value);
      }
      // A pointer may be anything where the predicate is false.
      if (shape.predicate >= 0 && !cases.operands[first + shape.predicate])
        cases.operands[first] = random.bits();
    }
  }
  if (shape.words)
    drawMemory(random, cases);
  return cases;
}
