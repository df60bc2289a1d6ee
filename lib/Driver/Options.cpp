//===- Options.cpp - the command line of tilec ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over the table Options.td: expands response files, parses, checks what the options mean together.
//
//===----------------------------------------------------------------------===//
#include "tilec/Driver/Options.h"

#include "tilec/Support/CNames.h"
#include "tilec/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm::opt;

namespace tilec {
namespace {

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

enum OptionVisibilityBits : unsigned { CompileOption = 1u << 1, CheckOption = 1u << 2, LayoutOption = 1u << 3 };

unsigned visibilityOf(Command command) {
  switch (command) {
  case Command::Compile:
    return CompileOption;
  case Command::Check:
    return CheckOption;
  case Command::Layout:
    return LayoutOption;
  }
  llvm_unreachable("unknown command");
}

constexpr OptTable::Info kInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

class TilecOptTable : public GenericOptTable {
public:
  TilecOptTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, kInfos) {}
};

constexpr unsigned kMaxResponseDepth = 8;

/// Replaces `@file` by the arguments in it. A missing file and a nesting deeper than the limit (which a file
/// that names itself reaches) are errors: passing the word on would compile something else.
bool expandResponseFiles(llvm::ArrayRef<const char *> args, unsigned depth, llvm::StringSaver &saver,
                         llvm::SmallVectorImpl<const char *> &expanded, DiagnosticEngine &diags) {
  for (const char *arg : args) {
    if (arg[0] != '@' || arg[1] == 0) {
      expanded.push_back(arg);
      continue;
    }
    if (depth == kMaxResponseDepth) {
      diags.reportWithoutLocation(DiagId::ResponseFileDepth, arg + 1, kMaxResponseDepth);
      return false;
    }
    auto buffer = llvm::MemoryBuffer::getFile(arg + 1, /*IsText=*/true);
    if (!buffer) {
      diags.reportWithoutLocation(DiagId::ResponseFileUnreadable, arg + 1, llvm::StringRef(buffer.getError().message()).lower());
      return false;
    }
    llvm::SmallVector<const char *> words;
    llvm::cl::TokenizeGNUCommandLine((*buffer)->getBuffer(), saver, words);
    if (!expandResponseFiles(words, depth + 1, saver, expanded, diags))
      return false;
  }
  return true;
}

/// "unused-tile, …", for messages.
std::string warningGroups() {
  std::vector<llvm::StringRef> groups;
  for (const DiagInfo &info : getAllDiagInfos())
    if (!info.group.empty() && !llvm::is_contained(groups, info.group))
      groups.push_back(info.group);
  return llvm::join(groups, ", ");
}

class OptionReader {
public:
  OptionReader(const InputArgList &args, Options &options, DiagnosticEngine &diags)
      : args(args), options(options), diags(diags) {}

  bool read();

private:
  void readOutputs();
  void readTargets();
  void readDefines();
  void readDiagnostics();
  void readCheck();
  void readLayout();
  void checkCombinations();

  template <typename... Ts> void error(DiagId id, Ts &&...values) {
    diags.reportWithoutLocation(id, std::forward<Ts>(values)...);
    ok = false;
  }
  std::string text(ID id) { return args.getLastArgValue(id).str(); }
  template <typename Int> void number(ID id, Int &value) {
    if (const Arg *arg = args.getLastArg(id))
      if (llvm::StringRef(arg->getValue()).getAsInteger(10, value))
        error(DiagId::OptionNeedsNumber, arg->getSpelling(), arg->getValue());
  }
  /// The index of the option's value in `names`.
  std::optional<unsigned> choice(ID id, llvm::ArrayRef<llvm::StringRef> names) {
    const Arg *arg = args.getLastArg(id);
    if (!arg)
      return std::nullopt;
    const auto *it = llvm::find(names, arg->getValue());
    if (it != names.end())
      return it - names.begin();
    error(DiagId::OptionChoice, arg->getSpelling(), arg->getValue(), llvm::join(names, ", "));
    return std::nullopt;
  }

