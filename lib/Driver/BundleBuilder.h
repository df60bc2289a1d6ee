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
  void removeChecks() { bundle.checks.clear(); }
  /// A bench, with a sample of its outputs: a few blocks of its grid run on the reference, at the tolerance of the
  /// first check of the same kernel. Without such a check, or with tensors of more than 4 GiB, nothing is
  /// expected. False if the tensors have no possible shape.
  bool addBench(const frontend::hir::Bench &bench, const frontend::hir::Program &program,
                eval::Evaluator &evaluator);

  const runner::Bundle &getBundle() const { return bundle; }

private:
  std::vector<runner::Argument> argumentsOf(const frontend::hir::Kernel &kernel, const NamedValues &values,
                                            llvm::ArrayRef<TensorShape> shapes,
                                            llvm::ArrayRef<frontend::hir::DataRange> ranges);

  void expectSample(const frontend::hir::Bench &bench, const CheckData &data, llvm::StringRef symbol,
                    eval::Evaluator &evaluator, std::vector<runner::Expected> &expected);

  uint64_t seed;
  runner::Bundle bundle;
};

} // namespace tilec

#endif
