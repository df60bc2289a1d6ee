//===- ImportLaunch.cpp - launch programs ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch ABI hands over every extent and declared stride of every tensor; a runtime dimension is read
// where the program mentions it first and compared everywhere else. The checks come in a fixed order, so that
// the text of a refusal depends on the arguments alone, and each may rely on those before it.
//
//===----------------------------------------------------------------------===//
#include "ImportProgram.h"

namespace tilec::frontend {

using namespace mlir;
using P = arith::CmpIPredicate;

namespace {

/// The ABI of one tensor parameter.
struct TensorArguments {
  const hir::Tensor *tensor;
  Value pointer;
  SmallVector<Value> extents, strides; // strides: the declared ones
  Value bytes;                         // of a contiguous tensor
};

class LaunchImporter {
public:
  LaunchImporter(const ImportContext &context, OpBuilder &builder, const hir::Kernel &kernel,
                 tile::EntryOp entry)
      : context(context), builder(builder), kernel(kernel), entry(entry),
        scalars(builder, &entry.getBody().front(), context.options.contract), body(scalars, context.sources) {
  }

  void run();

private:
  void defineArguments();
  void checkPointers();
  void checkExtents();
  void checkStrides();
  void checkFacts();
  void checkSigns();
  void checkSizes();
  void checkAlignment();
  void checkOverlap();
  void launch();

  void require(Value condition, const Twine &text, ArrayRef<Value> args, tile::GuardKind kind);
  /// Compares an extent or stride with what the declaration says.
  void checkDeclared(TensorArguments &tensor, unsigned param, unsigned axis, bool isStride);
  void checkSize(TensorArguments &tensor);
  Value anyZero(ArrayRef<Value> extents);
  /// a * b <= limit for a, b >= 0.
  Value productFits(Value a, Value b, Value limit);
  /// Where the dimension or stride that an expression consists of is read; null for other expressions.
  const hir::Binding *findBinding(const hir::Expr *expr) const;
  /// The declared expression as text.
  std::string textOf(const hir::Expr *expr) const;

