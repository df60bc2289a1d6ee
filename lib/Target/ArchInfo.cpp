//===- ArchInfo.cpp - the rows of Arch.def and the target list ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns Arch.def into static tables and parses `--target`. A refused name is answered with the nearest legal
// one.
//
//===----------------------------------------------------------------------===//

#include "tilec/Target/ArchInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <initializer_list>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;

static constexpr uint64_t featureSet(std::initializer_list<Feature> list) {
  uint64_t set = 0;
  for (Feature feature : list)
    set |= uint64_t(1) << static_cast<unsigned>(feature);
  return set;
}

namespace {
struct Version {
  unsigned major, minor;
};
struct Alias {
  StringRef alias, name;
};
} // namespace

static constexpr ArchInfo makeArch(StringRef name, unsigned sm, ArchInfo::Kind kind, bool selectable,
                                   StringRef llcCpu, unsigned ptxVersion, Version ptxas,
                                   unsigned sharedPerBlock, unsigned sharedPerSm, unsigned registers,
                                   unsigned threads, unsigned blocks, uint64_t features) {
  return {name,           sm,          kind,      selectable, llcCpu, ptxVersion, ptxas.major, ptxas.minor,
          sharedPerBlock, sharedPerSm, registers, threads,    blocks, features};
}

#define TILEC_UNPAREN(...) __VA_ARGS__

static ArrayRef<ArchInfo> archTable() {
  using enum Feature;
  static const ArchInfo table[] = {
#define TILEC_ARCH(name, sm, kind, selectable, llcCpu, ptxVersion, minPtxas, sharedPerBlock, sharedPerSm,    \
                   registersPerSm, threadsPerSm, blocksPerSm, features)                                      \
  makeArch(name, sm, ArchInfo::Kind::kind, selectable, llcCpu, ptxVersion, {TILEC_UNPAREN minPtxas},         \
           sharedPerBlock, sharedPerSm, registersPerSm, threadsPerSm, blocksPerSm,                           \
           featureSet({TILEC_UNPAREN features})),
#include "tilec/Target/Arch.def"
  };
  return table;
}

static constexpr Alias aliases[] = {
#define TILEC_ARCH_ALIAS(alias, name) {alias, name},
#include "tilec/Target/Arch.def"
};

StringRef tilec::getFeatureName(Feature feature) {
  static constexpr StringRef names[] = {
#define TILEC_FEATURE(Enum, name, first, meaning) name,
#include "tilec/Target/Arch.def"
  };
  return names[static_cast<unsigned>(feature)];
}

std::string ArchInfo::ptxAttribute() const { return ("+ptx" + Twine(ptxVersion)).str(); }

ArrayRef<ArchInfo> ArchInfo::all() { return archTable(); }

const ArchInfo *ArchInfo::find(StringRef name) {
  for (const Alias &alias : aliases)
    if (alias.alias.equals_insensitive(name))
      name = alias.name;
  for (const ArchInfo &arch : all())
    if (arch.name.equals_insensitive(name))
      return &arch;
  return nullptr;
}

ArrayRef<const ArchInfo *> tilec::defaultTargets() {
  static const ArchInfo *const targets[] = {ArchInfo::find("sm_80"), ArchInfo::find("sm_90a"),
                                            ArchInfo::find("compute_80")};
  return targets;
}

/// "sm_80, sm_86, …": what --target accepts, product names left out.
static std::string listTargets() {
  SmallVector<StringRef> names;
  for (const ArchInfo &arch : ArchInfo::all())
    if (arch.selectable)
      names.push_back(arch.name);
  return llvm::join(names, ", ");
}

/// The selectable target that `name` most likely meant, or null: a name that lacks or has an architecture
/// suffix, or is at most two edits away.
static const ArchInfo *nearestTarget(StringRef name) {
  const ArchInfo *nearest = nullptr;
  unsigned nearestDistance = 3;
  for (const ArchInfo &arch : ArchInfo::all()) {
    if (!arch.selectable)
      continue;
    if (arch.name.rtrim("af") == name.rtrim("af"))
      return &arch;
    unsigned distance = name.edit_distance(arch.name, /*AllowReplacements=*/true, nearestDistance);
    if (distance < nearestDistance) {
      nearest = &arch;
      nearestDistance = distance;
    }
  }
  return nearest;
}

bool tilec::parseTargetList(StringRef text, SmallVectorImpl<const ArchInfo *> &targets,
                            TargetListError &error) {
  SmallVector<const ArchInfo *> result;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    item = item.trim();
    if (item.empty()) {
      error = {"empty name in target list '" + text.str() + "'", "targets are " + listTargets()};
      return true;
    }
    const ArchInfo *arch = ArchInfo::find(item);
    if (arch && !arch->selectable) {
      error = {"target '" + arch->name.str() + "' is not supported yet",
               "GPUs of this kind run the PTX of 'compute_80'; targets are " + listTargets()};
      return true;
    }
    if (!arch) {
      error = {"unknown target '" + item.str() + "'", "targets are " + listTargets()};
      if (const ArchInfo *nearest = nearestTarget(item.lower()))
        error.note = "did you mean '" + nearest->name.str() + "'? " + error.note;
      return true;
    }
    if (!llvm::is_contained(result, arch))
      result.push_back(arch);
  }
  targets.assign(result.begin(), result.end());
  return false;
}
