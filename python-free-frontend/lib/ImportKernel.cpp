//===- ImportKernel.cpp - device functions --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of a kernel: the pointers of its tensors, then every runtime dimension and stride once, then its
// scalars. The tensors themselves are made from them in front of the grid.
//
//===----------------------------------------------------------------------===//
#include "ImportProgram.h"

namespace tilec::frontend {

using namespace mlir;

namespace {

/// One argument: what it is called, its type, and what it stands for in the program.
struct Argument {
  StringRef name;
  Type type;
  const void *key;
  SourceRange range;
  std::optional<hir::Access> access; // of a pointer
};

} // namespace

tile::AccessMode accessMode(hir::Access access) {
  switch (access) {
  case hir::Access::In:
    return tile::AccessMode::In;
  case hir::Access::Out:
    return tile::AccessMode::Out;
  case hir::Access::InOut:
    return tile::AccessMode::InOut;
  }
  llvm_unreachable("unknown access");
}

static SmallVector<Argument> collectArguments(const hir::Kernel &kernel, MLIRContext *context) {
  SmallVector<Argument> arguments;
  for (const hir::Param &param : kernel.params)
    if (const hir::Tensor *tensor = param.tensor)
      arguments.push_back({tensor->name, tile::PtrType::get(context, elementType(tensor->element, context)),
                           tensor, tensor->range, tensor->access});
  for (const hir::Binding &binding : kernel.bindings)
    arguments.push_back({binding.variable->name, IntegerType::get(context, 64), binding.variable,
                         binding.variable->range, std::nullopt});
  for (const hir::Param &param : kernel.params)
    if (const hir::Variable *scalar = param.scalar)
      arguments.push_back(
          {scalar->name, scalarType(scalar->type, context), scalar, scalar->range, std::nullopt});
  return arguments;
}

/// Replaces a tensor's pointer by the tensor.
static void importTensor(BodyImporter &body, ScalarBuilder &scalars, const hir::Tensor &tensor) {
  SmallVector<OpFoldResult> sizes, strides;
  SmallVector<Value> extents;
  for (const hir::Expr *extent : tensor.extents) {
    sizes.push_back(body.importSize(extent));
    extents.push_back(body.importExpr(extent));
  }
  for (const hir::Expr *stride : tensor.strides)
    strides.push_back(body.importSize(stride));
  Location loc = body.at(tensor.range);
  if (tensor.strides.empty()) { // row-major
    Value stride = scalars.index(1);
    for (Value extent : llvm::reverse(extents)) {
      std::optional<int64_t> constant = ScalarBuilder::constantValue(stride);
      strides.push_back(constant ? OpFoldResult(scalars.builder.getIndexAttr(*constant)) : stride);
      stride = scalars.mulI(stride, extent);
    }
    std::reverse(strides.begin(), strides.end());
  }
  Value global = tile::GlobalOp::create(scalars.builder, loc, body.get(&tensor), sizes, strides);
  body.define(&tensor, global);
}

SmallVector<Value> importGridExtents(BodyImporter &body, const hir::Kernel &kernel) {
  body.importList(kernel.prologue);
  return body.importExprs(kernel.gridExtents);
}

SmallVector<int64_t> clusterOf(const hir::Kernel &kernel) {
  SmallVector<int64_t> cluster(ArrayRef<int64_t>(kernel.cluster));
  if (!cluster.empty())
    cluster.resize(kernel.gridExtents.size(), 1);
  return cluster;
}

tile::KernelOp importKernel(const ImportContext &context, OpBuilder &builder, const hir::Kernel &kernel) {
  MLIRContext *mlirContext = builder.getContext();
  SmallVector<Argument> arguments = collectArguments(kernel, mlirContext);
  auto types = llvm::map_to_vector(arguments, [](const Argument &argument) { return argument.type; });
  auto op =
      tile::KernelOp::create(builder, UnknownLoc::get(mlirContext), getKernelSymbol(context.program, kernel),
                             builder.getFunctionType(types, {}));
  Block &entry = op.getBody().front();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&entry);
  ScalarBuilder scalars(builder, &entry, context.options.contract);
  BodyImporter body(scalars, context.sources);
  Location loc = body.at(kernel.range);
  op->setLoc(loc);

  for (auto [i, argument] : llvm::enumerate(arguments)) {
    BlockArgument value = entry.getArgument(i);
    value.setLoc(body.at(argument.range));
    body.define(argument.key, value);
    op.setArgAttr(i, tile::kNameAttr, builder.getStringAttr(argument.name));
    if (argument.access)
      op.setArgAttr(i, tile::kAccessAttr,
                    tile::AccessModeAttr::get(mlirContext, accessMode(*argument.access)));
  }
  for (const hir::Param &param : kernel.params)
    if (param.tensor)
      importTensor(body, scalars, *param.tensor);

  SmallVector<Value> extents = importGridExtents(body, kernel);
  auto grid = tile::GridOp::create(builder, loc, extents, kernel.threads);
  if (SmallVector<int64_t> cluster = clusterOf(kernel); !cluster.empty())
    grid.setCluster(cluster);
  grid.setPersistent(kernel.persistent);
  if (kernel.raster.panel > 0)
    grid.setRasterAttr(tile::RasterAttr::get(mlirContext, kernel.raster.panel,
                                             kernel.raster.columnOrder ? tile::RasterOrder::Column
                                                                       : tile::RasterOrder::Row));
  tile::ReturnOp::create(builder, loc);

  builder.setInsertionPoint(grid.getBody()->getTerminator());
  for (auto [variable, index] : llvm::zip_equal(kernel.blockIndices, grid.getBlockIndices())) {
    index.setLoc(body.at(variable->range));
    body.define(variable, index);
  }
  // The launch program has checked the facts; in here they may be relied on.
  for (const hir::Fact &fact : kernel.facts) {
    Value condition = body.importExpr(fact.condition);
    if (!ScalarBuilder::isTrue(condition))
      tile::AssumeOp::create(builder, body.at(fact.condition->range), condition);
  }
  body.importList(kernel.body);
  return op;
}

} // namespace tilec::frontend
