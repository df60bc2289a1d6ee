//===- CNamesTest.cpp -----------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that a generated header may not use as they are.
//
//===----------------------------------------------------------------------===//

#include "tilec/Support/CNames.h"
#include "tilec/Stub/Stub.h"
#include "gtest/gtest.h"

using namespace tilec;

TEST(CNames, Reserved) {
  for (const char *name : {"int",
                           "class",
                           "register",
                           "restrict",
                           "co_await",
                           "and",
                           "NULL",
                           "errno",
                           "stdin",
                           "printf",
                           "exp",
                           "sin",
                           "I",
                           "INT_MAX",
                           "size_t",
                           "int32_t",
                           "uint_fast16_t",
                           "INT64_MAX",
                           "UINT8_C",
                           "PRId64",
                           "SCNxPTR",
                           "_Bool",
                           "__x",
                           "a__b",
                           "main",
                           "ATOMIC_BOOL_LOCK_FREE",
                           "xor_eq",
                           "M_PI",
                           "M_SQRT1_2l",
                           "M_LOG10Ef32x",
                           "M_2_PIf128",
                           "CLOCK_REALTIME",
                           "CPU_SET",
                           "PTHREAD_ONCE_INIT",
                           "RTLD_NOW",
                           "BYTE_ORDER",
                           "UINT_FAST8_WIDTH"})
    EXPECT_TRUE(isReservedInC(name)) << name;
}

TEST(CNames, Free) {
  for (const char *name :
       {"A",      "B",       "N",   "scale", "q",     "out",    "in",       "_x",    "x_",   "gamma",
        "index",  "max",     "min", "sum",   "PR",    "SCN",    "int3",     "INT_X", "uint", "EX",
        "matmul", "weights", "M_",  "M_x",   "M_PIx", "M_PI_3", "CPU_load", "STA",   "FD",   "RTLD"})
    EXPECT_FALSE(isReservedInC(name)) << name;
}

static std::vector<std::string> fieldsOf(std::initializer_list<const char *> names) {
  std::vector<launch::Param> params;
  for (const char *name : names)
    params.emplace_back().name = name;
  return stub::fieldNames(params);
}

TEST(CNames, FieldNames) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(fieldsOf({"A", "new", "TILEC_OK"}), (Names{"A", "new_", "TILEC_OK_"}));
  EXPECT_EQ(fieldsOf({"int", "int_"}), (Names{"int__", "int_"}));
  EXPECT_EQ(fieldsOf({"int__", "int_", "int"}), (Names{"int___", "int_", "int____"}));
}
