//===- MlirText.h - is a text safe to give to the MLIR parser? --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parser and printer follow nesting by recursion and write every use of an alias out, without a limit:
// a text of a few kilobytes can end the process on its stack or run for ever. --from checks its input first.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_MLIRTEXT_H
#define TILEC_LIB_DRIVER_MLIRTEXT_H

#include "tilec/Support/Diagnostics.h"

namespace tilec {

/// Open brackets and signs, those of aliases counted where they are used. 256 brackets of a `.tile` file and
/// the guards that the importer adds stay far below.
constexpr unsigned maxMlirNesting = 1024;
/// Uses of aliases in one, written out.
constexpr uint64_t maxMlirAliasUses = 1u << 20;

/// False after an error if the file is no MLIR text (bytecode), or beyond these limits.
bool checkMlirText(FileId file, DiagnosticEngine &diags);

} // namespace tilec

#endif
