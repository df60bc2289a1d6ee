//===- CNames.h - names that C and C++ keep for themselves ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated headers put the names of a program into C and C++. This says which names they cannot have there:
// an entry point so named is an error, a parameter gets an underscore appended. LLVM support library only.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_SUPPORT_CNAMES_H
#define TILEC_SUPPORT_CNAMES_H

#include "llvm/ADT/StringRef.h"

namespace tilec {

/// Whether `name`, an identifier, is a keyword of C or C++, a name their implementations own (a double
/// underscore, or an underscore and a capital in front), or one that a standard header of C declares or
/// defines, the macros of the default GNU mode included.
bool isReservedInC(llvm::StringRef name);

} // namespace tilec

#endif // TILEC_SUPPORT_CNAMES_H
