//===- SemaHints.cpp - rasterize, layout, assume, assert, print ------------- ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that compute nothing: hints that never change results, facts and output.
//
//===----------------------------------------------------------------------===//
#include "SemaTileOps.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilec::frontend::sema {

void Checker::checkRasterize(const ast::CallStmt *stmt, const NamedArgs &named) {
  if (!inGridBody || !calls.empty()) {
    error(DiagId::RasterizePlace, stmt->getRange()).note("write it directly in the grid's body");
    return;
  }
  auto *panel = named.find("panel");
  if (!panel) {
    error(DiagId::MissingArgument, stmt->getArgsRange(), "rasterize", "panel").note("write 'panel = 8'");
    return;
  }
  if (*panel->integer < 1 || *panel->integer > (1 << 20)) {
    error(DiagId::ValueOutOfRange, panel->valueRange, "'panel'", *panel->integer, 1, 1 << 20);
    return;
  }
  if (kernel->raster.panel != 0) {
    error(DiagId::RasterizeTwice, stmt->getRange()).note("one 'rasterize' a kernel");
    return;
  }
  if (auto *order = named.find("order")) {
    llvm::StringRef word = wordOf(order->expr);
    if (word != "row" && word != "column") {
      error(DiagId::UnknownWord, order->valueRange, "order", "row or column");
      return;
    }
    kernel->raster.columnOrder = word == "column";
  }
  kernel->raster.panel = *panel->integer;
}

void Checker::checkLayout(const ast::CallStmt *stmt, const NamedArgs &named) {
  RegionOperand operand = checkRegion(stmt->getArgs()[0], "'layout'");
  if (!operand.object)
    return;
  auto *tile = llvm::dyn_cast<hir::Tile>(operand.object);
  if (!tile || tile->kind != hir::ObjectKind::Shared || operand.form != RegionOperand::Form::Whole) {
    error(DiagId::LayoutOperand, operand.range).note("name a whole shared tile");
    return;
  }
  auto *swizzle = named.find("swizzle");
  if (!swizzle) {
    error(DiagId::MissingArgument, stmt->getArgsRange(), "layout", "swizzle")
        .note("write 'swizzle = none', 32, 64 or 128");
    return;
  }
  std::optional<hir::Swizzle> value;
  if (wordOf(swizzle->expr) == "none") {
    value = hir::Swizzle::None;
  } else {
    auto bytes = checkConstant(swizzle->expr, "'swizzle'");
    if (!bytes)
      return;
    if (bytes->isInt())
      value = bytes->integer == 32    ? std::optional(hir::Swizzle::B32)
              : bytes->integer == 64  ? std::optional(hir::Swizzle::B64)
              : bytes->integer == 128 ? std::optional(hir::Swizzle::B128)
                                      : std::nullopt;
  }
  if (!value) {
    error(DiagId::UnknownWord, swizzle->valueRange, "swizzle", "none, 32, 64 or 128");
    return;
  }
  if (tile->swizzle != hir::Swizzle::Unset && tile->swizzle != *value) {
    error(DiagId::LayoutConflict, stmt->getRange(), tile->name).note("a tile has one layout");
    return;
  }
  tile->swizzle = *value;
}

void Checker::checkAssume(const ast::CallStmt *stmt, const NamedArgs &) {
  Operand condition{checkExpr(stmt->getArgs()[0]), stmt->getArgs()[0]->getRange()};
  if (!requireBool(condition, "the operand of 'assume'"))
    return;
  if (condition.value.isConstant()) {
    if (!condition.value.constant.asBool())
      error(DiagId::FalseFact, condition.range, "assumption", analyzer.text(condition.range));
    return;
  }
  auto *assume = append<hir::Assume>(stmt->getRange());
  assume->condition = condition.value.expr;
  pushGuard({Guard::Kind::Condition, nullptr, condition.value.expr, true});
}

std::optional<std::string> Checker::checkText(const ast::Expr *expr, llvm::StringRef callee) {
  if (auto *text = llvm::dyn_cast<ast::StringLiteral>(expr))
    return text->getValue().str();
  error(DiagId::TextExpected, expr->getRange(), callee).note("write it in double quotes");
  return std::nullopt;
}

void Checker::checkAssert(const ast::CallStmt *stmt, const NamedArgs &) {
  Operand condition{checkExpr(stmt->getArgs()[0]), stmt->getArgs()[0]->getRange()};
  auto text = checkText(stmt->getArgs()[1], "assert");
  if (!requireBool(condition, "the operand of 'assert'") || !text)
    return;
  hir::Expr *expr = materialize(condition.value, ScalarType::Bool, condition.range);
  auto *result = append<hir::Assert>(stmt->getRange());
  result->condition = expr;
  result->text = *text;
  pushGuard({Guard::Kind::Condition, nullptr, expr, true});
}

void Checker::checkPrint(const ast::CallStmt *stmt, const NamedArgs &) {
  auto text = checkText(stmt->getArgs()[0], "print");
  std::vector<hir::Expr *> args;
  bool ok = text.has_value();
  for (const ast::Expr *arg : stmt->getArgs().drop_front()) {
    hir::Expr *value = materializeDefault(checkExpr(arg), arg->getRange());
    ok &= value != nullptr;
    args.push_back(value);
  }
  if (!ok)
    return;
  auto *print = append<hir::Print>(stmt->getRange());
  print->text = *text;
  print->args = std::move(args);
}

} // namespace tilec::frontend::sema
