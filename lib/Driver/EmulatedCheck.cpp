//===- EmulatedCheck.cpp - the checks of a program on the emulator ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmulatedCheck.h"

#include "MlirDiagnostics.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Runner/Runner.h"
#include "tilec/Support/Diagnostics.h"
#include "tilec/Transforms/SharedMemory.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Process.h"
#include <chrono>

namespace tilec {

using namespace frontend;

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What tile-place-shared decided.
static std::vector<emu::SharedTile> tilesOf(tile::KernelOp kernel) {
  std::vector<emu::SharedTile> tiles;
  auto add = [&](mlir::Value root, std::optional<uint64_t> offset) {
    if (offset)
      tiles.push_back(
          {tile::describeShared(root), *offset, static_cast<uint64_t>(tile::getSharedBytes(root))});
  };
  kernel.walk([&](tile::SharedOp op) { add(op.getResult(), op.getOffset()); });
  kernel.walk([&](tile::RingOp op) { add(op.getResult(), op.getOffset()); });
  return tiles;
}

bool EmulatedChecks::prepare() {
  compilation.keepDeviceModules();
  if (!compilation.build(Stage::Llvm))
    return false;
  for (TargetBuild &build : compilation.getTargets()) {
    Target &target = targets.emplace_back(options.seed);
    target.arch = build.arch;
    std::optional<std::string> manifest = compilation.launchManifest(build);
    if (!manifest)
      return false;
    std::string error;
    if (!target.builder.setProgram(*manifest, "", error)) {
      diags.reportWithoutLocation(DiagId::InternalError, "the manifest cannot be read back: " + error);
      return false;
    }
    (*build.schedule)->walk([&](tile::KernelOp kernel) {
      target.sharedTiles[kernel.getSymName().str()] = tilesOf(kernel);
    });
    ScopedTime time(compilation.getTimes(), build.arch->name, "emulator");
    target.program =
        emu::compile(std::move(build.device->module), std::move(build.device->context), *build.arch, error);
    if (!target.program) {
      diags.reportWithoutLocation(DiagId::EnvironmentError,
                                  "the emulator cannot compile for this machine: " + error);
      return false;
    }
  }
  return true;
}

EmulatedOutcome EmulatedChecks::run(size_t number, const hir::Check &check, const CheckData &data,
                                    const TensorBytes &want) {
  Target &target = targets[number];
  target.builder.addCheck(check, data, want);
  EmulatedOutcome outcome = runOn(target, target.builder.getBundle());
  target.builder.removeChecks();
  return outcome;
}

EmulatedOutcome EmulatedChecks::runOn(const Target &target, const runner::Bundle &bundle) {
  EmulatedOutcome outcome;
  outcome.target = target.arch->name.str();
  outcome.passed = true;
  const runner::BundleCheck &check = bundle.checks.front();
  double begin = now();
  emu::Machine machine(target.program, options.jobs);
  for (const auto &[kernel, tiles] : target.sharedTiles)
    machine.nameShared(kernel, tiles);
  for (const emu::Schedule &schedule : emu::makeSchedules(options.schedules, options.seed)) {
    // Once is enough, and not between lines of JSON.
    machine.setPrinting(outcome.schedules ? nullptr : options.json ? &llvm::errs() : &llvm::outs());
    machine.setSchedule(schedule);
    machine.setProgress([&](uint64_t done, uint64_t total) {
      showProgress(check.name + " on " + outcome.target + ", " + schedule.describe(), done, total);
    });
    runner::CheckResult result = runner::runCheck(machine, bundle, check);
    ++outcome.schedules;
    outcome.relativeError = std::max(outcome.relativeError, result.relativeError);
    outcome.findings = machine.takeFindings();
    if (result.passed && outcome.findings.empty())
      continue;
    outcome.passed = false;
    outcome.detail = result.detail;
    if (!outcome.findings.empty())
      outcome.detail = std::to_string(outcome.findings.size()) +
                       (outcome.findings.size() == 1 ? " fault was found" : " faults were found") +
                       (result.detail.empty() ? ", though the numbers are right" : "; " + result.detail);
    outcome.detail += " (" + schedule.describe() + ")";
    clearProgress();
    if (!options.json)
      for (const emu::Finding &finding : outcome.findings)
        report(finding, target, schedule, outcome.schedules);
    break; // the other schedules would say the same again
  }
  clearProgress();
  outcome.seconds = now() - begin;
  return outcome;
}

void EmulatedChecks::clearProgress() {
  if (isProgressShown)
    llvm::errs() << "\r\x1b[K";
  isProgressShown = false;
}

void EmulatedChecks::report(const emu::Finding &finding, const Target &target, const emu::Schedule &schedule,
                            unsigned number) {
  SourceRange range = rangeOf(finding.place.file, finding.place.line, finding.place.column, sources);
  std::string text = finding.text;
  if (finding.count > 1)
    text += ", and " + std::to_string(finding.count - 1) + " more like it";
  DiagnosticBuilder builder =
      range.isValid()
          ? diags.report(DiagId::EmulatorFinding, range, getFindingName(finding.kind), text)
          : diags.reportWithoutLocation(DiagId::EmulatorFinding, getFindingName(finding.kind), text);
  for (const emu::FindingNote &note : finding.notes) {
    SourceRange place = rangeOf(note.place.file, note.place.line, note.place.column, sources);
    if (note.place.isKnown() && place.isValid())
      builder.note(place, note.text);
    else
      builder.note(note.text);
  }
  builder.note("compiled for " + target.arch->name.str() + ", run in " + schedule.describe() +
               ": --target=" + target.arch->name.str() + " --seed=" + std::to_string(options.seed) +
               " --schedules=" + std::to_string(number));
}

void EmulatedChecks::showProgress(llvm::StringRef name, uint64_t done, uint64_t total) {
  // Only where somebody looks on, and only when it takes a while.
  if (!llvm::sys::Process::StandardErrIsDisplayed() || options.json)
    return;
  double time = now();
  if (lastProgress == 0)
    lastProgress = time + 1;
  if (time < lastProgress)
    return;
  lastProgress = time + 0.2;
  isProgressShown = true;
  llvm::errs() << "\r\x1b[K" << name << ": " << done << " of " << total << " blocks";
  llvm::errs().flush();
}

} // namespace tilec
