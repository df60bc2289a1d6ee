//===- Manifest.cpp - the manifest as JSON --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stub's facts for tools, the launch programs included: tile-runner launches by interpreting them. The
// schema is docs/manifest.schema.json; a field may be added within a version, never changed.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Manifest.h"
#include "CProgram.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::stub;
using json::OStream;

static void printStrings(OStream &json, StringRef name, ArrayRef<std::string> strings) {
  json.attributeArray(name, [&] {
    for (const std::string &text : strings)
      json.value(text);
  });
}

static void printIds(OStream &json, StringRef name, ArrayRef<launch::ValueId> ids) {
  json.attributeArray(name, [&] {
    for (launch::ValueId id : ids)
      json.value(id);
  });
}

/// Numbers of defined values, and their types beside them.
static void printDefined(OStream &json, const launch::Program &program, StringRef name,
                         ArrayRef<launch::ValueId> ids) {
  printIds(json, name, ids);
  json.attributeArray("types", [&] {
    for (launch::ValueId id : ids)
      json.value(StringRef(launch::getInfo(program.types[id]).name));
  });
}

static void printInstruction(OStream &json, const launch::Program &program, const launch::Instruction &op);

static void printBody(OStream &json, const launch::Program &program, const launch::Region &region) {
  json.attributeArray("body", [&] {
    for (const launch::Instruction &op : region.body)
      json.object([&] { printInstruction(json, program, op); });
  });
}

static void printInstruction(OStream &json, const launch::Program &program, const launch::Instruction &op) {
  json.attribute("op", StringRef(launch::getOpcodeName(op.op)));
  if (!op.args.empty())
    printIds(json, "args", op.args);
  if (!op.results.empty())
    printDefined(json, program, "results", op.results);
  switch (op.op) {
  case launch::Opcode::Constant:
    if (launch::isInteger(program.types[op.results[0]]))
      json.attribute("value", static_cast<int64_t>(op.bits));
    else
      json.attribute("bits", formatv("{0:x}", op.bits).str());
    break;
  case launch::Opcode::PtrAligned:
    json.attribute("bytes", static_cast<int64_t>(op.bits));
    break;
  case launch::Opcode::Require:
    json.attribute("kind", op.kind);
    json.attribute("text", op.text);
    break;
  case launch::Opcode::Launch:
    json.attribute("kernel", op.text);
    json.attribute("grid_rank", op.gridRank);
    json.attribute("threads", op.threads);
    json.attributeArray("cluster", [&] {
      for (unsigned blocks : op.cluster)
        json.value(blocks);
    });
    json.attribute("shared_bytes", op.sharedBytes);
    break;
  default:
    break;
  }
  if (op.regions.empty())
    return;
  json.attributeArray("regions", [&] {
    for (const launch::Region &region : op.regions)
      json.object([&] {
        printDefined(json, program, "args", region.args);
        printBody(json, program, region);
      });
  });
}

static void printParam(OStream &json, const launch::Param &param, StringRef field) {
  json.attribute("name", param.name);
  json.attribute("field", field);
  json.attribute("kind", param.isTensor ? "tensor" : "scalar");
  json.attribute("type", StringRef(param.element->name));
  if (!param.isTensor)
    return;
  json.attribute("access", StringRef(launch::getAccessName(param.access)));
  printStrings(json, "extents", param.extents);
  printStrings(json, "strides", param.strides);
}

static void printResources(OStream &json, const KernelResources &kernel) {
  json.attribute("kernel", kernel.kernel);
  json.attribute("registers", kernel.registers);
  json.attribute("barriers", kernel.barriers);
  json.attribute("stack_bytes", kernel.stackBytes);
  json.attribute("spill_store_bytes", kernel.spillStoreBytes);
  json.attribute("spill_load_bytes", kernel.spillLoadBytes);
  json.attribute("static_shared_bytes", kernel.staticSharedBytes);
}

static void printProvenance(OStream &json, StringRef name, ArrayRef<Provenance> list) {
  json.attributeArray(name, [&] {
    for (const Provenance &item : list)
      json.object([&] {
        json.attribute("name", item.name);
        if (!item.version.empty())
          json.attribute("version", item.version);
        if (!item.sha256.empty())
          json.attribute("sha256", item.sha256);
      });
  });
}

std::string stub::printManifest(const Model &model, const Options &options) {
  std::string text;
  raw_string_ostream os(text);
  OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", runner::manifestSchema);
    json.attribute("version", runner::manifestVersion);
    json.attribute("content_id", model.contentId);
    json.attribute("tilec", options.tilecVersion);
    json.attribute("namespace", options.nameSpace);
    printProvenance(json, "tools", options.tools);
    printProvenance(json, "inputs", options.inputs);
    json.attributeObject("image", [&] {
      json.attribute("file", options.imageName);
      json.attribute("bytes", static_cast<int64_t>(model.image.size()));
      json.attribute("sha256", toHex(SHA256::hash(arrayRefFromStringRef(model.image)), /*LowerCase=*/true));
    });
    json.attributeArray("targets", [&] {
      for (const Target &target : model.targets)
        json.object([&] {
          json.attribute("name", target.arch->name);
          json.attribute("capability", target.arch->sm);
          json.attribute("kind", target.arch->isPtxOnly() ? "ptx" : "cubin");
          json.attributeArray("kernels", [&] {
            for (const KernelResources &kernel : target.resources)
              json.object([&] { printResources(json, kernel); });
          });
        });
    });
    json.attributeArray("entries", [&] {
      for (const Entry &entry : model.entries)
        json.object([&] {
          json.attribute("name", entry.name);
          json.attribute("interface", interfaceHash(entry));
          json.attributeArray("params", [&] {
            for (auto [param, field] : zip(entry.params, fieldNames(entry.params)))
              json.object([&, &param = param, &field = field] { printParam(json, param, field); });
          });
          json.attribute("workspace_bytes", 0);
          json.attributeArray("programs", [&] {
            for (const TargetProgram &program : entry.programs)
              json.object([&] {
                json.attributeArray("targets", [&] {
                  for (unsigned target : program.targets)
                    json.value(model.targets[target].arch->name);
                });
                printDefined(json, program.program, "args", program.program.body.args);
                printBody(json, program.program, program.program.body);
              });
          });
        });
    });
  });
  os << "\n";
  return text;
}
