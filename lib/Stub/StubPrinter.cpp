//===- StubPrinter.cpp - the header and the source ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that are the same in every stub are files in Templates/; here is what depends on the kernels.
// Both texts are C11 and C++17 at once. In C++ everything private lies in a namespace named by the first
// entry point, so that a unity build may join several stubs.
//
//===----------------------------------------------------------------------===//

#include "CProgram.h"
#include "tilec/Support/CNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::stub;

namespace {
namespace templates {
#include "TemplateTexts.inc"
}

/// The names that the options and the entry points give.
struct Names {
  explicit Names(const Model &model, const Options &options) {
    for (StringRef part : split(options.nameSpace, "::"))
      if (!part.empty())
        prefix += part.str() + "_";
    for (const Entry &entry : model.entries)
      entries.push_back(prefix + entry.name);
    unit = entries.empty() ? prefix + "empty" : entries.front();
    contentMacro = "TILEC_CONTENT_ID_" + unit;
    exportMacro = "TILEC_EXPORT_" + unit;
  }

  std::string prefix;
  std::vector<std::string> entries; ///< what the C names of an entry point begin with
  std::string unit;
  std::string contentMacro, exportMacro;
};
} // namespace

std::vector<std::string> stub::fieldNames(ArrayRef<launch::Param> params) {
  StringSet<> taken;
  for (const launch::Param &param : params)
    taken.insert(param.name);
  std::vector<std::string> names;
  for (const launch::Param &param : params) {
    std::string &name = names.emplace_back(param.name);
    // TILEC_: macros of the stub itself.
    if (isReservedInC(name) || StringRef(name).starts_with("TILEC_"))
      do
        name += '_';
      while (!taken.insert(name).second);
  }
  return names;
}

static std::string targetList(const Model &model) {
  std::string list;
  for (const Target &target : model.targets)
    list += (list.empty() ? "" : " ") + target.arch->name.str() + (target.arch->isPtxOnly() ? " (PTX)" : "");
  return list;
}

static std::string contentNumber(const Model &model) { return "0x" + model.contentId.substr(0, 16) + "u"; }

/// The parameter as the program declares it: "out C: f32[N]".
static std::string declared(const launch::Param &param) {
  std::string text;
  if (param.isTensor && param.access != launch::Access::In)
    text += std::string(launch::getAccessName(param.access)) + " ";
  text += param.name + ": " + std::string(param.element->name);
  if (!param.isTensor)
    return text;
  text += "[" + join(param.extents, ", ") + "]";
  if (!param.strides.empty())
    text += " strides [" + join(param.strides, ", ") + "]";
  return text;
}

/// Text for a `//` comment: one line that does not end in a backslash.
static std::string commentText(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\n' || c == '\r' ? ' ' : c;
  if (!result.empty() && result.back() == '\\')
    result += '.';
  return result;
}

static void collectRequirements(const launch::Region &region, std::vector<std::string> &texts) {
  for (const launch::Instruction &op : region.body) {
    if (op.op == launch::Opcode::Require && !is_contained(texts, op.text))
      texts.push_back(op.text);
    for (const launch::Region &inner : op.regions)
      collectRequirements(inner, texts);
  }
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

static void printArgsStruct(const Entry &entry, StringRef name, raw_ostream &os) {
  os << "typedef struct " << name << "_args {\n";
  for (auto [param, field] : zip(entry.params, fieldNames(entry.params))) {
    if (!param.isTensor) {
      os << formatv("  {0} {1}; // {2}\n", StringRef(param.element->cScalar), field, declared(param));
      continue;
    }
    os << "  struct { // " << declared(param) << "\n";
    os << formatv("    {0}{1} *data; // device memory\n", param.access == launch::Access::In ? "const " : "",
                  StringRef(param.element->cPointee));
    os << formatv("    int64_t extents[{0}];\n", param.extents.size());
    if (!param.strides.empty())
      os << formatv("    int64_t strides[{0}]; // in elements\n", param.strides.size());
    os << formatv("  } {0};\n", field);
  }
  if (entry.params.empty())
    os << "  char unused;\n";
  os << "} " << name << "_args;\n\n";
}

static void printEntryHeader(const Entry &entry, StringRef name, raw_ostream &os) {
  std::vector<std::string> params;
  for (const launch::Param &param : entry.params)
    params.push_back(declared(param));
  os << "// kernel " << entry.name << "(" << commentText(join(params, ", ")) << ")\n";
  std::vector<std::string> requirements;
  for (const TargetProgram &program : entry.programs)
    collectRequirements(program.program.body, requirements);
  if (!requirements.empty()) {
    os << "//\n// What a launch is refused for ({0}, {1}: the values):\n";
    for (StringRef text : requirements)
      os << "//   " << commentText(text) << "\n";
  }
  printArgsStruct(entry, name, os);
  std::string hash = interfaceHash(entry);
  os << formatv(
      R"(// Checks the arguments and launches on `stream`. Any thread, any stream, any device; safe while the stream is
// being captured. `workspace` is device memory that the kernel may use until it ends; `error` may be null.
TILEC_CHECK_RESULT tilec_status {0}_launch(const {0}_args *args, void *workspace,
    uint64_t workspace_bytes, tilec_stream stream, tilec_error *error)
    TILEC_SYMBOL("{0}_launch_interface_{1}");

// The bytes of workspace that a launch with these arguments on this stream needs.
TILEC_CHECK_RESULT tilec_status {0}_workspace_size(const {0}_args *args, tilec_stream stream,
    uint64_t *bytes, tilec_error *error) TILEC_SYMBOL("{0}_workspace_size_interface_{1}");

// Loads the code for the device of `stream` now, so that the first launch there does not.
TILEC_CHECK_RESULT tilec_status {0}_preload(tilec_stream stream, tilec_error *error);

)",
      name, hash);
}

