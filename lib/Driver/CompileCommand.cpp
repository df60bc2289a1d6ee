//===- CompileCommand.cpp - tilec FILE -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the options alone which files will be written, how far the compilation must go for them, runs
// it, and commits the files together.
//
//===----------------------------------------------------------------------===//
#include "CompileCommand.h"

#include "Compilation.h"
#include "Depfile.h"
#include "Report.h"
#include "tilec/Driver/OutputTransaction.h"
#include "tilec/Frontend/Frontend.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace tilec {
namespace {

/// A file that will be written.
struct PlannedOutput {
  std::string path;
  Stage stage;
  const ArchInfo *arch = nullptr; // for stages of one target
};

/// A pure function of the options: nothing is read.
class OutputPlan {
public:
  explicit OutputPlan(const Options &options) : options(options) { make(); }

  std::vector<PlannedOutput> outputs;
  std::string folder;  // to be created: of several --emit values
  std::string depfile; // empty: none

  bool wants(Stage stage) const {
    return llvm::any_of(outputs, [&](const PlannedOutput &o) { return o.stage == stage; });
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const PlannedOutput &output : outputs)
      result.push_back(output.path);
    if (!depfile.empty())
      result.push_back(depfile);
    return result;
  }

private:
  void make();
  void add(llvm::StringRef path, Stage stage, const ArchInfo *arch = nullptr) {
    outputs.push_back({path.str(), stage, arch});
  }
  /// FOLDER/STEM[.TARGET].EXTENSION for each target that has the stage.
  void addToFolder(llvm::StringRef where, Stage stage);

  const Options &options;
};

void OutputPlan::addToFolder(llvm::StringRef where, Stage stage) {
  llvm::StringRef stem = options.input == "-" ? "stdin" : llvm::sys::path::stem(options.input);
  auto name = [&](llvm::StringRef target) {
    llvm::SmallString<128> path(where);
    llvm::sys::path::append(path, stem + target + "." + stageExtension(stage));
    return path.str().str();
  };
  if (stageScope(stage) == StageScope::File) {
    add(name(""), stage);
    return;
  }
  for (const ArchInfo *arch : options.targets)
    if (stage != Stage::Cubin || !arch->isPtxOnly())
      add(name("." + arch->name.str()), stage, arch);
}

void OutputPlan::make() {
  if (options.emit.size() > 1) {
    folder = options.output;
    for (Stage stage : options.emit)
      addToFolder(folder, stage);
  } else if (options.emit.size() == 1) {
    Stage stage = options.emit[0];
    add(options.output.empty() ? "-" : options.output, stage,
        stageScope(stage) == StageScope::Target ? options.targets[0] : nullptr);
  } else if (!options.output.empty()) {
    add(options.output, Stage::Fatbin);
  }
  // The device code first, then the source that embeds it, then what only describes them.
  if (!options.source.empty())
    add(options.source, Stage::Source);
  if (!options.header.empty())
    add(options.header, Stage::Header);
  if (!options.manifest.empty())
    add(options.manifest, Stage::Manifest);
  if (options.saveTemps) {
    std::string where = *options.saveTemps;
    if (where.empty() && !outputs.empty() && outputs[0].path != "-")
      where = llvm::sys::path::parent_path(outputs[0].path).str();
    else if (!where.empty())
      folder = folder.empty() ? where : folder;
    for (unsigned i = options.from ? unsigned(*options.from) : unsigned(Stage::Tokens);
         i <= unsigned(Stage::Cubin); ++i)
      addToFolder(where, static_cast<Stage>(i));
  }
  if (options.writeDepfile) {
    depfile = options.depfile;
    if (depfile.empty()) {
      llvm::SmallString<128> path(outputs.empty() || outputs[0].path == "-" ? options.input
                                                                            : outputs[0].path);
      llvm::sys::path::replace_extension(path, "d");
      depfile = path.str().str();
    }
  }
}

class CompileCommand {
public:
  CompileCommand(const Options &options, SourceManager &sources, DiagnosticEngine &diags)
      : options(options), sources(sources), diags(diags), plan(options),
        compilation(options, sources, diags) {}

  int run();

private:
  bool checkTerminal();
  bool dumpTokensAndAst();
  Stage lastStage() const;
  std::string contentOf(const PlannedOutput &output);
  bool write();

  const Options &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  OutputPlan plan;
  Compilation compilation;
  std::string tokens, ast;
};

