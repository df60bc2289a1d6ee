//===- EmitCubin.cpp - runs ptxas and fatbinary ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX goes in through standard input, results come back through a private folder, and nothing counts as done
// before its contents were checked. Messages of the tools are never passed on as they are: a user cannot act
// on a line of PTX.
//
//===----------------------------------------------------------------------===//

#include "ImageCheck.h"
#include "PtxasLog.h"
#include "Subprocess.h"
#include "tilec/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilec;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;
using Kind = CodeGenDiagnostic::Kind;

static const char bugNote[] = "this is a bug of tilec; keep the PTX with --save-temps and report it";

/// What a tool that did not end with status 0 means, apart from errors in its input.
static void reportFailedRun(StringRef tool, const Tool &which, const RunResult &result,
                            unsigned timeoutSeconds, SourcePos pos, CodeGenLog &log) {
  if (result.status == RunResult::Status::TimedOut) {
    log.report(Kind::Limit, std::move(pos), tool + " did not finish in " + Twine(timeoutSeconds) + " s");
    return;
  }
  log.report(Kind::Environment, std::move(pos), "'" + which.path + "' failed: " + result.describe());
}

/// ptxas on a full disk, when it notices: "Internal error: writing file".
static bool isAboutFiles(const PtxasError &error) {
  StringRef message = error.message;
  return error.ptxLine == 0 &&
         (message.contains("writing file") || message.contains_insensitive("open output file") ||
          message.contains_insensitive("could not open") || message.contains("No space left"));
}

static bool checkVersion(const DeviceImage &image, const Toolchain &tools, CodeGenLog &log) {
  std::pair needed(image.arch->minPtxasMajor, image.arch->minPtxasMinor);
  if (std::pair(tools.ptxas.major, tools.ptxas.minor) >= needed)
    return true;
  log.report(Kind::Environment, {},
             "target '" + image.arch->name + "' needs CUDA " + Twine(needed.first) + "." +
                 Twine(needed.second) + ", but '" + tools.ptxas.path + "' is of CUDA " + tools.ptxas.version);
  return false;
}

/// `ptx` with its `.loc` and `.file` lines empty: messages still count the same lines.
static std::string withoutLines(StringRef ptx) {
  std::string result;
  result.reserve(ptx.size());
  while (!ptx.empty()) {
    StringRef line = ptx.take_front(ptx.find('\n'));
    ptx = ptx.drop_front(line.size());
    StringRef directive = line.ltrim();
    if (!directive.starts_with(".loc\t") && !directive.starts_with(".file\t"))
      result += line;
    if (ptx.consume_front("\n"))
      result += '\n';
  }
  return result;
}

bool tilec::assemble(DeviceImage &image, const Toolchain &tools, const AssembleOptions &options,
                     CodeGenLog &log) {
  if (!checkVersion(image, tools, log))
    return false;
  StepTimer timer(log, "ptxas");
  PrivateDir temp(options.tempDir);
  if (!temp.isValid()) {
    log.report(Kind::Environment, {}, temp.problem());
    return false;
  }
  RunRequest request;
  request.path = tools.ptxas.path;
  std::string target = temp.file("image.cubin");
  request.arguments = {("-arch=" + image.arch->ptxasArch()).str(), "-O" + std::to_string(options.optLevel),
                       "-v"};
  if (image.kernels.size() > 1 && options.splitCompile > 1)
    request.arguments.push_back("--split-compile=" + std::to_string(options.splitCompile));
  llvm::append_range(request.arguments, std::initializer_list<std::string>{"-", "-o", target});
  request.input = options.stripLines ? withoutLines(image.ptx) : image.ptx;
  request.tempDir = temp.directory();
  request.timeoutSeconds = options.timeoutSeconds;
  log.commands.push_back(describeCommand(request));
  if (options.dryRun)
    return true;
  RunResult result = runTool(request);

  PtxLineMap lines(image.ptx);
  SourcePos first = image.kernels.empty() ? SourcePos() : lines.functionPos(image.kernels.front());
  PtxasReport report = readPtxasLog(result.errors + "\n" + result.output, lines);
  if (!result.succeeded()) {
    if (result.status != RunResult::Status::Exited || report.errors.empty()) {
      reportFailedRun("ptxas", tools.ptxas, result, options.timeoutSeconds, first, log);
      return false;
    }
    for (const PtxasError &error : report.errors) {
      if (isAboutFiles(error)) {
        log.report(Kind::Environment, first, "ptxas cannot write its files")
            .notes.push_back("the disk of '" + temp.directory() + "' may be full");
        return false;
      }
      std::string kernel = error.kernel.empty() ? "" : " of kernel '" + error.kernel + "'";
      CodeGenDiagnostic &diagnostic = log.report(Kind::CompilerBug, error.pos.isKnown() ? error.pos : first,
                                                 "ptxas rejects the code" + Twine(kernel) + " for " +
                                                     image.arch->name + ": " + error.message);
      if (error.ptxLine)
        diagnostic.notes.push_back("at line " + std::to_string(error.ptxLine) + " of the PTX");
      diagnostic.notes.push_back(bugNote);
    }
    return false;
  }

  std::string cubin, problem;
  if (!readFile(target, cubin, problem)) {
    log.report(Kind::Environment, first, "ptxas wrote no cubin: " + problem);
    return false;
  }
  problem = checkCubin(cubin, image.kernels);
  if (!problem.empty()) {
    log.report(Kind::Environment, first, "ptxas ended without an error, but its cubin is damaged: " + problem)
        .notes.push_back("the disk of '" + temp.directory() + "' may be full");
    return false;
  }
  image.resources.clear();
  for (const std::string &kernel : image.kernels) {
    auto found =
        llvm::find_if(report.resources, [&](const KernelResources &one) { return one.kernel == kernel; });
    if (found == report.resources.end()) {
      log.report(Kind::Environment, lines.functionPos(kernel),
                 "ptxas reports no registers for kernel '" + kernel + "'");
      return false;
    }
    image.resources.push_back(*found);
  }
  image.warnings = std::move(report.warnings);
  if (!image.arch->isPtxOnly())
    image.cubin = std::move(cubin);
  return true;
}

