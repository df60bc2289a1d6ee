//===- Findings.cpp - what was found, each place once --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "Memory.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilec;
using namespace tilec::emu;

llvm::StringRef emu::getFindingName(FindingKind kind) {
  switch (kind) {
  case FindingKind::Race:
    return "race";
  case FindingKind::InFlight:
    return "in-flight";
  case FindingKind::Uninitialised:
    return "uninitialised";
  case FindingKind::OutOfBounds:
    return "out-of-bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::ReadOnly:
    return "read-only";
  case FindingKind::Divergence:
    return "divergence";
  case FindingKind::Barrier:
    return "barrier";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::NeverWaited:
    return "never-waited";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::Endless:
    return "endless";
  }
  llvm_unreachable("unknown kind");
}

Finding *FindingLog::add(FindingKind kind, uint32_t site, uint32_t other, std::string text) {
  Key key{kind, sites[site].first, sites[other].first};
  auto [place, isNew] = places.try_emplace(key, findings.size());
  if (!isNew) {
    ++findings[place->second].second.count;
    return nullptr;
  }
  Finding &finding = findings.emplace_back(key, Finding()).second;
  finding.kind = kind;
  finding.place = sites[site].place;
  finding.text = std::move(text);
  for (const SourcePos &caller : sites[site].callers)
    finding.notes.push_back({caller, "called from here"});
  return &finding;
}

void FindingLog::note(Finding &finding, uint32_t site, std::string text) const {
  finding.notes.push_back({sites[site].place, std::move(text)});
  for (const SourcePos &caller : sites[site].callers)
    finding.notes.push_back({caller, "called from here"});
}

void FindingLog::append(FindingLog &&later) {
  for (auto &[key, finding] : later.findings) {
    auto [place, isNew] = places.try_emplace(key, findings.size());
    if (isNew)
      findings.emplace_back(key, std::move(finding));
    else
      findings[place->second].second.count += finding.count;
  }
  later.findings.clear();
  later.places.clear();
}

std::vector<Finding> FindingLog::take() {
  std::vector<Finding> result;
  for (auto &[key, finding] : findings)
    result.push_back(std::move(finding));
  findings.clear();
  places.clear();
  return result;
}

/// " ('As')": whose bytes these are; tiles that do not live at once may have the same.
static std::string tilesAt(const Region &region, uint64_t address) {
  std::string names;
  if (region.tiles)
    for (const SharedTile &tile : *region.tiles)
      if (address - region.base >= tile.offset && address - region.base - tile.offset < tile.bytes)
        names += (names.empty() ? "" : " or ") + tile.name;
  return names.empty() ? "" : " (" + names + ")";
}

std::string emu::describePlace(const Region &region, uint64_t address, unsigned bytes) {
  std::string size = std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  if (region.isShared())
    return size + " at byte " + std::to_string(address - region.base) + " of shared memory" +
           tilesAt(region, address);
  unsigned bits = elementInfo(region.kind).storageBits;
  return llvm::formatv("{0} at element {1} of '{2}'", size, (address - region.base) * 8 / bits, region.name);
}

static std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return value != value ? "nan" : text;
}

static ElementKind kindOf(const Site &site) {
  switch (site.value) {
  case Site::Value::F16:
    return ElementKind::F16;
  case Site::Value::BF16:
    return ElementKind::BF16;
  case Site::Value::F32:
    return ElementKind::F32;
  case Site::Value::F64:
    return ElementKind::F64;
  case Site::Value::Integer:
    return site.valueBytes == 1   ? ElementKind::I8
           : site.valueBytes == 2 ? ElementKind::I16
           : site.valueBytes == 4 ? ElementKind::I32
                                  : ElementKind::I64;
  case Site::Value::Bits:
    return ElementKind::U8;
  }
  llvm_unreachable("unknown value");
}

std::string emu::describeValues(const Region &region, const Site &site, uint64_t address, unsigned bytes) {
  constexpr unsigned shown = 4;
  auto *data = reinterpret_cast<const void *>(address);
  if (region.isShared() && site.value == Site::Value::Bits) {
    std::string text;
    for (unsigned at = 0; at < bytes && at / 4 < shown; at += 4) {
      uint32_t word = 0;
      std::memcpy(&word, static_cast<const char *>(data) + at, std::min(4u, bytes - at));
      text += llvm::formatv("{0}{1:x8}", at ? ", " : "", word).str();
    }
    return text + (bytes > 4 * shown ? ", …" : "");
  }
  ElementKind kind = region.isShared() ? kindOf(site) : region.kind;
  const ElementInfo &info = elementInfo(kind);
  unsigned count = std::max(1u, bytes * 8 / info.storageBits);
  std::string text(info.name);
  for (unsigned i = 0; i != std::min(count, shown); ++i)
    text += (i ? ", " : " ") + (info.isFloat ? numberText(loadFloat(kind, data, i))
                                             : std::to_string(loadInteger(kind, data, i)));
  return text + (count > shown ? ", …" : "");
}
