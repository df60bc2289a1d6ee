//===- EmitShared.cpp - shared tiles and their regions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared memory of a block is one external symbol whose size the launch states; a tile is an offset in
// it, a region the coordinates at which it begins. SharedAddresses.h says where coordinates are.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

/// The symbol of all shared memory of the block, as its size is known to the launch only.
static constexpr StringLiteral kSharedSymbol = "tilec_shared";
/// Swizzles repeat every 1024 bytes (PTX ISA, "Shared memory matrix layout").
static constexpr uint64_t sharedAlignment = 1024;

static LogicalResult verifyLayout(SharedOp shared) {
  Attribute layout = shared.getType().getLayout();
  if (isa_and_present<StridedAttr>(layout))
    return success();
  auto panels = dyn_cast_if_present<PanelsAttr>(layout);
  if (!panels)
    return shared.emitOpError("has no lowering to stage nvvm: its layout is not one of shared memory");
  int64_t rowBits = panels.getWidth() * storageBits(shared.getType().getElementType());
  int64_t swizzle = static_cast<int64_t>(panels.getSwizzle());
  if (swizzle && rowBits != swizzle * 8)
    return shared.emitOpError() << "has no lowering to stage nvvm: rows of " << rowBits / 8
                                << " bytes are not swizzled by " << swizzle;
  return success();
}

LogicalResult KernelEmitter::emitShared(SharedOp shared) {
  Location loc = shared.getLoc();
  if (!shared.getOffset())
    return shared.emitOpError("has no lowering to stage nvvm: it has no place in shared memory");
  if (failed(verifyLayout(shared)))
    return failure();
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  if (!module.lookupSymbol(kSharedSymbol)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::GlobalOp::create(top, module.getLoc(), LLVM::LLVMArrayType::get(top.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External, kSharedSymbol, Attribute(),
                           sharedAlignment, /*addrSpace=*/3);
  }
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  MemoryView view;
  view.pointer = LLVM::AddressOfOp::create(builder, loc, pointer, kSharedSymbol);
  if (int64_t offset = *shared.getOffset())
    view.pointer = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), view.pointer,
                                       ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  view.root = shared.getType();
  view.element = view.root.getElementType();
  for (unsigned dim = 0, rank = view.root.getRank(); dim < rank; ++dim) {
    view.dims.push_back({OpFoldResult(), {}, dim});
    view.origin.push_back(Value());
  }
  views[shared.getResult().getAsOpaquePointer()] = std::move(view);
  return success();
}

void KernelEmitter::emitSubview(SubviewOp subview) {
  Location loc = subview.getLoc();
  const MemoryView &base = getView(subview.getBase());
  MemoryView view = base;
  view.dims.clear();
  for (auto [dim, baseDim] : llvm::enumerate(base.dims)) {
    Value &origin = view.origin[baseDim.rootDim];
    Value offset = lookup(subview.getOffsets()[dim]);
    origin = origin ? arith::AddIOp::create(builder, loc, origin, offset).getResult() : offset;
    if (!llvm::is_contained(subview.getDrop(), dim))
      view.dims.push_back(baseDim);
  }
  views[subview.getResult().getAsOpaquePointer()] = std::move(view);
}

} // namespace tilec::lowering
