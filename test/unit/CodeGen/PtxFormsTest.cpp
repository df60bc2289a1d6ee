//===- PtxFormsTest.cpp - the table of instruction forms ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table's own consistency, the ops made from it, and, with ptxas, that every row is what the assembler of
// the least target that claims it accepts.
//
//===----------------------------------------------------------------------===//

#include "TestModules.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "tilec/CodeGen/PtxFormOps.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;

namespace {

TEST(PtxForms, NumbersAndNamesAreUnique) {
  llvm::StringSet<> callees;
  const PtxForm *previous = nullptr;
  for (const PtxForm &form : PtxForm::all()) {
    if (previous)
      EXPECT_LT(previous->number(), form.number()) << form.name.str();
    previous = &form;
    EXPECT_EQ(PtxForm::find(form.number()), &form);
    EXPECT_EQ(&PtxForm::get(form.id), &form);
    EXPECT_FALSE(form.twin.empty());
    if (form.kind == PtxKind::Asm) {
      EXPECT_EQ(PtxForm::findAsm(form.taggedText()), &form);
      EXPECT_EQ(PtxForm::findCallee(form.text), nullptr);
    } else {
      EXPECT_TRUE(callees.insert(form.text).second) << form.text.str();
      EXPECT_EQ(PtxForm::findCallee(form.text), &form);
    }
  }
  EXPECT_EQ(PtxForm::find(0), nullptr);
  EXPECT_EQ(PtxForm::find(99999), nullptr);
}

/// Every operand number of the text exists, and tied operands name a result of their own type.
TEST(PtxForms, SignaturesFitTheirTexts) {
  for (const PtxForm &form : PtxForm::all()) {
    PtxSignature signature = form.signature();
    for (const PtxType &type : signature.operands)
      if (type.tiedTo >= 0) {
        ASSERT_LT(size_t(type.tiedTo), signature.results.size()) << form.name.str();
        EXPECT_EQ(signature.results[type.tiedTo].kind, type.kind) << form.name.str();
      }
    if (form.kind != PtxKind::Asm)
      continue;
    size_t total = signature.results.size() + signature.operands.size();
    for (size_t i = 0; i < total; ++i) {
      bool tied =
          i >= signature.results.size() && signature.operands[i - signature.results.size()].tiedTo >= 0;
      EXPECT_EQ(form.text.contains("$" + std::to_string(i)), !tied) << form.name.str() << " operand " << i;
    }
    EXPECT_FALSE(form.text.contains("$" + std::to_string(total))) << form.name.str();
    EXPECT_TRUE(form.text.ends_with(";")) << form.name.str();
    // PTX says itself whether all threads of a warp must be there.
    if (form.text.contains(".aligned") || form.text.contains(".sync"))
      EXPECT_TRUE(form.isConvergent()) << form.name.str();
  }
}

TEST(PtxForms, Constraints) {
  EXPECT_EQ(PtxForm::get(PtxFormId::LdNcV4B32).constraints(), "=r,=r,=r,=r,l");
  EXPECT_EQ(PtxForm::get(PtxFormId::LdNcV2B32Pred).constraints(), "=r,=r,l,b,0,1");
  EXPECT_EQ(PtxForm::get(PtxFormId::StGlobalB16Pred).constraints(), "l,b,h");
  EXPECT_EQ(PtxForm::get(PtxFormId::LdSharedV2B32Pred).constraints(), "=r,=r,l,b,0,1");
  EXPECT_EQ(PtxForm::get(PtxFormId::Tanh).constraints(), "=f,f");
  EXPECT_FALSE(PtxForm::get(PtxFormId::Tanh).hasSideEffectFlag());
  EXPECT_FALSE(PtxForm::get(PtxFormId::LdNcV4B32).hasSideEffectFlag());
  EXPECT_TRUE(PtxForm::get(PtxFormId::LdGlobalB32Pred).hasSideEffectFlag());
  EXPECT_TRUE(PtxForm::get(PtxFormId::StGlobalB32Pred).hasSideEffectFlag());
}

TEST(PtxForms, TagsMustBeExact) {
  EXPECT_EQ(PtxForm::findAsm("tanh.approx.f32 $0, $1;"), nullptr);
  EXPECT_EQ(PtxForm::findAsm("/* tile:116 */ tanh.approx.f32 $0, $1; "), nullptr);
  EXPECT_EQ(PtxForm::findAsm("/* tile:99999 */ tanh.approx.f32 $0, $1;"), nullptr);
  EXPECT_EQ(PtxForm::findAsm("/* tile:x */ tanh.approx.f32 $0, $1;"), nullptr);
  // An intrinsic's number is no asm's.
  EXPECT_EQ(PtxForm::findAsm("/* tile:100 */ llvm.nvvm.ex2.approx.ftz.f32"), nullptr);
}

/// A gpu.module with one kernel a form: operands are parameters, results are stored.
mlir::OwningOpRef<mlir::Operation *> makeModule(mlir::MLIRContext &context,
                                                llvm::ArrayRef<const PtxForm *> forms) {
  mlir::OpBuilder builder(&context);
  mlir::Location loc = mlir::FileLineColLoc::get(&context, "forms.tile", 1, 1);
  auto module = mlir::gpu::GPUModuleOp::create(builder, loc, "forms");
  for (const PtxForm *form : forms) {
    builder.setInsertionPointToEnd(module.getBody());
    PtxSignature signature = form->signature();
    llvm::SmallVector<mlir::Type> types;
    for (PtxType type : signature.operands)
      types.push_back(getPtxMlirType(&context, type));
    types.push_back(getPtxMlirType(&context, {PtxType::GlobalPtr}));
    auto type = mlir::LLVM::LLVMFunctionType::get(mlir::LLVM::LLVMVoidType::get(&context), types);
    auto kernel = mlir::LLVM::LLVMFuncOp::create(builder, loc, ("form_" + form->name).str(), type);
    kernel->setAttr("nvvm.kernel", builder.getUnitAttr());
    mlir::Block *entry = kernel.addEntryBlock(builder);
    builder.setInsertionPointToStart(entry);
    mlir::Location line = mlir::FileLineColLoc::get(&context, "forms.tile", form->number(), 1);
    auto results = createPtxForm(builder, line, form->id, entry->getArguments().drop_back());
    for (auto [index, result] : llvm::enumerate(results)) {
      mlir::Value address = mlir::LLVM::GEPOp::create(builder, line, entry->getArguments().back().getType(),
                                                      builder.getI64Type(), entry->getArguments().back(),
                                                      llvm::ArrayRef<mlir::LLVM::GEPArg>{int32_t(index)});
      mlir::LLVM::StoreOp::create(builder, line, result, address);
    }
    mlir::LLVM::ReturnOp::create(builder, line, mlir::ValueRange());
  }
  EXPECT_TRUE(mlir::succeeded(mlir::verify(module)));
  return module.getOperation();
}

TEST(PtxForms, OpsHaveTheKindsAndTypesOfTheirRows) {
  auto context = makeContext();
  auto module = makeModule(*context, {&PtxForm::get(PtxFormId::LdNcV4B32), &PtxForm::get(PtxFormId::Ex2Ftz),
                                      &PtxForm::get(PtxFormId::VPrintf)});
  std::vector<std::string> seen;
  module->walk([&](mlir::Operation *op) {
    if (auto assembly = llvm::dyn_cast<mlir::LLVM::InlineAsmOp>(op)) {
      EXPECT_EQ(assembly.getAsmString(), "/* tile:30 */ ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4];");
      EXPECT_FALSE(assembly.getHasSideEffects());
      seen.push_back("asm");
    } else if (auto intrinsic = llvm::dyn_cast<mlir::LLVM::CallIntrinsicOp>(op)) {
      EXPECT_EQ(intrinsic.getIntrin(), "llvm.nvvm.ex2.approx.ftz.f32");
      seen.push_back("intrinsic");
    } else if (auto call = llvm::dyn_cast<mlir::LLVM::CallOp>(op)) {
      EXPECT_EQ(call.getCallee().value_or(""), "vprintf");
      seen.push_back("call");
    }
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"asm", "intrinsic", "call"}));
}

