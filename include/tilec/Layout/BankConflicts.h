//===- BankConflicts.h - what an access to shared memory costs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory has 32 banks of 4 bytes (CUDA C++ Programming Guide, "Shared memory"). A warp's access of up
// to 4 bytes a lane goes in one phase, of 8 in two phases of half a warp, of 16 in four of a quarter. A phase
// takes one wavefront, and one more for each further word that a bank has to give; one word may go to many
// lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LAYOUT_BANKCONFLICTS_H
#define TILEC_LAYOUT_BANKCONFLICTS_H

#include "tilec/Layout/MatrixLoad.h"

namespace tilec {

/// Wavefronts beyond one a phase of an access of `vectorBytes` (1 to 16, a power of two) a lane, at these
/// byte addresses, a negative one for a lane that has none.
int64_t countConflicts(llvm::ArrayRef<int64_t> addresses, unsigned vectorBytes);

/// The most conflicts of any warp-wide access when the elements of `registers` are loaded or stored as
/// vectors of `vectorBytes`, each the next registers of a thread. Lanes from `lanes` on take no part, and
/// elements that `memory` does not have are not accessed. Nothing if the registers of some vector do not lie
/// in a row in memory at a multiple of its size, so that there is no such access.
std::optional<int64_t> bankConflicts(const Layout &registers, const Layout &memory, unsigned elementBits,
                                     unsigned vectorBytes, unsigned lanes = 32);

/// The same for ldmatrix and stmatrix: each matrix is a phase of 8 rows.
std::optional<int64_t> bankConflicts(const MatrixLoad &load, const Layout &memory, unsigned elementBits);

} // namespace tilec

#endif // TILEC_LAYOUT_BANKCONFLICTS_H
