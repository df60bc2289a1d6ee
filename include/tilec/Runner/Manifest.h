//===- Manifest.h - reading a manifest ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The manifest as tile-runner sees it: targets, entry points, launch programs. Reading checks everything that
// the interpreter relies on (names, numbers of arguments, types, that a value is defined before its use), so
// a program that was read can be run. No LLVM, no exceptions: a failure is a text.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_MANIFEST_H
#define TILEC_RUNNER_MANIFEST_H

#include "tilec/Runner/LaunchProgram.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::runner {

inline constexpr const char *manifestSchema = "tilec.manifest";
inline constexpr int manifestVersion = 1;

struct ManifestTarget {
  std::string name;
  int capability = 0; ///< 10 * major + minor
  bool isPtx = false;

  /// Code that runs on exactly its capability: sm_90a.
  bool isSpecific() const { return !name.empty() && name.back() == 'a'; }
};

struct ManifestProgram {
  std::vector<unsigned> targets; ///< indices
  launch::Program program;
};

struct ManifestEntry {
  std::string name;
  std::vector<launch::Param> params;
  std::vector<ManifestProgram> programs;
};

struct Manifest {
  std::string contentId;
  std::string imageFile;
  uint64_t imageBytes = 0;
  std::vector<ManifestTarget> targets;
  std::vector<ManifestEntry> entries;

  const ManifestEntry *findEntry(std::string_view name) const;
};

/// Parses the text of a manifest. On failure answers nothing and sets `error`.
std::optional<Manifest> parseManifest(std::string_view text, std::string &error);

/// The target that the driver picks for a device of that compute capability: code for exactly this chip, else
/// machine code for the highest capability of the same major number that is not above it, else the highest
/// PTX not above it. Nothing runs there: no value.
std::optional<unsigned> selectTarget(const std::vector<ManifestTarget> &targets, int capability);

} // namespace tilec::runner

#endif // TILEC_RUNNER_MANIFEST_H
