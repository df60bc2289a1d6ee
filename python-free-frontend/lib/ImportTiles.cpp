//===- ImportTiles.cpp - tiles and what moves and folds them -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tiles, tensors and windows are references to memory; a fragment is a value, so writing one means
// giving its slot a new value. Ops on whole tiles work on fragments: a shared operand is loaded before and
// stored after.
//
//===----------------------------------------------------------------------===//
#include "ImportBody.h"

namespace tilec::frontend {

using namespace mlir;

static bool isFragment(const hir::Object *object) { return object->kind == hir::ObjectKind::Fragment; }

static tile::ObjectTypeInterface objectType(Value value) {
  return cast<tile::ObjectTypeInterface>(value.getType());
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static tile::SwizzleAttr swizzleAttr(hir::Swizzle swizzle, MLIRContext *context) {
  switch (swizzle) {
  case hir::Swizzle::Unset:
    return {};
  case hir::Swizzle::None:
    return tile::SwizzleAttr::get(context, tile::Swizzle::None);
  case hir::Swizzle::B32:
    return tile::SwizzleAttr::get(context, tile::Swizzle::B32);
  case hir::Swizzle::B64:
    return tile::SwizzleAttr::get(context, tile::Swizzle::B64);
  case hir::Swizzle::B128:
    return tile::SwizzleAttr::get(context, tile::Swizzle::B128);
  }
  llvm_unreachable("unknown swizzle");
}

void BodyImporter::importTileDecl(const hir::TileDecl *decl) {
  const hir::Tile *declared = decl->tile;
  Value init = decl->init ? importExpr(decl->init) : Value();
  Location loc = at(decl->range);
  StringAttr name = builder.getStringAttr(declared->name);
  if (isFragment(declared)) {
    auto type = tile::FragmentType::get(builder.getContext(), declared->extents, elementTypeOf(declared));
    return slots.define(declared, tile::FragmentOp::create(builder, loc, type, init, name));
  }
  auto type = tile::SharedType::get(builder.getContext(), declared->extents, elementTypeOf(declared));
  auto shared = tile::SharedOp::create(builder, loc, TypeRange{type}, ValueRange());
  shared.setNameAttr(name);
  if (auto swizzle = swizzleAttr(declared->swizzle, builder.getContext()))
    shared.setSwizzleAttr(swizzle);
  slots.define(declared, shared);
  if (init) {
    SmallVector<Value> zeros(declared->extents.size(), scalars.index(0));
    tile::FillOp::create(builder, loc, init, shared, zeros, declared->extents);
  }
}

void BodyImporter::importWindowDecl(const hir::WindowDecl *decl) {
  const hir::Window *window = decl->window;
  SmallVector<Value> offsets;
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> drop;
  for (auto [axis, item] : llvm::enumerate(window->items)) {
    offsets.push_back(importExpr(item.offset));
    if (!item.length)
      drop.push_back(axis);
    sizes.push_back(item.length ? importSize(item.length) : OpFoldResult(builder.getIndexAttr(1)));
    // A negative length counts as 0.
    if (std::optional<int64_t> size = getConstantIntValue(sizes.back()); size && *size < 0)
      sizes.back() = builder.getIndexAttr(0);
  }
  Location loc = at(decl->range);
  slots.define(window, tile::WindowOp::create(builder, loc, slots.get(window->base), offsets, sizes, drop));
}

void BodyImporter::importViewDecl(const hir::ViewDecl *decl) {
  const hir::SharedView *view = decl->view;
  SmallVector<Value> offsets;
  SmallVector<int64_t> extents, drop;
  const int64_t *kept = view->extents.data();
  for (auto [axis, item] : llvm::enumerate(view->items)) {
    offsets.push_back(importExpr(item.offset));
    if (!item.length)
      drop.push_back(axis);
    extents.push_back(item.length ? *kept++ : 1);
  }
  Location loc = at(decl->range);
  slots.define(view, tile::SubviewOp::create(builder, loc, slots.get(view->base), offsets, extents, drop));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void BodyImporter::importElementWrite(const hir::ElementWrite *stmt) {
  SmallVector<Value> indices = importExprs(stmt->indices);
  Value value = importExpr(stmt->value);
  Value object = slots.get(stmt->object);
  Location loc = at(stmt->range);
  if (inParallel)
    tile::WriteOp::create(builder, loc, value, object, indices, /*in_bounds=*/false);
  else if (isFragment(stmt->object))
    slots.set(stmt->object, tile::InsertOp::create(builder, loc, value, object, indices));
  else
    tile::WriteScalarOp::create(builder, loc, value, object, indices);
}

static tile::UpdateKind updateKind(hir::UpdateOp op) {
  switch (op) {
  case hir::UpdateOp::Add:
    return tile::UpdateKind::Add;
  case hir::UpdateOp::Sub:
    return tile::UpdateKind::Sub;
  case hir::UpdateOp::Mul:
    return tile::UpdateKind::Mul;
  case hir::UpdateOp::Div:
    return tile::UpdateKind::Div;
  case hir::UpdateOp::Max:
    return tile::UpdateKind::Max;
  case hir::UpdateOp::Min:
    return tile::UpdateKind::Min;
  }
  llvm_unreachable("unknown update");
}

void BodyImporter::importElementUpdate(const hir::ElementUpdate *stmt) {
  SmallVector<Value> indices = importExprs(stmt->indices);
  Value value = importExpr(stmt->value);
  tile::UpdateOp::create(builder, at(stmt->range), updateKind(stmt->op), value, slots.get(stmt->object),
                         indices, /*in_bounds=*/false);
}

static tile::AtomicKind atomicKind(hir::AtomicOp op) {
  switch (op) {
  case hir::AtomicOp::Add:
    return tile::AtomicKind::Add;
  case hir::AtomicOp::Max:
    return tile::AtomicKind::Max;
  case hir::AtomicOp::Min:
    return tile::AtomicKind::Min;
  }
  llvm_unreachable("unknown atomic");
}

void BodyImporter::importElementAtomic(const hir::ElementAtomic *stmt) {
  SmallVector<Value> indices = importExprs(stmt->indices);
  Value value = importExpr(stmt->value);
  tile::AtomicOp::create(builder, at(stmt->range), atomicKind(stmt->op), value, slots.get(stmt->object),
                         indices);
}

void BodyImporter::importPrint(const hir::Print *print) {
  SmallVector<Value> args;
  SmallVector<bool> isUnsigned;
  for (const hir::Expr *arg : print->args) {
    Value value = importExpr(arg);
    at(arg->range);
    // %.9g prints every narrower float exactly.
    if (isFloat(arg->type) && arg->type != ScalarType::F64)
      value = scalars.cast(value, arg->type, ScalarType::F32);
    args.push_back(value);
    isUnsigned.push_back(classOf(arg->type) == ScalarClass::Unsigned);
  }
  DenseBoolArrayAttr unsignedArgs;
  if (llvm::is_contained(isUnsigned, true))
    unsignedArgs = builder.getDenseBoolArrayAttr(isUnsigned);
  tile::PrintOp::create(builder, at(print->range), print->text, args, unsignedArgs);
}

//===----------------------------------------------------------------------===//
// Whole tiles and regions as fragments
//===----------------------------------------------------------------------===//

Value BodyImporter::convert(Value fragment, Type element) {
  auto type = cast<tile::FragmentType>(fragment.getType());
  if (type.getElementType() == element)
    return fragment;
  return tile::ConvertOp::create(builder, scalars.loc,
                                 tile::FragmentType::get(builder.getContext(), type.getShape(), element),
                                 fragment);
}

Value BodyImporter::reshape(Value fragment, ArrayRef<int64_t> shape) {
  auto type = cast<tile::FragmentType>(fragment.getType());
  if (type.getShape() == shape)
    return fragment;
  return tile::ReshapeOp::create(builder, scalars.loc,
                                 tile::FragmentType::get(builder.getContext(), shape, type.getElementType()),
                                 fragment);
}

Value BodyImporter::readTile(const hir::Object *object) {
  Value value = slots.get(object);
  if (isFragment(object))
    return value;
  ArrayRef<int64_t> shape = objectType(value).getShape();
  SmallVector<Value> zeros(shape.size(), scalars.index(0));
  auto type = tile::FragmentType::get(builder.getContext(), shape, elementTypeOf(object));
  return tile::LoadOp::create(builder, scalars.loc, type, value, zeros, shape);
}

void BodyImporter::writeTile(const hir::Object *object, Value value) {
  if (isFragment(object))
    return slots.set(object, value);
  Value memory = slots.get(object);
  ArrayRef<int64_t> shape = objectType(memory).getShape();
  SmallVector<Value> zeros(shape.size(), scalars.index(0));
  tile::StoreOp::create(builder, scalars.loc, value, memory, zeros, shape);
}

/// The extents of a fragment that holds a region: unit ones that were plain indices vanish.
static SmallVector<int64_t> fragmentShape(const hir::Region &region) {
  std::vector<int64_t> shape = region.tileShape();
  if (shape.empty())
    shape.push_back(1);
  return SmallVector<int64_t>(shape.begin(), shape.end());
}

Value BodyImporter::readFragmentRegion(const hir::Region &region, ArrayRef<Value> offsets) {
  Value fragment = slots.get(region.object);
  if (region.isWhole())
    return fragment;
  auto type =
      tile::FragmentType::get(builder.getContext(), fragmentShape(region), elementTypeOf(region.object));
  return tile::ExtractSliceOp::create(builder, scalars.loc, type, fragment, offsets, region.extents);
}

void BodyImporter::writeFragmentRegion(const hir::Region &region, ArrayRef<Value> offsets, Value value) {
  Value fragment = slots.get(region.object);
  if (region.isWhole())
    value = reshape(value, objectType(fragment).getShape());
  else
    value = tile::InsertSliceOp::create(builder, scalars.loc, fragment.getType(), value, fragment, offsets,
                                        region.extents);
  slots.set(region.object, value);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// `pad`, of the destination's loaded type, in the source's type, if converting that back gives `pad` again.
Value BodyImporter::exactPad(Value pad, ScalarType from, ScalarType to) {
  from = loadedType(from);
  to = loadedType(to);
  if (widensTo(from, to))
    return scalars.cast(pad, from, to);
  auto constant = pad.getDefiningOp<arith::ConstantOp>();
  if (!constant || !isFloat(from) || !isFloat(to))
    return {};
  auto type = cast<FloatType>(scalars.type(to));
  APFloat narrow = cast<FloatAttr>(constant.getValue()).getValue(), wide = narrow;
  bool inexact = false;
  narrow.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  if (inexact || wide.isInfinity() != narrow.isInfinity())
    return {};
  return scalars.constant(FloatAttr::get(type, narrow));
}

/// Loads the source of a copy into a fragment of the given shape and of the destination's element type.
Value BodyImporter::loadForCopy(const hir::Copy *copy, ArrayRef<Value> offsets, Value pad,
                                ArrayRef<int64_t> shape) {
  const hir::Region &source = copy->source;
  MLIRContext *context = builder.getContext();
  Type element = elementTypeOf(copy->dest.object);
  Value memory = slots.get(source.object);
  Value sourcePad = pad ? exactPad(pad, copy->dest.object->element, source.object->element) : Value();
  if (pad && !sourcePad) {
    // The source's type cannot say the pad: tile.copy pads after converting, and its destination is memory.
    SmallVector<int64_t> extents(source.extents.begin(), source.extents.end());
    SmallVector<Value> zeros(extents.size(), scalars.index(0));
    Value staging = tile::SharedOp::create(
        builder, scalars.loc, TypeRange{tile::SharedType::get(context, extents, element)}, ValueRange());
    tile::CopyOp::create(builder, scalars.loc, memory, offsets, source.extents, staging, zeros, extents, pad);
    return tile::LoadOp::create(builder, scalars.loc, tile::FragmentType::get(context, shape, element),
                                staging, zeros, extents);
  }
  auto type = tile::FragmentType::get(context, shape, elementTypeOf(source.object));
  return convert(tile::LoadOp::create(builder, scalars.loc, type, memory, offsets, source.extents, sourcePad),
                 element);
}

void BodyImporter::importCopy(const hir::Copy *copy) {
  const hir::Region &source = copy->source, &dest = copy->dest;
  SmallVector<Value> sourceOffsets = importExprs(source.offsets), destOffsets = importExprs(dest.offsets);
  Value pad = copy->pad ? importExpr(copy->pad) : Value();
  Location loc = at(copy->range);

  if (!isFragment(source.object) && !isFragment(dest.object)) {
    tile::CopyOp::create(builder, loc, slots.get(source.object), sourceOffsets, source.extents,
                         slots.get(dest.object), destOffsets, dest.extents, pad);
    return;
  }
  if (!isFragment(source.object))
    return writeFragmentRegion(dest, destOffsets, loadForCopy(copy, sourceOffsets, pad, fragmentShape(dest)));

  Value value = convert(readFragmentRegion(source, sourceOffsets), elementTypeOf(dest.object));
  if (isFragment(dest.object))
    return writeFragmentRegion(dest, destOffsets, value);
  tile::StoreOp::create(builder, loc, value, slots.get(dest.object), destOffsets, dest.extents);
}

void BodyImporter::importFill(const hir::Fill *fill) {
  const hir::Region &target = fill->target;
  SmallVector<Value> offsets = importExprs(target.offsets);
  Value value = importExpr(fill->value);
  Location loc = at(fill->range);
  Value object = slots.get(target.object);
  if (!isFragment(target.object)) {
    tile::FillOp::create(builder, loc, value, object, offsets, target.extents);
    return;
  }
  auto type =
      tile::FragmentType::get(builder.getContext(), fragmentShape(target), elementTypeOf(target.object));
  Value filled = tile::FragmentOp::create(builder, loc, type, value, /*name=*/StringAttr());
  writeFragmentRegion(target, offsets, filled);
}

void BodyImporter::importRegionAtomic(const hir::RegionAtomic *atomic) {
  const hir::Region &target = atomic->target, &operand = atomic->tile;
  SmallVector<Value> offsets = importExprs(target.offsets);
  Value value;
  if (atomic->value) {
    value = importExpr(atomic->value);
  } else {
    SmallVector<Value> operandOffsets = importExprs(operand.offsets);
    at(atomic->range);
    if (isFragment(operand.object)) {
      value = readFragmentRegion(operand, operandOffsets);
    } else {
      auto type = tile::FragmentType::get(builder.getContext(), fragmentShape(operand),
                                          elementTypeOf(operand.object));
      value = tile::LoadOp::create(builder, scalars.loc, type, slots.get(operand.object), operandOffsets,
                                   operand.extents);
    }
    value = convert(value, elementTypeOf(target.object));
  }
  tile::AtomicTileOp::create(builder, at(atomic->range), atomicKind(atomic->op), value,
                             slots.get(target.object), offsets, target.extents);
}

//===----------------------------------------------------------------------===//
// Computing with whole tiles
//===----------------------------------------------------------------------===//

static tile::WarpPolicyAttr warpPolicy(hir::WarpShape warps, MLIRContext *context) {
  switch (warps) {
  case hir::WarpShape::Unset:
    return {};
  case hir::WarpShape::Square:
    return tile::WarpPolicyAttr::get(context, tile::WarpPolicy::Square);
  case hir::WarpShape::Rows:
    return tile::WarpPolicyAttr::get(context, tile::WarpPolicy::Rows);
  case hir::WarpShape::Cols:
    return tile::WarpPolicyAttr::get(context, tile::WarpPolicy::Cols);
  }
  llvm_unreachable("unknown warp shape");
}

void BodyImporter::importGemm(const hir::Gemm *gemm) {
  Location loc = at(gemm->range);
  Value acc = slots.get(gemm->c);
  auto op = tile::GemmOp::create(builder, loc, acc.getType(), slots.get(gemm->a), slots.get(gemm->b), acc);
  op.setTransA(gemm->transA);
  op.setTransB(gemm->transB);
  if (auto warps = warpPolicy(gemm->warps, builder.getContext()))
    op.setWarpsAttr(warps);
  slots.set(gemm->c, op.getResult());
}

static tile::ReduceKind reduceKind(hir::ReduceOp op) {
  switch (op) {
  case hir::ReduceOp::Max:
    return tile::ReduceKind::Max;
  case hir::ReduceOp::Min:
    return tile::ReduceKind::Min;
  case hir::ReduceOp::Sum:
    return tile::ReduceKind::Sum;
  case hir::ReduceOp::AbsMax:
    return tile::ReduceKind::AbsMax;
  case hir::ReduceOp::Prod:
    return tile::ReduceKind::Prod;
  }
  llvm_unreachable("unknown reduction");
}

void BodyImporter::importReduce(const hir::Reduce *reduce) {
  Location loc = at(reduce->range);
  Value source = readTile(reduce->source);
  SmallVector<int64_t> shape(objectType(source).getShape());
  ArrayRef<int64_t> destShape = objectType(slots.get(reduce->dest)).getShape();
  int64_t axis = reduce->axis;
  if (shape.size() == 1) { // a fragment has rank 1 at least
    shape.insert(shape.begin(), 1);
    source = reshape(source, shape);
    axis = 1;
  }
  SmallVector<int64_t> reduced(shape);
  reduced.erase(reduced.begin() + axis);
  Value init = reduce->accumulate ? reshape(readTile(reduce->dest), reduced) : Value();
  bool ordered = reduce->op == hir::ReduceOp::Max || reduce->op == hir::ReduceOp::Min ||
                 reduce->op == hir::ReduceOp::AbsMax;
  auto type = tile::FragmentType::get(builder.getContext(), reduced, elementTypeOf(reduce->dest));
  Value result = tile::ReduceOp::create(builder, loc, type, reduceKind(reduce->op), source, init, axis,
                                        /*nan_propagate=*/ordered && reduce->propagateNan);
  writeTile(reduce->dest, reshape(result, destShape));
}

void BodyImporter::importScan(const hir::Scan *scan) {
  Location loc = at(scan->range);
  auto kind = scan->op == hir::ScanOp::Sum ? tile::ScanKind::Sum : tile::ScanKind::Max;
  Value result = tile::ScanOp::create(builder, loc, kind, readTile(scan->object),
                                      static_cast<int64_t>(scan->axis), scan->reverse,
                                      /*nan_propagate=*/false);
  writeTile(scan->object, result);
}

void BodyImporter::importTranspose(const hir::Transpose *transpose) {
  Location loc = at(transpose->range);
  Value source = readTile(transpose->source);
  auto type = cast<tile::FragmentType>(source.getType());
  SmallVector<int64_t> shape(llvm::reverse(type.getShape()));
  Value result = tile::TransposeOp::create(
      builder, loc, tile::FragmentType::get(builder.getContext(), shape, type.getElementType()), source);
  writeTile(transpose->dest, convert(result, elementTypeOf(transpose->dest)));
}

} // namespace tilec::frontend
