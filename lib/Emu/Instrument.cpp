//===- Instrument.cpp - device code made ready for the host --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include <map>

using namespace llvm;
using namespace tilec;
using namespace tilec::emu;

static constexpr unsigned sharedSpace = 3;

static SourcePos positionOf(const DILocation *location) {
  return {location->getFilename().str(), location->getLine(), location->getColumn()};
}

/// How the elements of a type are shown.
static void setValueType(Site &site, Type *type) {
  Type *scalar = type->getScalarType();
  site.valueBytes = std::max(1u, static_cast<unsigned>(scalar->getPrimitiveSizeInBits().getFixedValue()) / 8);
  site.value = scalar->isHalfTy()      ? Site::Value::F16
               : scalar->isBFloatTy()  ? Site::Value::BF16
               : scalar->isFloatTy()   ? Site::Value::F32
               : scalar->isDoubleTy()  ? Site::Value::F64
               : scalar->isIntegerTy() ? Site::Value::Integer
                                       : Site::Value::Bits;
}

namespace {
class Instrumenter {
public:
  Instrumenter(Module &module) : module(module), builder(module.getContext()) { result.sites.emplace_back(); }

  Instrumented run(const Triple &host, const DataLayout &layout);

private:
  uint32_t addSite(const Instruction &inst, Site::Kind kind);
  FunctionCallee runtime(const char *name, Type *type, ArrayRef<Type *> operands);
  void instrumentFunction(Function &function);
  void instrumentAccess(Instruction &inst, Value *pointer, Type *type, Align alignment, Site::Kind kind);
  void instrumentExchange(AtomicCmpXchgInst &exchange);
  void replaceForm(CallInst &call, const PtxForm &form);
  void replaceFma(IntrinsicInst &call);
  void countLoops(Function &function);
  void replaceSharedObjects();
  void addEntry(Function &kernel);
  Value *toSlot(Value *value);
  Value *fromSlot(Value *slot, Type *type);

  Module &module;
  IRBuilder<> builder;
  Instrumented result;
  AllocaInst *slots = nullptr; ///< of the function at hand, as many as its largest form needs
  unsigned slotCount = 0;
};
} // namespace

/// LLVM knows some forms under names of its own, and turns calls of those into calls of its own intrinsics.
/// The host treats NaN and the order of zeros differently there.
static const PtxForm *formOfIntrinsic(const CallInst &call) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic)
    return nullptr;
  Type *type = call.getType();
  auto *pair = dyn_cast<FixedVectorType>(type);
  bool isPair = pair && pair->getNumElements() == 2;
  auto choose = [&](PtxFormId f32, PtxFormId f16x2, PtxFormId bf16x2,
                    std::optional<PtxFormId> f64) -> const PtxForm * {
    if (type->isFloatTy())
      return &PtxForm::get(f32);
    if (isPair && pair->getElementType()->isHalfTy())
      return &PtxForm::get(f16x2);
    if (isPair && pair->getElementType()->isBFloatTy())
      return &PtxForm::get(bf16x2);
    return type->isDoubleTy() && f64 ? &PtxForm::get(*f64) : nullptr;
  };
  switch (intrinsic->getIntrinsicID()) {
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return choose(PtxFormId::FmaxF32, PtxFormId::FmaxF16x2, PtxFormId::FmaxBf16x2, PtxFormId::FmaxF64);
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return choose(PtxFormId::FminF32, PtxFormId::FminF16x2, PtxFormId::FminBf16x2, PtxFormId::FminF64);
  case Intrinsic::maximum:
    return choose(PtxFormId::FmaxNanF32, PtxFormId::FmaxNanF16x2, PtxFormId::FmaxNanBf16x2, std::nullopt);
  case Intrinsic::minimum:
    return choose(PtxFormId::FminNanF32, PtxFormId::FminNanF16x2, PtxFormId::FminNanBf16x2, std::nullopt);
  default:
    return nullptr;
  }
}