/// The C++ functions: overloads of the C ones that take a reference and return the error.
static void printEntryFace(StringRef entry, StringRef name, bool hasNamespace, raw_ostream &os) {
  if (hasNamespace)
    os << formatv("using {0}_args = ::{1}_args;\n\n", entry, name);
  os << formatv(R"([[nodiscard]] inline tilec_result {0}_launch(const {0}_args &args, tilec_stream stream,
    void *workspace = nullptr, uint64_t workspace_bytes = 0) noexcept {{
  tilec_result result;
  result.error.code = ::{1}_launch(&args, workspace, workspace_bytes, stream, &result.error);
  return result;
}

[[nodiscard]] inline tilec_result {0}_workspace_size(const {0}_args &args, tilec_stream stream,
    uint64_t &bytes) noexcept {{
  tilec_result result;
  result.error.code = ::{1}_workspace_size(&args, stream, &bytes, &result.error);
  return result;
}

[[nodiscard]] inline tilec_result {0}_preload(tilec_stream stream) noexcept {{
  tilec_result result;
  result.error.code = ::{1}_preload(stream, &result.error);
  return result;
}

)",
                entry, name);
}

static std::string inputNames(const Options &options) {
  std::vector<std::string> names;
  for (const Provenance &input : options.inputs)
    names.push_back(input.name);
  return names.empty() ? "a tile program" : join(names, ", ");
}

static void printBanner(StringRef what, const Model &model, const Options &options, raw_ostream &os) {
  os << "// " << what << " of " << commentText(inputNames(options)) << ", written by tilec "
     << options.tilecVersion << ". Do not edit.\n//\n// Device code for: " << targetList(model)
     << "\n// Content ID: " << model.contentId << "\n";
}

std::string stub::printHeader(const Model &model, const Options &options) {
  Names names(model, options);
  std::string text;
  raw_string_ostream os(text);
  printBanner("Launch functions", model, options, os);
  os << R"(//
// C11 or C++17; includes nothing but two standard headers. Each entry point has its arguments as a structure,
// whose fields have the names of the program's parameters, and three functions:
//
//   *_launch          checks the arguments, then launches
//   *_workspace_size  how many bytes of device memory a launch needs beside its arguments
//   *_preload         loads the code ahead of the first launch
//
// None of them throws, aborts, prints or allocates on the host. They return a status and fill a tilec_error with
// the entry point, the reason and the values; in C++ the overloads that take a reference return both as a
// tilec_result. A launch with an empty grid succeeds. Overlap is checked for contiguous tensors only. The device
// code is loaded on first use, once a process.
//
// The symbols of *_launch and *_workspace_size end in a hash of the arguments' names and types: what was compiled
// with a header of other arguments does not link. dlsym finds them by their plain names too.

)";
  os << formatv("#ifndef TILEC_HEADER_{0}\n#define TILEC_HEADER_{0}\n\n", names.unit);
  os << "#include <stdbool.h>\n#include <stdint.h>\n\n";
  os << formatv("#define {0} {1}\n\n", names.contentMacro, contentNumber(model));
  os << templates::abi << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (auto [entry, name] : zip(model.entries, names.entries))
    printEntryHeader(entry, name, os);
  os << "#ifdef __cplusplus\n} // extern \"C\"\n\n";
  if (!options.nameSpace.empty())
    os << "namespace " << options.nameSpace << " {\n\n";
  for (auto [entry, name] : zip(model.entries, names.entries)) {
    os << formatv("inline constexpr char {0}_targets[] = {1};\n", entry.name,
                  quoteC(targetList(model), false));
    os << formatv("inline constexpr char {0}_content_id[] = {1};\n\n", entry.name,
                  quoteC(model.contentId, false));
    printEntryFace(entry.name, name, !options.nameSpace.empty(), os);
  }
  if (!options.nameSpace.empty())
    os << "} // namespace " << options.nameSpace << "\n\n";
  os << formatv("#endif // __cplusplus\n\n#endif // TILEC_HEADER_{0}\n", names.unit);
  return text;
}

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