  const InputArgList &args;
  Options &options;
  DiagnosticEngine &diags;
  bool ok = true;
};

void OptionReader::readOutputs() {
  options.output = text(OPT_o);
  options.header = text(OPT_header);
  options.source = text(OPT_source);
  options.manifest = text(OPT_manifest);
  for (const std::string &value : args.getAllArgValues(OPT_emit)) {
    std::optional<Stage> stage = parseStage(value);
    if (!stage)
      error(DiagId::UnknownStage, value, allStageNames());
    else if (!llvm::is_contained(options.emit, *stage))
      options.emit.push_back(*stage);
  }
  if (const Arg *arg = args.getLastArg(OPT_from)) {
    std::optional<Stage> stage = parseStage(arg->getValue());
    if (!stage || stageForm(*stage) != StageForm::Module)
      error(DiagId::FromStage, arg->getValue());
    else
      options.from = stage;
  }
  if (const Arg *arg = args.getLastArg(OPT_save_temps_eq))
    options.saveTemps = arg->getValue();
  else if (args.hasArg(OPT_save_temps))
    options.saveTemps = "";
  options.nameSpace = text(OPT_name_space);
  options.printOutputs = args.hasArg(OPT_print_outputs);
  options.writeDepfile = args.hasArg(OPT_MD);
  options.depfile = text(OPT_MF);
  options.depTarget = text(OPT_MT);
}

void OptionReader::readTargets() {
  options.targets.assign(defaultTargets().begin(), defaultTargets().end());
  options.listTargets = args.hasArg(OPT_list_targets);
  if (!args.hasArg(OPT_target))
    return;
  options.targetsGiven = true;
  TargetListError targetError;
  options.targets.clear();
  if (parseTargetList(llvm::join(args.getAllArgValues(OPT_target), ","), options.targets, targetError)) {
    DiagnosticBuilder diag = diags.reportWithoutLocation(DiagId::BadTarget, targetError.message);
    if (!targetError.note.empty())
      diag.note(targetError.note);
    ok = false;
  }
}

void OptionReader::readDefines() {
  for (const std::string &define : args.getAllArgValues(OPT_D)) {
    auto [name, value] = llvm::StringRef(define).split('=');
    if (name.empty() || value.empty())
      error(DiagId::DefineForm, define);
    else
      options.defines.emplace_back(name.str(), value.str());
  }
  options.includePaths = args.getAllArgValues(OPT_I);
  options.contract = !args.hasArg(OPT_no_contract);
}

void OptionReader::readDiagnostics() {
  if (auto index = choice(OPT_diagnostics, {"text", "json"}))
    options.jsonDiagnostics = *index == 1;
  if (auto index = choice(OPT_color, {"auto", "always", "never"}))
    options.color = static_cast<ColorMode>(*index);
  unsigned limit = 20;
  number(OPT_error_limit, limit);
  diags.setErrorLimit(limit);
  for (const std::string &value : args.getAllArgValues(OPT_W_Joined))
    if (!diags.setWarningOption(value)) {
      ok = false;
      DiagnosticBuilder diag = diags.reportWithoutLocation(DiagId::UnknownWarning, value);
      if (llvm::StringRef near = DiagnosticEngine::suggestWarningGroup(value); !near.empty())
        diag.note("did you mean '" + near + "'?");
      diag.note("the warnings are " + warningGroups());
    }
  options.report = args.hasArg(OPT_report);
  options.timePasses = args.hasArg(OPT_time_passes);
  options.verbose = args.hasArg(OPT_v);
  options.dryRun = args.hasArg(OPT_hash_hash_hash);
  options.verifyStages = args.hasArg(OPT_verify_stages);
  number(OPT_j, options.jobs);
  number(OPT_ptxas_timeout, options.ptxasTimeoutSeconds);
}

void OptionReader::readCheck() {
  if (auto index = choice(OPT_device, {"reference", "emulator", "gpu"}))
    options.device = *index == 0   ? CheckDevice::Reference
                     : *index == 1 ? CheckDevice::Emulator
                                   : CheckDevice::Gpu;
  number(OPT_schedules, options.schedules);
  options.schedules = std::max(options.schedules, 1u);
  std::string given = options.command == Command::Check ? text(OPT_shape) : "";
  llvm::SmallVector<llvm::StringRef> pairs;
  llvm::StringRef(given).split(pairs, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef pair : pairs) {
    auto [name, number] = pair.split('=');
    int64_t value;
    if (name.trim().empty() || number.trim().getAsInteger(10, value))
      error(DiagId::ShapeValues, pair);
    else
      options.checkValues.push_back({name.trim().str(), value});
  }
  options.filter = text(OPT_filter);
  options.json = args.hasArg(OPT_json);
  number(OPT_seed, options.seed);
  options.bundle = text(OPT_bundle);
}

void OptionReader::readLayout() {
  options.shape = text(OPT_shape);
  static constexpr llvm::StringRef widths[] = {"4", "8", "16", "32", "64"};
  if (auto index = choice(OPT_element_bits, widths))
    options.elementBits = 4u << *index;
  options.svg = args.hasArg(OPT_svg);
}

void OptionReader::checkCombinations() {
  if (!options.depfile.empty() && !options.writeDepfile)
    error(DiagId::OptionNeedsOption, "-MF", "-MD");
  if (!options.depTarget.empty() && !options.writeDepfile)
    error(DiagId::OptionNeedsOption, "-MT", "-MD");
  if (!options.bundle.empty() && options.device != CheckDevice::Gpu)
    error(DiagId::OptionNeedsOption, "--bundle", "--device=gpu");
  if (!options.nameSpace.empty()) {
    llvm::StringRef name = options.nameSpace;
    if (isReservedInC(name) || !(llvm::isAlpha(name[0]) || name[0] == '_') ||
        !llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      error(DiagId::BadNamespace, name);
  }
  if (options.command != Command::Compile)
    return;
  if (options.from)
    for (Stage stage : options.emit)
      if (stage < *options.from)
        error(DiagId::EmitBeforeFrom, stageName(stage), stageName(*options.from));
  if (options.emit.empty() && options.output.empty() && options.header.empty() && options.source.empty() &&
      options.manifest.empty() && !options.listTargets && !options.report && !options.saveTemps)
    error(DiagId::NoOutput);
  bool single = options.emit.size() == 1;
  if (single && stageScope(options.emit[0]) == StageScope::Target) {
    if (!options.targetsGiven)
      options.targets.assign(1, ArchInfo::find("sm_90a"));
    else if (options.targets.size() > 1)
      error(DiagId::EmitOneTarget, stageName(options.emit[0]), options.targets.size());
  }
  if (single && options.emit[0] == Stage::Cubin && options.targets.size() == 1 && options.targets[0]->isPtxOnly())
    error(DiagId::NoCubinForPtxTarget, options.targets[0]->name);
  for (llvm::StringRef name : {options.output, options.header, options.source, options.manifest})
    if (name.find_first_of("\"\n\r") != llvm::StringRef::npos || !llvm::json::isUTF8(name))
      error(DiagId::OutputName, llvm::json::fixUTF8(name));
  if (options.emit.size() > 1 && (options.output.empty() || options.output == "-"))
    error(DiagId::EmitNeedsFolder);
}

bool OptionReader::read() {
  options.help = args.hasArg(OPT_help);
  options.version = args.hasArg(OPT_version);
  readOutputs();
  readTargets();
  readDefines();
  readDiagnostics();
  readCheck();
  readLayout();
  if (options.help || options.version || options.listTargets)
    return ok;
  std::vector<std::string> inputs = args.getAllArgValues(OPT_INPUT);
  llvm::append_range(inputs, args.getAllArgValues(OPT_dash_dash));
  if (inputs.size() != 1)
    error(inputs.empty() ? DiagId::NoInput : DiagId::SeveralInputs, static_cast<unsigned>(inputs.size()));
  else
    options.input = inputs[0];
  checkCombinations();
  return ok;
}

} // namespace

DiagnosticOptions scanDiagnosticOptions(llvm::ArrayRef<const char *> argv) {
  DiagnosticOptions result;
  for (llvm::StringRef arg : argv.drop_front()) {
    if (arg == "--diagnostics=json")
      result.json = true;
    else if (arg == "--color=always")
      result.color = ColorMode::Always;
    else if (arg == "--color=never")
      result.color = ColorMode::Never;
  }
  return result;
}

bool parseOptions(llvm::ArrayRef<const char *> argv, Options &options, DiagnosticEngine &diags) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  if (!expandResponseFiles(argv.drop_front(), 0, saver, words, diags))
    return false;
  llvm::ArrayRef<const char *> rest = words;
  if (!rest.empty() && llvm::is_contained({"check", "layout"}, llvm::StringRef(rest[0]))) {
    options.command = llvm::StringRef(rest[0]) == "check" ? Command::Check : Command::Layout;
    rest = rest.drop_front();
  } else if (rest.size() > 1 && llvm::is_contained({"bench", "tune", "fmt", "doctor"}, llvm::StringRef(rest[0]))) {
    diags.reportWithoutLocation(DiagId::UnknownCommand, rest[0])
        .note("benches are exported by 'tilec check --device=gpu --bundle=DIR FILE' and run by 'tile-runner bench DIR'");
    return false;
  }
  TilecOptTable table;
  llvm::opt::Visibility visible(visibilityOf(options.command));
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(rest, missingIndex, missingCount, visible);
  if (missingCount) {
    diags.reportWithoutLocation(DiagId::OptionNeedsValue, args.getArgString(missingIndex));
    return false;
  }
  for (const Arg *arg : args.filtered(OPT_UNKNOWN)) {
    std::string spelled = arg->getAsString(args), nearest;
    DiagnosticBuilder diag = diags.reportWithoutLocation(DiagId::UnknownOption, spelled);
    if (table.findNearest(spelled, nearest, visible) <= 2)
      diag.note("did you mean '" + nearest + "'?");
  }
  if (args.hasArg(OPT_UNKNOWN))
    return false;
  return OptionReader(args, options, diags).read();
}

void printHelp(llvm::raw_ostream &os, Command command) {
  struct Text {
    const char *usage, *what;
  };
  static constexpr Text texts[] = {
      {"tilec [options] <file>.tile\n       tilec check [options] <file>.tile\n       tilec layout [options] '<layout>'",
       "compiles tile programs to GPU code and C++ launch stubs"},
      {"tilec check [options] <file>.tile", "runs the checks of a program"},
      {"tilec layout [options] '<layout>'", "draws which thread holds which element of a tile"}};
  const Text &text = texts[static_cast<unsigned>(command)];
  TilecOptTable().printHelp(os, text.usage, text.what, false, false, llvm::opt::Visibility(visibilityOf(command)));
}

} // namespace tilec
