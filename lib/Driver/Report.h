//===- Report.h - what was decided, for --report -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_REPORT_H
#define TILEC_LIB_DRIVER_REPORT_H

#include "Compilation.h"

namespace tilec {

/// Per target and kernel variant: resources (registers, spills, shared memory, threads, resident blocks) and, a
/// line each, the decisions of the passes with their `.tile` lines.
void printReport(std::vector<TargetBuild> &targets, llvm::raw_ostream &os);

} // namespace tilec

#endif
