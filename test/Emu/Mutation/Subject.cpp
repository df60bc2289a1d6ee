//===- Subject.cpp - the checks of a .tile file on the emulator ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "BundleBuilder.h"
#include "Compilation.h"
#include "tilec/Frontend/ImportTile.h"
#include "tilec/Runner/Runner.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

namespace {
class TileSubject : public Subject {
public:
  size_t numChecks() const override { return builder.getBundle().checks.size(); }
  std::string runCheck(emu::Machine &machine, size_t check) const override {
    const runner::Bundle &bundle = builder.getBundle();
    runner::CheckResult result = runner::runCheck(machine, bundle, bundle.checks[check]);
    return result.passed ? "" : result.detail.empty() ? "failed" : result.detail;
  }

  BundleBuilder builder{/*seed=*/1};
};
} // namespace

/// Runs the oracles: each check with what it wants goes to the bundle.
static bool addChecks(const frontend::hir::Program &program, const SourceManager &sources,
                      BundleBuilder &builder) {
  std::unique_ptr<mlir::MLIRContext> context = createContext();
  frontend::ImportOptions import;
  import.entriesOnly = false;
  mlir::OwningOpRef<mlir::ModuleOp> module = frontend::importTile(program, sources, *context, import);
  eval::Evaluator evaluator(*module);
  for (const frontend::hir::Check &check : program.checks) {
    std::optional<std::vector<TensorShape>> shapes = tensorShapes(*check.kernel, check.values);
    if (!shapes)
      return false;
    CheckData data(check.ranges, check.tolerances, std::move(*shapes), /*seed=*/1);
    TensorBytes wanted = data.makeTensors();
    const frontend::hir::Kernel &kernel = check.oracle ? *check.oracle : *check.kernel;
    eval::EvalResult result =
        data.evaluate(evaluator, frontend::getKernelSymbol(program, kernel), kernel,
                      check.oracle ? check.oracleValues : check.values, wanted, eval::EvalOptions());
    if (!result.succeeded()) {
      errs() << "tile-mutate: " << check.text << ": " << result.describe() << "\n";
      return false;
    }
    builder.addCheck(check, data, wanted);
  }
  return true;
}

std::unique_ptr<Subject> mutation::makeTileSubject(StringRef file, const ArchInfo &arch) {
  SourceManager sources;
  TextDiagnosticPrinter printer(errs(), /*color=*/false, "tile-mutate");
  DiagnosticEngine diags(sources, printer);
  Options options;
  options.input = file.str();
  options.targets = {&arch};
  options.jobs = 1;
  Compilation compilation(options, sources, diags);
  if (!compilation.analyze())
    return nullptr;
  compilation.addTestedEntries();
  compilation.keepDeviceModules();
  if (!compilation.build(Stage::Llvm))
    return nullptr;
  TargetBuild &build = compilation.getTargets().front();
  auto subject = std::make_unique<TileSubject>();
  subject->name = (sys::path::filename(file) + " for " + arch.name).str();
  subject->arch = &arch;
  subject->device = std::move(*build.device);
  std::optional<std::string> manifest = compilation.launchManifest(build);
  std::string error;
  if (!manifest || !subject->builder.setProgram(*manifest, "", error) ||
      !addChecks(*build.program, sources, subject->builder)) {
    errs() << "tile-mutate: " << file << " cannot be run: " << error << "\n";
    return nullptr;
  }
  return subject;
}
