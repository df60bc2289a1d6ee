//===- Toolchain.cpp - finds ptxas and fatbinary --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tool counts as found when it is an executable file and answers --version with a release that we know to
// work.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/Toolchain.h"
#include "Subprocess.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include <cstdlib>

using namespace tilec;
using llvm::StringRef;
using llvm::Twine;
using Kind = CodeGenDiagnostic::Kind;

static const char wayOut[] =
    "install the CUDA Toolkit 12.4 or newer (13.0 is tested), or set CUDAToolkit_ROOT to it";

ToolSearch ToolSearch::fromEnvironment() {
  auto get = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  return {get("CUDAToolkit_ROOT"), get("CUDA_HOME"), get("PATH")};
}

static std::string absolute(StringRef path) {
  llvm::SmallString<128> result(path);
  llvm::sys::fs::make_absolute(result);
  llvm::sys::path::remove_dots(result);
  return std::string(result);
}

/// The executable file `name` in `folder`, or empty.
static std::string executableIn(StringRef folder, StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  if (llvm::sys::fs::can_execute(path) && !llvm::sys::fs::is_directory(path))
    return absolute(path);
  return {};
}

/// Asks the tool for its version; false after a report.
static bool readVersion(Tool &tool, StringRef name, CodeGenLog &log) {
  RunRequest request;
  request.path = tool.path;
  request.arguments = {"--version"};
  request.timeoutSeconds = 30;
  RunResult result = runTool(request);
  auto fail = [&](const Twine &message) {
    log.report(Kind::Environment, {}, message).notes.push_back(wayOut);
    return false;
  };
  if (!result.succeeded())
    return fail("'" + tool.path + "' does not work: " + result.describe());
  // "Cuda compilation tools, release 13.0, V13.0.88"
  StringRef version = StringRef(result.output).split(", V").second;
  version = version.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  StringRef rest = version;
  if (rest.consumeInteger(10, tool.major) || !rest.consume_front(".") || rest.consumeInteger(10, tool.minor))
    return fail("'" + tool.path + "' is not the CUDA Toolkit's " + name + ": it prints no version");
  tool.version = version.str();
  if (std::pair(tool.major, tool.minor) < std::pair(minToolkitMajor, minToolkitMinor))
    return fail("'" + tool.path + "' is of CUDA " + tool.version + ", which is too old");
  return true;
}

/// Finds both tools in the folder that an environment variable names.
static bool findUnder(StringRef variable, StringRef root, Toolchain &tools, CodeGenLog &log) {
  llvm::SmallString<128> bin(root);
  llvm::sys::path::append(bin, "bin");
  tools.foundBy = variable.str();
  for (auto [name, tool] : {std::pair("ptxas", &tools.ptxas), std::pair("fatbinary", &tools.fatbinary)}) {
    tool->path = executableIn(bin, name);
    if (tool->path.empty()) {
      log.report(Kind::Environment, {},
                 "no '" + Twine(name) + "' in '" + bin + "', to which " + variable + " points")
          .notes.push_back(("correct or unset " + variable + "; " + wayOut).str());
      return false;
    }
  }
  return true;
}

static bool findOnPath(StringRef path, Toolchain &tools, CodeGenLog &log) {
  llvm::SmallVector<StringRef, 16> folders;
  path.split(folders, ':', -1, /*KeepEmpty=*/false);
  tools.foundBy = "PATH";
  for (StringRef folder : folders)
    if (tools.ptxas.path = executableIn(folder, "ptxas"); !tools.ptxas.path.empty())
      break;
  if (tools.ptxas.path.empty()) {
    log.report(Kind::Environment, {}, "cannot find 'ptxas' by CUDAToolkit_ROOT, CUDA_HOME or PATH")
        .notes.push_back(wayOut);
    return false;
  }
  // fatbinary has to be of the same toolkit, so the folder of ptxas comes first.
  folders.insert(folders.begin(), llvm::sys::path::parent_path(tools.ptxas.path));
  for (StringRef folder : folders)
    if (tools.fatbinary.path = executableIn(folder, "fatbinary"); !tools.fatbinary.path.empty())
      return true;
  log.report(Kind::Environment, {},
             "cannot find 'fatbinary', which belongs beside '" + tools.ptxas.path + "'")
      .notes.push_back(wayOut);
  return false;
}

std::optional<Toolchain> tilec::findToolchain(const ToolSearch &search, CodeGenLog &log) {
  Toolchain tools;
  bool found = !search.cudaToolkitRoot.empty()
                   ? findUnder("CUDAToolkit_ROOT", search.cudaToolkitRoot, tools, log)
               : !search.cudaHome.empty() ? findUnder("CUDA_HOME", search.cudaHome, tools, log)
                                          : findOnPath(search.path, tools, log);
  if (!found || !readVersion(tools.ptxas, "ptxas", log) || !readVersion(tools.fatbinary, "fatbinary", log))
    return std::nullopt;
  return tools;
}

std::string tilec::hashTool(const Tool &tool) {
  auto file = llvm::MemoryBuffer::getFile(tool.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return {};
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef((*file)->getBuffer())),
                     /*LowerCase=*/true);
}
