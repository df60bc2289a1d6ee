//===- CheckCommand.cpp - tilec check FILE ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle's side of every check is run by the reference evaluator. The tested side is too with
// --device=reference; with --device=gpu and --device=emulator it is the compiled kernel.
//
//===----------------------------------------------------------------------===//
#include "CheckCommand.h"

#include "BundleBuilder.h"
#include "CheckData.h"
#include "Compilation.h"
#include "EmulatedCheck.h"
#include "tilec/Frontend/ImportTile.h"
#include "tilec/Runner/Runner.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include <cmath>

namespace tilec {

using namespace frontend;

namespace {

/// What became of one check.
struct Outcome {
  enum class Status { Passed, Failed, Skipped } status;
  std::string detail;
  std::vector<CheckData::Output> outputs;
  std::vector<EmulatedOutcome> targets; // on the emulator
};

llvm::StringRef statusName(Outcome::Status status) {
  switch (status) {
  case Outcome::Status::Passed:
    return "passed";
  case Outcome::Status::Failed:
    return "failed";
  case Outcome::Status::Skipped:
    return "skipped";
  }
  llvm_unreachable("unknown status");
}

std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return std::isnan(value) ? "nan" : text; // printf gives NaN a sign
}

std::string describe(const CheckData::Output &output) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The error is that of the finite elements: what is NaN or infinite in the wrong place comes first.
  os << output.name << ": ";
  if (output.result.failing)
    os << output.result.failing << " wrong elements, the first at " << output.result.firstFailing << ": got "
       << numberText(output.result.got) << ", want " << numberText(output.result.want) << "; ";
  os << "error " << llvm::format("%.3g", output.result.relativeError) << " (tolerance "
     << llvm::format("%g", output.tolerance) << ")";
  return text;
}

/// A check holds its tensors up to three times: the inputs, what is wanted, what was computed.
constexpr int64_t kMaxCheckBytes = int64_t(4) << 30;

