//===- FormResults.h - what forms gave ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of all cases of a form, from the twins or from a GPU, and how they are compared. Threads
// outside the member mask have results of 0.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_RECORD_FORMRESULTS_H
#define TILEC_TEST_EMU_RECORD_FORMRESULTS_H

#include "FormCases.h"

namespace tilec::record {

struct FormResults {
  std::vector<uint64_t> results; ///< of thread 0, of thread 1, …
  std::vector<uint8_t> memory;   ///< afterwards
};

/// Needs SingleCall::read and write of the program.
FormResults runTwins(const FormCases &cases);

/// Replaces NaNs of f64 by one of them: which comes out is open (PTX ISA 9.7.3).
void unifyNaNs(const PtxForm &form, FormResults &results);

/// FNV-1a of the results, then the memory.
uint64_t hashOf(const FormResults &results);

/// Of sums of products: the sums of the magnitudes of the terms, as results. Otherwise zeros.
std::vector<uint64_t> sumMagnitudes(const FormCases &cases, const Tolerance &tolerance);

/// By how many last places the floats in two results of a form differ, where they differ by more than the
/// tolerance's other bounds; UINT64_MAX if only one is a NaN or an infinity.
uint64_t distance(const PtxForm &form, const Tolerance &tolerance, unsigned result, uint64_t a, uint64_t b,
                  uint64_t magnitude);

/// The results that vectors.txt has of forms that are compared with a tolerance: every stride-th.
size_t sampleStride(const FormResults &results);

} // namespace tilec::record

#endif // TILEC_TEST_EMU_RECORD_FORMRESULTS_H
