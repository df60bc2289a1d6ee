//===- MmaInstrs.h - the matrix instructions of the targets -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries over the rows of MmaInstrs.def. Depends on LLVM's support library only.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TARGET_MMAINSTRS_H
#define TILEC_TARGET_MMAINSTRS_H

#include "tilec/Target/ArchInfo.h"

namespace tilec {

/// A row of MmaInstrs.def: element types by name, and the shape of one instruction.
struct MmaInstr {
  llvm::StringRef a, b, acc;
  int64_t m, n, k;
  Feature feature;

  static llvm::ArrayRef<MmaInstr> all();
  /// The instruction of the target for these element types, or null.
  static const MmaInstr *find(const ArchInfo &arch, llvm::StringRef a, llvm::StringRef b,
                              llvm::StringRef acc);
};

} // namespace tilec

#endif // TILEC_TARGET_MMAINSTRS_H
