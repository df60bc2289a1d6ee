//===- Children.h - work in processes of its own ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutant changes the module in place and may do anything to its process, so each runs in a fork of this
// one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_MUTATION_CHILDREN_H
#define TILEC_TEST_EMU_MUTATION_CHILDREN_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilec::mutation {

struct Answer {
  std::string text;    ///< what the work answered
  std::string failure; ///< or how the child ended without an answer
};

/// Runs work(0) … work(count - 1), `jobs` at a time, each for at most `seconds`.
std::vector<Answer> runInChildren(size_t count, unsigned jobs, double seconds,
                                  const std::function<std::string(size_t)> &work);

} // namespace tilec::mutation

#endif // TILEC_TEST_EMU_MUTATION_CHILDREN_H
