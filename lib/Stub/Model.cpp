//===- Model.cpp - what the printers print --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the launch programs of all targets: one per distinct program, with the targets that share it.
//
//===----------------------------------------------------------------------===//

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Stub/Stub.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::stub;

/// The language's name of an element type.
static std::string elementName(Type type) {
  if (type.isInteger(1))
    return "bool";
  if (auto integer = dyn_cast<IntegerType>(type))
    return (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  std::string text;
  llvm::raw_string_ostream(text) << type; // f16 bf16 tf32 f32 f64
  return text;
}

static std::vector<std::string> strings(ArrayAttr attr) {
  std::vector<std::string> result;
  if (attr)
    for (StringAttr text : attr.getAsRange<StringAttr>())
      result.push_back(text.str());
  return result;
}

static FailureOr<std::vector<launch::Param>> importParams(tile::EntryOp entry) {
  std::vector<launch::Param> params;
  for (Attribute attr : entry.getParams()) {
    launch::Param &param = params.emplace_back();
    Type element;
    if (auto tensor = dyn_cast<tile::TensorParamAttr>(attr)) {
      param.isTensor = true;
      param.name = tensor.getName().str();
      param.access = static_cast<launch::Access>(tensor.getAccess());
      param.extents = strings(tensor.getExtents());
      param.strides = strings(tensor.getStrides());
      element = tensor.getElement();
    } else {
      auto scalar = cast<tile::ScalarParamAttr>(attr);
      param.name = scalar.getName().str();
      element = scalar.getType();
    }
    param.element = launch::findElementType(elementName(element));
    if (!param.element || (!param.isTensor && param.element->cScalar.empty()))
      return entry.emitError() << "parameter '" << param.name << "' cannot be passed as " << element;
  }
  return params;
}

static LogicalResult addTarget(Model &model, unsigned target, ModuleOp module) {
  size_t seen = 0;
  for (auto op : module.getOps<tile::EntryOp>()) {
    FailureOr<std::vector<launch::Param>> params = importParams(op);
    FailureOr<launch::Program> program = importLaunchProgram(op);
    if (failed(params) || failed(program))
      return failure();
    size_t position = seen++;
    if (target == 0)
      model.entries.push_back({op.getSymName().str(), *params, {}});
    if (position >= model.entries.size() || model.entries[position].name != op.getSymName() ||
        model.entries[position].params != *params)
      return op.emitError() << "the targets '" << model.targets[0].arch->name << "' and '"
                            << model.targets[target].arch->name << "' differ in the entry point '"
                            << op.getSymName() << "'";
    std::vector<TargetProgram> &programs = model.entries[position].programs;
    auto equal =
        llvm::find_if(programs, [&](const TargetProgram &other) { return other.program == *program; });
    if (equal != programs.end())
      equal->targets.push_back(target);
    else
      programs.push_back({{target}, std::move(*program)});
  }
  if (seen != model.entries.size())
    return module.emitError() << "the target '" << model.targets[target].arch->name << "' has " << seen
                              << " entry points, '" << model.targets[0].arch->name << "' has "
                              << model.entries.size();
  return success();
}

FailureOr<Model> stub::buildModel(ArrayRef<TargetModule> targets, std::string image, const Options &options) {
  Model model;
  model.image = std::move(image);
  for (const TargetModule &target : targets)
    model.targets.push_back({target.arch, target.resources});
  for (auto [index, target] : llvm::enumerate(targets))
    if (failed(addTarget(model, static_cast<unsigned>(index), target.module)))
      return failure();
  // The manifest without its ID says everything that header and source say; the image is not in it. The
  // hashes of the tools are left out: only who asks for a manifest pays for them, and the ID must not depend
  // on that.
  Options hashed = options;
  for (Provenance &tool : hashed.tools)
    tool.sha256.clear();
  llvm::SHA256 hash;
  hash.update(printManifest(model, hashed));
  hash.update(options.headerName);
  hash.update(options.incbin ? "incbin" : "words");
  hash.update(model.image);
  model.contentId = llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 32);
  return model;
}

std::string stub::interfaceHash(const Entry &entry) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "1;"; // TILEC_STUB_ABI
  for (auto [param, field] : llvm::zip(entry.params, fieldNames(entry.params)))
    os << param.name << ',' << field << ',' << param.isTensor << ',' << param.element->name << ','
       << launch::getAccessName(param.access) << ',' << param.extents.size() << ',' << param.strides.size()
       << ';';
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true).substr(0, 12);
}
