//===- TileToNVVM.cpp - convert-tile-to-nvvm --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two steps for each kernel: KernelEmitter writes the program of one thread over arith, math, scf and llvm;
// upstream's conversions then bring arith, math and scf to llvm.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ScalarOps.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tilec/Conversion/TileToNVVM/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_CONVERTTILETONVVMPASS
#include "tilec/Conversion/TileToNVVM/Passes.h.inc"

using namespace tile;

/// The function of a kernel, empty.
static LLVM::LLVMFuncOp createFunction(KernelOp kernel, gpu::GPUModuleOp module) {
  MLIRContext *context = kernel.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> inputs;
  for (Type type : kernel.getArgumentTypes())
    inputs.push_back(isa<PtrType>(type) ? LLVM::LLVMPointerType::get(context, 1)
                                        : lowering::convertScalarType(type));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), inputs);
  auto function = LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernel.getSymName(), type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  int32_t threads = kernel.getGrid().getThreads();
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), builder.getDenseI32ArrayAttr({threads, 1, 1}));
  for (auto [index, argument] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto pointer = dyn_cast<PtrType>(argument);
    if (!pointer)
      continue;
    int64_t align = std::max<int64_t>(storageBits(pointer.getElementType()) / 8, 1);
    if (auto proved = kernel.getArgAttrOfType<IntegerAttr>(index, kAlignAttr))
      align = std::max(align, proved.getInt());
    function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(align));
    auto access = kernel.getArgAttrOfType<AccessModeAttr>(index, kAccessAttr);
    if (access.getValue() != AccessMode::In)
      continue;
    // Nobody writes it while the kernel runs. What is written gets no `noalias`, although it shares no
    // element with another parameter: LLVM takes memory behind such a pointer that never leaves the function
    // as the thread's own, and forwards loads and stores across barriers.
    function.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
    function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  }
  return function;
}

/// arith, math and scf to llvm, in one function.
static LogicalResult lowerScalars(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  {
    RewritePatternSet patterns(context);
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect>();
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(module, target, std::move(patterns), config)))
      return failure();
  }
  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<gpu::GPUModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

namespace {
struct ConvertTileToNVVMPass : impl::ConvertTileToNVVMPassBase<ConvertTileToNVVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
    if (kernels.empty())
      return;
    auto target = module->getAttrOfType<TargetAttr>(kTargetAttr);
    const ArchInfo *arch = target ? ArchInfo::find(target.getChip()) : nullptr;
    if (!arch) {
      module.emitError() << (target ? "unknown target '" + target.getChip() + "'"
                                    : llvm::Twine("the module names no target: set 'tile.target'"));
      return signalPassFailure();
    }
    for (EntryOp entry : llvm::make_early_inc_range(module.getOps<EntryOp>()))
      entry.erase();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto device = gpu::GPUModuleOp::create(builder, module.getLoc(), kDeviceModuleName);
    for (KernelOp kernel : kernels) {
      LLVM::LLVMFuncOp function = createFunction(kernel, device);
      if (failed(lowering::KernelEmitter(kernel, function, *arch).run()))
        return signalPassFailure();
      kernel.erase();
    }
    if (failed(lowerScalars(device)))
      return signalPassFailure();
    module->setAttr(kStageAttr, builder.getStringAttr("nvvm"));
  }
};
} // namespace

} // namespace tilec
