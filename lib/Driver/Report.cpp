//===- Report.cpp - what was decided, for --report ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A section a kernel and target. Decisions come from the remarks of the passes, in the order of the program's
// lines, and what a pass did alike to several copies of a statement is said once. What the machine code needs
// follows them; it comes from ptxas.
//
//===----------------------------------------------------------------------===//
#include "Report.h"

#include "tilec/Dialect/Tile/IR/Tile.h"
#include <map>

namespace tilec {
namespace {

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// What a remark is about, for the reader who does not know our passes. The first row that matches counts; an
/// empty name is any.
struct Topic {
  llvm::StringRef pass, remark, text;
};
constexpr Topic topics[] = {
    {"tile-make-variants", "", "variant"},
    {"tile-plan", "", "kernel"},
    {"tile-simplify", "", "rewrite"},
    {"tile-prove-bounds", "", "bounds"},
    {"tile-select-mma", "Exchange", "exchange"},
    {"tile-select-mma", "", "gemm"},
    {"tile-infer-layouts", "Copy", "copy"},
    {"tile-infer-layouts", "Access", "access"},
    {"tile-infer-layouts", "Operands", "gemm"},
    {"tile-infer-layouts", "", "layout"},
    {"tile-materialize-exchanges", "", "exchange"},
    {"tile-persist", "", "grid"},
    {"tile-form-rings", "", "ring"},
    {"tile-chunk-parallels", "", "loop"},
    {"tile-split-tails", "", "bounds"},
    {"tile-place-shared", "", "shared memory"},
    {"tile-insert-sync", "", "barrier"},
};

llvm::StringRef findTopic(const Decision &decision) {
  for (const Topic &topic : topics)
    if (topic.pass == decision.pass && (topic.remark.empty() || topic.remark == decision.name))
      return topic.text;
  return decision.pass;
}

/// The decisions about `kernel` by line, which is enough: a kernel is in one file. What was decided before it
/// became a variant was decided about the kernel that it is a variant of.
std::multimap<unsigned, const Decision *> select(llvm::ArrayRef<Decision> decisions, llvm::StringRef kernel) {
  std::multimap<unsigned, const Decision *> selected;
  llvm::StringRef origin = kernel.rsplit("__").first;
  auto split = llvm::find_if(decisions, [&](const Decision &decision) {
    return decision.pass == "tile-make-variants" && decision.kernel == origin && origin != kernel;
  });
  for (const Decision &decision : decisions) {
    bool isShared = split != decisions.end() && &decision < split && decision.kernel == origin;
    if (decision.kernel == kernel || isShared)
      selected.insert({decision.place.line, &decision});
  }
  return selected;
}

void print(const SourcePos &place, llvm::raw_ostream &os) {
  if (place.isKnown())
    os << place.file << ":" << place.line;
  else
    os << "?";
}

void printDecisions(llvm::ArrayRef<Decision> decisions, llvm::StringRef kernel, llvm::raw_ostream &os) {
  llvm::StringSet<> printed;
  for (auto [number, decision] : select(decisions, kernel)) {
    std::string text;
    llvm::raw_string_ostream line(text);
    print(decision->place, line);
    line << ": " << findTopic(*decision) << ": " << decision->text;
    if (decision->callee.isKnown()) {
      line << " (in ";
      print(decision->callee, line);
      line << ")";
    }
    if (printed.insert(text).second)
      os << "  " << text << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// How the launch programs start a kernel, and for whom.
struct Launch {
  std::string entry;
  std::string variant;
  int64_t threads = 0, sharedBytes = 0; // the latter is dynamic
};

llvm::StringMap<Launch> findLaunches(mlir::ModuleOp module) {
  llvm::StringMap<Launch> launches;
  module.walk([&](tile::LaunchOp launch) {
    auto entry = launch->getParentOfType<tile::EntryOp>();
    auto kernel =
        mlir::SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(launch, launch.getKernelAttr().getAttr());
    auto variant = kernel ? kernel->getAttrOfType<mlir::StringAttr>("tile.variant") : mlir::StringAttr();
    launches[launch.getKernel()] = {
        entry ? entry.getSymName().str() : "", variant ? variant.getValue().str() : "",
        int64_t(launch.getThreads().value_or(0)), int64_t(launch.getSharedBytes().value_or(0))};
  });
  return launches;
}

/// Blocks that an SM holds at once, and what there could not be more for.
struct Occupancy {
  uint64_t blocks = 0;
  llvm::StringRef limit;
};

/// Registers are given out a warp at a time in units of 256 (CUDA C++ Programming Guide, compute
/// capabilities).
Occupancy computeOccupancy(const KernelResources &kernel, const Launch &launch, const ArchInfo &arch) {
  unsigned warps = (launch.threads + warpSize - 1) / warpSize;
  unsigned registersPerWarp = llvm::alignTo(std::max(kernel.registers, 1u) * warpSize, 256);
  // A block's shared memory has 1 KiB that the system keeps.
  uint64_t shared = kernel.staticSharedBytes + launch.sharedBytes;
  Occupancy limits[] = {
      {arch.threadsPerSm / (warps * warpSize), "threads"},
      {arch.blocksPerSm, "blocks"},
      {arch.registersPerSm / (registersPerWarp * warps), "registers"},
      {shared ? arch.sharedPerSm / (shared + 1024) : arch.blocksPerSm, "shared memory"},
  };
  return *std::min_element(std::begin(limits), std::end(limits),
                           [](const Occupancy &a, const Occupancy &b) { return a.blocks < b.blocks; });
}

void printResources(const KernelResources &kernel, const Launch &launch, const ArchInfo &arch,
                    llvm::raw_ostream &os) {
  uint64_t spilled = kernel.spillStoreBytes + kernel.spillLoadBytes;
  os << "  resources: " << kernel.registers << " registers a thread, " << spilled << " bytes spilled, "
     << kernel.staticSharedBytes + launch.sharedBytes << " bytes of shared memory a block\n";
  if (launch.threads <= 0)
    return;
  Occupancy occupancy = computeOccupancy(kernel, launch, arch);
  os << "  occupancy: " << occupancy.blocks << (occupancy.blocks == 1 ? " block of " : " blocks of ")
     << launch.threads << " threads an SM, limited by " << occupancy.limit << ": "
     << occupancy.blocks * launch.threads * 100 / arch.threadsPerSm << " % of its threads\n";
}

} // namespace

void printReport(std::vector<TargetBuild> &targets, llvm::raw_ostream &os) {
  for (TargetBuild &target : targets) {
    llvm::StringMap<Launch> launches;
    if (target.schedule)
      launches = findLaunches(*target.schedule);
    for (const KernelResources &kernel : target.image.resources) {
      Launch launch = launches.lookup(kernel.kernel);
      os << target.arch->name << ": ";
      if (!launch.entry.empty())
        os << launch.entry << ", " << (launch.variant.empty() ? "only" : launch.variant) << " variant: ";
      os << kernel.kernel << "\n";
      printDecisions(target.decisions, kernel.kernel, os);
      printResources(kernel, launch, *target.arch, os);
      for (const PtxasWarning &warning : target.image.warnings)
        if (warning.kernel == kernel.kernel || warning.kernel.empty())
          os << "  ptxas: " << warning.message << "\n";
      os << "\n";
    }
  }
}

} // namespace tilec
