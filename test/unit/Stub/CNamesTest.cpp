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
                           "xor_eq"})
    EXPECT_TRUE(isReservedInC(name)) << name;
}

TEST(CNames, Free) {
  for (const char *name :
       {"A",   "B",   "N",   "scale", "q",   "out",  "in",    "_x",   "x_", "gamma",  "index",
        "max", "min", "sum", "PR",    "SCN", "int3", "INT_X", "uint", "EX", "matmul", "weights"})
    EXPECT_FALSE(isReservedInC(name)) << name;
}

TEST(CNames, FieldName) {
  EXPECT_EQ(stub::fieldName("A"), "A");
  EXPECT_EQ(stub::fieldName("new"), "new_");
}
