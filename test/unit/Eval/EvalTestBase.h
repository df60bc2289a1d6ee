//===- EvalTestBase.h - running textual IR --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the evaluator share: a context with the dialects, tensors in host memory, and a short way
// to run a kernel of one block from its body.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_UNIT_EVAL_EVALTESTBASE_H
#define TILEC_TEST_UNIT_EVAL_EVALTESTBASE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tilec/Check/Element.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Eval/Eval.h"
#include "gtest/gtest.h"
#include <set>

namespace tilec::eval {

/// A tensor of one element type; `out(n)` is one whose elements nobody has written.
struct Tensor {
  ElementKind kind;
  int64_t count;
  std::vector<uint8_t> data;
  std::vector<uint8_t> init;

  Tensor(ElementKind kind, std::vector<double> values)
      : kind(kind), count(static_cast<int64_t>(values.size())),
        data(static_cast<size_t>(storageBytes(kind, count))) {
    for (int64_t i = 0; i < count; ++i)
      set(i, values[static_cast<size_t>(i)]);
  }
  static Tensor out(ElementKind kind, int64_t count) {
    Tensor tensor(kind, std::vector<double>(static_cast<size_t>(count), 0.0));
    std::fill(tensor.data.begin(), tensor.data.end(), 0xee);
    tensor.init.resize(static_cast<size_t>(count), 0);
    return tensor;
  }
  void set(int64_t i, double value) {
    if (elementInfo(kind).isFloat)
      storeFloat(kind, data.data(), i, value);
    else
      storeInteger(kind, data.data(), i, static_cast<int64_t>(value));
  }
  double operator[](int64_t i) const {
    return elementInfo(kind).isFloat ? loadFloat(kind, data.data(), i)
                                     : static_cast<double>(loadInteger(kind, data.data(), i));
  }
  std::vector<double> values() const {
    std::vector<double> result;
    for (int64_t i = 0; i < count; ++i)
      result.push_back((*this)[i]);
    return result;
  }
  Buffer buffer() { return {data.data(), kind, count, init.empty() ? nullptr : init.data()}; }
};

class EvalTest : public ::testing::Test {
protected:
  EvalTest() {
    context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect>();
  }

  /// Runs `symbol` of a module.
  EvalResult run(llvm::StringRef text, llvm::StringRef symbol, llvm::ArrayRef<Arg> args,
                 const EvalOptions &options = {}) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "test.mlir");
    if (!module) {
      ADD_FAILURE() << "the module does not parse:\n" << text.str();
      EvalResult result;
      result.kind = ErrorKind::Unsupported;
      return result;
    }
    return Evaluator(*module).run(symbol, args, options);
  }

  /// Runs `body` in the only block of a kernel with the given parameters.
  EvalResult runBlock(llvm::StringRef parameters, llvm::StringRef body, llvm::ArrayRef<Arg> args,
                      const EvalOptions &options = {}) {
    std::string text = "tile.kernel @k(" + parameters.str() + ") {\n%one = arith.constant 1 : i64\n" +
                       "tile.grid (%block) in (%one) threads(128) {\n" + body.str() + "\n}\ntile.return\n}\n";
    return run(text, "k", args, options);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

using Values = std::vector<double>;

} // namespace tilec::eval

#endif // TILEC_TEST_UNIT_EVAL_EVALTESTBASE_H