/// The selectable chip with the lowest number that has the form; null for what no selectable one has.
const ArchInfo *leastTarget(const PtxForm &form) {
  for (const ArchInfo &arch : ArchInfo::all())
    if (!arch.isPtxOnly() && arch.selectable && form.isAvailableOn(arch))
      return &arch;
  return nullptr;
}

TEST(PtxForms, EveryRowAssemblesForItsLeastTarget) {
  if (!toolchain())
    GTEST_SKIP() << "no CUDA Toolkit";
  for (const ArchInfo &arch : ArchInfo::all()) {
    if (!arch.selectable)
      continue;
    llvm::SmallVector<const PtxForm *> forms;
    // The newest chip gets all it claims to have, since instructions are also removed.
    for (const PtxForm &form : PtxForm::all())
      if (leastTarget(form) == &arch || (arch.name == "sm_120" && form.isAvailableOn(arch)))
        forms.push_back(&form);
    if (forms.empty())
      continue;
    auto context = makeContext();
    auto module = makeModule(*context, forms);
    CodeGenLog log;
    std::optional<DeviceImage> image = compileToPtx(*module, arch, {}, log);
    ASSERT_TRUE(image) << text(log);
    EXPECT_EQ(image->kernels.size(), forms.size());
    EXPECT_TRUE(assemble(*image, *toolchain(), {}, log)) << text(log);
    for (const PtxForm *form : forms) {
      llvm::StringRef body =
          llvm::StringRef(image->ptx).split(("entry form_" + form->name + "(").str()).second;
      body = body.split("\n}\n").first;
      if (form->kind == PtxKind::Asm)
        EXPECT_TRUE(body.contains(("/* tile:" + llvm::Twine(form->number()) + " */").str())) << body.str();
      // An intrinsic that LLVM cannot select for this target would have become a call.
      EXPECT_EQ(body.contains("call"), form->kind == PtxKind::Function) << body.str();
    }
  }
}

TEST(PtxForms, EveryRowHasATarget) {
  for (const PtxForm &form : PtxForm::all())
    EXPECT_NE(leastTarget(form), nullptr) << form.name.str();
}

} // namespace
