//===- tilec.cpp - the compiler's command ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilec/Driver/Driver.h"

int main(int argc, char **argv) { return tilec::runTilec({const_cast<const char **>(argv), size_t(argc)}); }
