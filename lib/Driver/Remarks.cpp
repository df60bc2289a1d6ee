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

/// "file:line" of the innermost position.
std::string placeOf(mlir::Location loc) {
  std::string place;
  loc->walk([&](mlir::Location part) {
    if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(part)) {
      place = (file.getFilename().getValue() + ":" + llvm::Twine(file.getLine())).str();
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return place;
}

constexpr const char *kOurPasses = "^(convert-)?tile-.*";

class Collector : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<Decision> &decisions) : decisions(decisions) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    // Text is one sentence in pieces; metrics follow it.
    std::string text, metrics;
    for (const mlir::remark::detail::Remark::Arg &arg : remark.getArgs())
      if (arg.key == "Remark" || arg.key == "Reason")
        text += arg.val;
      else
        metrics += ", " + llvm::StringRef(arg.key).lower() + " " + arg.val;
    text += metrics;
    llvm::StringRef kernel = remark.getFunction();
    decisions.push_back({kernel.starts_with("<") ? "" : kernel.str(), remark.getCategoryName().str(), std::move(text),
                         placeOf(remark.getLocation())});
  }

private:
  std::vector<Decision> &decisions;
};

} // namespace

void collectRemarks(mlir::MLIRContext &context, std::vector<Decision> &decisions) {
  mlir::remark::RemarkCategories categories{std::nullopt, kOurPasses, kOurPasses, kOurPasses, kOurPasses};
  mlir::LogicalResult enabled = mlir::remark::enableOptimizationRemarks(
      context, std::make_unique<Collector>(decisions), std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
      categories, /*printAsEmitRemarks=*/false);
  assert(mlir::succeeded(enabled) && "a context gets one remark engine");
  (void)enabled;
}

} // namespace tilec
