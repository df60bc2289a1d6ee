//===- Bundle.cpp - reading and writing bundles ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bundle.json names its files relative to itself; a name that leaves the folder is refused. Expected outputs
// lie in one file, expected.bin, block after block.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Bundle.h"
#include "Json.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace tilec;
using namespace tilec::runner;
using nlohmann::ordered_json;

std::optional<int64_t> tilec::runner::storageSpan(const std::vector<int64_t> &extents,
                                                  const std::vector<int64_t> &strides) {
  int64_t last = 0, stride = 1;
  bool isEmpty = false;
  for (size_t i = extents.size(); i-- > 0;) {
    int64_t step = strides.empty() ? stride : strides[i], reach;
    if (extents[i] < 0 || step < 0)
      return std::nullopt;
    isEmpty |= extents[i] == 0;
    if (__builtin_mul_overflow(std::max<int64_t>(extents[i] - 1, 0), step, &reach) ||
        __builtin_add_overflow(last, reach, &last) ||
        __builtin_mul_overflow(stride, std::max<int64_t>(extents[i], 1), &stride) || last >= int64_t(1) << 56)
      return std::nullopt;
  }
  return isEmpty ? 0 : last + 1;
}

static bool validateRow(const Manifest &manifest, const std::string &name,
                        const std::vector<Argument> &arguments, const std::vector<Expected> &expected,
                        bool isCheck, std::string &error) {
  const ManifestEntry *entry = manifest.findEntry(name);
  auto fail = [&](const std::string &what) {
    error = "entry point '" + name + "': " + what;
    return false;
  };
  if (!entry)
    return fail("the manifest has none of that name");
  if (arguments.size() != entry->params.size())
    return fail("has " + std::to_string(entry->params.size()) + " parameters, not " +
                std::to_string(arguments.size()));
  for (size_t i = 0; i != arguments.size(); ++i) {
    const launch::Param &param = entry->params[i];
    const Argument &argument = arguments[i];
    if (argument.name != param.name)
      return fail("parameter " + std::to_string(i) + " is '" + param.name + "', not '" + argument.name + "'");
    if (argument.extents.size() != param.extents.size() || argument.strides.size() != param.strides.size())
      return fail("'" + param.name + "' has another number of extents or strides");
    if (param.isTensor && !storageSpan(argument.extents, argument.strides))
      return fail("the extents or strides of '" + param.name + "' are negative or too large");
  }
  std::vector<bool> isExpected(arguments.size());
  for (const Expected &output : expected) {
    size_t i = 0;
    while (i != arguments.size() && entry->params[i].name != output.name)
      ++i;
    if (i == arguments.size() || !entry->params[i].isTensor || entry->params[i].access == launch::Access::In)
      return fail("'" + output.name + "' is no output");
    if (isExpected[i])
      return fail("'" + output.name + "' is expected twice");
    if (!std::isfinite(output.tolerance) || output.tolerance < 0)
      return fail("the tolerance of '" + output.name + "' is not a finite number from 0 on");
    ElementKind kind;
    parseElementKind(entry->params[i].element->name, kind);
    int64_t span = *storageSpan(arguments[i].extents, arguments[i].strides);
    for (const ExpectedBlock &block : output.blocks)
      if (block.start < 0 || block.count < 0 || block.count > span || block.start > span - block.count ||
          (elementInfo(kind).storageBits == 4 && block.start % 2 != 0) ||
          static_cast<int64_t>(block.bytes.size()) != storageBytes(kind, block.count))
        return fail("a block of '" + output.name + "' is not inside the tensor or has another size");
    isExpected[i] = span == 0;
    for (const ExpectedBlock &block : output.blocks)
      isExpected[i] = isExpected[i] || block.count > 0;
    if (!isExpected[i])
      return fail("no element of '" + output.name + "' is expected");
  }
  for (size_t i = 0; isCheck && i != arguments.size(); ++i)
    if (entry->params[i].isTensor && entry->params[i].access != launch::Access::In && !isExpected[i] &&
        *storageSpan(arguments[i].extents, arguments[i].strides) > 0)
      return fail("nothing is expected of the output '" + entry->params[i].name + "'");
  return true;
}

bool tilec::runner::validate(const Manifest &manifest, const BundleCheck &check, std::string &error) {
  return validateRow(manifest, check.entry, check.arguments, check.expected, /*isCheck=*/true, error);
}

