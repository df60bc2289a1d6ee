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

class Collector : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<Decision> &decisions) : decisions(decisions) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override {
    std::string text = remark.getRemarkName().str();
    for (const mlir::remark::detail::Remark::Arg &arg : remark.getArgs())
      text += (text.empty() ? "" : ", ") + (arg.key == "Remark" ? arg.val : arg.key + " " + arg.val);
    decisions.push_back({remark.getFunction().str(), remark.getCategoryName().str(), std::move(text),
                         placeOf(remark.getLocation())});
  }

private:
  std::vector<Decision> &decisions;
};

} // namespace

void collectRemarks(mlir::MLIRContext &context, std::vector<Decision> &decisions) {
  mlir::remark::RemarkCategories categories{"(convert-)?tile-.*", std::nullopt, std::nullopt, std::nullopt, std::nullopt};
  (void)mlir::remark::enableOptimizationRemarks(context, std::make_unique<Collector>(decisions),
                                                std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
                                                categories, /*printAsEmitRemarks=*/false);
}

} // namespace tilec
