//===- Depfile.h - dependency files for make and ninja -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_DEPFILE_H
#define TILEC_LIB_DRIVER_DEPFILE_H

#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace tilec {

/// One rule `target: inputs`, names escaped as make and ninja read them, inputs made absolute. Standard input is
/// left out. None after an error where a name has a line end.
std::optional<std::string> makeDepfile(llvm::StringRef target, llvm::ArrayRef<std::string> inputs,
                                       DiagnosticEngine &diags);

} // namespace tilec

#endif
