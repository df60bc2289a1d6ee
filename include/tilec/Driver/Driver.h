//===- Driver.h - the tilec command ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole command behind one function, so that the tool's main is a line and tests can call it.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_DRIVER_DRIVER_H
#define TILEC_DRIVER_DRIVER_H

#include "llvm/ADT/ArrayRef.h"

namespace tilec {

/// Runs `tilec argv[1] …`; the result is the exit status (see ExitCode).
int runTilec(llvm::ArrayRef<const char *> argv);

} // namespace tilec

#endif
