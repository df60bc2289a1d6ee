//===- CheckData.cpp - the data of one check -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that defines a check's numbers is in include/tilec/Check, which tile-runner shares.
//
//===----------------------------------------------------------------------===//
#include "CheckData.h"


namespace tilec {

using namespace frontend;

std::optional<check::Range> CheckData::rangeOf(llvm::StringRef tensor) const {
  for (const hir::DataRange &range : ranges)
    if (range.tensor == tensor)
      return check::Range{range.loInt, range.hiInt};
  return std::nullopt;
}

double CheckData::toleranceOf(llvm::StringRef tensor) const {
  double tolerance = tolerances.front().value;
  for (const hir::OutputTolerance &own : tolerances)
    if (own.tensor == tensor)
      tolerance = own.value;
  return tolerance;
}

TensorBytes CheckData::makeTensors() const {
  TensorBytes tensors;
  for (const TensorShape &shape : shapes) {
    std::vector<uint8_t> &bytes = tensors.emplace_back(storageBytes(shape.kind, shape.memoryElements));
    if (shape.tensor->access == hir::Access::Out) {
      check::poison(shape.kind, bytes.data(), shape.memoryElements);
      continue;
    }
    std::optional<check::Range> range = rangeOf(shape.tensor->name);
    check::generate(shape.kind, bytes.data(), 0, shape.memoryElements, seed, shape.param,
                    range ? &*range : nullptr);
  }
  return tensors;
}

eval::EvalResult CheckData::evaluate(eval::Evaluator &evaluator, llvm::StringRef symbol,
                                     const hir::Kernel &kernel, const NamedValues &values, TensorBytes &tensors,
                                     const eval::EvalOptions &options) const {
  auto valueOf = [&](llvm::StringRef name) -> eval::Arg {
    for (const hir::NamedValue &value : values)
      if (value.name == name)
        return isFloat(value.type) ? eval::Arg(value.real) : eval::Arg(value.integer);
    llvm_unreachable("semantic analysis gives every dimension, stride and scalar a value");
  };
  // The kernel's arguments as the importer lays them out: pointers, bindings, scalars.
  std::vector<eval::Arg> args;
  for (auto [shape, bytes] : llvm::zip(shapes, tensors))
    args.push_back(eval::Buffer{bytes.data(), shape.kind, shape.memoryElements, nullptr, 0});
  for (const hir::Binding &binding : kernel.bindings)
    args.push_back(valueOf(binding.variable->name));
  for (const hir::Param &param : kernel.params)
    if (param.scalar)
      args.push_back(valueOf(param.scalar->name));
  return evaluator.run(symbol, args, options);
}

std::vector<CheckData::Output> CheckData::compare(const TensorBytes &got, const TensorBytes &want) const {
  std::vector<Output> outputs;
  for (size_t i = 0; i != shapes.size(); ++i) {
    const TensorShape &shape = shapes[i];
    if (shape.tensor->access == hir::Access::In)
      continue;
    double tolerance = toleranceOf(shape.tensor->name);
    // Gaps of strided tensors are compared as well: nobody may write them.
    outputs.push_back({shape.tensor->name, tolerance,
                       check::compare(shape.kind, got[i].data(), want[i].data(), shape.memoryElements, tolerance)});
  }
  return outputs;
}

} // namespace tilec
