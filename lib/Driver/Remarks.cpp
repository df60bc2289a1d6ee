//===- Remarks.cpp - the decisions of the passes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes report through MLIR's remark engine, keyed by their argument (category "tile-plan" and the like).
//
//===----------------------------------------------------------------------===//
#include "Remarks.h"

#include "mlir/IR/Remarks.h"

namespace tilec {
namespace {

/// The line of the outermost caller, or of the innermost function. Columns do not count: a report is about
/// lines.
SourcePos findLine(mlir::Location loc, bool ofCaller) {
  while (auto call = loc->findInstanceOf<mlir::CallSiteLoc>())
    loc = ofCaller ? call.getCaller() : call.getCallee();
  auto file = loc->findInstanceOf<mlir::FileLineColLoc>();
  return file ? SourcePos{file.getFilename().str(), file.getLine()} : SourcePos();
}

constexpr const char *kOurPasses = "^(convert-)?tile-.*";

class Collector : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<Decision> &decisions) : decisions(decisions) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    // The text is one sentence in pieces; metrics are for programs.
    std::string text;
    for (const mlir::remark::detail::Remark::Arg &arg : remark.getArgs())
      if (arg.key == "Remark" || arg.key == "Reason")
        text += arg.val;
    llvm::StringRef kernel = remark.getFunction();
    SourcePos place = findLine(remark.getLocation(), /*ofCaller=*/true);
    SourcePos callee = findLine(remark.getLocation(), /*ofCaller=*/false);
    decisions.push_back({kernel.starts_with("<") ? "" : kernel.str(), remark.getCategoryName().str(),
                         remark.getRemarkName().str(), std::move(text), place,
                         callee == place ? SourcePos() : callee});
  }

private:
  std::vector<Decision> &decisions;
};

} // namespace

void collectRemarks(mlir::MLIRContext &context, std::vector<Decision> &decisions) {
  mlir::remark::RemarkCategories categories{std::nullopt, kOurPasses, kOurPasses, kOurPasses, kOurPasses};
  mlir::LogicalResult enabled = mlir::remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(decisions),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories, /*printAsEmitRemarks=*/false);
  assert(mlir::succeeded(enabled) && "a context gets one remark engine");
  (void)enabled;
}

} // namespace tilec
