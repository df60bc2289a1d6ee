//===- Bundle.h - checks and benchmarks to run on a GPU -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bundle is a folder with `bundle.json`, a manifest, its image, and the expected outputs. It is made where
// the compiler is and run where the GPU is. `tilec check --device=gpu` makes the same structure in memory.
//
// The data of a tensor are its storage: elements 0 … span − 1 in memory, where span is 1 + Σ (extent − 1) ·
// stride, or 0 if an extent is 0. They are generated, poisoned and compared by their place in storage,
// whatever the strides.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_BUNDLE_H
#define TILEC_RUNNER_BUNDLE_H

#include "tilec/Check/Element.h"
#include "tilec/Check/Random.h"
#include "tilec/Runner/Manifest.h"
#include <optional>
#include <string>
#include <vector>

namespace tilec::runner {

inline constexpr const char *bundleSchema = "tilec.bundle";
inline constexpr int bundleVersion = 1;

/// A value for one parameter.
struct Argument {
  std::string name;
  // Tensors.
  std::vector<int64_t> extents, strides; ///< no strides: contiguous
  std::optional<check::Range> range;     ///< `in range(lo, hi)`
  int64_t offset = 0;                    ///< elements by which the pointer is off an alignment of 256 bytes
  // Scalars: integers and bools in `integer`, floats in `real`.
  int64_t integer = 0;
  double real = 0;
};

/// A piece of an expected output: elements start … start + count − 1 of the storage. `start` is even for
/// 4-bit types.
struct ExpectedBlock {
  int64_t start = 0, count = 0;
  std::string bytes; ///< as in memory
};

struct Expected {
  std::string name; ///< of an `out` or `inout` tensor
  double tolerance = 0;
  std::vector<ExpectedBlock> blocks; ///< one for all of it, or samples
};

struct BundleCheck {
  std::string name;  ///< for people: "vector_add N=1000003"
  std::string entry; ///< of the manifest
  uint64_t seed = 1;
  std::vector<Argument> arguments; ///< one a parameter, in declared order
  std::vector<Expected> expected;
};

struct BundleBench {
  std::string name, entry;
  uint64_t seed = 1;
  std::vector<Argument> arguments;
  std::vector<Expected> expected; ///< verified after the timing
  double bytes = 0, flops = 0;    ///< of one launch; 0: not said
};

struct Bundle {
  Manifest manifest;
  std::string image;
  std::vector<BundleCheck> checks;
  std::vector<BundleBench> benches;
};

/// Elements of the storage, see above; no value from 2^56 elements on, whose bits would not fit 63 bits.
std::optional<int64_t> storageSpan(const std::vector<int64_t> &extents, const std::vector<int64_t> &strides);

/// Reads the bundle in that folder. On failure answers nothing and sets `error`.
std::optional<Bundle> readBundle(const std::string &folder, std::string &error);

/// Writes a bundle into that folder, which exists: the manifest's text, the image, and the checks with their
/// expected outputs. False and `error` on failure.
bool writeBundle(const Bundle &bundle, const std::string &manifestText, const std::string &folder,
                 std::string &error);

/// Whether arguments and expected outputs fit the entry point; else sets `error`. A check must say something
/// about every output that has elements: one that expects nothing would pass.
bool validate(const Manifest &manifest, const BundleCheck &check, std::string &error);
bool validate(const Manifest &manifest, const BundleBench &bench, std::string &error);

} // namespace tilec::runner

#endif // TILEC_RUNNER_BUNDLE_H
