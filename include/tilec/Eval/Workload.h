//===- Workload.h - seeded runs of whatever a module holds ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes up arguments for a launch program or kernel: small sizes for its dimensions, seeded data for its
// tensors, poison for its outputs. A workload made from a module once can be run on the same module after
// passes changed it: an entry point's arguments never change. This is what compares a module with itself.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_EVAL_WORKLOAD_H
#define TILEC_EVAL_WORKLOAD_H

#include "tilec/Check/Random.h"
#include "tilec/Eval/Eval.h"
#include "llvm/ADT/StringMap.h"

namespace tilec::eval {

enum class TensorUse { In, Out, InOut };

/// Where the data of inputs come from. Iota: element i is i. Indices: seeded, and integers are from 0 up to
/// the smallest extent of all tensors, so that they can be indices of any of them.
enum class DataSource { Seeded, Iota, Zero, One, Indices };

struct WorkloadTensor {
  std::string name;
  unsigned argument = 0; ///< its place among the arguments
  ElementKind kind = ElementKind::F32;
  TensorUse use = TensorUse::In;
  /// Of an entry point's tensor; empty extents of a kernel's, whose size shows when it is used.
  std::vector<int64_t> extents, strides;
  int64_t elements = 0;
  std::vector<uint8_t> data, init;
};

/// What a run left behind.
struct WorkloadOutputs {
  EvalResult result;
  std::vector<WorkloadTensor> tensors; ///< all of them, inputs too
};

struct WorkloadOptions {
  /// Values of dimensions, strides and scalars by name; the others are made up.
  llvm::StringMap<double> values;
  /// Data of tensors by name, whole numbers; of the others `data`.
  llvm::StringMap<check::Range> ranges;
  uint64_t seed = 1;
  DataSource data = DataSource::Seeded;
  /// Which of the made-up sizes: 0 ragged, 1 multiples of 32, 2 ones.
  unsigned sizeSet = 0;
};
inline constexpr unsigned numSizeSets = 3;

/// Reads `NAME=number` into the values and `NAME=lo:hi` into the ranges. False if it is neither.
bool parseArgument(llvm::StringRef text, WorkloadOptions &options);

class Workload {
public:
  /// For the `tile.entry` or `tile.kernel` `function`. Fails, with the reason in `error`, if its arguments
  /// cannot be made up.
  static std::optional<Workload> make(mlir::Operation *function, const WorkloadOptions &options,
                                      std::string &error);

  WorkloadOutputs run(Evaluator &evaluator, const EvalOptions &options) const;

  const std::string &symbol() const { return name; }
  /// "M = 37, N = 53".
  std::string sizes() const;

private:
  bool makeEntry(mlir::Operation *function, std::string &error);
  void makeKernel(mlir::Operation *function);
  /// Gives a tensor its memory and what it holds at the start.
  void fill(WorkloadTensor &tensor, int64_t elements) const;
  double valueOf(llvm::StringRef dimension, double otherwise);

  std::string name;
  WorkloadOptions options;
  std::vector<Arg> args; ///< tensors: filled in for every run
  std::vector<WorkloadTensor> tensors;
  std::vector<std::pair<std::string, double>> chosen;
  int64_t smallestExtent = 1; ///< of all tensors, if that is known
};

/// The tolerance at which two correct evaluations of one program may differ in outputs of this kind: passes
/// may associate sums anew and contract products.
double toleranceOf(ElementKind kind);

/// Why the outputs of the same workload differ, or an empty string: an output tensor, or the printed lines
/// (in any order, since blocks have none).
std::string compareOutputs(const WorkloadOutputs &got, const WorkloadOutputs &want);

} // namespace tilec::eval

#endif // TILEC_EVAL_WORKLOAD_H
