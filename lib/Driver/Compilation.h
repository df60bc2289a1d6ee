//===- Compilation.h - from a source file to artefacts in memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one path from a `.tile` file (or the text of a stage) to every artefact: analysis, import, the pipeline,
// code generation, bundling, stub and manifest. It writes no file; whoever runs it decides what becomes of the
// artefacts. Targets are compiled in parallel, each in an MLIR context of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DRIVER_COMPILATION_H
#define TILEC_LIB_DRIVER_COMPILATION_H

#include "Timing.h"
#include "tilec/CodeGen/CodeGen.h"
#include "tilec/Driver/Options.h"
#include "tilec/Frontend/Sema.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace tilec {

class DiagnosticEngine;
class SourceManager;

/// A context with the dialects and translations of every stage.
std::unique_ptr<mlir::MLIRContext> createContext();

/// One decision that a pass took, as its remark says.
struct Decision {
  std::string kernel, pass, name, text;
  SourcePos place;  // in the kernel
  SourcePos callee; // in the function that was called there, if one was
};

/// What was made for one target.
struct TargetBuild {
  const ArchInfo *arch = nullptr;
  std::unique_ptr<frontend::hir::Program> ownProgram; // where the program mentions target.*
  const frontend::hir::Program *program = nullptr;    // null with --from
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;   // at the stage last reached
  mlir::OwningOpRef<mlir::ModuleOp> schedule; // the module after stage `schedule`, with the launch programs
  std::map<Stage, std::string> texts;         // of the stages in `kept`
  DeviceImage image;
  std::optional<DeviceModule> device; // the LLVM IR, instead of an image, after keepDeviceModules()
  std::vector<Decision> decisions;
};

class Compilation {
public:
  Compilation(const Options &options, SourceManager &sources, DiagnosticEngine &diags)
      : options(options), sources(sources), diags(diags) {}

  /// Keeps the text of these stages in TargetBuild::texts.
  void keep(Stage stage) { kept.insert(stage); }

  /// build() ends with the LLVM IR that llc would get, in TargetBuild::device. Needs no CUDA Toolkit.
  void keepDeviceModules() { keepsDeviceModules = true; }

  /// Reads and checks the input for every target. False after errors.
  bool analyze();
  /// Makes every kernel that a check or bench runs an entry point, so that it can be launched. Before it is
  /// imported.
  void addTestedEntries();
  /// Compiles no other kernels than those.
  void compileOnly(std::set<std::string> symbols) { wanted = std::move(symbols); }
  /// Goes on to `last` (tile … cubin) for every target.
  bool build(Stage last);
  /// Bundles the images, writes stub and manifest. After build(Stage::Cubin).
  bool finish();

  /// The manifest of one target alone, without an image: its launch programs. After build(). None after errors.
  std::optional<std::string> launchManifest(TargetBuild &target);

  /// What -v prints: the tools and their command lines, which -### prints alone.
  void printTools(llvm::raw_ostream &os);
  const std::vector<std::string> &getCommands() const { return commands; }

  std::vector<TargetBuild> &getTargets() { return targets; }
  /// The main file and every import, as named.
  std::vector<std::string> inputFiles() const;
  TimeTable &getTimes() { return times; }
  const Toolchain *getToolchain() const { return toolchain ? &*toolchain : nullptr; }

  std::string fatbin, header, source, manifest; // set by finish()

private:
  bool analyzeTile();
  bool readModule();
  bool buildTarget(TargetBuild &target, Stage last);
  bool importTarget(TargetBuild &target);
  bool generateCode(TargetBuild &target, Stage last);
  void keepModule(TargetBuild &target, Stage stage);
  bool reportLog(const CodeGenLog &log, llvm::StringRef what);
  bool findTools();

  const Options &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  std::mutex diagsLock; // diags is not thread-safe
  std::set<Stage> kept;
  bool keepsDeviceModules = false;
  std::set<std::string> wanted; // symbols of kernels; empty: all entry points
  std::vector<TargetBuild> targets;
  std::unique_ptr<frontend::hir::Program> program;
  std::optional<Toolchain> toolchain;
  std::vector<std::string> commands;
  TimeTable times;
};

} // namespace tilec

#endif
