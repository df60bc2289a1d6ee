//===- FormKernels.cpp - a kernel for every form --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   form-kernels FOLDER TARGET
//
// writes what run-forms needs: forms.cubin, forms.list with a line "kernel warps operandBytes resultBytes
// memoryBytes" a form, and inputs.bin with the operands and the memory of each. A kernel has the operands,
// the results and the memory of FormCases.h as parameters, and a block of one warp for every case.
//
//===----------------------------------------------------------------------===//

#include "FormCases.h"
#include "Twins.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "tilec/CodeGen/CodeGen.h"
#include "tilec/CodeGen/PtxFormOps.h"
#include <cstdio>
#include <fstream>

using namespace tilec;
using namespace tilec::record;
using namespace mlir;
using Id = PtxFormId;

namespace {
class KernelBuilder {
public:
  KernelBuilder(gpu::GPUModuleOp module, OpBuilder &builder)
      : b(builder), loc(FileLineColLoc::get(b.getContext(), "forms.tile", 1, 1)), module(module),
        i32(b.getI32Type()), i64(b.getI64Type()), global(LLVM::LLVMPointerType::get(b.getContext(), 1)) {
    b.setInsertionPointToEnd(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), sharedBytes);
    shared = LLVM::GlobalOp::create(b, loc, bytes, /*isConstant=*/false, LLVM::Linkage::Internal, "shared",
                                    Attribute(), /*alignment=*/16, /*addrSpace=*/3);
  }

  void build(const PtxForm &form) {
    const PtxSignature signature = form.signature();
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), {global, global, global});
    b.setInsertionPointToEnd(module.getBody());
    auto kernel = LLVM::LLVMFuncOp::create(b, loc, ("form_" + form.name).str(), type);
    kernel->setAttr("nvvm.kernel", b.getUnitAttr());
    Block *entry = kernel.addEntryBlock(b);
    b.setInsertionPointToStart(entry);

    Value lane = LLVM::ZExtOp::create(b, loc, i64, createPtxFormValue(b, loc, Id::TidX, {}));
    Value block = LLVM::ZExtOp::create(b, loc, i64, createPtxFormValue(b, loc, Id::CtaIdX, {}));
    Value thread = add(mul(block, 32), lane);
    globalBase = element(entry->getArgument(2), b.getI8Type(), mul(block, memoryBytes));
    sharedBase = LLVM::AddressOfOp::create(b, loc, shared);
    bool usesShared = false;
    for (PtxType operand : signature.operands)
      usesShared |= operand.kind == PtxType::SharedPtr;
    if (usesShared)
      moveShared(lane, /*toShared=*/true);

    Block *end = nullptr;
    const unsigned numOperands = signature.operands.size(), numResults = signature.results.size();
    SmallVector<Value> operands;
    for (unsigned i = 0; i < numOperands; ++i) {
      Value address = element(entry->getArgument(0), i64, add(mul(thread, numOperands), constant(i)));
      operands.push_back(fromSlot(LLVM::LoadOp::create(b, loc, i64, address), signature.operands[i]));
    }
    if (const int mask = emu::getShape(form).memberMask; mask >= 0) { // only lanes of the mask may get there
      Value bit = LLVM::TruncOp::create(b, loc, b.getI1Type(),
                                        LLVM::LShrOp::create(b, loc, operands[mask], truncated(lane)));
      Block *members = b.createBlock(&kernel.getBody());
      end = b.createBlock(&kernel.getBody());
      b.setInsertionPointToEnd(entry);
      LLVM::CondBrOp::create(b, loc, bit, members, end);
      b.setInsertionPointToEnd(members);
    }
    for (auto [i, result] : llvm::enumerate(createPtxForm(b, loc, form.id, operands))) {
      Value address = element(entry->getArgument(1), i64,
                              add(mul(thread, numResults), constant(static_cast<int64_t>(i))));
      LLVM::StoreOp::create(b, loc, toSlot(result, signature.results[i]), address);
    }
    if (form.twin == "cpAsync") {
      createPtxForm(b, loc, Id::CpAsyncCommit, {});
      createPtxForm(b, loc, Id::CpAsyncWaitAll, {});
    }
    if (end) {
      LLVM::BrOp::create(b, loc, end);
      b.setInsertionPointToEnd(end);
    }
    if (usesShared)
      moveShared(lane, /*toShared=*/false);
    LLVM::ReturnOp::create(b, loc, ValueRange());
  }

