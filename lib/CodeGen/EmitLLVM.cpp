//===- EmitLLVM.cpp - from a gpu.module to LLVM IR ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's translation writes debug locations only inside functions that have a debug scope. So a copy of the
// module gets one compile unit and one subprogram a function, of the kind "directives only": `.loc` and
// `.file` lines in the PTX and no debug sections, which leaves the machine code as it is.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/EmitLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tilec;

void tilec::registerCodeGenTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

std::string tilec::mapPathPrefix(StringRef path, const PathPrefixMap &map) {
  for (const auto &[from, to] : map) {
    StringRef rest = path;
    if (!rest.consume_front(from))
      continue;
    if (rest.empty() || from.empty() || StringRef(from).ends_with("/") || rest.starts_with("/"))
      return to + rest.str();
  }
  return path.str();
}

/// The first file location in `loc`, or null.
static FileLineColLoc findFileLoc(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location nested) {
    if (auto file = dyn_cast<FileLineColLoc>(nested)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

static void mapLocations(Operation *module, const PathPrefixMap &paths) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FileLineColLoc loc) -> std::optional<Attribute> {
    std::string mapped = mapPathPrefix(loc.getFilename(), paths);
    return FileLineColLoc::get(loc.getContext(), mapped, loc.getLine(), loc.getColumn());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/false, /*replaceLocs=*/true);
}

/// Gives every function with a body a debug scope, unless whoever made the module already did.
static void attachDebugScopes(Operation *module) {
  MLIRContext *context = module->getContext();
  LLVM::DICompileUnitAttr unit;
  auto makeFile = [&](StringRef name) { return LLVM::DIFileAttr::get(context, name, /*directory=*/""); };
  module->walk([&](LLVM::LLVMFuncOp func) {
    if (func.isExternal() || func.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>())
      return;
    FileLineColLoc loc = findFileLoc(func.getLoc());
    if (!loc)
      func.walk([&](Operation *op) {
        loc = findFileLoc(op->getLoc());
        return loc ? WalkResult::interrupt() : WalkResult::advance();
      });
    if (!loc)
      return;
    LLVM::DIFileAttr file = makeFile(loc.getFilename().getValue());
    if (!unit)
      unit = LLVM::DICompileUnitAttr::get(
          DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C_plus_plus_14, file,
          StringAttr::get(context, "tilec"), /*isOptimized=*/true, LLVM::DIEmissionKind::DebugDirectivesOnly,
          LLVM::DINameTableKind::None);
    auto type = LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
    auto scope = LLVM::DISubprogramAttr::get(
        context, DistinctAttr::create(UnitAttr::get(context)), unit, file, func.getNameAttr(),
        func.getNameAttr(), file, loc.getLine(), loc.getLine(),
        LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized, type,
        /*retainedNodes=*/{}, /*annotations=*/{});
    func->setLoc(FusedLocWith<LLVM::DISubprogramAttr>::get({loc}, scope, context));
    // LLVM's verifier wants a location on every call of a function with a body.
    func.walk([&](LLVM::CallOp call) {
      if (!findFileLoc(call.getLoc()))
        call->setLoc(loc);
    });
  });
}

std::unique_ptr<llvm::Module> tilec::translateToLLVM(Operation *gpuModule, llvm::LLVMContext &context,
                                                     llvm::TargetMachine &machine, const PathPrefixMap &paths,
                                                     CodeGenLog &log) {
  // The translation itself edits the blocks of its input, and the scopes below are not the caller's business.
  OwningOpRef<Operation *> copy = gpuModule->clone();
  if (!paths.empty())
    mapLocations(*copy, paths);
  attachDebugScopes(*copy);
  // Before the translation, which gives loads and stores without an alignment the natural one of this layout.
  // LLVM's default layout aligns i64 to 4 bytes, and ptxas 13.0 gets the halves of a split f64 store wrong:
  // the low word of `st.b32` from a register that an f64 instruction wrote was, on an H200, the number
  // converted to u32.
  const std::string layout = machine.createDataLayout().getStringRepresentation();
  copy->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(), StringAttr::get(copy->getContext(), layout));

  StringRef name = "tilec";
  if (auto symbol = gpuModule->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    name = symbol.getValue();
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(*copy, context, name);
  if (!module) {
    FileLineColLoc loc = findFileLoc(gpuModule->getLoc());
    log.report(CodeGenDiagnostic::Kind::CompilerBug,
               loc ? SourcePos{loc.getFilename().str(), loc.getLine(), loc.getColumn()} : SourcePos(),
               "module '" + name + "' has no translation to LLVM IR");
    return nullptr;
  }
  // Names the input file of a module; keep the host's paths out of --emit=llvm.
  module->setSourceFileName(name);
  module->setTargetTriple(machine.getTargetTriple());
  return module;
}

std::string tilec::printLLVM(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, /*AAW=*/nullptr);
  return text;
}
