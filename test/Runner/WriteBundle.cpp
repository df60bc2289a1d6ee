//===- WriteBundle.cpp - bundles of vector additions for tests ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `write-bundle MANIFEST IMAGE FOLDER N…` writes a bundle with a check of each size and one benchmark, for
// the first entry point of the manifest, which must add two vectors. What is expected is computed here. N may
// be written N:start:count to expect a block only, N@offset for tensors off their alignment, N!x for x to be
// expected where the first element of the output is (so that a right kernel fails).
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Bundle.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tilec;
using namespace tilec::runner;

static std::string readAll(const char *path) {
  std::string text;
  if (FILE *file = fopen(path, "rb")) {
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
      text.append(buffer, got);
    fclose(file);
  }
  return text;
}

static std::vector<Argument> argumentsFor(int64_t n, int64_t offset) {
  std::vector<Argument> arguments(3);
  const char *names[] = {"A", "B", "C"};
  for (size_t i = 0; i != 3; ++i) {
    arguments[i].name = names[i];
    arguments[i].extents = {n};
    arguments[i].offset = offset;
  }
  arguments[1].range = check::Range{-100, 100};
  return arguments;
}

static ExpectedBlock expectedSum(uint64_t seed, int64_t start, int64_t count) {
  auto size = static_cast<size_t>(start + count);
  std::vector<float> a(size), b(size);
  check::Range range{-100, 100};
  check::generate(ElementKind::F32, a.data(), start, count, seed, 0);
  check::generate(ElementKind::F32, b.data(), start, count, seed, 1, &range);
  for (size_t i = 0; i != size; ++i)
    a[i] += b[i];
  return {start, count,
          std::string(reinterpret_cast<const char *>(a.data() + start), static_cast<size_t>(4 * count))};
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  std::string error, manifest = readAll(argv[1]);
  std::optional<Manifest> parsed = parseManifest(manifest, error);
  if (!parsed) {
    fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  Bundle bundle;
  bundle.manifest = *parsed;
  bundle.image = readAll(argv[2]);
  for (int i = 4; i < argc; ++i) {
    char *rest = argv[i];
    int64_t n = strtoll(rest, &rest, 10), offset = 0, start = 0, count = n;
    if (*rest == '@')
      offset = strtoll(rest + 1, &rest, 10);
    if (*rest == ':') {
      start = strtoll(rest + 1, &rest, 10);
      count = strtoll(rest + 1, &rest, 10);
    }
    BundleCheck &check = bundle.checks.emplace_back();
    check.name = std::string("vector_add N=") + argv[i];
    check.entry = bundle.manifest.entries.front().name;
    check.seed = 7;
    check.arguments = argumentsFor(n, offset);
    check.expected.push_back({"C", 0, {expectedSum(check.seed, start, count)}});
    if (*rest == '!') {
      auto value = static_cast<float>(atof(rest + 1));
      memcpy(check.expected[0].blocks[0].bytes.data(), &value, sizeof value);
    }
  }
  BundleBench &bench = bundle.benches.emplace_back();
  bench.name = "vector_add bench";
  bench.entry = bundle.manifest.entries.front().name;
  bench.arguments = argumentsFor(1 << 16, 0);
  bench.bytes = 3.0 * 4 * (1 << 16);
  bench.expected.push_back({"C", 0, {expectedSum(bench.seed, 0, 100), expectedSum(bench.seed, 65500, 36)}});
  if (writeBundle(bundle, manifest, argv[3], error))
    return 0;
  fprintf(stderr, "%s\n", error.c_str());
  return 1;
}