bool tilec::runner::validate(const Manifest &manifest, const BundleBench &bench, std::string &error) {
  for (double amount : {bench.bytes, bench.flops})
    if (!(amount >= 0) || amount > 1e18) {
      error = "entry point '" + bench.entry + "': the bytes or flops of a launch are not in 0 to 1e18";
      return false;
    }
  return validateRow(manifest, bench.entry, bench.arguments, bench.expected, /*isCheck=*/false, error);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// A file of the bundle. Only plain names: a bundle may come from anywhere.
static std::string filePath(const JsonCursor &json, const std::string &folder) {
  std::string name = json.string();
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
    json.fail("is not the name of a file in the bundle");
  return folder + "/" + name;
}

static std::vector<Argument> readArguments(const JsonCursor &json) {
  std::vector<Argument> arguments;
  for (const JsonCursor &element : json.elements()) {
    Argument &argument = arguments.emplace_back();
    argument.name = element["name"].string();
    if (element.has("value")) {
      if (element["value"].isInteger())
        argument.real = static_cast<double>(argument.integer = element["value"].integer());
      else
        argument.real = element["value"].number();
      continue;
    }
    argument.extents = element["extents"].integers(0);
    if (element.has("strides"))
      argument.strides = element["strides"].integers(0);
    if (element.has("offset"))
      argument.offset = element["offset"].integer(0, 4096);
    if (element.has("range")) {
      std::vector<int64_t> range = element["range"].integers();
      if (range.size() == 2)
        argument.range = check::Range{range[0], range[1]};
      else
        element["range"].fail("has not two ends");
    }
  }
  return arguments;
}

static Expected readExpected(const JsonCursor &json, const std::string &data) {
  Expected expected;
  expected.name = json["name"].string();
  expected.tolerance = json["tolerance"].number();
  for (const JsonCursor &element : json["blocks"].elements()) {
    ExpectedBlock &block = expected.blocks.emplace_back();
    block.start = element["start"].integer(0);
    block.count = element["count"].integer(0);
    auto offset = static_cast<size_t>(element["offset"].integer(0)),
         size = static_cast<size_t>(element["bytes"].integer(0));
    if (size > data.size() || offset > data.size() - size)
      element.fail("lies outside the file of expected outputs");
    else
      block.bytes = data.substr(offset, size);
  }
  return expected;
}

std::optional<Bundle> tilec::runner::readBundle(const std::string &folder, std::string &error) {
  std::optional<std::string> text = readFile(folder + "/bundle.json", error);
  if (!text)
    return std::nullopt;
  std::optional<nlohmann::json> json = parseJson(*text, error);
  auto inFile = [&](const std::string &name) {
    if (!error.empty())
      error = folder + "/" + name + ": " + error;
    return std::nullopt;
  };
  if (!json)
    return inFile("bundle.json");
  JsonCursor root(*json, "", error);
  checkSchema(root, bundleSchema, bundleVersion);
  std::string manifestPath = filePath(root["manifest"], folder), imagePath = filePath(root["image"], folder);
  std::string dataPath = root.has("data") ? filePath(root["data"], folder) : "";
  if (!root.ok())
    return inFile("bundle.json");
  std::optional<std::string> manifestText = readFile(manifestPath, error);
  std::optional<std::string> image = manifestText ? readFile(imagePath, error) : std::nullopt;
  std::optional<std::string> data =
      image ? (dataPath.empty() ? std::string() : readFile(dataPath, error)) : std::nullopt;
  if (!data)
    return std::nullopt;
  std::optional<Manifest> manifest = parseManifest(*manifestText, error);
  if (!manifest)
    return inFile(root["manifest"].string());
  Bundle bundle;
  bundle.manifest = std::move(*manifest);
  bundle.image = std::move(*image);
  if (bundle.image.size() != bundle.manifest.imageBytes) {
    error = "the image has " + std::to_string(bundle.image.size()) + " bytes, the manifest says " +
            std::to_string(bundle.manifest.imageBytes);
    return std::nullopt;
  }
  for (const JsonCursor &element : root["checks"].elements()) {
    BundleCheck &check = bundle.checks.emplace_back();
    check.name = element["name"].string();
    check.entry = element["entry"].string();
    check.seed = static_cast<uint64_t>(element["seed"].integer());
    check.arguments = readArguments(element["arguments"]);
    for (const JsonCursor &output : element["expected"].elements())
      check.expected.push_back(readExpected(output, *data));
    if (root.ok())
      validate(bundle.manifest, check, error);
  }
  for (const JsonCursor &element : root["benches"].elements()) {
    BundleBench &bench = bundle.benches.emplace_back();
    bench.name = element["name"].string();
    bench.entry = element["entry"].string();
    bench.seed = static_cast<uint64_t>(element["seed"].integer());
    bench.arguments = readArguments(element["arguments"]);
    if (element.has("expected"))
      for (const JsonCursor &output : element["expected"].elements())
        bench.expected.push_back(readExpected(output, *data));
    if (element.has("bytes"))
      bench.bytes = element["bytes"].number();
    if (element.has("flops"))
      bench.flops = element["flops"].number();
    if (root.ok())
      validate(bundle.manifest, bench, error);
  }
  if (!root.ok())
    return inFile("bundle.json");
  return bundle;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static bool writeFile(const std::string &path, std::string_view text, std::string &error) {
  FILE *file = fopen(path.c_str(), "wb");
  bool ok = file && fwrite(text.data(), 1, text.size(), file) == text.size();
  int reason = errno;
  if (file && fclose(file) != 0) {
    ok = false;
    reason = errno;
  }
  if (!ok)
    error = "cannot write '" + path + "': " + strerror(reason);
  return ok;
}

static ordered_json realValue(double value) {
  if (value != value)
    return "nan";
  if (value == INFINITY || value == -INFINITY)
    return value > 0 ? "inf" : "-inf";
  return value;
}

static ordered_json argumentsJson(const Manifest &manifest, const std::string &entryName,
                                  const std::vector<Argument> &arguments) {
  const ManifestEntry *entry = manifest.findEntry(entryName);
  ordered_json result = ordered_json::array();
  for (size_t i = 0; i != arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    ordered_json json = {{"name", argument.name}};
    if (!entry->params[i].isTensor) {
      if (launch::isFloat(entry->params[i].element->value))
        json["value"] = realValue(argument.real);
      else
        json["value"] = argument.integer;
    } else {
      json["extents"] = argument.extents;
      if (!argument.strides.empty())
        json["strides"] = argument.strides;
      if (argument.offset)
        json["offset"] = argument.offset;
      if (argument.range)
        json["range"] = {argument.range->lo, argument.range->hi};
    }
    result.push_back(std::move(json));
  }
  return result;
}

/// Appends the blocks' bytes to `data`.
static ordered_json expectedJson(const std::vector<Expected> &expected, std::string &data) {
  ordered_json result = ordered_json::array();
  for (const Expected &output : expected) {
    ordered_json blocks = ordered_json::array();
    for (const ExpectedBlock &block : output.blocks) {
      blocks.push_back({{"start", block.start},
                        {"count", block.count},
                        {"offset", data.size()},
                        {"bytes", block.bytes.size()}});
      data += block.bytes;
    }
    result.push_back({{"name", output.name}, {"tolerance", output.tolerance}, {"blocks", blocks}});
  }
  return result;
}

bool tilec::runner::writeBundle(const Bundle &bundle, const std::string &manifestText,
                                const std::string &folder, std::string &error) {
  std::string data;
  ordered_json root = {{"schema", bundleSchema},          {"version", bundleVersion},
                       {"manifest", "manifest.json"},     {"image", "image.fatbin"},
                       {"data", "expected.bin"},          {"checks", ordered_json::array()},
                       {"benches", ordered_json::array()}};
  for (const BundleCheck &check : bundle.checks) {
    if (!validate(bundle.manifest, check, error))
      return false;
    root["checks"].push_back({{"name", check.name},
                              {"entry", check.entry},
                              {"seed", static_cast<int64_t>(check.seed)},
                              {"arguments", argumentsJson(bundle.manifest, check.entry, check.arguments)},
                              {"expected", expectedJson(check.expected, data)}});
  }
  for (const BundleBench &bench : bundle.benches) {
    if (!validate(bundle.manifest, bench, error))
      return false;
    root["benches"].push_back({{"name", bench.name},
                               {"entry", bench.entry},
                               {"seed", static_cast<int64_t>(bench.seed)},
                               {"arguments", argumentsJson(bundle.manifest, bench.entry, bench.arguments)},
                               {"expected", expectedJson(bench.expected, data)},
                               {"bytes", bench.bytes},
                               {"flops", bench.flops}});
  }
  return writeFile(folder + "/manifest.json", manifestText, error) &&
         writeFile(folder + "/image.fatbin", bundle.image, error) &&
         writeFile(folder + "/expected.bin", data, error) &&
         writeFile(folder + "/bundle.json", root.dump(1) + "\n", error);
}