static const PtxForm *formOf(const CallInst &call) {
  if (const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return PtxForm::findAsm(assembly->getAsmString());
  if (const PtxForm *form = formOfIntrinsic(call))
    return form;
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? PtxForm::findCallee(callee->getName()) : nullptr;
}

uint32_t Instrumenter::addSite(const Instruction &inst, Site::Kind kind) {
  Site &site = result.sites.emplace_back();
  site.kind = kind;
  if (const DILocation *location = inst.getDebugLoc()) {
    site.place = positionOf(location);
    while ((location = location->getInlinedAt()))
      site.callers.push_back(positionOf(location));
  }
  return static_cast<uint32_t>(result.sites.size() - 1);
}

FunctionCallee Instrumenter::runtime(const char *name, Type *type, ArrayRef<Type *> operands) {
  FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(type, operands, false));
  // Its callers' lanes arrive at it one by one: it may not be duplicated into branches or merged with its
  // like.
  auto *function = cast<Function>(callee.getCallee());
  function->addFnAttr(Attribute::NoDuplicate);
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::NoMerge);
  return callee;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Variables of the thread, and constants: nothing to check.
static bool isPrivate(const Value *pointer) {
  const Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(object))
    return true;
  const auto *global = dyn_cast<GlobalVariable>(object);
  return global && global->getAddressSpace() != sharedSpace;
}

void Instrumenter::instrumentAccess(Instruction &inst, Value *pointer, Type *type, Align alignment,
                                    Site::Kind kind) {
  if (isPrivate(pointer))
    return;
  uint32_t number = addSite(inst, kind);
  Site &site = result.sites[number];
  site.bytes = static_cast<unsigned>(module.getDataLayout().getTypeStoreSize(type).getFixedValue());
  site.alignment = static_cast<unsigned>(alignment.value());
  setValueType(site, type);
  builder.SetInsertPoint(&inst);
  Type *none = builder.getVoidTy(), *plain = builder.getPtrTy();
  builder.CreateCall(
      runtime(kind == Site::Kind::Load ? runtimeRead : runtimeWrite, none, {builder.getInt32Ty(), plain}),
      {builder.getInt32(number), builder.CreateAddrSpaceCast(pointer, plain)});
}

/// The load before a loop of compare-and-swap: a wrong value only costs another turn.
static bool isGuess(const LoadInst &load) {
  auto isCompared = [](const Value &value) {
    return any_of(value.users(), [&](const User *user) {
      const auto *exchange = dyn_cast<AtomicCmpXchgInst>(user);
      return exchange && exchange->getCompareOperand() == &value;
    });
  };
  return load.isAtomic() && (isCompared(load) || any_of(load.users(), [&](const User *user) {
                               return isa<PHINode>(user) && isCompared(*user);
                             }));
}