private:
  Value constant(int64_t value) { return LLVM::ConstantOp::create(b, loc, i64, value); }
  Value add(Value a, Value c) { return LLVM::AddOp::create(b, loc, a, c); }
  Value mul(Value a, int64_t factor) { return LLVM::MulOp::create(b, loc, a, constant(factor)); }
  Value truncated(Value slot) { return LLVM::TruncOp::create(b, loc, i32, slot); }
  Value element(Value base, Type type, Value index) {
    return LLVM::GEPOp::create(b, loc, base.getType(), type, base, ArrayRef<LLVM::GEPArg>{index});
  }

  /// Copies the warp's shared memory from or to the memory parameter, 16 bytes a lane, with the barriers that
  /// keep the form between both.
  void moveShared(Value lane, bool toShared) {
    Value barrier = LLVM::ConstantOp::create(b, loc, i32, 0);
    if (!toShared)
      createPtxForm(b, loc, Id::BarSync, barrier);
    for (unsigned i = 0; i < 2; ++i) {
      Value index = add(mul(lane, 2), constant(i));
      Value outside = element(globalBase, i64, add(index, constant(globalBytes / 8)));
      Value inside = element(sharedBase, i64, index);
      Value word = LLVM::LoadOp::create(b, loc, i64, toShared ? outside : inside);
      LLVM::StoreOp::create(b, loc, word, toShared ? inside : outside);
    }
    if (toShared)
      createPtxForm(b, loc, Id::BarSync, barrier);
  }

  Value fromSlot(Value slot, PtxType type) {
    Type target = getPtxMlirType(b.getContext(), type);
    switch (type.kind) {
    case PtxType::GlobalPtr:
      return element(globalBase, b.getI8Type(), slot);
    case PtxType::SharedPtr:
      return element(sharedBase, b.getI8Type(), slot);
    case PtxType::I64:
      return slot;
    case PtxType::F64:
      return LLVM::BitcastOp::create(b, loc, target, slot);
    case PtxType::F32:
    case PtxType::F16x2:
    case PtxType::BF16x2:
      return LLVM::BitcastOp::create(b, loc, target, truncated(slot));
    default:
      return LLVM::TruncOp::create(b, loc, target, slot);
    }
  }
  Value toSlot(Value value, PtxType type) {
    switch (type.kind) {
    case PtxType::I64:
      return value;
    case PtxType::F64:
      return LLVM::BitcastOp::create(b, loc, i64, value);
    case PtxType::F32:
    case PtxType::F16x2:
    case PtxType::BF16x2:
      value = LLVM::BitcastOp::create(b, loc, i32, value);
      break;
    default:
      break;
    }
    return LLVM::ZExtOp::create(b, loc, i64, value);
  }

  OpBuilder &b;
  Location loc;
  gpu::GPUModuleOp module;
  Type i32, i64, global;
  LLVM::GlobalOp shared;
  Value globalBase, sharedBase;
};

bool fail(const std::string &message, const CodeGenLog *log = nullptr) {
  fprintf(stderr, "form-kernels: %s\n", message.c_str());
  if (log)
    for (const CodeGenDiagnostic &entry : log->diagnostics)
      fprintf(stderr, "  %s\n", entry.message.c_str());
  return false;
}

bool writeFile(const std::string &path, llvm::StringRef bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file.good() || fail("cannot write '" + path + "'");
}

/// Names the intrinsics for which LLVM's optimisation writes something else that selects the same
/// instruction.
void reportReplaced(llvm::StringRef llvmText, llvm::ArrayRef<const PtxForm *> forms) {
  for (const PtxForm *form : forms) {
    llvm::StringRef body = llvmText.split(("@form_" + form->name + "(").str()).second.split("\n}\n").first;
    if (form->kind == PtxKind::Intrinsic && !body.contains(("@" + form->text + "(").str()))
      printf("replaced by LLVM: %s\n", form->name.str().c_str());
  }
}

bool run(const std::string &folder, llvm::StringRef target) {
  const ArchInfo *arch = ArchInfo::find(target);
  if (!arch)
    return fail("no target '" + target.str() + "'");
  DialectRegistry registry;
  registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registerCodeGenTranslations(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OpBuilder builder(&context);
  OwningOpRef<gpu::GPUModuleOp> module = gpu::GPUModuleOp::create(builder, builder.getUnknownLoc(), "forms");
  KernelBuilder kernels(*module, builder);
  llvm::SmallVector<const PtxForm *> forms;
  std::string list, inputs;
  for (const PtxForm &form : PtxForm::all()) {
    if (!isRecorded(form.twin))
      continue;
    if (!form.isAvailableOn(*arch))
      return fail(form.name.str() + " does not exist on this target");
    forms.push_back(&form);
    kernels.build(form);
    const FormCases cases = drawCases(form);
    list +=
        ("form_" + form.name + " " + llvm::Twine(cases.warps) + " " + llvm::Twine(cases.operands.size() * 8) +
         " " + llvm::Twine(size_t(cases.threads()) * cases.numResults * 8) + " " +
         llvm::Twine(cases.memory.size()) + "\n")
            .str();
    inputs.append(reinterpret_cast<const char *>(cases.operands.data()), cases.operands.size() * 8);
    inputs.append(reinterpret_cast<const char *>(cases.memory.data()), cases.memory.size());
  }
  if (failed(verify(*module)))
    return fail("the module is not valid");
  CodeGenLog log;
  CodeGenOptions options;
  options.keepLLVM = true;
  std::optional<DeviceImage> image = compileToPtx(*module, *arch, options, log);
  if (!image)
    return fail("no PTX", &log);
  std::optional<Toolchain> tools = findToolchain(ToolSearch::fromEnvironment(), log);
  if (!tools || !assemble(*image, *tools, {}, log))
    return fail("no cubin", &log);
  reportReplaced(image->llvm, forms);
  return writeFile(folder + "/forms.cubin", image->cubin) && writeFile(folder + "/forms.list", list) &&
         writeFile(folder + "/inputs.bin", inputs);
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: form-kernels FOLDER TARGET\n");
    return 2;
  }
  return run(argv[1], argv[2]) ? 0 : 1;
}
