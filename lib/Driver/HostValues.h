//===- HostValues.h - shapes of a check's tensors -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check gives runtime dimensions, strides and scalars their values; this evaluates what follows from them: the
// extents, strides and memory of every tensor parameter.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_HOSTVALUES_H
#define TILEC_LIB_DRIVER_HOSTVALUES_H

#include "tilec/Check/Element.h"
#include "tilec/Frontend/Hir.h"
#include <optional>
#include <vector>

namespace tilec {

/// The values of one run of a kernel, by the names of its dimensions, strides and scalars.
using NamedValues = std::vector<frontend::hir::NamedValue>;

/// Evaluates an integer expression over dimensions, strides and scalars. None if it reads anything else, a value
/// is missing, it divides by zero or overflows 64 bits.
std::optional<int64_t> evaluateInteger(const frontend::hir::Expr *expr, const NamedValues &values);

/// A tensor parameter in one run.
struct TensorShape {
  const frontend::hir::Tensor *tensor = nullptr;
  unsigned param = 0; // its place among all parameters
  ElementKind kind = ElementKind::F32;
  std::vector<int64_t> extents, strides; // in elements
  int64_t memoryElements = 0; // from the first to the last element, gaps of strided tensors included
};

/// The shapes of all tensor parameters, in declared order. None if one cannot be evaluated, is negative, or has
/// more than 2^40 elements.
std::optional<std::vector<TensorShape>> tensorShapes(const frontend::hir::Kernel &kernel,
                                                     const NamedValues &values);

} // namespace tilec

#endif
