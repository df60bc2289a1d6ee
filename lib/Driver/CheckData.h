//===- CheckData.h - the data of one check ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seeded inputs of a check, a run of a kernel on them by the reference evaluator, and the comparison of two
// runs. The same for every device that the tested side may run on.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_CHECKDATA_H
#define TILEC_LIB_DRIVER_CHECKDATA_H

#include "HostValues.h"
#include "tilec/Check/Compare.h"
#include "tilec/Check/Random.h"
#include "tilec/Eval/Eval.h"

namespace tilec {

/// The bytes of every tensor parameter of a kernel, in the order of its tensors.
using TensorBytes = std::vector<std::vector<uint8_t>>;

class CheckData {
public:
  /// Ranges and tolerances are those of a check or bench and outlive this; `shapes` is what tensorShapes answered
  /// for the tested kernel.
  CheckData(llvm::ArrayRef<frontend::hir::DataRange> ranges,
            llvm::ArrayRef<frontend::hir::OutputTolerance> tolerances, std::vector<TensorShape> shapes,
            uint64_t seed)
      : ranges(ranges), tolerances(tolerances), shapes(std::move(shapes)), seed(seed) {}

  /// Seeded inputs, poisoned outputs, `inout`s like inputs: what both sides start from.
  TensorBytes makeTensors() const;
  /// Runs a kernel of `evaluator`'s module on the tensors, in place. `values` are the dimensions, strides and
  /// scalars of that kernel, which is the tested one or its oracle.
  eval::EvalResult evaluate(eval::Evaluator &evaluator, llvm::StringRef symbol, const frontend::hir::Kernel &kernel,
                            const NamedValues &values, TensorBytes &tensors,
                            const eval::EvalOptions &options) const;

  /// An output that was compared.
  struct Output {
    std::string name;
    double tolerance;
    check::Comparison result;
  };
  /// Every `out` and `inout` tensor, in declared order.
  std::vector<Output> compare(const TensorBytes &got, const TensorBytes &want) const;

  const std::vector<TensorShape> &getShapes() const { return shapes; }
  double toleranceOf(llvm::StringRef tensor) const;
  /// The range of `tensor`'s data; none: the default of its type.
  std::optional<check::Range> rangeOf(llvm::StringRef tensor) const;

private:
  llvm::ArrayRef<frontend::hir::DataRange> ranges;
  llvm::ArrayRef<frontend::hir::OutputTolerance> tolerances; // the first is the default
  std::vector<TensorShape> shapes;
  uint64_t seed;
};

} // namespace tilec

#endif
