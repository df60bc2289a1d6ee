//===- Compilation.cpp - from a source file to artefacts in memory --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every step in the order in which it happens; the passes themselves are in Pipelines.cpp.
//
//===----------------------------------------------------------------------===//
#include "Compilation.h"

#include "MlirDiagnostics.h"
#include "MlirText.h"
#include "Remarks.h"
#include "Version.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Driver/Pipelines.h"
#include "tilec/Frontend/ImportTile.h"
#include "tilec/Stub/Stub.h"
#include "tilec/Support/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

namespace tilec {

std::unique_ptr<mlir::MLIRContext> createContext() {
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  registerCodeGenTranslations(registry);
  // Targets are the unit of parallelism; a pool per context would only cost.
  auto context =
      std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false); // users see their program, not our operations
  return context;
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

bool Compilation::analyze() {
  for (const ArchInfo *arch : options.targets) {
    targets.emplace_back();
    targets.back().arch = arch;
  }
  return options.from ? readModule() : analyzeTile();
}

bool Compilation::analyzeTile() {
  ScopedTime time(times, "", "parse and check");
  FileId file = sources.loadFile(options.input, diags);
  if (!file)
    return false;
  for (TargetBuild &target : targets) {
    // A program that does not ask for its target is one program.
    bool asks = program && llvm::any_of(program->kernels, [](const auto &k) { return k.usesTarget; });
    if (program && !asks) {
      target.program = program.get();
      continue;
    }
    frontend::SemaOptions sema;
    sema.targetSm = target.arch->sm;
    sema.targetSharedBytes = target.arch->sharedPerBlock;
    sema.defines = options.defines;
    sema.includePaths = options.includePaths;
    sema.checkValues = options.checkValues;
    std::unique_ptr<frontend::hir::Program> result = frontend::analyze(sources, file, sema, diags);
    if (!result || diags.hasErrors())
      return false;
    target.program = result.get();
    (program ? target.ownProgram : program) = std::move(result);
  }
  return true;
}

void Compilation::addTestedEntries() {
  auto add = [](frontend::hir::Program &tested) {
    for (frontend::hir::Check &check : tested.checks)
      check.kernel->isEntry = true;
    for (frontend::hir::Bench &bench : tested.benches)
      bench.kernel->isEntry = true;
  };
  if (program)
    add(*program);
  for (TargetBuild &target : targets)
    if (target.ownProgram)
      add(*target.ownProgram);
}

bool Compilation::readModule() {
  ScopedTime time(times, "", "read");
  FileId file = sources.loadFile(options.input, diags);
  if (!file || !checkMlirText(file, diags))
    return false;
  for (TargetBuild &target : targets) {
    target.context = createContext();
    MlirDiagnosticHandler handler(*target.context, diags, diagsLock);
    target.module = mlir::parseSourceString<mlir::ModuleOp>(
        sources.getText(file), mlir::ParserConfig(target.context.get()), sources.getPortableName(file));
    if (!target.module)
      return false;
    if (mlir::failed(checkStage(*target.module, *options.from)))
      return false;
    // Its layouts and constants are those of one target.
    auto own = target.module->getOperation()->getAttrOfType<tile::TargetAttr>(tile::kTargetAttr);
    if (own && own.getChip() != target.arch->name) {
      diags.reportWithoutLocation(DiagId::ModuleTarget, own.getChip(), target.arch->name)
          .note("say '--target=" + own.getChip() + "'");
      return false;
    }
  }
  return true;
}

std::vector<std::string> Compilation::inputFiles() const {
  if (program)
    return program->files;
  return {options.input};
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

bool Compilation::build(Stage last) {
  if (last >= Stage::Cubin && !findTools())
    return false;
  unsigned jobs = options.jobs ? options.jobs : llvm::hardware_concurrency().compute_thread_count();
  // Not vector<bool>: its elements share bytes, and targets write at once.
  std::vector<char> good(targets.size(), 0);
  if (jobs == 1 || targets.size() == 1) {
    for (auto [index, target] : llvm::enumerate(targets))
      good[index] = buildTarget(target, last);
  } else {
    llvm::StdThreadPool pool(llvm::hardware_concurrency(std::min<size_t>(jobs, targets.size())));
    for (size_t index = 0; index != targets.size(); ++index)
      pool.async([&, index] { good[index] = buildTarget(targets[index], last); });
    pool.wait();
  }
  return llvm::all_of(good, [](char c) { return c; });
}

bool Compilation::buildTarget(TargetBuild &target, Stage last) {
  if (!target.context)
    target.context = createContext();
  MlirDiagnosticHandler handler(*target.context, diags, diagsLock);
  collectRemarks(*target.context, target.decisions);
  if (!target.module && !importTarget(target))
    return false;

  PipelineOptions pipeline;
  pipeline.arch = target.arch;
  pipeline.verifyStages = options.verifyStages;
  // The input of --from=tile is what --emit=tile printed: fresh from the importer, so tile's passes run.
  // Later stages' texts were printed after their passes.
  Stage first = options.from.value_or(Stage::Tile);
  keepModule(target, first);
  if (last < Stage::Layout)
    return true;
  for (Stage stage : {Stage::Tile, Stage::Layout, Stage::Schedule, Stage::Nvvm}) {
    bool isInput = options.from && stage <= *options.from && stage != Stage::Tile;
    if (stage > last || stage < first)
      continue;
    if (!isInput) {
      ScopedTime time(times, target.arch->name, stageName(stage));
      if (mlir::failed(runStage(*target.module, stage, pipeline)))
        return false;
    }
    if (stage != first)
      keepModule(target, stage);
    if (stage == Stage::Schedule)
      target.schedule = target.module->clone();
  }
  return last < Stage::Llvm || generateCode(target, last);
}

bool Compilation::importTarget(TargetBuild &target) {
  ScopedTime time(times, target.arch->name, "import");
  frontend::ImportOptions import;
  import.contract = options.contract;
  import.target = target.arch->name.str();
  import.symbols = wanted;
  target.module = frontend::importTile(*target.program, sources, *target.context, import);
  return static_cast<bool>(target.module);
}

void Compilation::keepModule(TargetBuild &target, Stage stage) {
  if (!kept.count(stage))
    return;
  llvm::raw_string_ostream os(target.texts[stage]);
  target.module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  os << "\n";
}

bool Compilation::generateCode(TargetBuild &target, Stage last) {
  CodeGenLog log;
  CodeGenOptions codegen;
  codegen.keepLLVM = kept.count(Stage::Llvm);
  mlir::Operation *gpuModule = deviceModule(*target.module);
  if (!gpuModule) {
    std::lock_guard<std::mutex> guard(diagsLock);
    diags.report(DiagId::NoEntryPoint, SourceRange(1, 0, 0), options.input)
        .note("a kernel is one under its own name if all its compile-time parameters have defaults, else "
              "'instantiate' makes it one");
    return false;
  }
  if (keepsDeviceModules) {
    target.device = compileToLLVM(gpuModule, *target.arch, codegen, log);
    return reportLog(log, target.arch->name) && target.device;
  }
  std::optional<DeviceImage> image = compileToPtx(gpuModule, *target.arch, codegen, log);
  if (image) {
    target.image = std::move(*image);
    AssembleOptions assembly;
    assembly.timeoutSeconds = options.ptxasTimeoutSeconds;
    assembly.dryRun = options.dryRun;
    if (last >= Stage::Cubin && !assemble(target.image, *toolchain, assembly, log))
      image.reset();
  }
  if (!reportLog(log, target.arch->name) || !image)
    return false;
  if (kept.count(Stage::Llvm))
    target.texts[Stage::Llvm] = target.image.llvm;
  if (kept.count(Stage::Ptx))
    target.texts[Stage::Ptx] = target.image.ptx;
  if (kept.count(Stage::Cubin) && !target.arch->isPtxOnly())
    target.texts[Stage::Cubin] = target.image.cubin;
  return true;
}

bool Compilation::findTools() {
  if (toolchain)
    return true;
  CodeGenLog log;
  toolchain = findToolchain(ToolSearch::fromEnvironment(), log);
  return reportLog(log, "") && toolchain.has_value();
}

bool Compilation::reportLog(const CodeGenLog &log, llvm::StringRef what) {
  for (const StepTime &step : log.times)
    times.add(what, step.step, step.seconds);
  std::lock_guard<std::mutex> guard(diagsLock);
  llvm::append_range(commands, log.commands);
  for (const CodeGenDiagnostic &diag : log.diagnostics) {
    DiagId id = diag.kind == CodeGenDiagnostic::Kind::CompilerBug   ? DiagId::InternalError
                : diag.kind == CodeGenDiagnostic::Kind::Environment ? DiagId::EnvironmentError
                                                                    : DiagId::LimitError;
    DiagnosticBuilder builder =
        diags.report(id, rangeOf(diag.pos.file, diag.pos.line, diag.pos.column, sources), diag.message);
    for (const std::string &note : diag.notes)
      builder.note(note);
  }
  return log.diagnostics.empty();
}

} // namespace tilec
