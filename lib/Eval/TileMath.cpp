//===- TileMath.cpp - gemm, reductions, scans -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of 16-bit floats are exact in f64, so a gemm's only roundings are those of the f64 sum and the
// one to its type. The order of the sum is fixed: results are the same everywhere. Compiled with optimisation
// in every preset, without contraction.
//
//===----------------------------------------------------------------------===//

#include "TileMath.h"
#include "Regions.h"
#include <cmath>
#include <limits>

using namespace tilec;
using namespace tilec::eval;

static Outcome failUnwritten(Machine &machine, llvm::StringRef what, int64_t i, int64_t j) {
  return machine.fail(what + " an element that was never written: [" + llvm::Twine(i) + ", " +
                      llvm::Twine(j) + "]");
}

/// Reads rows × cols elements of a rank-2 view into a dense matrix of numbers, transposed if `transposed`
/// (rows and cols are those of the result).
template <typename T>
static Outcome readMatrix(Machine &machine, const View &view, int64_t rows, int64_t cols, bool transposed,
                          std::vector<T> &out) {
  const unsigned rowDim = transposed ? 1 : 0;
  const int64_t extents[2] = {rows, cols};
  for (unsigned d = 0; d < 2; ++d) {
    const Dim &dim = view.dims[d == 0 ? rowDim : 1 - rowDim];
    if (view.dead || dim.lo > 0 || dim.lo + static_cast<int64_t>(dim.valid) < extents[d])
      return machine.fail("gemm reads a view that lies outside its tile");
  }
  out.resize(static_cast<size_t>(rows * cols));
  const int64_t rowStride = view.dims[rowDim].stride, colStride = view.dims[1 - rowDim].stride;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) {
      const int64_t at = view.offset + i * rowStride + j * colStride;
      if (view.init && !view.init[at])
        return failUnwritten(machine, "gemm reads", transposed ? j : i, transposed ? i : j);
      T &element = out[static_cast<size_t>(i * cols + j)];
      if constexpr (std::is_integral_v<T>)
        element = static_cast<T>(loadInteger(view.kind, view.data, at));
      else
        element = loadFloat(view.kind, view.data, at);
    }
  return Outcome::Ok;
}

/// c[i, j] += a[i, k] · b[k, j], k ascending for every element.
template <typename T> static void multiply(const GemmShape &s, const T *a, const T *b, T *c) {
  constexpr int64_t strip = 64; // rows of b that stay in the first-level cache while all rows of a pass
  for (int64_t k0 = 0; k0 < s.k; k0 += strip)
    for (int64_t i = 0; i < s.m; ++i) {
      T *row = c + i * s.n;
      for (int64_t k = k0; k < std::min(s.k, k0 + strip); ++k) {
        const T factor = a[i * s.k + k];
        const T *from = b + k * s.n;
        for (int64_t j = 0; j < s.n; ++j)
          row[j] += factor * from[j];
      }
    }
}

template <typename T>
static Outcome gemmIn(Machine &machine, const View &a, const View &b, const TileData *acc,
                      const GemmShape &shape, ElementKind kind, TileRef &result) {
  std::vector<T> left, right, sum(static_cast<size_t>(shape.m * shape.n));
  Outcome outcome = readMatrix(machine, a, shape.m, shape.k, shape.transA, left);
  if (outcome == Outcome::Ok)
    outcome = readMatrix(machine, b, shape.k, shape.n, shape.transB, right);
  if (outcome != Outcome::Ok)
    return outcome;
  multiply(shape, left.data(), right.data(), sum.data());
  result = machine.allocate(kind, shape.m * shape.n, true);
  for (int64_t i = 0; i < shape.m * shape.n; ++i) {
    T &value = sum[static_cast<size_t>(i)];
    if (acc && acc->init && !acc->init[static_cast<size_t>(i)])
      return failUnwritten(machine, "gemm adds to", i / shape.n, i % shape.n);
    if constexpr (std::is_integral_v<T>) {
      if (acc)
        value += static_cast<T>(loadInteger(kind, acc->data.get(), i));
      storeInteger(kind, result->data.get(), i, static_cast<int64_t>(value));
    } else {
      if (acc)
        value += loadFloat(kind, acc->data.get(), i);
      storeFloat(kind, result->data.get(), i, value);
    }
  }
  return Outcome::Ok;
}

