//===- BundleBuilder.cpp - a program's checks and benches for a GPU --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything by value: a bundle outlives the compilation.
//
//===----------------------------------------------------------------------===//
#include "BundleBuilder.h"

#include "tilec/Frontend/ImportTile.h"

namespace tilec {

using namespace frontend;

/// Tensors of a bench beyond this are not evaluated: they must fit the build machine's memory twice.
static constexpr int64_t kMaxSampledBytes = int64_t(4) << 30;

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

bool BundleBuilder::addBench(const hir::Bench &bench, const hir::Program &program, eval::Evaluator &evaluator) {
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
  int64_t memory = 0;
  for (const TensorShape &shape : *shapes)
    memory += storageBytes(shape.kind, shape.memoryElements);
  auto sameKernel = [&](const hir::Check &check) { return check.kernel->sourceName == bench.kernel->sourceName; };
  if (auto check = llvm::find_if(program.checks, sameKernel);
      check != program.checks.end() && memory <= kMaxSampledBytes) {
    CheckData data(bench.ranges, check->tolerances, std::move(*shapes), seed);
    expectSample(bench, data, getKernelSymbol(program, *bench.kernel), evaluator, row.expected);
  }
  bundle.benches.push_back(std::move(row));
  return true;
}

void BundleBuilder::expectSample(const hir::Bench &bench, const CheckData &data, llvm::StringRef symbol,
                                 eval::Evaluator &evaluator, std::vector<runner::Expected> &expected) {
  std::array<int64_t, 3> grid = {1, 1, 1};
  for (auto [axis, expr] : llvm::enumerate(bench.kernel->gridExtents)) {
    std::optional<int64_t> extent = evaluateInteger(expr, bench.values);
    if (!extent || *extent <= 0)
      return; // an extent that a `let` computes, or nothing to launch
    grid[axis] = *extent;
  }
  // The first and the last block, where the edges are, and one in the middle.
  eval::EvalOptions options;
  options.blocks = {{0, 0, 0},
                    {grid[0] / 2, grid[1] / 2, grid[2] / 2},
                    {grid[0] - 1, grid[1] - 1, grid[2] - 1}};
  TensorBytes before = data.makeTensors(), after = before;
  if (!data.evaluate(evaluator, symbol, *bench.kernel, bench.values, after, options).succeeded())
    return;
  for (auto [shape, old, now] : llvm::zip(data.getShapes(), before, after)) {
    // An `inout` may be written where it already had the value; only poison tells what was written.
    if (shape.tensor->access != hir::Access::Out)
      continue;
    runner::Expected output;
    output.name = shape.tensor->name;
    output.tolerance = data.toleranceOf(output.name);
    // Runs of changed bytes, widened to whole bytes' elements.
    int64_t perByte = std::max<int64_t>(1, 8 / elementInfo(shape.kind).storageBits);
    int64_t bytesEach = std::max<int64_t>(1, elementInfo(shape.kind).storageBits / 8);
    int64_t units = static_cast<int64_t>(now.size()) / bytesEach;
    auto changed = [&, &old = old, &now = now](int64_t unit) {
      return !std::equal(old.begin() + unit * bytesEach, old.begin() + (unit + 1) * bytesEach,
                         now.begin() + unit * bytesEach);
    };
    for (int64_t unit = 0; unit < units;) {
      if (!changed(unit)) {
        ++unit;
        continue;
      }
      int64_t first = unit;
      while (unit < units && changed(unit))
        ++unit;
      runner::ExpectedBlock block;
      block.start = first * perByte;
      block.count = std::min((unit - first) * perByte, shape.memoryElements - block.start);
      block.bytes.assign(now.begin() + first * bytesEach, now.begin() + unit * bytesEach);
      output.blocks.push_back(std::move(block));
    }
    if (!output.blocks.empty())
      expected.push_back(std::move(output));
  }
}

} // namespace tilec
