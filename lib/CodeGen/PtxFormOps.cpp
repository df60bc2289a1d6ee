//===- PtxFormOps.cpp - creates LLVM dialect ops from the table of forms --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps a row of PtxForms.def to one op of the LLVM dialect. A form with several results is an op that returns
// a struct, which is taken apart here.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/PtxFormOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tilec;

Type tilec::getPtxMlirType(MLIRContext *context, PtxType type) {
  Builder builder(context);
  switch (type.kind) {
  case PtxType::I1:
    return builder.getI1Type();
  case PtxType::I16:
    return builder.getI16Type();
  case PtxType::I32:
    return builder.getI32Type();
  case PtxType::I64:
    return builder.getI64Type();
  case PtxType::F16:
    return builder.getF16Type();
  case PtxType::BF16:
    return builder.getBF16Type();
  case PtxType::F32:
    return builder.getF32Type();
  case PtxType::F64:
    return builder.getF64Type();
  case PtxType::F16x2:
    return VectorType::get({2}, builder.getF16Type());
  case PtxType::BF16x2:
    return VectorType::get({2}, builder.getBF16Type());
  case PtxType::Ptr:
    return LLVM::LLVMPointerType::get(context, 0);
  case PtxType::GlobalPtr:
    return LLVM::LLVMPointerType::get(context, 1);
  case PtxType::SharedPtr:
    return LLVM::LLVMPointerType::get(context, 3);
  }
  llvm_unreachable("unknown type of a form");
}

/// Finds or declares the external function of `form` in the symbol table round the insertion point.
static LLVM::LLVMFuncOp declareFunction(OpBuilder &builder, Location loc, const PtxForm &form,
                                        LLVM::LLVMFunctionType type) {
  Operation *table = SymbolTable::getNearestSymbolTable(builder.getInsertionBlock()->getParentOp());
  if (Operation *existing = SymbolTable::lookupSymbolIn(table, form.text))
    return cast<LLVM::LLVMFuncOp>(existing);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&table->getRegion(0).front());
  return LLVM::LLVMFuncOp::create(builder, loc, form.text, type);
}

SmallVector<Value> tilec::createPtxForm(OpBuilder &builder, Location loc, PtxFormId id, ValueRange operands) {
  const PtxForm &form = PtxForm::get(id);
  PtxSignature signature = form.signature();
  MLIRContext *context = builder.getContext();
  auto toMlir = [&](PtxType type) { return getPtxMlirType(context, type); };
  SmallVector<Type> results = llvm::map_to_vector(signature.results, toMlir);
  SmallVector<Type> operandTypes = llvm::map_to_vector(signature.operands, toMlir);
  assert(llvm::equal(operandTypes, operands.getTypes()) && "operands must match the form's signature");

  Type resultType;
  if (results.size() == 1)
    resultType = results.front();
  else if (results.size() > 1)
    resultType = LLVM::LLVMStructType::getLiteral(context, results);

  Operation *op = nullptr;
  switch (form.kind) {
  case PtxKind::Asm:
    op = LLVM::InlineAsmOp::create(builder, loc, resultType ? TypeRange(resultType) : TypeRange(), operands,
                                   form.taggedText(), form.constraints(), form.hasSideEffectFlag(),
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
    break;
  case PtxKind::Intrinsic: {
    StringAttr name = builder.getStringAttr(form.text);
    op = resultType ? LLVM::CallIntrinsicOp::create(builder, loc, resultType, name, operands)
                    : LLVM::CallIntrinsicOp::create(builder, loc, name, operands);
    break;
  }
  case PtxKind::Function: {
    auto type =
        LLVM::LLVMFunctionType::get(resultType ? resultType : LLVM::LLVMVoidType::get(context), operandTypes);
    op = LLVM::CallOp::create(builder, loc, declareFunction(builder, loc, form, type), operands);
    break;
  }
  }
  if (results.size() <= 1)
    return SmallVector<Value>(op->getResults());
  SmallVector<Value> values;
  for (int64_t index = 0, end = results.size(); index < end; ++index)
    values.push_back(LLVM::ExtractValueOp::create(builder, loc, op->getResult(0), index));
  return values;
}

Value tilec::createPtxFormValue(OpBuilder &builder, Location loc, PtxFormId id, ValueRange operands) {
  SmallVector<Value> values = createPtxForm(builder, loc, id, operands);
  assert(values.size() == 1 && "the form must have one result");
  return values.front();
}
