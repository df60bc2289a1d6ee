//===- Remarks.h - the decisions of the passes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_REMARKS_H
#define TILEC_LIB_DRIVER_REMARKS_H

#include "Compilation.h"

namespace tilec {

/// Makes the context's remark engine append every remark of our passes to `decisions`.
void collectRemarks(mlir::MLIRContext &context, std::vector<Decision> &decisions);

} // namespace tilec

#endif
