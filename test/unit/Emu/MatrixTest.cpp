//===- MatrixTest.cpp - twins of ldmatrix and mma -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments are placed as the figures of PTX ISA 9.7.14.5 say, element by element. A has a single one at
// every place in turn, so that D must be a row of B at the right place and C elsewhere.
//
//===----------------------------------------------------------------------===//

#include "TestCalls.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tilec;
using namespace tilec::test;
using Id = PtxFormId;
namespace twins = tilec::emu::twins;

namespace {

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Rows lie in reverse order; element (matrix, row, column) is its own number.
void checkLoad(Id id, emu::WarpTwin twin, unsigned matrices, bool trans) {
  alignas(16) uint16_t memory[32][8];
  Warp warp(id);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned column = 0; column < 8; ++column)
      memory[31 - lane][column] = static_cast<uint16_t>(lane * 8 + column);
    // Addresses of lanes beyond the matrices do not matter.
    warp.set(lane, 0, lane < 8 * matrices ? static_cast<void *>(memory[31 - lane]) : nullptr);
  }
  accesses.clear();
  warp.run(twin);
  ASSERT_EQ(accesses.size(), 8 * matrices);
  for (unsigned i = 0; i < 8 * matrices; ++i)
    EXPECT_EQ(accesses[i], (Access{memory[31 - i], 16, false, emu::AccessKind::Plain}));
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      auto element = [&](unsigned row, unsigned column) { return (matrix * 8 + row) * 8 + column; };
      const unsigned major = lane / 4, minor = 2 * (lane % 4);
      const unsigned low = trans ? element(minor, major) : element(major, minor);
      const unsigned high = trans ? element(minor + 1, major) : element(major, minor + 1);
      EXPECT_EQ(warp.result(lane, matrix), low | high << 16) << lane << " " << matrix;
    }
}

TEST(Matrix, Loads) {
  checkLoad(Id::LdMatrixX1, twins::ldMatrix, 1, false);
  checkLoad(Id::LdMatrixX2, twins::ldMatrix, 2, false);
  checkLoad(Id::LdMatrixX4, twins::ldMatrix, 4, false);
  checkLoad(Id::LdMatrixTransX1, twins::ldMatrixTrans, 1, true);
  checkLoad(Id::LdMatrixTransX2, twins::ldMatrixTrans, 2, true);
  checkLoad(Id::LdMatrixTransX4, twins::ldMatrixTrans, 4, true);
}

