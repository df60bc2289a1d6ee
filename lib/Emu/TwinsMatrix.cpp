//===- TwinsMatrix.cpp - ldmatrix and mma ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA 9.0, 9.7.14.5. One rule places every fragment of mma with 32-bit registers of P elements. With
// group = lane / 4 and t = lane % 4:
//   A, register r: row group + 8 * (r % 2), columns P * (t + 4 * (r / 2)) and on
//   B, register r: column group, rows P * (t + 4 * r) and on
//   C and D, element i: row group + 8 * (i / 2), column 2 * t + i % 2
//
// How the device adds is open. Here products of floats are exact and are summed in double, beginning with the
// accumulator, and the sum is rounded once. An H200 (measured for every recorded case) cuts each product and
// the accumulator after the 25th binary place below the largest exponent among them, adds these exactly, and
// cuts the sum to f32 or rounds it to f16.
//
//===----------------------------------------------------------------------===//

#include "TwinValues.h"

using namespace tilec;
using namespace tilec::emu;

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

template <bool Trans> static void loadMatrices(WarpCall &call) {
  for (unsigned matrix = 0; matrix < call.shape->numResults; ++matrix) {
    uint16_t rows[8][8] = {};
    for (unsigned row = 0; row < 8; ++row) {
      const unsigned lane = 8 * matrix + row; // the one that gives the row's address
      if (!call.hasLane(lane))
        continue;
      const void *from = call.calls[lane].pointer(0);
      if (call.calls[lane].read(from, sizeof rows[row]))
        std::memcpy(rows[row], from, sizeof rows[row]);
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!call.hasLane(lane))
        continue;
      const unsigned group = lane / 4, first = 2 * (lane % 4);
      call.setResult(lane, matrix,
                     Trans ? makePair(rows[first][group], rows[first + 1][group])
                           : makePair(rows[group][first], rows[group][first + 1]));
    }
  }
}

void twins::ldMatrix(WarpCall &call) { loadMatrices<false>(call); }
void twins::ldMatrixTrans(WarpCall &call) { loadMatrices<true>(call); }

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