/// A narrow element is updated by a compare-and-swap of the word around it: what changes is the element.
void Instrumenter::instrumentExchange(AtomicCmpXchgInst &exchange) {
  if (isPrivate(exchange.getPointerOperand()))
    return;
  uint32_t number = addSite(exchange, Site::Kind::Atomic);
  Site &site = result.sites[number];
  Value *old = exchange.getCompareOperand(), *wanted = exchange.getNewValOperand();
  site.bytes = static_cast<unsigned>(module.getDataLayout().getTypeStoreSize(wanted->getType()));
  site.alignment = static_cast<unsigned>(exchange.getAlign().value());
  setValueType(site, wanted->getType());
  builder.SetInsertPoint(&exchange);
  Type *word = builder.getInt64Ty(), *plain = builder.getPtrTy();
  builder.CreateCall(runtime(runtimeExchange, builder.getVoidTy(), {builder.getInt32Ty(), plain, word, word}),
                     {builder.getInt32(number),
                      builder.CreateAddrSpaceCast(exchange.getPointerOperand(), plain),
                      builder.CreateZExt(old, word), builder.CreateZExt(wanted, word)});
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Value *Instrumenter::toSlot(Value *value) {
  Type *type = value->getType(), *slot = builder.getInt64Ty();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(builder.CreateAddrSpaceCast(value, builder.getPtrTy()), slot);
  unsigned bits = type->getPrimitiveSizeInBits();
  return builder.CreateZExt(builder.CreateBitCast(value, builder.getIntNTy(bits)), slot);
}

Value *Instrumenter::fromSlot(Value *slot, Type *type) {
  unsigned bits = type->getPrimitiveSizeInBits();
  return builder.CreateBitCast(builder.CreateTrunc(slot, builder.getIntNTy(bits)), type);
}

void Instrumenter::replaceForm(CallInst &call, const PtxForm &form) {
  const FormShape &shape = getShape(form);
  uint32_t number = addSite(call, Site::Kind::Form);
  Site &site = result.sites[number];
  site.shape = &shape;
  site.bytes = shape.accessBytes();
  builder.SetInsertPoint(&call);
  Type *word = builder.getInt64Ty();
  for (unsigned i = 0; i != call.arg_size(); ++i)
    builder.CreateStore(toSlot(call.getArgOperand(i)), builder.CreateConstGEP1_32(word, slots, i));
  builder.CreateCall(runtime(runtimeCall, builder.getVoidTy(), {builder.getInt32Ty(), builder.getPtrTy()}),
                     {builder.getInt32(number), slots});
  auto load = [&](unsigned i, Type *type) {
    return fromSlot(builder.CreateLoad(word, builder.CreateConstGEP1_32(word, slots, shape.numOperands + i)),
                    type);
  };
  Type *type = call.getType();
  if (auto *several = dyn_cast<StructType>(type)) {
    Value *value = PoisonValue::get(several);
    for (unsigned i = 0; i != several->getNumElements(); ++i)
      value = builder.CreateInsertValue(value, load(i, several->getElementType(i)), i);
    call.replaceAllUsesWith(value);
  } else if (!type->isVoidTy()) {
    call.replaceAllUsesWith(load(0, type));
  }
  call.eraseFromParent();
}

/// x86 has no fused multiply-add of 16-bit floats, and one in f32 rounds twice.
void Instrumenter::replaceFma(IntrinsicInst &call) {
  Type *scalar = call.getType()->getScalarType();
  if (!scalar->isHalfTy() && !scalar->isBFloatTy())
    return;
  builder.SetInsertPoint(&call);
  Type *bits = builder.getInt16Ty();
  FunctionCallee callee = module.getOrInsertFunction(scalar->isHalfTy() ? runtimeFma16 : runtimeFmaBf16,
                                                     FunctionType::get(bits, {bits, bits, bits}, false));
  auto compute = [&](function_ref<Value *(unsigned)> operand) {
    Value *operands[3];
    for (unsigned i = 0; i != 3; ++i)
      operands[i] = builder.CreateBitCast(operand(i), bits);
    return builder.CreateBitCast(builder.CreateCall(callee, operands), scalar);
  };
  Value *value;
  if (auto *vector = dyn_cast<FixedVectorType>(call.getType())) {
    value = PoisonValue::get(vector);
    for (unsigned i = 0; i != vector->getNumElements(); ++i)
      value = builder.CreateInsertElement(
          value, compute([&](unsigned n) { return builder.CreateExtractElement(call.getArgOperand(n), i); }),
          i);
  } else {
    value = compute([&](unsigned n) { return call.getArgOperand(n); });
  }
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Instrumenter::countLoops(Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  SmallPtrSet<const BasicBlock *, 8> heads;
  for (auto [from, to] : edges)
    heads.insert(to);
  for (BasicBlock &block : function) {
    if (!heads.contains(&block))
      continue;
    uint32_t number = addSite(*block.getTerminator(), Site::Kind::Loop);
    builder.SetInsertPoint(&block, block.getFirstInsertionPt());
    builder.CreateCall(runtime(runtimeLoop, builder.getVoidTy(), {builder.getInt32Ty()}),
                       {builder.getInt32(number)});
  }
}

void Instrumenter::instrumentFunction(Function &function) {
  SmallVector<Instruction *> all;
  slotCount = 0;
  for (Instruction &inst : instructions(function)) {
    all.push_back(&inst);
    if (auto *call = dyn_cast<CallInst>(&inst))
      if (const PtxForm *form = formOf(*call))
        slotCount = std::max(slotCount, getShape(*form).numSlots());
  }
  builder.SetInsertPoint(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  slots = builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), std::max(1u, slotCount)));
  for (Instruction *inst : all) {
    if (auto *load = dyn_cast<LoadInst>(inst)) {
      // A relaxed load orders nothing, so it conflicts with others' updates like a plain one.
      if (!isGuess(*load))
        instrumentAccess(*load, load->getPointerOperand(), load->getType(), load->getAlign(),
                         Site::Kind::Load);
    } else if (auto *store = dyn_cast<StoreInst>(inst)) {
      instrumentAccess(*store, store->getPointerOperand(), store->getValueOperand()->getType(),
                       store->getAlign(), store->isAtomic() ? Site::Kind::Atomic : Site::Kind::Store);
    } else if (auto *update = dyn_cast<AtomicRMWInst>(inst)) {
      instrumentAccess(*update, update->getPointerOperand(), update->getType(), update->getAlign(),
                       Site::Kind::Atomic);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(inst)) {
      instrumentExchange(*exchange);
    } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(inst);
               intrinsic && intrinsic->getIntrinsicID() == Intrinsic::fma) {
      replaceFma(*intrinsic);
    } else if (auto *call = dyn_cast<CallInst>(inst)) {
      if (const PtxForm *form = formOf(*call))
        replaceForm(*call, *form);
    }
  }
  countLoops(function);
}

