//===- TestCalls.cpp - calls of twins without a machine -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestCalls.h"

using namespace tilec;

std::vector<test::Access> test::accesses;
bool test::recordsAccesses = true;
bool test::refusesAccesses = false;

bool emu::SingleCall::read(const void *from, unsigned bytes, AccessKind kind) const {
  if (test::recordsAccesses)
    test::accesses.push_back({from, bytes, false, kind});
  return !test::refusesAccesses;
}
bool emu::SingleCall::write(void *to, unsigned bytes, AccessKind kind) const {
  if (test::recordsAccesses)
    test::accesses.push_back({to, bytes, true, kind});
  return !test::refusesAccesses;
}