TEST(Matrix, RefusedLoadsAreNotDone) {
  Warp warp(Id::LdMatrixX1);
  refusesAccesses = true;
  warp.run(twins::ldMatrix); // the addresses are null
  refusesAccesses = false;
  EXPECT_EQ(warp.result(0), 0u);
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

struct Place {
  unsigned row, column;
};
/// PTX ISA's figures: where element i of a lane's fragment lies. `group` is groupID, `t` threadID_in_group.
struct Shape {
  unsigned m, n, k;
  unsigned perRegister; ///< elements of a register of A and B
  unsigned numA, numB, numC;
  Place (*a)(unsigned group, unsigned t, unsigned i);
  Place (*b)(unsigned group, unsigned t, unsigned i);
};

Place placeOfC(unsigned group, unsigned t, unsigned i) {
  return {i < 2 ? group : group + 8, t * 2 + (i & 1)};
}

const Shape m16n8k16 = {16,
                        8,
                        16,
                        2,
                        8,
                        4,
                        4,
                        [](unsigned group, unsigned t, unsigned i) -> Place {
                          return {i < 2 || (i >= 4 && i < 6) ? group : group + 8,
                                  i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
                        },
                        [](unsigned group, unsigned t, unsigned i) -> Place {
                          return {i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, group};
                        }};
const Shape m16n8k8 = {
    16,
    8,
    8,
    1,
    4,
    2,
    4,
    [](unsigned group, unsigned t, unsigned i) -> Place {
      return {i == 0 || i == 2 ? group : group + 8, i < 2 ? t : t + 4};
    },
    [](unsigned group, unsigned t, unsigned i) -> Place { return {i == 0 ? t : t + 4, group}; }};
const Shape m16n8k32 = {16,
                        8,
                        32,
                        4,
                        16,
                        8,
                        4,
                        [](unsigned group, unsigned t, unsigned i) -> Place {
                          return {i < 4 || (i >= 8 && i < 12) ? group : group + 8,
                                  i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
                        },
                        [](unsigned group, unsigned t, unsigned i) -> Place {
                          return {i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, group};
                        }};
const Shape m8n8k4 = {8,
                      8,
                      4,
                      1,
                      1,
                      1,
                      2,
                      [](unsigned group, unsigned t, unsigned i) -> Place { return {group, t}; },
                      [](unsigned group, unsigned t, unsigned i) -> Place { return {t, group}; }};

/// The bits of a small whole number in an element type.
uint64_t f16Bits(int value) {
  if (value == 0)
    return 0;
  const int exponent = std::ilogb(value), magnitude = std::abs(value);
  return (value < 0 ? 0x8000u : 0u) | (15 + exponent) << 10 | ((magnitude << (10 - exponent)) & 0x3ff);
}
uint64_t f32Bits(int value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }
uint64_t bf16Bits(int value) { return f32Bits(value) >> 16; }
uint64_t f64Bits(int value) { return std::bit_cast<uint64_t>(static_cast<double>(value)); }
uint64_t byteBits(int value) { return static_cast<uint8_t>(value); }
uint64_t s32Bits(int value) { return static_cast<uint32_t>(value); }

using Bits = uint64_t (*)(int);
struct Product {
  Id id;
  emu::WarpTwin twin;
  const Shape &shape;
  unsigned bits; ///< of an element of A and B
  Bits of, ofC;
  unsigned perRegisterC; ///< elements of a register of C and D
  unsigned bitsC;
  int oneA, leastB; ///< the single element of A; B's elements are distinct from this on
};

template <typename Function>
void setFragment(Warp &warp, unsigned lane, unsigned operand, unsigned count, unsigned perRegister,
                 unsigned bits, Function element) {
  for (unsigned i = 0; i < count; i += perRegister) {
    uint64_t packed = 0;
    for (unsigned e = 0; e < perRegister; ++e)
      packed |= element(i + e) << bits * e;
    warp.set(lane, operand + i / perRegister, packed);
  }
}

void checkProduct(const Product &p) {
  const Shape &s = p.shape;
  const unsigned firstB = s.numA / s.perRegister, firstC = firstB + s.numB / s.perRegister;
  auto valueB = [&](unsigned k, unsigned n) { return p.leastB + static_cast<int>(k * s.n + n); };
  auto valueC = [&](unsigned m, unsigned n) { return static_cast<int>(m * s.n + n) * 3 - 100; };
  for (unsigned row = 0; row < s.m; ++row)
    for (unsigned k = 0; k < s.k; ++k) {
      Warp warp(p.id);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned group = lane >> 2, t = lane % 4;
        setFragment(warp, lane, 0, s.numA, s.perRegister, p.bits, [&](unsigned i) {
          Place place = s.a(group, t, i);
          return p.of(place.row == row && place.column == k ? p.oneA : 0);
        });
        setFragment(warp, lane, firstB, s.numB, s.perRegister, p.bits, [&](unsigned i) {
          Place place = s.b(group, t, i);
          return p.of(valueB(place.row, place.column));
        });
        setFragment(warp, lane, firstC, s.numC, p.perRegisterC, p.bitsC, [&](unsigned i) {
          Place place = placeOfC(group, t, i);
          return p.ofC(valueC(place.row, place.column));
        });
      }
      warp.run(p.twin);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < s.numC; i += p.perRegisterC) {
          uint64_t expected = 0;
          for (unsigned e = 0; e < p.perRegisterC; ++e) {
            Place place = placeOfC(lane >> 2, lane % 4, i + e);
            int value = valueC(place.row, place.column);
            if (place.row == row)
              value += p.oneA * valueB(k, place.column);
            expected |= p.ofC(value) << p.bitsC * e;
          }
          ASSERT_EQ(warp.result(lane, i / p.perRegisterC), expected)
              << PtxForm::get(p.id).name.str() << " A(" << row << "," << k << ") lane " << lane << " element "
              << i;
        }
    }
}

TEST(Matrix, Products) {
  checkProduct({Id::MmaF16F32, twins::mmaF16F32, m16n8k16, 16, f16Bits, f32Bits, 1, 32, -1, -60});
  checkProduct({Id::MmaF16F16, twins::mmaF16F16, m16n8k16, 16, f16Bits, f16Bits, 2, 16, 2, -60});
  checkProduct({Id::MmaBf16F32, twins::mmaBf16F32, m16n8k16, 16, bf16Bits, f32Bits, 1, 32, 3, -60});
  checkProduct({Id::MmaTf32F32, twins::mmaTf32F32, m16n8k8, 32, f32Bits, f32Bits, 1, 32, -5, 7});
  checkProduct({Id::MmaS8S8S32, twins::mmaS8S8S32, m16n8k32, 8, byteBits, s32Bits, 1, 32, -128, -128});
  checkProduct({Id::MmaS8U8S32, twins::mmaS8U8S32, m16n8k32, 8, byteBits, s32Bits, 1, 32, -128, 0});
  checkProduct({Id::MmaU8S8S32, twins::mmaU8S8S32, m16n8k32, 8, byteBits, s32Bits, 1, 32, 255, -128});
  checkProduct({Id::MmaU8U8S32, twins::mmaU8U8S32, m16n8k32, 8, byteBits, s32Bits, 1, 32, 255, 0});
  checkProduct({Id::MmaF64F64, twins::mmaF64F64, m8n8k4, 64, f64Bits, f64Bits, 1, 64, -3, 11});
}

/// The warp in which every element of A, of B and of C is the same.
Warp uniformProduct(Id id, emu::WarpTwin twin, uint64_t a, uint64_t b, uint64_t c, unsigned numA,
                    unsigned numB) {
  Warp warp(id);
  for (auto &slots : warp.slots)
    for (unsigned i = 0; i < warp.shape.numOperands; ++i)
      slots[i] = i < numA ? a : i < numA + numB ? b : c;
  warp.run(twin);
  return warp;
}

TEST(Matrix, SumsAreRoundedOnce) {
  // 16 * 2^-12 at 1.0 are four last places of f16, but each alone would vanish.
  EXPECT_EQ(
      uniformProduct(Id::MmaF16F16, twins::mmaF16F16, 0x0c000c00, 0x3c003c00, 0x3c003c00, 4, 2).result(5),
      0x3c043c04u);
  // 16 * 2^-4 at 2^24: half a last place of f32 in all, so the even neighbour.
  EXPECT_EQ(
      uniformProduct(Id::MmaF16F32, twins::mmaF16F32, 0x2c002c00, 0x3c003c00, 0x4b800000, 4, 2).result(9),
      0x4b800000u);
  // 16 products of the largest f16 are beyond f16, not beyond f32.
  EXPECT_EQ(uniformProduct(Id::MmaF16F16, twins::mmaF16F16, 0x7bff7bff, 0x7bff7bff, 0, 4, 2).result(0),
            0x7c007c00u);
  EXPECT_EQ(uniformProduct(Id::MmaF16F32, twins::mmaF16F32, 0x7bff7bff, 0x7bff7bff, 0, 4, 2).result(0),
            std::bit_cast<uint32_t>(65504.0f * 65504.0f * 16.0f));
  // f64 rounds after every product: 1 is lost in 2^53 each time.
  EXPECT_EQ(
      uniformProduct(Id::MmaF64F64, twins::mmaF64F64, slot(1.0), slot(1.0), slot(0x1p53), 1, 1).result(31, 1),
      slot(0x1p53));
}

TEST(Matrix, SpecialNumbers) {
  // inf * 0
  EXPECT_EQ(uniformProduct(Id::MmaF16F32, twins::mmaF16F32, 0x7c007c00, 0, 0, 4, 2).result(0), 0x7fffffffu);
  EXPECT_EQ(uniformProduct(Id::MmaF16F16, twins::mmaF16F16, 0x7c007c00, 0, 0, 4, 2).result(0), 0x7fff7fffu);
  EXPECT_EQ(uniformProduct(Id::MmaBf16F32, twins::mmaBf16F32, 0xff80ff80, 0x3f803f80, 0, 4, 2).result(0),
            0xff800000u);
  // Subnormal bf16 count: 2^-133 * 1 * 16.
  EXPECT_EQ(uniformProduct(Id::MmaBf16F32, twins::mmaBf16F32, 0x00010001, 0x3f803f80, 0, 4, 2).result(0),
            0x00100000u);
  // The low 13 bits of tf32 do not exist.
  EXPECT_EQ(uniformProduct(Id::MmaTf32F32, twins::mmaTf32F32, 0x3f801fff, 0x40001fff, 0, 4, 2).result(0),
            0x41800000u);
  // So a NaN that has no other bits is an infinity, as on an H200.
  EXPECT_EQ(uniformProduct(Id::MmaTf32F32, twins::mmaTf32F32, 0xff801fff, 0x3f800000, 0, 4, 2).result(0),
            0xff800000u);
  EXPECT_EQ(uniformProduct(Id::MmaTf32F32, twins::mmaTf32F32, 0x7f802000, 0x3f800000, 0, 4, 2).result(0),
            0x7fffffffu);
  // Sums of integers wrap.
  EXPECT_EQ(
      uniformProduct(Id::MmaU8U8S32, twins::mmaU8U8S32, 0x01010101, 0x01010101, 0x7fffffff, 4, 2).result(0),
      0x8000001fu);
}

} // namespace
