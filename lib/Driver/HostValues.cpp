//===- HostValues.cpp - shapes of a check's tensors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expressions are those that may name a dimension: integer arithmetic without elements.
//
//===----------------------------------------------------------------------===//
#include "HostValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilec {

using namespace frontend;

namespace {

constexpr int64_t kMaxElements = int64_t(1) << 40;

std::optional<int64_t> binary(hir::BinaryOp op, int64_t a, int64_t b) {
  int64_t result;
  switch (op) {
  case hir::BinaryOp::Add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case hir::BinaryOp::Sub:
    return llvm::SubOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case hir::BinaryOp::Mul:
    return llvm::MulOverflow(a, b, result) ? std::nullopt : std::optional(result);
  case hir::BinaryOp::Div:
    return b == 0 || (a == INT64_MIN && b == -1) ? std::nullopt : std::optional(a / b);
  case hir::BinaryOp::Rem:
    if (b == 0)
      return std::nullopt;
    return b == -1 ? 0 : a % b;
  case hir::BinaryOp::Shl:
    return b < 0 || b > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  case hir::BinaryOp::Shr:
    return a >> (b < 0 || b > 63 ? 63 : b);
  case hir::BinaryOp::And:
  case hir::BinaryOp::LogicalAnd:
    return a & b;
  case hir::BinaryOp::Or:
  case hir::BinaryOp::LogicalOr:
    return a | b;
  case hir::BinaryOp::Xor:
    return a ^ b;
  case hir::BinaryOp::Eq:
    return a == b;
  case hir::BinaryOp::Ne:
    return a != b;
  case hir::BinaryOp::Lt:
    return a < b;
  case hir::BinaryOp::Le:
    return a <= b;
  case hir::BinaryOp::Gt:
    return a > b;
  case hir::BinaryOp::Ge:
    return a >= b;
  }
  llvm_unreachable("unknown binary operator");
}

std::optional<int64_t> call(hir::Builtin function, llvm::ArrayRef<int64_t> args) {
  switch (function) {
  case hir::Builtin::CeilDiv:
    return args[1] == 0 ? std::nullopt : std::optional(llvm::divideCeilSigned(args[0], args[1]));
  case hir::Builtin::FloorDiv:
    return args[1] == 0 ? std::nullopt : std::optional(llvm::divideFloorSigned(args[0], args[1]));
  case hir::Builtin::Min:
    return std::min(args[0], args[1]);
  case hir::Builtin::Max:
    return std::max(args[0], args[1]);
  case hir::Builtin::Abs:
    return args[0] == INT64_MIN ? std::nullopt : std::optional(std::abs(args[0]));
  default:
    return std::nullopt; // functions of floats
  }
}

} // namespace

std::optional<int64_t> evaluateInteger(const hir::Expr *expr, const NamedValues &values) {
  if (isFloat(expr->type))
    return std::nullopt;
  if (auto *constant = llvm::dyn_cast<hir::Const>(expr))
    return constant->integer;
  if (auto *ref = llvm::dyn_cast<hir::VarRef>(expr)) {
    auto it = llvm::find_if(values, [&](const auto &v) { return v.name == ref->variable->name; });
    return it == values.end() ? std::nullopt : std::optional(it->integer);
  }
  if (auto *unary = llvm::dyn_cast<hir::Unary>(expr)) {
    std::optional<int64_t> value = evaluateInteger(unary->operand, values);
    if (!value)
      return std::nullopt;
    switch (unary->op) {
    case hir::UnaryOp::Neg:
      return *value == INT64_MIN ? std::nullopt : std::optional(-*value);
    case hir::UnaryOp::LogicalNot:
      return !*value;
    case hir::UnaryOp::BitNot:
      return ~*value;
    }
  }
  if (auto *cast = llvm::dyn_cast<hir::Cast>(expr)) // dimensions widen only
    return evaluateInteger(cast->operand, values);
  if (auto *op = llvm::dyn_cast<hir::Binary>(expr)) {
    std::optional<int64_t> a = evaluateInteger(op->lhs, values), b = evaluateInteger(op->rhs, values);
    return a && b ? binary(op->op, *a, *b) : std::nullopt;
  }
  if (auto *conditional = llvm::dyn_cast<hir::Conditional>(expr)) {
    std::optional<int64_t> condition = evaluateInteger(conditional->condition, values);
    if (!condition)
      return std::nullopt;
    return evaluateInteger(*condition ? conditional->onTrue : conditional->onFalse, values);
  }
  if (auto *function = llvm::dyn_cast<hir::Call>(expr)) {
    llvm::SmallVector<int64_t> args;
    for (const hir::Expr *arg : function->args) {
      std::optional<int64_t> value = evaluateInteger(arg, values);
      if (!value)
        return std::nullopt;
      args.push_back(*value);
    }
    return call(function->function, args);
  }
  return std::nullopt;
}

std::optional<std::vector<TensorShape>> tensorShapes(const hir::Kernel &kernel, const NamedValues &values) {
  std::vector<TensorShape> shapes;
  for (auto [index, param] : llvm::enumerate(kernel.params)) {
    if (!param.tensor)
      continue;
    TensorShape shape;
    shape.tensor = param.tensor;
    shape.param = index;
    if (!parseElementKind(std::string_view(spelling(param.tensor->element)), shape.kind))
      return std::nullopt;
    for (const hir::Expr *extent : param.tensor->extents) {
      std::optional<int64_t> value = evaluateInteger(extent, values);
      if (!value || *value < 0)
        return std::nullopt;
      shape.extents.push_back(*value);
    }
    for (const hir::Expr *stride : param.tensor->strides) {
      std::optional<int64_t> value = evaluateInteger(stride, values);
      if (!value || *value < 0)
        return std::nullopt;
      shape.strides.push_back(*value);
    }
    if (shape.strides.empty()) {
      shape.strides.resize(shape.extents.size());
      int64_t stride = 1;
      for (size_t i = shape.extents.size(); i-- != 0;) {
        shape.strides[i] = stride;
        if (llvm::MulOverflow(stride, std::max<int64_t>(shape.extents[i], 1), stride) || stride > kMaxElements)
          return std::nullopt;
      }
    }
    int64_t last = 0;
    bool empty = false;
    for (auto [extent, stride] : llvm::zip(shape.extents, shape.strides)) {
      int64_t step;
      empty |= extent == 0;
      if (extent > 0 && (llvm::MulOverflow(extent - 1, stride, step) || llvm::AddOverflow(last, step, last) ||
                         last > kMaxElements))
        return std::nullopt;
    }
    shape.memoryElements = empty ? 0 : last + 1;
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

} // namespace tilec
