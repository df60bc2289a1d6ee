//===- MmaInstrs.cpp - the matrix instructions of the targets -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilec/Target/MmaInstrs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilec;

llvm::ArrayRef<MmaInstr> MmaInstr::all() {
  static const MmaInstr rows[] = {
#define TILEC_MMA(a, b, acc, m, n, k, feature) {a, b, acc, m, n, k, Feature::feature},
#include "tilec/Target/MmaInstrs.def"
  };
  return rows;
}

const MmaInstr *MmaInstr::find(const ArchInfo &arch, llvm::StringRef a, llvm::StringRef b,
                               llvm::StringRef acc) {
  auto fits = [&](const MmaInstr &row) {
    return row.a == a && row.b == b && row.acc == acc && arch.has(row.feature);
  };
  const MmaInstr *found = llvm::find_if(all(), fits);
  return found == all().end() ? nullptr : found;
}
