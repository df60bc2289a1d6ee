//===- PtxasLog.h - reads what ptxas prints -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the lines of `ptxas -v` into resources, warnings and errors with `.tile` positions.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CODEGEN_PTXASLOG_H
#define TILEC_LIB_CODEGEN_PTXASLOG_H

#include "tilec/CodeGen/CodeGen.h"
#include "tilec/CodeGen/ScanPtx.h"

namespace tilec {

/// One error that ptxas printed.
struct PtxasError {
  std::string message;
  unsigned ptxLine = 0; ///< 0: it named none
  std::string kernel;   ///< empty: it named none
  SourcePos pos;
};

struct PtxasReport {
  std::vector<KernelResources> resources; ///< in the order printed
  std::vector<PtxasWarning> warnings;
  std::vector<PtxasError> errors;
};

/// Reads the standard error of `ptxas -v`. Lines of a form not known here are kept as warnings if they are
/// not plain information, so nothing is lost.
PtxasReport readPtxasLog(llvm::StringRef text, const PtxLineMap &lines);

} // namespace tilec

#endif // TILEC_LIB_CODEGEN_PTXASLOG_H
