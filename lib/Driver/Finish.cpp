//===- Finish.cpp - fatbin, stub and manifest ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last steps of a compilation, over all targets at once, and what -v and -### say about the tools.
//
//===----------------------------------------------------------------------===//
#include "Compilation.h"
#include "MlirDiagnostics.h"
#include "Version.h"
#include "tilec/Stub/Stub.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

namespace tilec {
namespace {

std::string sha256(llvm::StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(bytes);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

/// Outputs depend on what was read, not on where it lay.
std::vector<stub::Provenance> inputsOf(const SourceManager &sources) {
  std::vector<stub::Provenance> inputs;
  for (FileId file = 1; file <= sources.getFileCount(); ++file)
    inputs.push_back({sources.getPortableName(file), "", sha256(sources.getText(file))});
  return inputs;
}

} // namespace

bool Compilation::finish() {
  AssembleOptions assembly;
  assembly.timeoutSeconds = options.ptxasTimeoutSeconds;
  assembly.dryRun = options.dryRun;
  CodeGenLog log;
  std::vector<DeviceImage> images;
  std::vector<stub::TargetModule> modules;
  std::vector<std::unique_ptr<MlirDiagnosticHandler>> handlers;
  for (TargetBuild &target : targets) {
    images.push_back(target.image);
    if (!target.schedule)
      continue;
    handlers.push_back(std::make_unique<MlirDiagnosticHandler>(*target.context, diags, diagsLock));
    modules.push_back({target.arch, *target.schedule, target.image.resources});
  }
  std::optional<std::string> bundled = bundle(images, *toolchain, assembly, log);
  if (!reportLog(log, "") || !bundled)
    return false;
  fatbin = std::move(*bundled);
  if (options.dryRun)
    return true;
  if (modules.size() != targets.size()) // --from=nvvm: no launch programs
    return true;

  ScopedTime time(times, "", "stub and manifest");
  stub::Options stubOptions;
  stubOptions.headerName = options.header.empty() || options.header == "-"
                               ? (llvm::sys::path::stem(options.input) + ".h").str()
                               : llvm::sys::path::filename(options.header).str();
  stubOptions.imageName = options.output.empty() ? (llvm::sys::path::stem(options.input) + ".fatbin").str()
                                                 : llvm::sys::path::filename(options.output).str();
  stubOptions.nameSpace = options.nameSpace;
  stubOptions.tilecVersion = tilecVersion().str();
  // Hashing ptxas takes a tenth of a second, and only the manifest names it.
  bool hash = kept.count(Stage::Manifest);
  for (auto [name, tool] : {std::pair("ptxas", &toolchain->ptxas), std::pair("fatbinary", &toolchain->fatbinary)})
    stubOptions.tools.push_back({name, tool->version, hash ? hashTool(*tool) : std::string()});
  stubOptions.inputs = inputsOf(sources);
  mlir::FailureOr<stub::Model> model = stub::buildModel(modules, fatbin, stubOptions);
  if (mlir::failed(model))
    return false;
  header = stub::printHeader(*model, stubOptions);
  source = stub::printSource(*model, stubOptions);
  manifest = stub::printManifest(*model, stubOptions);
  return true;
}

std::optional<std::string> Compilation::launchManifest(TargetBuild &target) {
  MlirDiagnosticHandler handler(*target.context, diags, diagsLock);
  stub::Options stubOptions;
  stubOptions.tilecVersion = tilecVersion().str();
  mlir::FailureOr<stub::Model> model = stub::buildModel({{target.arch, *target.schedule, {}}}, "", stubOptions);
  if (mlir::failed(model))
    return std::nullopt;
  return stub::printManifest(*model, stubOptions);
}

void Compilation::printTools(llvm::raw_ostream &os) {
  os << "tilec " << tilecVersion() << "\n";
  if (!toolchain)
    return;
  for (const Tool *tool : {&toolchain->ptxas, &toolchain->fatbinary})
    os << tool->path << " " << tool->version << " (by " << toolchain->foundBy << ")\n";
  for (const std::string &command : commands)
    os << command << "\n";
}

} // namespace tilec
