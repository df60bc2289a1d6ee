//===- TileMath.h - gemm, reductions, scans -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on whole tiles: floats in f64 and rounded once, integers wrapping in the result's type.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EVAL_TILEMATH_H
#define TILEC_LIB_EVAL_TILEMATH_H

#include "Machine.h"

namespace tilec::eval {

struct GemmShape {
  int64_t m, n, k;
  bool transA, transB;
};

/// result = acc + op(a)·op(b), of `kind`; `acc` is null for zero.
Outcome gemm(Machine &machine, const View &a, const View &b, const TileData *acc, const GemmShape &shape,
             ElementKind kind, TileRef &result);

/// The numbers of tile::ReduceKind.
enum class Fold { Max, Min, Sum, AbsMax, Prod };

/// A dense tile as outer × length × inner around the axis of a reduction or scan.
struct AxisShape {
  int64_t outer, length, inner;
};

/// The result has `parts` elements along the axis: element p folds elements p, p + parts, … of the source.
Outcome reduce(Machine &machine, const TileData &source, const AxisShape &shape, int64_t parts, Fold fold,
               bool propagateNaN, const TileData *init, ElementKind kind, TileRef &result);

Outcome scan(Machine &machine, const TileData &source, const AxisShape &shape, Fold fold, bool propagateNaN,
             bool reverse, TileRef &result);

} // namespace tilec::eval

#endif // TILEC_LIB_EVAL_TILEMATH_H
