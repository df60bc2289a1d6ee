//===- ArchInfo.h - facts about the GPUs we compile for -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries over the rows of Arch.def, and the parser of `--target`. All rows are static: pointers to them live
// for ever, may be compared, and are safe to use from any thread. Depends on LLVM's support library only.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TARGET_ARCHINFO_H
#define TILEC_TARGET_ARCHINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace tilec {

/// A family of instructions that some targets have.
enum class Feature : unsigned {
#define TILEC_FEATURE(Enum, name, first, meaning) Enum,
#include "tilec/Target/Arch.def"
};

/// The name of a feature as reports and the manifest print it.
llvm::StringRef getFeatureName(Feature feature);

/// The threads of a warp, the most threads of a block, the most registers of a thread, named barriers of a
/// block: the same on every target (CUDA C++ Programming Guide, "Technical Specifications").
inline constexpr unsigned warpSize = 32;
inline constexpr unsigned maxThreadsPerBlock = 1024;
inline constexpr unsigned maxRegistersPerThread = 255;
inline constexpr unsigned namedBarriersPerBlock = 16;
/// Bytes of shared memory a block may declare without opting in to more.
inline constexpr unsigned staticSharedPerBlock = 49152;

/// One target: a chip that gets machine code, or a virtual one whose PTX is shipped.
class ArchInfo {
public:
  enum class Kind { Cubin, Ptx };

  llvm::StringRef name;   ///< as --target, --report and the manifest write it: "sm_90a"
  unsigned sm;            ///< `target.sm` of the language: 90
  Kind kind;              ///< what is shipped for it
  bool selectable;        ///< accepted by --target
  llvm::StringRef llcCpu; ///< NVPTX -mcpu, which is also the `.target` line of the PTX
  unsigned ptxVersion;    ///< major * 10 + minor of the `.version` line
  unsigned minPtxasMajor; ///< least CUDA Toolkit whose ptxas knows it
  unsigned minPtxasMinor;
  unsigned sharedPerBlock; ///< `target.shared_bytes`: most bytes a block may have, opted in
  unsigned sharedPerSm;    ///< bytes of shared memory of an SM
  unsigned registersPerSm; ///< 32-bit registers of an SM
  unsigned threadsPerSm;   ///< most resident threads of an SM
  unsigned blocksPerSm;    ///< most resident blocks of an SM
  uint64_t features;       ///< one bit a Feature

  bool has(Feature feature) const { return (features >> static_cast<unsigned>(feature)) & 1; }
  bool isPtxOnly() const { return kind == Kind::Ptx; }
  /// The attribute string of the NVPTX target machine: "+ptx84".
  std::string ptxAttribute() const;
  /// ptxas's -arch value. For a PTX-only target this is the chip of the same number, with which its PTX is
  /// checked before it is shipped.
  llvm::StringRef ptxasArch() const { return llcCpu; }

  /// Every row, in the order of Arch.def, the not yet selectable ones included.
  static llvm::ArrayRef<ArchInfo> all();
  /// The row of that canonical name or alias, or null.
  static const ArchInfo *find(llvm::StringRef name);
};

/// Why a target list was refused, and the way out. Both texts are ready to print after "error: "/"note: ".
struct TargetListError {
  std::string message;
  std::string note;
};

/// The targets without --target: machine code for sm_80 and sm_90a, and PTX so that every newer GPU runs too.
llvm::ArrayRef<const ArchInfo *> defaultTargets();

/// Parses "sm_80,sm_90a,compute_80": comma separated, blanks round a name ignored, case ignored, aliases
/// (product names) replaced by what they name, duplicates dropped, order kept. `sm_90` is refused rather than
/// read as `sm_90a`: it names another virtual architecture, and a silent change of meaning would surprise
/// whoever diffs the manifest. Returns true and fills `error` on failure, when `targets` is left as it was.
bool parseTargetList(llvm::StringRef text, llvm::SmallVectorImpl<const ArchInfo *> &targets,
                     TargetListError &error);

} // namespace tilec

#endif // TILEC_TARGET_ARCHINFO_H
