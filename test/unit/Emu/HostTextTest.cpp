//===- HostTextTest.cpp - the device's printf -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostText.h"
#include "gtest/gtest.h"
#include <cstdint>
#include <cstring>

using namespace tilec::emu;

TEST(HostText, ArgumentsAreAlignedToTheirSize) {
  char arguments[40] = {};
  int32_t small = -5;
  int64_t large = 1ll << 40;
  double real = 0.5;
  uint32_t last = 0xffffffff;
  std::memcpy(arguments, &small, 4);
  std::memcpy(arguments + 8, &large, 8);
  std::memcpy(arguments + 16, &real, 8);
  std::memcpy(arguments + 24, &last, 4);
  EXPECT_EQ(formatDevice("%d|%lld|%.2f|%u", arguments), "-5|1099511627776|0.50|4294967295");
}

TEST(HostText, WidthsAndPercents) {
  int32_t value = 7;
  EXPECT_EQ(formatDevice("100%% %4d|", reinterpret_cast<const char *>(&value)), "100%    7|");
  EXPECT_EQ(formatDevice("%-4x|", reinterpret_cast<const char *>(&value)), "7   |");
  const char *text = "name";
  EXPECT_EQ(formatDevice("%s", reinterpret_cast<const char *>(&text)), "name");
  EXPECT_EQ(formatDevice("ends with %", nullptr), "ends with %");
}
