//===- BundleBuilder.h - a program's checks and benches for a GPU ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes what tile-runner runs: the compiled program, and for every check the arguments and the outputs that the
// reference evaluator wants. `tilec check --device=gpu` runs it in this process, --bundle writes it to a folder.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_BUNDLEBUILDER_H
#define TILEC_LIB_DRIVER_BUNDLEBUILDER_H

#include "CheckData.h"
#include "tilec/Runner/Bundle.h"

namespace tilec {

class BundleBuilder {
public:
  explicit BundleBuilder(uint64_t seed) : seed(seed) {}

  /// Takes the compiled program. False and `error` if the manifest cannot be read back, which is a bug.
  bool setProgram(llvm::StringRef manifest, llvm::StringRef image, std::string &error);
  void addCheck(const frontend::hir::Check &check, const CheckData &data, const TensorBytes &want);
  /// A bench without expected outputs. False if its tensors have no possible shape.
  bool addBench(const frontend::hir::Bench &bench);

  const runner::Bundle &getBundle() const { return bundle; }

private:
  std::vector<runner::Argument> argumentsOf(const frontend::hir::Kernel &kernel, const NamedValues &values,
                                            llvm::ArrayRef<TensorShape> shapes,
                                            llvm::ArrayRef<frontend::hir::DataRange> ranges);

  uint64_t seed;
  runner::Bundle bundle;
};

} // namespace tilec

#endif