  const ImportContext &context;
  OpBuilder &builder;
  const hir::Kernel &kernel;
  tile::EntryOp entry;
  ScalarBuilder scalars;
  BodyImporter body;
  SmallVector<TensorArguments> tensors;
  SmallVector<TensorArguments *> tensorOfParam; // null for scalars
};

} // namespace

static std::string expressionText(const SourceManager &sources, const hir::Expr *expr) {
  if (auto *constant = dyn_cast<hir::Const>(expr))
    return std::to_string(constant->integer);
  if (auto *ref = dyn_cast<hir::VarRef>(expr))
    return ref->variable->name;
  if (!expr->range.isValid())
    return "?";
  std::string text; // on one line
  for (StringRef rest = sources.getText(expr->range); !rest.empty();) {
    auto [word, tail] = llvm::getToken(rest);
    if (!word.empty())
      text += (text.empty() ? "" : " ") + word.str();
    rest = tail;
  }
  return text;
}

std::string LaunchImporter::textOf(const hir::Expr *expr) const {
  return expressionText(context.sources, expr);
}

const hir::Binding *LaunchImporter::findBinding(const hir::Expr *expr) const {
  auto *ref = dyn_cast<hir::VarRef>(expr);
  for (const hir::Binding &binding : kernel.bindings)
    if (ref && binding.variable == ref->variable)
      return &binding;
  return nullptr;
}

void LaunchImporter::require(Value condition, const Twine &text, ArrayRef<Value> args, tile::GuardKind kind) {
  if (!ScalarBuilder::isTrue(condition))
    tile::RequireOp::create(builder, scalars.loc, condition, text.str(), args, kind);
}

void LaunchImporter::run() {
  builder.setInsertionPointToEnd(&entry.getBody().front());
  entry->setLoc(body.at(kernel.range));
  defineArguments();
  checkPointers();
  checkExtents();
  checkStrides();
  checkFacts();
  checkSigns();
  checkSizes();
  checkAlignment();
  checkOverlap();
  launch();
}

void LaunchImporter::defineArguments() {
  auto arguments = entry.getBody().front().getArguments();
  auto take = [&](SourceRange range) -> Value {
    BlockArgument argument = arguments.front();
    arguments = arguments.drop_front();
    argument.setLoc(body.at(range));
    return argument;
  };
  tensors.reserve(kernel.params.size()); // pointers into it are kept
  for (const hir::Param &param : kernel.params) {
    if (!param.tensor) {
      body.define(param.scalar, take(param.scalar->range));
      tensorOfParam.push_back(nullptr);
      continue;
    }
    TensorArguments &tensor = tensors.emplace_back();
    tensor.tensor = param.tensor;
    tensor.pointer = take(param.tensor->range);
    for (const hir::Expr *extent : param.tensor->extents)
      tensor.extents.push_back(take(extent->range));
    for (const hir::Expr *stride : param.tensor->strides)
      tensor.strides.push_back(take(stride->range));
    tensorOfParam.push_back(&tensor);
  }
  for (const hir::Binding &binding : kernel.bindings) {
    TensorArguments &tensor = *tensorOfParam[binding.param];
    body.define(binding.variable, (binding.isStride ? tensor.strides : tensor.extents)[binding.axis]);
  }
}

Value LaunchImporter::anyZero(ArrayRef<Value> extents) {
  Value any = scalars.boolean(false);
  for (Value extent : extents)
    any = scalars.logicalOr(any, scalars.compare(P::eq, extent, scalars.index(0)));
  return any;
}

void LaunchImporter::checkPointers() {
  for (TensorArguments &tensor : tensors) {
    body.at(tensor.tensor->range);
    Value isNull = tile::PtrNullOp::create(builder, scalars.loc, tensor.pointer);
    Value ok = scalars.logicalOr(scalars.logicalNot(isNull), anyZero(tensor.extents));
    require(ok, "'" + tensor.tensor->name + "' is null", {}, tile::GuardKind::Null);
  }
}

void LaunchImporter::checkDeclared(TensorArguments &tensor, unsigned param, unsigned axis, bool isStride) {
  const hir::Expr *declared = (isStride ? tensor.tensor->strides : tensor.tensor->extents)[axis];
  Value given = (isStride ? tensor.strides : tensor.extents)[axis];
  StringRef what = isStride ? "stride " : "dimension ";
  std::string subject = (what + Twine(axis) + " of '" + tensor.tensor->name + "' is {0}").str();
  auto kind = isStride ? tile::GuardKind::Stride : tile::GuardKind::Shape;

  const hir::Binding *binding = findBinding(declared);
  if (binding && binding->param == param && binding->axis == axis && binding->isStride == isStride)
    return; // this is where it is read
  Value expected = body.importExpr(declared);
  body.at(declared->range);
  Value equal = scalars.compare(P::eq, given, expected);
  std::string text = textOf(declared);
  if (binding) {
    StringRef where = binding->isStride ? "stride " : "dimension ";
    require(equal,
            subject + ", but " + text + " is {1} (" + where + Twine(binding->axis) + " of '" +
                kernel.params[binding->param].name() + "')",
            {given, expected}, kind);
  } else if (ScalarBuilder::constantValue(expected)) {
    require(equal, subject + ", must be {1}", {given, expected}, kind);
  } else {
    require(equal, subject + ", must be " + text + " = {1}", {given, expected}, kind);
  }
}

void LaunchImporter::checkExtents() {
  for (auto [param, tensor] : llvm::enumerate(tensorOfParam))
    for (unsigned axis = 0; tensor && axis < tensor->extents.size(); ++axis)
      checkDeclared(*tensor, param, axis, /*isStride=*/false);
}

void LaunchImporter::checkStrides() {
  for (auto [param, tensor] : llvm::enumerate(tensorOfParam))
    for (unsigned axis = 0; tensor && axis < tensor->strides.size(); ++axis) {
      checkDeclared(*tensor, param, axis, /*isStride=*/true);
      const hir::Expr *declared = tensor->tensor->strides[axis];
      if (isa<hir::Const>(declared))
        continue;
      Value given = tensor->strides[axis];
      body.at(declared->range);
      require(scalars.compare(P::sge, given, scalars.index(0)),
              "stride " + Twine(axis) + " of '" + tensor->tensor->name + "' (" + textOf(declared) +
                  ") is {0}, must not be negative",
              {given}, tile::GuardKind::Stride);
    }
}

/// The dimensions, strides and parameters that an expression mentions, once each.
static llvm::SetVector<const hir::Variable *> collectVariables(const hir::Expr *root) {
  llvm::SetVector<const hir::Variable *> variables;
  SmallVector<const hir::Expr *> pending{root};
  // The last one pushed comes first: operands are pushed from right to left.
  auto visit = [&](ArrayRef<hir::Expr *> operands) { pending.append(operands.rbegin(), operands.rend()); };
  while (!pending.empty()) {
    const hir::Expr *expr = pending.pop_back_val();
    if (auto *ref = dyn_cast<hir::VarRef>(expr)) {
      variables.insert(ref->variable);
    } else if (auto *unary = dyn_cast<hir::Unary>(expr)) {
      visit({unary->operand});
    } else if (auto *binary = dyn_cast<hir::Binary>(expr)) {
      visit({binary->lhs, binary->rhs});
    } else if (auto *cast = dyn_cast<hir::Cast>(expr)) {
      visit({cast->operand});
    } else if (auto *bitcast = dyn_cast<hir::Bitcast>(expr)) {
      visit({bitcast->operand});
    } else if (auto *conditional = dyn_cast<hir::Conditional>(expr)) {
      visit({conditional->condition, conditional->onTrue, conditional->onFalse});
    } else if (auto *call = dyn_cast<hir::Call>(expr)) {
      visit(call->args);
    } else if (auto *inlineCall = dyn_cast<hir::InlineCall>(expr)) {
      visit(inlineCall->args);
    }
  }
  return variables;
}

void LaunchImporter::checkFacts() {
  for (const hir::Fact &fact : kernel.facts) {
    Value holds = body.importExpr(fact.condition);
    std::string text = "requires " + fact.text;
    SmallVector<Value> args;
    for (const hir::Variable *variable : collectVariables(fact.condition)) {
      text += (args.empty() ? ", but " : ", ") + variable->name + " is {" + std::to_string(args.size()) + "}";
      args.push_back(body.get(variable));
    }
    body.at(fact.condition->range);
    require(holds, text, args, tile::GuardKind::Fact);
  }
}

/// Every other extent has been compared with a constant or a dimension.
void LaunchImporter::checkSigns() {
  for (auto [param, tensor] : llvm::enumerate(tensorOfParam))
    for (unsigned axis = 0; tensor && axis < tensor->extents.size(); ++axis) {
      const hir::Expr *declared = tensor->tensor->extents[axis];
      const hir::Binding *binding = findBinding(declared);
      if (isa<hir::Const>(declared) || (binding && (binding->param != param || binding->axis != axis)))
        continue;
      Value given = tensor->extents[axis];
      body.at(declared->range);
      require(scalars.compare(P::sge, given, scalars.index(0)),
              "dimension " + Twine(axis) + " of '" + tensor->tensor->name + "' (" + textOf(declared) +
                  ") is {0}, must not be negative",
              {given}, tile::GuardKind::Shape);
    }
}

Value LaunchImporter::productFits(Value a, Value b, Value limit) {
  Value divisor = scalars.call(hir::Builtin::Max, ScalarType::I64, {a, scalars.index(1)});
  return scalars.compare(P::sle, b, scalars.divU(limit, divisor));
}

/// The number of bytes from the first to the last element must be an i64. Wrapped products do not matter: a
/// tensor with an extent 0 has no elements, every other one is refused at the first product that wraps.
void LaunchImporter::checkSize(TensorArguments &tensor) {
  // As declared: constants are constants here.
  SmallVector<Value> extents = body.importExprs(tensor.tensor->extents);
  body.at(tensor.tensor->range);
  unsigned bits = storageBits(tensor.tensor->element);
  Value max = scalars.index(std::numeric_limits<int64_t>::max());
  Value one = scalars.index(1);
  Value fits = scalars.boolean(true);
  Value count; // elements, or the place of the last one
  if (tensor.strides.empty()) {
    count = scalars.index(bits < 8 ? 1 : bits / 8); // bytes, but for packed elements
    for (Value extent : llvm::reverse(extents)) {
      fits = scalars.logicalAnd(fits, productFits(count, extent, max));
      count = scalars.mulI(count, extent);
    }
    if (bits < 8) // two to a byte
      count = scalars.addI(scalars.binary(hir::BinaryOp::Shr, ScalarType::I64, count, one, ScalarType::I64),
                           scalars.logicalAnd(count, one));
    tensor.bytes = count;
  } else {
    count = scalars.index(0);
    for (auto [extent, stride] : llvm::zip_equal(extents, body.importExprs(tensor.tensor->strides))) {
      body.at(tensor.tensor->range);
      Value last = scalars.subI(extent, one);
      fits = scalars.logicalAnd(fits, productFits(stride, last, max));
      Value place = scalars.mulI(last, stride);
      fits = scalars.logicalAnd(fits, scalars.compare(P::sle, count, scalars.subI(max, place)));
      count = scalars.addI(count, place);
    }
    int64_t bytes = bits < 8 ? 1 : bits / 8;
    Value limit = scalars.index(std::numeric_limits<int64_t>::max() / bytes - 1);
    fits = scalars.logicalAnd(fits, scalars.compare(P::sle, count, limit));
  }
  Value ok = scalars.isTrue(fits) ? fits : scalars.logicalOr(anyZero(extents), fits);
  std::string text = "'" + tensor.tensor->name + "' spans more than 2^63 - 1 bytes: its extents are ";
  for (size_t i = 0; i < tensor.extents.size(); ++i)
    text += (i ? " x {" : "{") + std::to_string(i) + "}";
  require(ok, text, tensor.extents, tile::GuardKind::Overflow);
}

void LaunchImporter::checkSizes() {
  for (TensorArguments &tensor : tensors)
    checkSize(tensor);
}

void LaunchImporter::checkAlignment() {
  for (TensorArguments &tensor : tensors) {
    int64_t bytes = storageBits(tensor.tensor->element) / 8;
    if (bytes <= 1)
      continue;
    Location loc = body.at(tensor.tensor->range);
    Value isAligned = tile::PtrAlignedOp::create(builder, loc, tensor.pointer, bytes);
    // An empty tensor may be anywhere, as it may be null.
    Value ok = scalars.logicalOr(isAligned, anyZero(tensor.extents));
    require(ok,
            "'" + tensor.tensor->name + "' is not aligned to its " + Twine(bytes) + "-byte elements (" +
                spelling(tensor.tensor->element) + ")",
            {}, tile::GuardKind::Alignment);
  }
}

/// Only contiguous tensors: whether strided ones share an element would take a search.
void LaunchImporter::checkOverlap() {
  for (TensorArguments &written : tensors) {
    if (written.tensor->access == hir::Access::In || !written.bytes)
      continue;
    for (TensorArguments &other : tensors) {
      bool isPairSeen = other.tensor->access != hir::Access::In && &other <= &written;
      if (isPairSeen || !other.bytes)
        continue;
      Location loc = body.at(written.tensor->range);
      Value overlap =
          tile::OverlapOp::create(builder, loc, written.pointer, written.bytes, other.pointer, other.bytes);
      require(scalars.logicalNot(overlap),
              "'" + written.tensor->name + "' overlaps '" + other.tensor->name + "'", {},
              tile::GuardKind::Overlap);
    }
  }
}

void LaunchImporter::launch() {
  SmallVector<Value> extents = importGridExtents(body, kernel);
  // In the order of the kernel's arguments (ImportKernel.cpp).
  SmallVector<Value> args;
  for (TensorArguments &tensor : tensors)
    args.push_back(tensor.pointer);
  for (const hir::Binding &binding : kernel.bindings)
    args.push_back(body.get(binding.variable));
  for (const hir::Param &param : kernel.params)
    if (param.scalar)
      args.push_back(body.get(param.scalar));
  Location loc = body.at(kernel.range);
  auto op = tile::LaunchOp::create(builder, loc, getKernelSymbol(context.program, kernel), extents, args);
  op.setThreads(kernel.threads);
  if (SmallVector<int64_t> cluster = clusterOf(kernel); !cluster.empty())
    op.setCluster(cluster);
  tile::ReturnOp::create(builder, loc);
}

tile::EntryOp importLaunch(const ImportContext &context, OpBuilder &builder, const hir::Kernel &kernel) {
  MLIRContext *mlirContext = builder.getContext();
  Type i64 = builder.getI64Type();
  SmallVector<Type> types;
  SmallVector<Attribute> params;
  for (const hir::Param &param : kernel.params) {
    if (const hir::Variable *scalar = param.scalar) {
      types.push_back(scalarType(scalar->type, mlirContext));
      params.push_back(
          tile::ScalarParamAttr::get(mlirContext, scalar->name, elementType(scalar->type, mlirContext)));
      continue;
    }
    const hir::Tensor &tensor = *param.tensor;
    Type element = elementType(tensor.element, mlirContext);
    types.push_back(tile::PtrType::get(mlirContext, element));
    types.append(tensor.extents.size() + tensor.strides.size(), i64);
    auto texts = [&](ArrayRef<hir::Expr *> exprs) {
      return builder.getArrayAttr(llvm::map_to_vector(exprs, [&](const hir::Expr *expr) -> Attribute {
        return builder.getStringAttr(expressionText(context.sources, expr));
      }));
    };
    params.push_back(tile::TensorParamAttr::get(
        mlirContext, tensor.name, element, accessMode(tensor.access), texts(tensor.extents),
        tensor.strides.empty() ? ArrayAttr() : texts(tensor.strides)));
  }
  auto entry = tile::EntryOp::create(builder, UnknownLoc::get(mlirContext), kernel.symbol,
                                     builder.getFunctionType(types, {}), builder.getArrayAttr(params));
  OpBuilder::InsertionGuard guard(builder);
  LaunchImporter(context, builder, kernel, entry).run();
  return entry;
}

} // namespace tilec::frontend