/// The image as 64-bit words: compilers take them seven times as fast as bytes.
static void printImageWords(StringRef image, raw_ostream &os) {
  os << "#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n#error \"the words of "
        "the image "
        "are for a little-endian machine\"\n#endif\n\n";
  size_t words = std::max<size_t>((image.size() + 7) / 8, 1);
  os << "// The device code, a fatbin of " << image.size() << " bytes.\n";
  os << formatv("static const uint64_t image[{0}] = {{", words);
  for (size_t i = 0; i != words; ++i) {
    uint64_t word = 0;
    for (size_t byte = 0; byte != 8 && 8 * i + byte < image.size(); ++byte)
      word |= uint64_t(static_cast<unsigned char>(image[8 * i + byte])) << (8 * byte);
    os << (i % 5 ? " " : "\n    ") << "0x" << Twine::utohexstr(word) << "u,";
  }
  os << "\n};\n\n";
}

/// The image from its file. The assembler looks for it beside itself and in the folders of -Wa,-I.
static void printImageIncbin(StringRef image, const Names &names, const Options &options, raw_ostream &os) {
  std::string symbol = names.unit + "_image";
  os << formatv(R"(// The device code, a fatbin of {0} bytes, read by the assembler.
__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".globl {1}\n"
        ".hidden {1}\n"
        "{1}:\n"
        ".incbin " {2} "\n"
        ".if . - {1} - {0}\n"
        ".error " {3} "\n"
        ".endif\n"
        ".popsection\n");
#ifdef __cplusplus
extern "C"
#else
extern
#endif
const uint64_t {1}[];

)",
                image.size(), symbol, quoteC(quoteC(options.imageName, false), false),
                quoteC(quoteC("the image is of another compile than this file", false), false));
}

static void printTargets(const Model &model, raw_ostream &os) {
  os << R"(typedef struct target_info {
  int capability; // 10 * major + minor
  int specific;   // 1: runs on exactly that capability
  int ptx;        // 1: PTX, which the driver compiles
} target_info;

static const target_info targets[] = {
)";
  for (const Target &target : model.targets)
    os << formatv("    {{{0}, {1}, {2}}, // {3}\n", target.arch->sm, target.isSpecific() ? 1 : 0,
                  target.arch->isPtxOnly() ? 1 : 0, target.arch->name);
  os << "};\n\n";
}

static std::string programTargets(const Model &model, const TargetProgram &program) {
  std::vector<std::string> names;
  for (unsigned target : program.targets)
    names.push_back(model.targets[target].arch->name.str());
  return join(names, ", ");
}

