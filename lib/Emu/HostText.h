//===- HostText.h - texts of the device, made on the host ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_HOSTTEXT_H
#define TILEC_LIB_EMU_HOSTTEXT_H

#include <string>

namespace tilec::emu {

/// What the device's `vprintf` prints: `arguments` lie one after another, each aligned to its size, integers
/// of at least 4 bytes, floats as double (CUDA C++ Programming Guide, "Formatted Output").
std::string formatDevice(const char *format, const char *arguments);

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_HOSTTEXT_H