Outcome eval::gemm(Machine &machine, const View &a, const View &b, const TileData *acc,
                   const GemmShape &shape, ElementKind kind, TileRef &result) {
  if (elementInfo(kind).isFloat)
    return gemmIn<double>(machine, a, b, acc, shape, kind, result);
  return gemmIn<uint32_t>(machine, a, b, acc, shape, kind, result); // i32 that wraps
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

static double foldFloat(Fold fold, bool propagateNaN, double sum, double value) {
  if (propagateNaN && (sum != sum || value != value))
    return std::numeric_limits<double>::quiet_NaN();
  switch (fold) {
  case Fold::Max:
    return std::fmax(sum, value);
  case Fold::Min:
    return std::fmin(sum, value);
  case Fold::AbsMax:
    return std::fmax(sum, std::fabs(value));
  case Fold::Sum:
    return sum + value;
  case Fold::Prod:
    return sum * value;
  }
  return sum;
}

/// In canonical slots of a type of 64 − `shift` bits.
static int64_t foldInteger(Fold fold, bool isSigned, unsigned shift, int64_t sum, int64_t value) {
  const bool less = isSigned ? sum < value : static_cast<uint64_t>(sum) < static_cast<uint64_t>(value);
  switch (fold) {
  case Fold::Max:
    return less ? value : sum;
  case Fold::Min:
    return less ? sum : value;
  case Fold::AbsMax: {
    const int64_t size = isSigned && value < 0
                             ? signExtend(static_cast<int64_t>(-static_cast<uint64_t>(value)), shift)
                             : value;
    // |INT_MIN| wraps to itself, as abs does; as the larger of two it is compared signed.
    return (isSigned ? sum < size : static_cast<uint64_t>(sum) < static_cast<uint64_t>(size)) ? size : sum;
  }
  case Fold::Sum:
    return signExtend(static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(value)), shift);
  case Fold::Prod:
    return signExtend(static_cast<int64_t>(static_cast<uint64_t>(sum) * static_cast<uint64_t>(value)), shift);
  }
  return sum;
}

static double neutralFloat(Fold fold) {
  switch (fold) {
  case Fold::Max:
    return -std::numeric_limits<double>::infinity();
  case Fold::Min:
    return std::numeric_limits<double>::infinity();
  case Fold::Prod:
    return 1;
  case Fold::Sum:
  case Fold::AbsMax:
    return 0;
  }
  return 0;
}

static int64_t neutralInteger(Fold fold, bool isSigned, unsigned shift) {
  const int64_t largest = static_cast<int64_t>(~uint64_t(0) >> (shift + 1)), smallest = -largest - 1;
  switch (fold) {
  case Fold::Max:
    return isSigned ? smallest : 0;
  case Fold::Min:
    return isSigned ? largest : -1; // all bits set
  case Fold::Prod:
    return 1;
  case Fold::Sum:
  case Fold::AbsMax:
    return 0;
  }
  return 0;
}

static unsigned shiftOf(ElementKind kind) {
  const unsigned bits = elementInfo(kind).storageBits;
  return 64 - (bits < 8 ? 8 : bits);
}

Outcome eval::reduce(Machine &machine, const TileData &source, const AxisShape &shape, int64_t parts,
                     Fold fold, bool propagateNaN, const TileData *init, ElementKind kind, TileRef &result) {
  const int64_t count = shape.outer * parts * shape.inner;
  const ElementInfo info = elementInfo(kind);
  result = machine.allocate(kind, count, true);
  for (int64_t at = 0; at < count; ++at) {
    if (init && init->init && !init->init[static_cast<size_t>(at)])
      return machine.fail("reduction accumulates onto an element that was never written: element " +
                          llvm::Twine(at));
    const int64_t part = at / shape.inner % parts;
    const int64_t first = at / shape.inner / parts * shape.length * shape.inner + at % shape.inner;
    double real = 0;
    int64_t whole = 0;
    if (info.isFloat)
      real = init ? loadFloat(kind, init->data.get(), at) : neutralFloat(fold);
    else
      whole =
          init ? loadSlot(kind, init->data.get(), at).i : neutralInteger(fold, info.isSigned, shiftOf(kind));
    for (int64_t k = part; k < shape.length; k += parts) {
      const int64_t from = first + k * shape.inner;
      if (source.init && !source.init[static_cast<size_t>(from)])
        return machine.fail("reduction reads an element that was never written: element " +
                            llvm::Twine(from));
      if (info.isFloat)
        real = foldFloat(fold, propagateNaN, real, loadFloat(source.kind, source.data.get(), from));
      else
        whole = foldInteger(fold, info.isSigned, shiftOf(kind), whole,
                            convertSlot(source.kind, kind, loadSlot(source.kind, source.data.get(), from)).i);
    }
    if (info.isFloat)
      storeFloat(kind, result->data.get(), at, real);
    else
      storeInteger(kind, result->data.get(), at, whole);
  }
  return Outcome::Ok;
}

Outcome eval::scan(Machine &machine, const TileData &source, const AxisShape &shape, Fold fold,
                   bool propagateNaN, bool reverse, TileRef &result) {
  const ElementKind kind = source.kind;
  const ElementInfo info = elementInfo(kind);
  result = machine.allocate(kind, source.count, true);
  for (int64_t line = 0; line < shape.outer * shape.inner; ++line) {
    const int64_t first = line / shape.inner * shape.length * shape.inner + line % shape.inner;
    double real = 0;
    int64_t whole = 0;
    for (int64_t k = 0; k < shape.length; ++k) {
      const int64_t at = first + (reverse ? shape.length - 1 - k : k) * shape.inner;
      if (source.init && !source.init[static_cast<size_t>(at)])
        return machine.fail("scan reads an element that was never written: element " + llvm::Twine(at));
      if (info.isFloat) {
        const double value = loadFloat(kind, source.data.get(), at);
        real = k ? foldFloat(fold, propagateNaN, real, value) : value;
        storeFloat(kind, result->data.get(), at, real);
      } else {
        const int64_t value = loadSlot(kind, source.data.get(), at).i;
        whole = k ? foldInteger(fold, info.isSigned, shiftOf(kind), whole, value) : value;
        storeInteger(kind, result->data.get(), at, whole);
      }
    }
  }
  return Outcome::Ok;
}
