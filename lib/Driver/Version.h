//===- Version.h - what --version and the manifest say -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_VERSION_H
#define TILEC_LIB_DRIVER_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace tilec {

/// "0.1.0".
llvm::StringRef tilecVersion();
/// tilec, the language, LLVM, and the ptxas that is found with the newest target it knows. No dates: outputs
/// of equal tools are equal.
void printVersion(llvm::raw_ostream &os);

} // namespace tilec

#endif
