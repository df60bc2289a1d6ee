//===- CompileCommand.h - tilec FILE -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_COMPILECOMMAND_H
#define TILEC_LIB_DRIVER_COMPILECOMMAND_H

#include "tilec/Driver/Options.h"

namespace tilec {

class DiagnosticEngine;
class SourceManager;

/// Compiles the input and writes what was asked for, all of it or nothing. ExitOk, or a status when no error was
/// reported through `diags`.
int runCompile(const Options &options, SourceManager &sources, DiagnosticEngine &diags);

} // namespace tilec

#endif