bool CompileCommand::checkTerminal() {
  for (const PlannedOutput &output : plan.outputs)
    if (output.path == "-" && stageForm(output.stage) == StageForm::Binary &&
        llvm::sys::Process::StandardOutIsDisplayed()) {
      diags.reportWithoutLocation(DiagId::BinaryToTerminal, stageName(output.stage));
      return false;
    }
  return true;
}

/// These two stages need no analysis: they work on programs that are wrong.
bool CompileCommand::dumpTokensAndAst() {
  FileId file = sources.loadFile(options.input, diags);
  if (!file)
    return false;
  llvm::raw_string_ostream tokenStream(tokens), astStream(ast);
  if (plan.wants(Stage::Tokens))
    frontend::dumpTokens(sources, file, diags, tokenStream);
  if (plan.wants(Stage::Ast))
    if (auto tree = frontend::parseFile(sources, file, diags))
      frontend::dumpAst(*tree, sources, astStream);
  return !diags.hasErrors();
}

Stage CompileCommand::lastStage() const {
  Stage last = options.report ? Stage::Cubin : Stage::Tokens;
  for (const PlannedOutput &output : plan.outputs)
    last = std::max(last, output.stage);
  return last;
}

std::string CompileCommand::contentOf(const PlannedOutput &output) {
  switch (output.stage) {
  case Stage::Tokens:
    return tokens;
  case Stage::Ast:
    return ast;
  case Stage::Fatbin:
    return compilation.fatbin;
  case Stage::Header:
    return compilation.header;
  case Stage::Source:
    return compilation.source;
  case Stage::Manifest:
    return compilation.manifest;
  default:
    for (TargetBuild &target : compilation.getTargets())
      if (target.arch == output.arch)
        return target.texts[output.stage];
    return "";
  }
}

bool CompileCommand::write() {
  if (!plan.folder.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(plan.folder)) {
      diags.reportWithoutLocation(DiagId::CannotWriteFile, plan.folder, error.message());
      return false;
    }
  OutputTransaction transaction;
  for (const PlannedOutput &output : plan.outputs)
    transaction.add(output.path, contentOf(output));
  // After the outputs: a build that finds the dependency file finds them too.
  if (!plan.depfile.empty()) {
    std::string target = options.depTarget;
    if (target.empty())
      target = plan.outputs.empty() ? options.input : plan.outputs[0].path;
    std::optional<std::string> rule = makeDepfile(target, compilation.inputFiles(), diags);
    if (!rule)
      return false;
    transaction.add(plan.depfile, std::move(*rule));
  }
  return transaction.commit(diags);
}

int CompileCommand::run() {
  if (options.printOutputs) {
    for (const std::string &name : plan.names())
      llvm::outs() << name << "\n";
    return ExitOk;
  }
  if (!OutputTransaction::checkNames(plan.names(), {options.input}, diags) || !checkTerminal())
    return ExitUsage;

  Stage last = lastStage();
  for (const PlannedOutput &output : plan.outputs)
    compilation.keep(output.stage);
  if ((plan.wants(Stage::Tokens) || plan.wants(Stage::Ast)) && !dumpTokensAndAst())
    return ExitInput;
  if (last >= Stage::Tile) {
    if (!compilation.analyze())
      return ExitInput;
    if (!OutputTransaction::checkNames(plan.names(), compilation.inputFiles(), diags))
      return ExitUsage;
    if (!compilation.build(std::min(last, Stage::Cubin)))
      return ExitInput;
    if (last >= Stage::Fatbin && !compilation.finish())
      return ExitInput;
  }
  if (diags.hasErrors()) // warnings that are errors
    return ExitInput;
  if (options.dryRun) {
    for (const std::string &command : compilation.getCommands())
      llvm::outs() << command << "\n";
    return ExitOk;
  }
  if (options.verbose)
    compilation.printTools(llvm::errs());
  if (!write())
    return ExitEnvironment;
  bool outIsTaken = llvm::any_of(plan.outputs, [](const PlannedOutput &o) { return o.path == "-"; });
  if (options.report)
    printReport(compilation.getTargets(), outIsTaken ? llvm::errs() : llvm::outs());
  if (options.timePasses)
    compilation.getTimes().print(llvm::errs());
  return ExitOk;
}

} // namespace

int runCompile(const Options &options, SourceManager &sources, DiagnosticEngine &diags) {
  return CompileCommand(options, sources, diags).run();
}

} // namespace tilec
