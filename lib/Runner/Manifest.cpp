//===- Manifest.cpp - reading a manifest ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From JSON to launch programs, with everything checked that the interpreter takes for granted.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Manifest.h"
#include "Json.h"
#include <algorithm>

using namespace tilec::launch;
using namespace tilec::runner;

const ManifestEntry *Manifest::findEntry(std::string_view name) const {
  for (const ManifestEntry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

namespace {
/// How many arguments and results a row of the table has; -1: any number.
struct Shape {
  int args, results, regions;
};

Shape shapeOf(Opcode op) {
  switch (op) {
#define TILEC_LAUNCH_INT(Enum, name, args, extend, function)                                                 \
  case Opcode::Enum:                                                                                         \
    return {args, 1, 0};
#define TILEC_LAUNCH_INT_COMPARE(Enum, name, operator_)                                                      \
  case Opcode::Enum:                                                                                         \
    return {2, 1, 0};
#define TILEC_LAUNCH_INT_TEST(Enum, name, function)                                                          \
  case Opcode::Enum:                                                                                         \
    return {2, 1, 0};
#define TILEC_LAUNCH_FLOAT_COMPARE(Enum, name, operator_)                                                    \
  case Opcode::Enum:                                                                                         \
    return {2, 1, 0};
#define TILEC_LAUNCH_FLOAT_TEST(Enum, name, args, function)                                                  \
  case Opcode::Enum:                                                                                         \
    return {args, 1, 0};
#define TILEC_LAUNCH_FLOAT_OPERATOR(Enum, name, operator_)                                                   \
  case Opcode::Enum:                                                                                         \
    return {2, 1, 0};
#define TILEC_LAUNCH_FLOAT(Enum, name, args, f32, f64)                                                       \
  case Opcode::Enum:                                                                                         \
    return {args, 1, 0};
#define TILEC_LAUNCH_CAST(Enum, name)                                                                        \
  case Opcode::Enum:                                                                                         \
    return {1, 1, 0};
#define TILEC_LAUNCH_SPECIAL(Enum, name)
#include "tilec/Runner/LaunchOps.def"
  case Opcode::Constant:
  case Opcode::SmCount:
    return {0, 1, 0};
  case Opcode::MulSIExtended:
    return {2, 2, 0};
  case Opcode::NegF:
    return {1, 1, 0};
  case Opcode::Select:
    return {3, 1, 0};
  case Opcode::PtrAligned:
  case Opcode::PtrNull:
    return {1, 1, 0};
  case Opcode::Overlap:
    return {4, 1, 0};
  case Opcode::If:
    return {1, -1, 2};
  case Opcode::For:
    return {-1, -1, 1};
  case Opcode::While:
    return {-1, -1, 2};
  case Opcode::Yield:
  case Opcode::Condition:
  case Opcode::Require:
  case Opcode::Launch:
    return {-1, 0, 0};
  }
  return {};
}

class ProgramReader {
public:
  /// `root` has the program's args, types and body.
  Program read(const JsonCursor &root) {
    readRegion(root, program.body, nullptr);
    return std::move(program);
  }

private:
  void define(const JsonCursor &ids, const JsonCursor &types, std::vector<ValueId> &result) {
    std::vector<std::string> names = types.strings();
    std::vector<int64_t> numbers = ids.integers();
    if (names.size() != numbers.size())
      return types.fail("has another length than the values");
    for (size_t i = 0; i != names.size(); ++i) {
      std::optional<ValueType> type = parseValueType(names[i]);
      // In order, so that a number is an index and nothing is defined twice.
      if (!type || numbers[i] != static_cast<int64_t>(program.types.size()))
        return ids.fail("does not number the values in order, or a type is unknown");
      program.types.push_back(*type);
      defined.push_back(true);
      result.push_back(static_cast<ValueId>(numbers[i]));
    }
  }

  /// Reads args, types and body; what the body defines is visible in it only.
  void readRegion(const JsonCursor &root, Region &region, const Instruction *parent) {
    size_t first = program.types.size();
    define(root["args"], root["types"], region.args);
    for (const JsonCursor &element : root["body"].elements())
      if (root.ok())
        readInstruction(element, region.body.emplace_back(), parent);
    // At the top nothing follows.
    for (size_t id = first; parent && id < defined.size(); ++id)
      defined[id] = false;
  }

  void readInstruction(const JsonCursor &json, Instruction &op, const Instruction *parent) {
    std::string name = json["op"].string();
    std::optional<Opcode> opcode = parseOpcode(name);
    if (!opcode)
      return json["op"].fail("is '" + name + "', which this program does not know");
    op.op = *opcode;
    if (json.has("args"))
      for (int64_t id : json["args"].integers(0, INT32_MAX)) {
        if (static_cast<size_t>(id) >= defined.size() || !defined[static_cast<size_t>(id)])
          return json["args"].fail("uses a value that is not defined before");
        op.args.push_back(static_cast<ValueId>(id));
      }
    if (json.has("results"))
      define(json["results"], json["types"], op.results);
    readAttributes(json, op);
    if (json.has("regions"))
      for (const JsonCursor &region : json["regions"].elements())
        if (json.ok())
          readRegion(region, op.regions.emplace_back(), &op);
    if (json.ok())
      verify(json, op, parent);
  }

  void readAttributes(const JsonCursor &json, Instruction &op) {
    switch (op.op) {
    case Opcode::Constant:
      op.bits = json.has("bits") ? strtoull(json["bits"].string().c_str(), nullptr, 16)
                                 : static_cast<uint64_t>(json["value"].integer());
      break;
    case Opcode::PtrAligned:
      op.bits = static_cast<uint64_t>(json["bytes"].integer(1));
      break;
    case Opcode::Require:
      op.text = json["text"].string();
      op.kind = json["kind"].string();
      break;
    case Opcode::Launch: {
      op.text = json["kernel"].string();
      op.gridRank = static_cast<unsigned>(json["grid_rank"].integer(1, 3));
      op.threads = static_cast<unsigned>(json["threads"].integer(1, 1024));
      std::vector<int64_t> cluster = json["cluster"].integers(1, 65535);
      if (cluster.size() != 3)
        return json["cluster"].fail("has not three extents");
      for (size_t i = 0; i != 3; ++i)
        op.cluster[i] = static_cast<unsigned>(cluster[i]);
      op.sharedBytes = static_cast<unsigned>(json["shared_bytes"].integer(0, INT32_MAX));
      break;
    }
    default:
      break;
    }
  }

  void verify(const JsonCursor &json, const Instruction &op, const Instruction *parent) {
    Shape shape = shapeOf(op.op);
    auto differs = [](int want, size_t have) { return want >= 0 && static_cast<size_t>(want) != have; };
    bool wrong = differs(shape.args, op.args.size()) || differs(shape.results, op.results.size()) ||
                 differs(shape.regions, op.regions.size());
    // What follows looks into the regions, so they must be there.
    switch (wrong ? Opcode::Constant : op.op) {
    case Opcode::For:
      wrong |= op.args.size() < 3 || op.results.size() != op.args.size() - 3 ||
               op.regions[0].args.size() != op.args.size() - 2 ||
               !endsIn(op.regions[0], Opcode::Yield, op.results.size());
      break;
    case Opcode::While:
      wrong |= op.regions[0].args.size() != op.args.size() ||
               op.regions[1].args.size() != op.results.size() ||
               !endsIn(op.regions[0], Opcode::Condition, op.results.size() + 1) ||
               !endsIn(op.regions[1], Opcode::Yield, op.args.size());
      break;
    case Opcode::If:
      for (const Region &region : op.regions)
        wrong |=
            !(region.body.empty() && op.results.empty()) && !endsIn(region, Opcode::Yield, op.results.size());
      break;
    case Opcode::Require:
      wrong |= op.args.empty();
      break;
    case Opcode::Launch:
      wrong |= op.args.size() < op.gridRank;
      break;
    case Opcode::Yield:
      wrong |= !parent;
      break;
    case Opcode::Condition:
      wrong |= !parent || op.args.empty();
      break;
    default:
      break;
    }
    if (wrong)
      json.fail("is no '" + std::string(getOpcodeName(op.op)) +
                "': wrong number of arguments, results or regions");
  }

  static bool endsIn(const Region &region, Opcode op, size_t args) {
    return !region.body.empty() && region.body.back().op == op && region.body.back().args.size() == args;
  }

  Program program;
  std::vector<bool> defined;
};
} // namespace

static Param readParam(const JsonCursor &json) {
  Param param;
  param.name = json["name"].string();
  param.isTensor = json["kind"].string() == "tensor";
  param.element = findElementType(json["type"].string());
  if (!param.element || (!param.isTensor && param.element->cScalar.empty())) {
    json["type"].fail("is no type of a parameter");
    param.element = &getElementTypes().front();
  }
  if (!param.isTensor)
    return param;
  std::optional<Access> access = parseAccess(json["access"].string());
  if (!access)
    json["access"].fail("is not in, out or inout");
  param.access = access.value_or(Access::In);
  param.extents = json["extents"].strings();
  param.strides = json["strides"].strings();
  if (!param.strides.empty() && param.strides.size() != param.extents.size())
    json["strides"].fail("has another length than the extents");
  return param;
}

/// The types of a program's arguments, as the parameters have them.
static std::vector<ValueType> argumentTypes(const std::vector<Param> &params) {
  std::vector<ValueType> types;
  for (const Param &param : params) {
    types.push_back(param.isTensor ? ValueType::Pointer : param.element->value);
    types.insert(types.end(), param.extents.size() + param.strides.size(), ValueType::I64);
  }
  return types;
}

static void readEntry(const JsonCursor &json, Manifest &manifest) {
  ManifestEntry &entry = manifest.entries.emplace_back();
  entry.name = json["name"].string();
  for (const JsonCursor &param : json["params"].elements())
    entry.params.push_back(readParam(param));
  for (const JsonCursor &element : json["programs"].elements()) {
    ManifestProgram &program = entry.programs.emplace_back();
    for (const std::string &name : element["targets"].strings())
      for (size_t i = 0; i != manifest.targets.size(); ++i)
        if (manifest.targets[i].name == name)
          program.targets.push_back(static_cast<unsigned>(i));
    program.program = ProgramReader().read(element);
    std::vector<ValueType> wanted = argumentTypes(entry.params);
    const std::vector<ValueType> &types = program.program.types;
    if (json.ok() && (program.program.body.args.size() != wanted.size() ||
                      !std::equal(wanted.begin(), wanted.end(), types.begin())))
      element["args"].fail("are not those of the parameters");
  }
}

std::optional<Manifest> tilec::runner::parseManifest(std::string_view text, std::string &error) {
  std::optional<nlohmann::json> json = parseJson(text, error);
  if (!json)
    return std::nullopt;
  JsonCursor root(*json, "", error);
  checkSchema(root, manifestSchema, manifestVersion);
  Manifest manifest;
  if (root.ok()) {
    manifest.contentId = root["content_id"].string();
    manifest.imageFile = root["image"]["file"].string();
    manifest.imageBytes = static_cast<uint64_t>(root["image"]["bytes"].integer(0));
    for (const JsonCursor &target : root["targets"].elements())
      manifest.targets.push_back({target["name"].string(),
                                  static_cast<int>(target["capability"].integer(10, 9999)),
                                  target["kind"].string() == "ptx"});
    for (const JsonCursor &entry : root["entries"].elements())
      if (root.ok())
        readEntry(entry, manifest);
  }
  if (!root.ok())
    return std::nullopt;
  return manifest;
}

std::optional<unsigned> tilec::runner::selectTarget(const std::vector<ManifestTarget> &targets,
                                                    int capability) {
  std::optional<unsigned> best;
  int bestRank = -1;
  for (size_t i = 0; i != targets.size(); ++i) {
    const ManifestTarget &target = targets[i];
    bool runs = target.isSpecific() ? target.capability == capability : target.capability <= capability;
    if (!target.isPtx && target.capability / 10 != capability / 10)
      runs = false;
    int rank = 2 * target.capability + target.isSpecific() + (target.isPtx ? 0 : 10000);
    if (runs && rank > bestRank) {
      best = static_cast<unsigned>(i);
      bestRank = rank;
    }
  }
  return best;
}