namespace {
/// The elements of one register: how many, and as numbers of the type that sums are made in.
struct F16Elements {
  static constexpr unsigned count = 2;
  using Sum = double;
  static Sum get(uint32_t bits, unsigned i) { return decodeF16(static_cast<uint16_t>(bits >> 16 * i)); }
};
struct Bf16Elements {
  static constexpr unsigned count = 2;
  using Sum = double;
  static Sum get(uint32_t bits, unsigned i) { return decodeBF16(static_cast<uint16_t>(bits >> 16 * i)); }
};
struct Tf32Elements {
  static constexpr unsigned count = 1;
  using Sum = double;
  /// A NaN that has only low bits is an infinity (measured on an H200).
  static Sum get(uint32_t bits, unsigned) { return fromSlot<float>(bits & 0xffffe000); }
};
/// Bytes. Unsigned sums wrap, and their low 32 bits do not depend on the sign of the sum.
template <typename Byte> struct ByteElements {
  static constexpr unsigned count = 4;
  using Sum = uint32_t;
  static Sum get(uint32_t bits, unsigned i) { return static_cast<Byte>(bits >> 8 * i); }
};

/// The accumulator: `load` and `store` element i of a lane.
struct F32Accumulator {
  static double load(const WarpCall &call, unsigned lane, unsigned i) {
    return call.operand<float>(lane, 6 + i);
  }
  static void store(const WarpCall &call, unsigned lane, const double values[4]) {
    for (unsigned i = 0; i < 4; ++i)
      call.setResult(lane, i, roundF32(values[i]));
  }
};
struct F16Accumulator {
  static double load(const WarpCall &call, unsigned lane, unsigned i) {
    return F16Elements::get(call.operand<uint32_t>(lane, 6 + i / 2), i % 2);
  }
  static void store(const WarpCall &call, unsigned lane, const double values[4]) {
    for (unsigned i = 0; i < 2; ++i)
      call.setResult(lane, i, makePair(roundF16(values[2 * i]), roundF16(values[2 * i + 1])));
  }
};
struct S32Accumulator {
  static uint32_t load(const WarpCall &call, unsigned lane, unsigned i) {
    return call.operand<uint32_t>(lane, 6 + i);
  }
  static void store(const WarpCall &call, unsigned lane, const uint32_t values[4]) {
    for (unsigned i = 0; i < 4; ++i)
      call.setResult(lane, i, values[i]);
  }
};

/// 16 x 8 x K with four registers of A and two of B; K is eight registers of a row.
template <typename A, typename B, typename Accumulator> void multiply(WarpCall &call) {
  static_assert(A::count == B::count);
  using Sum = typename A::Sum;
  constexpr unsigned count = A::count, depth = 8 * count;
  Sum a[16][depth] = {}, b[depth][8] = {}, d[16][8] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!call.hasLane(lane))
      continue;
    const unsigned group = lane / 4, t = lane % 4;
    for (unsigned r = 0; r < 4; ++r)
      for (unsigned e = 0; e < count; ++e)
        a[group + 8 * (r % 2)][count * (t + 4 * (r / 2)) + e] = A::get(call.operand<uint32_t>(lane, r), e);
    for (unsigned r = 0; r < 2; ++r)
      for (unsigned e = 0; e < count; ++e)
        b[count * (t + 4 * r) + e][group] = B::get(call.operand<uint32_t>(lane, 4 + r), e);
    for (unsigned i = 0; i < 4; ++i)
      d[group + 8 * (i / 2)][2 * t + i % 2] = Accumulator::load(call, lane, i);
  }
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned column = 0; column < 8; ++column) // innermost, so that the columns are a vector
        d[row][column] += a[row][k] * b[k][column];
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!call.hasLane(lane))
      continue;
    const unsigned group = lane / 4, column = 2 * (lane % 4);
    const Sum values[4] = {d[group][column], d[group][column + 1], d[group + 8][column],
                           d[group + 8][column + 1]};
    Accumulator::store(call, lane, values);
  }
}
} // namespace

void twins::mmaF16F32(WarpCall &call) { multiply<F16Elements, F16Elements, F32Accumulator>(call); }
void twins::mmaF16F16(WarpCall &call) { multiply<F16Elements, F16Elements, F16Accumulator>(call); }
void twins::mmaBf16F32(WarpCall &call) { multiply<Bf16Elements, Bf16Elements, F32Accumulator>(call); }
void twins::mmaTf32F32(WarpCall &call) { multiply<Tf32Elements, Tf32Elements, F32Accumulator>(call); }
void twins::mmaS8S8S32(WarpCall &call) {
  multiply<ByteElements<int8_t>, ByteElements<int8_t>, S32Accumulator>(call);
}
void twins::mmaS8U8S32(WarpCall &call) {
  multiply<ByteElements<int8_t>, ByteElements<uint8_t>, S32Accumulator>(call);
}
void twins::mmaU8S8S32(WarpCall &call) {
  multiply<ByteElements<uint8_t>, ByteElements<int8_t>, S32Accumulator>(call);
}
void twins::mmaU8U8S32(WarpCall &call) {
  multiply<ByteElements<uint8_t>, ByteElements<uint8_t>, S32Accumulator>(call);
}

/// 8 x 8 x 4: the lane has A's element (group, t) and B's (t, group). Rounded after every product, in order.
void twins::mmaF64F64(WarpCall &call) {
  double a[8][4] = {}, b[4][8] = {};
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.hasLane(lane)) {
      a[lane / 4][lane % 4] = call.operand<double>(lane, 0);
      b[lane % 4][lane / 4] = call.operand<double>(lane, 1);
    }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (call.hasLane(lane))
      for (unsigned i = 0; i < 2; ++i) {
        double sum = call.operand<double>(lane, 2 + i);
        for (unsigned k = 0; k < 4; ++k)
          sum = std::fma(a[lane / 4][k], b[k][2 * (lane % 4) + i], sum);
        call.setResult(lane, i, sum);
      }
}
