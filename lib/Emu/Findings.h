//===- Findings.h - what was found, each place once ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_FINDINGS_H
#define TILEC_LIB_EMU_FINDINGS_H

#include "Sites.h"
#include "tilec/Emu/Emulator.h"
#include <map>

namespace tilec::emu {

/// The findings of a block or a launch. Of those with the same kind at the same two instructions the first is
/// kept and the others are counted: a race in a loop is one fault.
class FindingLog {
public:
  explicit FindingLog(const std::vector<Site> &sites) : sites(sites) {}

  /// A new finding at that instruction, or null where the same was met before. `other`: the second
  /// instruction's number, 0 for none.
  Finding *add(FindingKind kind, uint32_t site, uint32_t other, std::string text);
  /// Adds a note at an instruction, and where the function that it is in was called.
  void note(Finding &finding, uint32_t site, std::string text) const;
  void append(FindingLog &&later);
  std::vector<Finding> take();
  bool isEmpty() const { return findings.empty(); }

private:
  struct Key {
    FindingKind kind;
    uint32_t site, other;
    auto operator<=>(const Key &) const = default;
  };
  const std::vector<Site> &sites;
  std::vector<std::pair<Key, Finding>> findings;
  std::map<Key, size_t> places;
};

/// "16 bytes at X[3, 0]" of a tensor, "16 bytes of shared memory at byte 512".
struct Region;
std::string describePlace(const Region &region, uint64_t address, unsigned bytes);
/// The first values of an access, "0.5, 1, -2, …": by the tensor's type, or the instruction's.
std::string describeValues(const Region &region, const Site &site, uint64_t address, unsigned bytes);

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_FINDINGS_H
