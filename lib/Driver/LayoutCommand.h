//===- LayoutCommand.h - tilec layout 'TEXT' --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_LAYOUTCOMMAND_H
#define TILEC_LIB_DRIVER_LAYOUTCOMMAND_H

#include "tilec/Driver/Options.h"

namespace tilec {

class DiagnosticEngine;
class SourceManager;

/// Draws the layout that the input is the text of. ExitOk, or a status when no error was reported through
/// `diags`.
int runLayout(const Options &options, SourceManager &sources, DiagnosticEngine &diags);

} // namespace tilec

#endif
