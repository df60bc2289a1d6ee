//===- CheckCommand.h - tilec check FILE ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_CHECKCOMMAND_H
#define TILEC_LIB_DRIVER_CHECKCOMMAND_H

#include "tilec/Driver/Options.h"

namespace tilec {

class DiagnosticEngine;
class SourceManager;

/// Runs the checks of the input, prints a line each and a closing count. ExitOk if none failed.
int runCheck(const Options &options, SourceManager &sources, DiagnosticEngine &diags);

} // namespace tilec

#endif
