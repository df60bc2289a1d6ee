//===- Checks.cpp - running the checks of a bundle ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One check in this process, and all of them in children.
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "Json.h"
#include "Tensors.h"

using namespace tilec;
using namespace tilec::runner;
using nlohmann::json;

CheckResult tilec::runner::runCheck(Device &device, const Bundle &bundle, const BundleCheck &check) {
  CheckResult result{check.name, check.entry, false, "", 0, ""};
  const ManifestEntry &entry = *bundle.manifest.findEntry(check.entry);
  const launch::Program *program =
      selectProgram(bundle.manifest, entry, device.capability(), result.target, result.detail);
  if (!program)
    return result;
  Tensors tensors(device, entry, check.arguments, check.seed);
  if (!tensors.upload()) {
    result.detail = device.error;
    return result;
  }
  LaunchResult launches = interpret(*program, tensors.arguments(), device.smCount());
  if (!launches.failure.empty()) {
    result.detail = "the launch is refused: " + launches.failure;
    return result;
  }
  for (const KernelLaunch &launch : launches.launches)
    if (!device.launch(launch)) {
      result.detail = device.error;
      return result;
    }
  if (!device.synchronize()) {
    result.detail = device.error;
    return result;
  }
  result.detail = tensors.verify(check.expected, result.relativeError);
  result.passed = result.detail.empty();
  return result;
}

std::optional<std::vector<CheckResult>> tilec::runner::runChecks(const Bundle &bundle,
                                                                 const RunOptions &options,
                                                                 DeviceInfo &device, std::string &error) {
  std::vector<const BundleCheck *> wanted;
  for (const BundleCheck &check : bundle.checks)
    if (check.name.find(options.filter) != std::string::npos)
      wanted.push_back(&check);
  auto run = [&](Cuda &cuda, size_t i) -> json {
    CheckResult result = runCheck(cuda, bundle, *wanted[i]);
    return {{"passed", result.passed},
            {"target", result.target},
            {"error", realJson(result.relativeError)},
            {"detail", result.detail}};
  };
  std::optional<std::vector<ItemAnswer>> answers =
      runInChildren(wanted.size(), bundle.image, options, run, device, error);
  if (!answers)
    return std::nullopt;
  std::vector<CheckResult> results;
  for (size_t i = 0; i != wanted.size(); ++i) {
    CheckResult &result = results.emplace_back();
    result.name = wanted[i]->name;
    result.entry = wanted[i]->entry;
    result.detail = (*answers)[i].failure;
    if (!result.detail.empty())
      continue;
    std::string mistake;
    JsonCursor root((*answers)[i].value, "the child's answer", mistake);
    result.passed = root["passed"].integer() != 0;
    result.target = root["target"].string();
    result.relativeError = root["error"].number();
    result.detail = root["detail"].string();
  }
  return results;
}
