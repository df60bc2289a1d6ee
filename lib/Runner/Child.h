//===- Child.h - work on the GPU in another process -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that faults or hangs ends CUDA for its process, so checks and benchmarks run in a child: such an
// end costs the result of one of them. Private to the runner.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_RUNNER_CHILD_H
#define TILEC_LIB_RUNNER_CHILD_H

#include "tilec/Runner/Runner.h"
#include <functional>
#include <nlohmann/json.hpp>

namespace tilec::runner {

/// Does item number `item` and says what came of it. The image is loaded.
using ItemRunner = std::function<nlohmann::json(Cuda &cuda, size_t item)>;

struct ItemAnswer {
  nlohmann::json value; ///< what the runner said, if `failure` is empty
  std::string failure;  ///< why it said nothing: how the process ended, or that the image does not load
};

/// Runs the items 0 … count − 1, each within options.timeoutSeconds, one answer an item. No value and
/// `error`: there is no GPU, or no process can be made.
std::optional<std::vector<ItemAnswer>> runInChildren(size_t count, const std::string &image,
                                                     const RunOptions &options, const ItemRunner &run,
                                                     DeviceInfo &device, std::string &error);

/// A double for an answer: JSON has no infinities and no NaN.
nlohmann::json realJson(double value);

} // namespace tilec::runner

#endif // TILEC_LIB_RUNNER_CHILD_H