/// JSON has no infinities and no NaN.
llvm::json::Value numberOrText(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

llvm::json::Value placeJson(const SourcePos &place) {
  if (!place.isKnown())
    return nullptr;
  return llvm::json::Object{{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

llvm::json::Array targetsJson(llvm::ArrayRef<EmulatedOutcome> targets) {
  llvm::json::Array rows;
  for (const EmulatedOutcome &target : targets) {
    llvm::json::Array findings;
    for (const emu::Finding &finding : target.findings) {
      llvm::json::Array notes;
      for (const emu::FindingNote &note : finding.notes)
        notes.push_back(llvm::json::Object{{"place", placeJson(note.place)}, {"text", note.text}});
      findings.push_back(llvm::json::Object{{"kind", getFindingName(finding.kind)},
                                            {"place", placeJson(finding.place)},
                                            {"text", finding.text},
                                            {"count", static_cast<int64_t>(finding.count)},
                                            {"notes", std::move(notes)}});
    }
    rows.push_back(llvm::json::Object{{"target", target.target},
                                      {"passed", target.passed},
                                      {"error", numberOrText(target.relativeError)},
                                      {"schedules", target.schedules},
                                      {"seconds", target.seconds},
                                      {"detail", target.detail},
                                      {"findings", std::move(findings)}});
  }
  return rows;
}

class CheckCommand {
public:
  CheckCommand(const Options &options, SourceManager &sources, DiagnosticEngine &diags)
      : options(options), sources(sources), diags(diags), compilation(options, sources, diags) {}

  int run();
  /// After run(): the GPU that it was to use is not there, and nothing was printed.
  bool foundNoGpu = false;

private:
  bool prepare();
  void runOnReference();
  Outcome evaluateBoth(const hir::Check &check);
  int runOnEmulator();
  int runOnGpu();
  /// The tensors of a check after its oracle ran, or why there are none.
  struct Wanted {
    std::optional<CheckData> data;
    TensorBytes tensors;
    std::string problem;
  };
  /// A program ready to be evaluated; there is one a target where it mentions the target.
  struct Reference {
    const hir::Program *program = nullptr;
    mlir::OwningOpRef<mlir::ModuleOp> module;
    std::unique_ptr<eval::Evaluator> evaluator;

    std::string symbolOf(const hir::Kernel &kernel) const { return getKernelSymbol(*program, kernel); }
  };
  Reference &referenceFor(const hir::Program &program);
  Wanted evaluateOracle(const hir::Check &check) { return evaluateOracle(*reference, check); }
  Wanted evaluateOracle(Reference &by, const hir::Check &check);
  Outcome judge(const CheckData &data, const TensorBytes &got, const TensorBytes &want, llvm::StringRef how);
  void print(const hir::Check &check, const Outcome &outcome);

  const Options &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  Compilation compilation;
  const hir::Program *program = nullptr; // of the first target
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<std::unique_ptr<Reference>> references;
  Reference *reference = nullptr;         // of `program`
  std::vector<const hir::Check *> checks; // of `program`, those that the filter leaves
  llvm::StringRef device = "reference";
  unsigned counts[3] = {0, 0, 0};
};

CheckCommand::Reference &CheckCommand::referenceFor(const hir::Program &wanted) {
  for (std::unique_ptr<Reference> &known : references)
    if (known->program == &wanted)
      return *known;
  Reference &made = *references.emplace_back(std::make_unique<Reference>());
  made.program = &wanted;
  ImportOptions import;
  import.entriesOnly = false;
  import.contract = options.contract;
  made.module = importTile(wanted, sources, *context, import);
  made.evaluator = std::make_unique<eval::Evaluator>(*made.module);
  return made;
}

CheckCommand::Wanted CheckCommand::evaluateOracle(Reference &by, const hir::Check &check) {
  Wanted wanted;
  std::optional<std::vector<TensorShape>> shapes = tensorShapes(*check.kernel, check.values);
  if (!shapes) {
    wanted.problem = "an extent of a tensor is negative, or it has more than 2^40 elements";
    return wanted;
  }
  int64_t memory = 0;
  for (const TensorShape &shape : *shapes)
    memory += storageBytes(shape.kind, shape.memoryElements);
  if (memory > kMaxCheckBytes) {
    wanted.problem = llvm::formatv("its tensors have {0} bytes; the reference takes up to {1}", memory, kMaxCheckBytes);
    return wanted;
  }
  wanted.data.emplace(check.ranges, check.tolerances, std::move(*shapes), options.seed);
  wanted.tensors = wanted.data->makeTensors();
  const hir::Kernel &kernel = check.oracle ? *check.oracle : *check.kernel;
  eval::EvalResult result = wanted.data->evaluate(*by.evaluator, by.symbolOf(kernel), kernel,
                                                  check.oracle ? check.oracleValues : check.values,
                                                  wanted.tensors, eval::EvalOptions());
  if (!result.succeeded())
    wanted.problem = "the reference stopped: " + result.describe();
  return wanted;
}

Outcome CheckCommand::judge(const CheckData &data, const TensorBytes &got, const TensorBytes &want,
                            llvm::StringRef how) {
  Outcome outcome{Outcome::Status::Passed, "", data.compare(got, want), {}};
  for (const CheckData::Output &output : outcome.outputs) {
    if (output.result.passed)
      continue;
    outcome.status = Outcome::Status::Failed;
    outcome.detail += (outcome.detail.empty() ? "" : "; ") + describe(output) + how.str();
  }
  return outcome;
}

Outcome CheckCommand::evaluateBoth(const hir::Check &check) {
  if (!check.oracle)
    return {Outcome::Status::Skipped, "on the reference there is nothing to compare with: name an oracle, or run it with --device=emulator", {}, {}};
  Wanted wanted = evaluateOracle(check);
  if (!wanted.problem.empty())
    return {Outcome::Status::Failed, wanted.problem, {}, {}};
  const CheckData &data = *wanted.data;
  Outcome outcome{Outcome::Status::Passed, "", {}, {}};
  // Iterations that conflict show as a difference between the two orders.
  for (auto order : {eval::EvalOptions::Order::Forward, eval::EvalOptions::Order::Reverse}) {
    TensorBytes got = data.makeTensors();
    eval::EvalOptions evalOptions;
    evalOptions.order = order;
    eval::EvalResult result =
        data.evaluate(*reference->evaluator, reference->symbolOf(*check.kernel), *check.kernel, check.values, got, evalOptions);
    llvm::StringRef how = order == eval::EvalOptions::Order::Reverse ? " with iterations in reverse order" : "";
    if (!result.succeeded())
      return {Outcome::Status::Failed, result.describe() + how.str(), {}, {}};
    outcome = judge(data, got, wanted.tensors, how);
    if (outcome.status == Outcome::Status::Failed)
      return outcome;
  }
  return outcome;
}

void CheckCommand::runOnReference() {
  for (const hir::Check *check : checks)
    print(*check, evaluateBoth(*check));
}

int CheckCommand::runOnEmulator() {
  device = "emulator";
  std::set<std::string> symbols;
  for (const hir::Check *check : checks)
    symbols.insert(check->kernel->symbol);
  compilation.compileOnly(std::move(symbols));
  EmulatedChecks emulated(options, sources, diags, compilation);
  if (!emulated.prepare())
    return ExitInput;
  llvm::ArrayRef<TargetBuild> targets = compilation.getTargets();
  for (const hir::Check *check : checks) {
    auto index = static_cast<size_t>(check - program->checks.data());
    Outcome outcome{Outcome::Status::Passed, "", {}, {}};
    const hir::Program *evaluated = nullptr;
    Wanted wanted;
    for (size_t i = 0; i != targets.size(); ++i) {
      const hir::Check &own = targets[i].program->checks[index];
      if (evaluated != targets[i].program)
        wanted = evaluateOracle(referenceFor(*targets[i].program), own);
      evaluated = targets[i].program;
      if (!wanted.problem.empty()) {
        outcome.detail = wanted.problem;
        outcome.status = Outcome::Status::Failed;
        break;
      }
      outcome.targets.push_back(emulated.run(i, own, *wanted.data, wanted.tensors));
      if (!outcome.targets.back().passed)
        outcome.status = Outcome::Status::Failed;
    }
    print(*check, outcome);
  }
  return ExitOk;
}

int CheckCommand::runOnGpu() {
  // A machine without the driver is told apart before anything is compiled.
  std::string noDriver;
  auto reportMissing = [&](const std::string &why) {
    foundNoGpu = options.device == CheckDevice::Default;
    if (!foundNoGpu)
      diags.reportWithoutLocation(DiagId::DeviceNotThere, why);
    return ExitEnvironment;
  };
  if (options.bundle.empty() &&
      !llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &noDriver).isValid())
    return reportMissing(noDriver);
  if (!compilation.build(Stage::Cubin) || !compilation.finish())
    return ExitInput;

  BundleBuilder builder(options.seed);
  std::string error;
  if (!builder.setProgram(compilation.manifest, compilation.fatbin, error)) {
    diags.reportWithoutLocation(DiagId::InternalError, "the manifest cannot be read back: " + error);
    return ExitInternal;
  }
  std::vector<std::pair<const hir::Check *, std::string>> problems;
  std::vector<const hir::Check *> runnable;
  for (const hir::Check *check : checks) {
    Wanted wanted = evaluateOracle(*check);
    if (!wanted.problem.empty()) {
      problems.emplace_back(check, wanted.problem);
      continue;
    }
    builder.addCheck(*check, *wanted.data, wanted.tensors);
    runnable.push_back(check);
  }

  if (!options.bundle.empty()) {
    for (const hir::Bench &bench : program->benches)
      if (llvm::StringRef(bench.text).contains(options.filter))
        builder.addBench(bench, *program, *reference->evaluator);
    std::error_code code = llvm::sys::fs::create_directories(options.bundle);
    if (code || !runner::writeBundle(builder.getBundle(), compilation.manifest, options.bundle, error)) {
      diags.reportWithoutLocation(DiagId::CannotWriteFile, options.bundle, code ? code.message() : error);
      return ExitEnvironment;
    }
    for (auto &[check, problem] : problems)
      print(*check, {Outcome::Status::Failed, problem, {}, {}});
    return problems.empty() ? ExitOk : ExitInput;
  }

  runner::DeviceInfo info;
  runner::RunOptions runOptions;
  runOptions.printsToStderr = options.json;
  std::optional<std::vector<runner::CheckResult>> results =
      runner::runChecks(builder.getBundle(), runOptions, info, error);
  if (!results)
    return reportMissing(error);
  device = "gpu";
  for (auto [check, result] : llvm::zip(runnable, *results)) {
    Outcome outcome{result.passed ? Outcome::Status::Passed : Outcome::Status::Failed, result.detail, {}, {}};
    if (result.passed)
      outcome.detail = llvm::formatv("error {0:e2}, {1} code on {2}", result.relativeError, result.target, info.name);
    print(*check, outcome);
  }
  for (auto &[check, problem] : problems)
    print(*check, {Outcome::Status::Failed, problem, {}, {}});
  return ExitOk;
}

void CheckCommand::print(const hir::Check &check, const Outcome &outcome) {
  ++counts[static_cast<unsigned>(outcome.status)];
  if (options.json) {
    llvm::json::Array outputs;
    for (const CheckData::Output &output : outcome.outputs)
      outputs.push_back(llvm::json::Object{{"name", output.name},
                                           {"error", numberOrText(output.result.relativeError)},
                                           {"tolerance", output.tolerance},
                                           {"failing", output.result.failing}});
    llvm::json::Object row{{"check", check.text},
                           {"device", device},
                           {"status", statusName(outcome.status)},
                           {"outputs", std::move(outputs)}};
    if (!outcome.detail.empty())
      row["detail"] = outcome.detail;
    if (!outcome.targets.empty())
      row["targets"] = targetsJson(outcome.targets);
    llvm::outs() << llvm::json::Value(std::move(row)) << "\n";
    return;
  }
  LineColumn place = sources.getLineColumn(check.range.getBegin());
  llvm::outs() << llvm::left_justify(statusName(outcome.status), 8) << sources.getName(check.range.file) << ":"
               << place.line << ": " << check.text << "\n";
  for (const EmulatedOutcome &target : outcome.targets)
    llvm::outs() << "        " << llvm::left_justify(target.target, 10) << " " << target.schedules
                 << (target.schedules == 1 ? " schedule, " : " schedules, ")
                 << llvm::format("error %.3g, %.2f s", target.relativeError, target.seconds)
                 << (target.detail.empty() ? "" : ": ") << target.detail << "\n";
  if (!outcome.detail.empty())
    llvm::outs() << "        " << outcome.detail << "\n";
  else
    for (const CheckData::Output &output : outcome.outputs)
      llvm::outs() << "        " << describe(output) << "\n";
  llvm::outs().flush(); // checks take a while: show each as it ends
}

bool CheckCommand::prepare() {
  if (!compilation.analyze() || diags.hasErrors())
    return false;
  program = compilation.getTargets().front().program;
  for (const hir::Check &check : program->checks)
    if (llvm::StringRef(check.text).contains(options.filter))
      checks.push_back(&check);
  if (checks.empty() && !options.filter.empty()) {
    diags.reportWithoutLocation(DiagId::NoSuchCheck, options.filter);
    return false;
  }
  compilation.addTestedEntries(); // before any import: it decides the names of the kernels
  context = createContext();
  reference = &referenceFor(*program);
  return true;
}

int CheckCommand::run() {
  if (!prepare())
    return ExitInput;
  int status = ExitOk;
  if (options.device == CheckDevice::Reference)
    runOnReference();
  else
    status = options.device == CheckDevice::Emulator ? runOnEmulator() : runOnGpu();
  if (status != ExitOk || !options.bundle.empty())
    return status;
  if (!options.json)
    llvm::outs() << counts[0] << " passed, " << counts[1] << " failed, " << counts[2] << " skipped (on the "
                 << device << ")\n";
  return counts[1] ? ExitInput : ExitOk;
}

} // namespace

int runCheck(const Options &given, SourceManager &sources, DiagnosticEngine &diags) {
  // A machine without the driver is told apart before the program is read.
  std::string noDriver;
  bool mayHaveGpu = given.device == CheckDevice::Gpu ||
                    llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &noDriver).isValid();
  if (given.device == CheckDevice::Reference || given.device == CheckDevice::Gpu ||
      (given.device == CheckDevice::Default && mayHaveGpu)) {
    CheckCommand command(given, sources, diags);
    int status = command.run();
    if (!command.foundNoGpu)
      return status;
  }
  Options options = given;
  options.device = CheckDevice::Emulator;
  // Each target takes its time; the default is for compiling.
  if (!options.targetsGiven)
    options.targets.assign(1, ArchInfo::find("sm_90a"));
  return CheckCommand(options, sources, diags).run();
}

} // namespace tilec
