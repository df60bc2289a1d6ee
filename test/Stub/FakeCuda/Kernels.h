//===- Kernels.h - what the fake driver launches --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_STUB_FAKECUDA_KERNELS_H
#define TILEC_TEST_STUB_FAKECUDA_KERNELS_H

#include <string>

/// Runs the kernel of that name with the parameters as cuLaunchKernel has them. A name that begins with none
/// of the known ones does nothing. False: it faults, as a kernel does that leaves its memory.
bool runFakeKernel(const std::string &name, void **parameters);

#endif