/// The launch programs of one entry point and its three functions. `bodies` are the programs' texts.
static void printEntrySource(const Model &model, const Entry &entry, StringRef name, StringRef exported,
                             ArrayRef<std::string> bodies, ArrayRef<std::vector<std::string>> kernels,
                             raw_ostream &os) {
  bool selects = entry.programs.size() > 1;
  os << "// ---- " << entry.name << " ----\n\n";
  for (auto [index, program] : enumerate(entry.programs)) {
    os << "// For " << programTargets(model, program) << ".\n";
    os << formatv("static tilec_status {0}_program_{1}(const {2}_args *args, const call_info *call) {{\n",
                  entry.name, index, name);
    // An entry point may have no parameters, and a program without launches no use for the call.
    os << "  (void)args;\n  (void)call;\n" << bodies[index] << "}\n\n";
  }
  auto dispatch = [&](function_ref<void(size_t, unsigned)> print, unsigned indent) {
    if (!selects)
      return print(0, indent);
    os.indent(indent) << "switch (target) {\n";
    for (auto [index, program] : enumerate(entry.programs)) {
      for (unsigned target : program.targets)
        os.indent(indent) << "case " << target << ": // " << model.targets[target].arch->name << "\n";
      print(index, indent + 2);
    }
    os.indent(indent) << "}\n";
  };
  const char *select =
      selects ? "  status = select_target(&call, &target);\n  if (status != TILEC_OK)\n    return status;\n"
              : "";
  const char *selectVariables = selects ? "  tilec_status status;\n  int target;\n" : "";
  auto begin = [&] {
    os << formatv("  const call_info call = {{{0}, stream, error};\n", quoteC(entry.name, false));
  };

  // Declared again in this namespace, where compilers do not see the header's symbol, and under the plain
  // name.
  os << formatv(R"(#ifdef __cplusplus
{1} tilec_status {0}_launch(const {0}_args *args, void *workspace,
    uint64_t workspace_bytes, tilec_stream stream, tilec_error *error) TILEC_SYMBOL("{0}_launch_interface_{2}");
{1} tilec_status {0}_workspace_size(const {0}_args *args, tilec_stream stream,
    uint64_t *bytes, tilec_error *error) TILEC_SYMBOL("{0}_workspace_size_interface_{2}");
{1} tilec_status {0}_preload(tilec_stream stream, tilec_error *error);
#endif
{1} tilec_status {0}_launch_by_name(const {0}_args *args, void *workspace,
    uint64_t workspace_bytes, tilec_stream stream, tilec_error *error)
    TILEC_SYMBOL("{0}_launch") __attribute__((alias("{0}_launch_interface_{2}")));
{1} tilec_status {0}_workspace_size_by_name(const {0}_args *args, tilec_stream stream,
    uint64_t *bytes, tilec_error *error)
    TILEC_SYMBOL("{0}_workspace_size") __attribute__((alias("{0}_workspace_size_interface_{2}")));

)",
                name, exported, interfaceHash(entry));
  os << formatv("{1} tilec_status {0}_launch(const {0}_args *args, void *workspace,\n"
                "    uint64_t workspace_bytes, tilec_stream stream, tilec_error *error) {{\n",
                name, exported);
  begin();
  os << selectVariables
     << "  (void)workspace; // no variant needs any\n  (void)workspace_bytes;\n  clear_error(error);\n"
     << "  if (!args)\n    return fail(&call, TILEC_INVALID_ARGUMENT, 0, \"the arguments are null\");\n"
     << select;
  dispatch(
      [&](size_t index, unsigned indent) {
        os.indent(indent) << formatv("return {0}_program_{1}(args, &call);\n", entry.name, index);
      },
      2);
  if (selects)
    os << "  return TILEC_OK;\n";
  os << "}\n\n";

  os << formatv(
      R"({1} tilec_status {0}_workspace_size(const {0}_args *args, tilec_stream stream,
    uint64_t *bytes, tilec_error *error) {{
)",
      name, exported);
  begin();
  os << R"(  clear_error(error);
  if (!args || !bytes)
    return fail(&call, TILEC_INVALID_ARGUMENT, 0, "the arguments or the place for the size are null");
  *bytes = 0;
  return TILEC_OK;
}

)";

  os << formatv("{1} tilec_status {0}_preload(tilec_stream stream, tilec_error *error) {{\n", name, exported);
  begin();
  os << "  tilec_status status = TILEC_OK;\n"
     << (selects ? "  int target;\n" : "") << "  clear_error(error);\n"
     << select;
  dispatch(
      [&](size_t index, unsigned indent) {
        for (StringRef kernel : kernels[index])
          os.indent(indent) << "if (status == TILEC_OK)\n"
                            << std::string(indent + 2, ' ') << "status = preload_kernel(&call, &" << kernel
                            << ");\n";
        if (selects)
          os.indent(indent) << "break;\n";
      },
      2);
  if (kernels.front().empty() && !selects)
    os << "  (void)call;\n";
  os << "  return status;\n}\n\n";
}

static void collectKernels(const launch::Region &region, KernelTable &table,
                           std::vector<std::string> &names) {
  for (const launch::Instruction &op : region.body) {
    if (op.op == launch::Opcode::Launch)
      if (const std::string &name = table.get(op).variable; !is_contained(names, name))
        names.push_back(name);
    for (const launch::Region &inner : op.regions)
      collectKernels(inner, table, names);
  }
}