void Instrumenter::replaceSharedObjects() {
  SmallVector<GlobalVariable *> objects;
  SmallVector<Constant *> constants;
  for (GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == sharedSpace) {
      objects.push_back(&global);
      constants.push_back(&global);
    }
  convertUsersOfConstantsToInstructions(constants);
  for (auto [number, global] : enumerate(objects)) {
    auto bytes = static_cast<unsigned>(module.getDataLayout().getTypeAllocSize(global->getValueType()));
    result.sharedObjects.push_back({global->getName().str(), bytes,
                                    static_cast<unsigned>(global->getAlign().valueOrOne().value()),
                                    bytes == 0});
    DenseMap<Function *, Value *> places;
    for (Use &use : make_early_inc_range(global->uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        continue;
      Value *&place = places[user->getFunction()];
      if (!place) {
        BasicBlock &entry = user->getFunction()->getEntryBlock();
        builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
        place = builder.CreateAddrSpaceCast(
            builder.CreateCall(
                module.getOrInsertFunction(
                    runtimeShared, FunctionType::get(builder.getPtrTy(), {builder.getInt32Ty()}, false)),
                {builder.getInt32(static_cast<uint32_t>(number))}),
            global->getType());
      }
      use.set(place);
    }
    global->eraseFromParent();
  }
}

void Instrumenter::addEntry(Function &kernel) {
  KernelEntry entry{kernel.getName().str(), (kernel.getName() + ".emu").str(), {}};
  auto *function = Function::Create(FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false),
                                    GlobalValue::ExternalLinkage, entry.symbol, module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
  SmallVector<Value *> arguments;
  for (Argument &parameter : kernel.args()) {
    Type *type = parameter.getType();
    Value *slot = builder.CreateConstGEP1_32(builder.getInt64Ty(), function->getArg(0), parameter.getArgNo());
    arguments.push_back(builder.CreateLoad(type, slot));
    entry.parameterBytes.push_back(static_cast<unsigned>(module.getDataLayout().getTypeStoreSize(type)));
  }
  builder.CreateCall(&kernel, arguments);
  builder.CreateRetVoid();
  result.kernels.push_back(std::move(entry));
}

Instrumented Instrumenter::run(const Triple &host, const DataLayout &layout) {
  module.setTargetTriple(host);
  module.setDataLayout(layout);
  if (GlobalVariable *used = module.getNamedGlobal("llvm.used"))
    used->eraseFromParent();
  SmallVector<Function *> functions, kernels;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    functions.push_back(&function);
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      kernels.push_back(&function);
    // What is left says "sm_90" and such.
    function.setAttributes(AttributeList());
    function.addFnAttr(Attribute::NoUnwind);
    function.setCallingConv(CallingConv::C);
    function.setComdat(nullptr);
  }
  for (Function *function : functions)
    instrumentFunction(*function);
  replaceSharedObjects();
  builder.SetCurrentDebugLocation(DebugLoc());
  for (Function *kernel : kernels)
    addEntry(*kernel);
  for (Function *function : functions)
    for (Instruction &inst : instructions(*function))
      if (auto *call = dyn_cast<CallInst>(&inst)) {
        call->setCallingConv(CallingConv::C);
        call->removeFnAttr(Attribute::Convergent);
      }
  std::map<std::tuple<std::string, unsigned, unsigned>, uint32_t> firstAt;
  for (auto [number, site] : enumerate(result.sites))
    site.first = !site.place.isKnown()
                     ? static_cast<uint32_t>(number)
                     : firstAt.try_emplace({site.place.file, site.place.line, site.place.column}, number)
                           .first->second;
  StripDebugInfo(module); // the sites have the lines, and the JIT shows none
  return std::move(result);
}

Instrumented emu::instrument(Module &module, const Triple &host, const DataLayout &layout) {
  return Instrumenter(module).run(host, layout);
}
