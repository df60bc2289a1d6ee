//===- WriteBundle.cpp - bundles of vector additions for tests ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `write-bundle MANIFEST IMAGE FOLDER N…` writes a bundle with a check of each size and one benchmark, for
// the first entry point of the manifest, which must add two vectors. What is expected is computed here. N may
// be written N:start:count to expect a block only, N@offset for tensors off their alignment, N!x for x to be
// expected where the first element of the output is (so that a right kernel fails).
//
// `write-bundle --kinds KERNEL FOLDER` writes a bundle with an entry point for every element type, `out C` of
// which is to be a copy of A made by KERNEL(A, C, bytes), and for floats one whose output is to be NaN.
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

/// An entry point `name`(A: kind[N], out C: kind[N]).
static std::string kindEntry(const std::string &name, ElementKind kind, const std::string &kernel,
                             int64_t count) {
  std::string type(elementInfo(kind).name);
  std::string tensor = R"("kind": "tensor", "type": ")" + type + R"(", "extents": ["N"], "strides": [])";
  return R"({"name": ")" + name + R"(", "params": [{"name": "A", "access": "in", )" + tensor +
         R"(}, {"name": "C", "access": "out", )" + tensor + R"(}], "programs": [{"targets": ["sm_90a"],
    "args": [0, 1, 2, 3], "types": ["ptr", "i64", "ptr", "i64"], "body": [
    {"op": "arith.constant", "results": [4], "types": ["i64"], "value": 1},
    {"op": "arith.constant", "results": [5], "types": ["i64"], "value": )" +
         std::to_string(storageBytes(kind, count)) + R"(},
    {"op": "tile.launch", "args": [4, 0, 2, 5], "kernel": ")" +
         kernel + R"(", "grid_rank": 1, "threads": 32, "cluster": [1, 1, 1], "shared_bytes": 0}]}]})";
}

static int writeKinds(const std::string &kernel, const std::string &folder) {
  constexpr int64_t count = 101;
  std::string manifest = R"({"schema": "tilec.manifest", "version": 1, "content_id": "00",
  "image": {"file": "x", "bytes": 5}, "targets": [{"name": "sm_90a", "capability": 90, "kind": "cubin"}],
  "entries": [)";
  Bundle bundle;
  bundle.image = "image";
  auto add = [&](ElementKind kind, bool isNan) {
    BundleCheck &check = bundle.checks.emplace_back();
    check.name = std::string(elementInfo(kind).name) + (isNan ? " nan" : "");
    check.entry = std::string(elementInfo(kind).name) + (isNan ? "_nan" : "");
    for (const char *name : {"A", "C"}) {
      check.arguments.emplace_back().name = name;
      check.arguments.back().extents = {count};
    }
    ExpectedBlock block{0, count, std::string(static_cast<size_t>(storageBytes(kind, count)), '\0')};
    check::generate(kind, block.bytes.data(), 0, count, check.seed, 0);
    for (int64_t i = 0; isNan && i != count; ++i)
      storeFloat(kind, block.bytes.data(), i, NAN);
    check.expected.push_back({"C", 0, {block}});
    manifest += (bundle.checks.size() > 1 ? ",\n" : "") + kindEntry(check.entry, kind, kernel, count);
  };
  for (unsigned i = 0; i != numElementKinds; ++i) {
    auto kind = static_cast<ElementKind>(i);
    add(kind, false);
    if (elementInfo(kind).isFloat)
      add(kind, true);
  }
  manifest += "]}";
  std::string error;
  std::optional<Manifest> parsed = parseManifest(manifest, error);
  if (parsed)
    bundle.manifest = *parsed;
  if (parsed && writeBundle(bundle, manifest, folder, error))
    return 0;
  fprintf(stderr, "%s\n", error.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc == 4 && !strcmp(argv[1], "--kinds"))
    return writeKinds(argv[2], argv[3]);
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
