//===- BundleBuilder.cpp - a program's checks and benches for a GPU --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything by value: a bundle outlives the compilation.
//
//===----------------------------------------------------------------------===//
#include "BundleBuilder.h"

namespace tilec {

using namespace frontend;

bool BundleBuilder::setProgram(llvm::StringRef manifest, llvm::StringRef image, std::string &error) {
  std::optional<runner::Manifest> parsed = runner::parseManifest(std::string_view(manifest), error);
  if (!parsed)
    return false;
  bundle.manifest = std::move(*parsed);
  bundle.image = image.str();
  return true;
}

std::vector<runner::Argument> BundleBuilder::argumentsOf(const hir::Kernel &kernel, const NamedValues &values,
                                                         llvm::ArrayRef<TensorShape> shapes,
                                                         llvm::ArrayRef<hir::DataRange> ranges) {
  std::vector<runner::Argument> arguments;
  for (const hir::Param &param : kernel.params) {
    runner::Argument &argument = arguments.emplace_back();
    argument.name = param.name().str();
    if (param.scalar) {
      for (const hir::NamedValue &value : values)
        if (value.name == argument.name) {
          argument.integer = value.integer;
          argument.real = value.real;
        }
      continue;
    }
    const TensorShape &shape =
        *llvm::find_if(shapes, [&](const TensorShape &s) { return s.tensor == param.tensor; });
    argument.extents = shape.extents;
    if (!param.tensor->strides.empty())
      argument.strides = shape.strides;
    for (const hir::DataRange &range : ranges)
      if (range.tensor == argument.name)
        argument.range = check::Range{range.loInt, range.hiInt};
  }
  return arguments;
}

void BundleBuilder::addCheck(const hir::Check &check, const CheckData &data, const TensorBytes &want) {
  runner::BundleCheck row;
  row.name = check.text;
  row.entry = check.kernel->symbol;
  row.seed = seed;
  row.arguments = argumentsOf(*check.kernel, check.values, data.getShapes(), check.ranges);
  for (auto [shape, bytes] : llvm::zip(data.getShapes(), want)) {
    if (shape.tensor->access == hir::Access::In)
      continue;
    runner::Expected expected;
    expected.name = shape.tensor->name;
    expected.tolerance = data.toleranceOf(expected.name);
    expected.blocks.push_back({0, shape.memoryElements, std::string(bytes.begin(), bytes.end())});
    row.expected.push_back(std::move(expected));
  }
  bundle.checks.push_back(std::move(row));
}

bool BundleBuilder::addBench(const hir::Bench &bench) {
  std::optional<std::vector<TensorShape>> shapes = tensorShapes(*bench.kernel, bench.values);
  if (!shapes)
    return false;
  runner::BundleBench row;
  row.name = bench.text;
  row.entry = bench.kernel->symbol;
  row.seed = seed;
  row.arguments = argumentsOf(*bench.kernel, bench.values, *shapes, bench.ranges);
  row.bytes = bench.bytes;
  row.flops = bench.flops;
  bundle.benches.push_back(std::move(row));
  return true;
}

} // namespace tilec
