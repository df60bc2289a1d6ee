//===- tile-smith.cpp - random programs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a program that is right by construction: typed, in bounds, without races, with a check against an
// oracle of scalar loops. The same seed gives the same program everywhere. test/Smith/run_smith.py compiles
// and runs what it prints. How a program is made says Smith.h.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

static constexpr const char *usage = "usage: tile-smith --seed=N [--size=small|medium] [-o FILE]\n";

int main(int argc, char **argv) {
  uint64_t seed = 0;
  bool hasSeed = false, medium = false;
  const char *file = nullptr;
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (!strncmp(argument, "--seed=", 7)) {
      char *end = nullptr;
      seed = strtoull(argument + 7, &end, 10);
      hasSeed = argument[7] && !*end;
    } else if (!strcmp(argument, "--size=small") || !strcmp(argument, "--size=medium")) {
      medium = argument[7] == 'm';
    } else if (!strcmp(argument, "-o") && i + 1 < argc) {
      file = argv[++i];
    } else {
      hasSeed = false;
      break;
    }
  }
  if (!hasSeed) {
    fputs(usage, stderr);
    return 2;
  }
  const std::string program = tilec::smith::Smith(seed, medium).program();
  FILE *out = file ? fopen(file, "wb") : stdout;
  if (!out || fwrite(program.data(), 1, program.size(), out) != program.size() || fflush(out) != 0) {
    fprintf(stderr, "tile-smith: cannot write %s\n", file ? file : "the program");
    return 3;
  }
  return 0;
}