/// fatbinary's name of a target: "90a" of "sm_90a" and "compute_90a".
static StringRef smName(const ArchInfo &arch) { return arch.name.rsplit('_').second; }

std::optional<std::string> tilec::bundle(ArrayRef<DeviceImage> images, const Toolchain &tools,
                                         const AssembleOptions &options, CodeGenLog &log) {
  StepTimer timer(log, "fatbinary");
  PrivateDir temp(options.tempDir);
  if (!temp.isValid()) {
    log.report(Kind::Environment, {}, temp.problem());
    return std::nullopt;
  }
  RunRequest request;
  request.path = tools.fatbinary.path;
  request.tempDir = temp.directory();
  request.timeoutSeconds = options.timeoutSeconds;
  std::string target = temp.file("image.fatbin");
  request.arguments = {"-64", "--create=" + target};
  std::vector<ExpectedImage> expected;
  for (auto [index, image] : llvm::enumerate(images)) {
    bool isPtx = image.arch->isPtxOnly();
    StringRef bytes = isPtx ? image.ptx : image.cubin;
    assert((options.dryRun || !bytes.empty()) && "images must be assembled before they are bundled");
    assert(llvm::none_of(images.take_front(index),
                         [&](const DeviceImage &other) { return other.arch == image.arch; }) &&
           "one image for a target");
    // The names are ours, so that neither a user's file name nor its folder gets into the bytes.
    std::string file = temp.file(std::to_string(index) + (isPtx ? ".ptx" : ".cubin")), problem;
    if (!writeFile(file, bytes, problem)) {
      log.report(Kind::Environment, {}, "cannot write '" + file + "': " + problem);
      return std::nullopt;
    }
    request.arguments.push_back(
        (Twine("--image3=kind=") + (isPtx ? "ptx" : "elf") + ",sm=" + smName(*image.arch) + ",file=" + file)
            .str());
    expected.push_back({image.arch->sm, isPtx, image.cubin});
  }
  log.commands.push_back(describeCommand(request));
  if (options.dryRun)
    return std::string();
  RunResult result = runTool(request);
  if (!result.succeeded()) {
    reportFailedRun("fatbinary", tools.fatbinary, result, options.timeoutSeconds, {}, log);
    return std::nullopt;
  }
  std::string fatbin, problem;
  if (!readFile(target, fatbin, problem)) {
    log.report(Kind::Environment, {}, "fatbinary wrote no file: " + problem);
    return std::nullopt;
  }
  problem = checkFatbin(fatbin, expected);
  if (!problem.empty()) {
    log.report(Kind::Environment, {}, "fatbinary ended without an error, but its file is damaged: " + problem)
        .notes.push_back("the disk of '" + temp.directory() + "' may be full");
    return std::nullopt;
  }
  return fatbin;
}