/// A template with its mark replaced.
static std::string replaced(StringRef text, StringRef mark, StringRef by) {
  std::string result;
  for (size_t at; (at = text.find(mark)) != StringRef::npos; text = text.drop_front(at + mark.size()))
    result += (text.take_front(at) + by).str();
  return result + text.str();
}

std::string stub::printSource(const Model &model, const Options &options) {
  Names names(model, options);
  // The programs first: they say which functions and kernels the rest must have.
  HostFunctions functions;
  KernelTable kernels;
  std::vector<std::vector<std::string>> bodies;
  std::vector<std::vector<std::vector<std::string>>> kernelNames;
  bool selects = false;
  for (const Entry &entry : model.entries) {
    bodies.emplace_back();
    kernelNames.emplace_back();
    selects |= entry.programs.size() > 1;
    for (const TargetProgram &program : entry.programs) {
      bodies.back().push_back(printProgramBody(entry, program.program, functions, kernels));
      collectKernels(program.program.body, kernels, kernelNames.back().emplace_back());
    }
  }
  bool manyShared =
      any_of(kernels.getAll(), [](const KernelUse &kernel) { return kernel.sharedBytes > 49152; });
  bool launches = !kernels.getAll().empty();
  bool needsDriver = launches || functions.usesSmCount();

  std::string text;
  raw_string_ostream os(text);
  printBanner("Device code and launch functions", model, options, os);
  os << R"(//
// Compiles as C11 or C++17. Nothing runs before main, nothing links libcuda; the driver is found on the first
// launch. Define TILEC_NO_CHECKS to leave out the checks of arguments.

)";
  os << formatv("#include {0}\n\n", quoteC(options.headerName, false));
  os << "#include <dlfcn.h>\n#include <math.h>\n#include <pthread.h>\n#include <stdarg.h>\n#include "
        "<stddef.h>\n"
        "#include <stdio.h>\n#include <string.h>\n\n";
  os << formatv(
      "#if !defined({0}) || {0} != {1}\n#error \"the header and this source are of different compiles\"\n"
      "#endif\n\n",
      names.contentMacro, contentNumber(model));
  if (options.incbin)
    printImageIncbin(model.image, names, options, os);
  os << formatv("#ifdef __cplusplus\nnamespace {0}_stub {{\n#define {1} extern \"C\"\n#else\n#define {1}\n"
                "#endif\n\n",
                names.unit, names.exportMacro);
  os << "enum {\n#ifdef TILEC_NO_CHECKS\n  checks = 0\n#else\n  checks = 1\n#endif\n};\n\n";
  if (needsDriver) {
    if (!options.incbin)
      printImageWords(model.image, os);
    os << formatv("static const char target_list[] = {0};\n\n", quoteC(targetList(model), false));
  }
  os << templates::call;
  if (needsDriver) {
    os << replaced(templates::driver, "@IMAGE@", options.incbin ? names.unit + "_image" : "image");
    if (selects || manyShared || functions.usesSmCount())
      os << templates::device;
    if (functions.usesSmCount())
      os << templates::smCount;
    if (selects) {
      printTargets(model, os);
      os << templates::select;
    }
    if (manyShared)
      os << templates::shared;
  }
  if (launches) {
    os << replaced(templates::launch, "@SHARED@",
                   manyShared ? "  if (status == TILEC_OK && kernel->shared_bytes > 49152)\n"
                                "    status = allow_shared(call, kernel);\n"
                              : "");
    for (const KernelUse &kernel : kernels.getAll())
      os << formatv("static kernel_info {0} = {{{1}, {2}, {{{3}, {4}, {5}}, {6}, NULL, 0};\n",
                    kernel.variable, quoteC(kernel.symbol, false), kernel.threads, kernel.cluster[0],
                    kernel.cluster[1], kernel.cluster[2], kernel.sharedBytes);
    os << "\n";
  }
  if (std::string used = functions.print(); !used.empty())
    os << "// ---- Functions of the launch programs ----\n\n" << used << "\n";
  for (auto [i, entry] : enumerate(model.entries))
    printEntrySource(model, entry, names.entries[i], names.exportMacro, bodies[i], kernelNames[i], os);
  os << formatv("#undef {0}\n#ifdef __cplusplus\n} // namespace {1}_stub\n#endif\n", names.exportMacro,
                names.unit);
  return text;
}
