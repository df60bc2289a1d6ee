//===- Report.cpp - what was decided, for --report ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources come from ptxas, decisions from the remarks of the passes.
//
//===----------------------------------------------------------------------===//
#include "Report.h"

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {
namespace {

/// Threads and dynamic shared bytes with which the launch programs start each kernel.
struct LaunchShape {
  int64_t threads = 0, sharedBytes = 0;
};

llvm::StringMap<LaunchShape> launchShapes(mlir::ModuleOp module) {
  llvm::StringMap<LaunchShape> shapes;
  module.walk([&](tile::LaunchOp launch) {
    shapes[launch.getKernel()] = {int64_t(launch.getThreads().value_or(0)),
                                  int64_t(launch.getSharedBytes().value_or(0))};
  });
  return shapes;
}

/// Blocks of this kernel that an SM holds at once: the least of what registers, threads and shared memory allow.
/// Registers are given out a warp at a time in units of 256 (CUDA C++ Programming Guide, compute capabilities).
unsigned residentBlocks(const KernelResources &kernel, LaunchShape shape, const ArchInfo &arch) {
  if (shape.threads <= 0)
    return 0;
  unsigned warps = (shape.threads + warpSize - 1) / warpSize;
  unsigned registersPerWarp = llvm::alignTo(std::max(kernel.registers, 1u) * warpSize, 256);
  unsigned blocks = std::min(arch.blocksPerSm, arch.threadsPerSm / (warps * warpSize));
  blocks = std::min(blocks, arch.registersPerSm / (registersPerWarp * warps));
  // A block's shared memory has 1 KiB that the system keeps.
  uint64_t shared = kernel.staticSharedBytes + shape.sharedBytes;
  if (shared)
    blocks = std::min<uint64_t>(blocks, arch.sharedPerSm / (shared + 1024));
  return blocks;
}

} // namespace

void printReport(std::vector<TargetBuild> &targets, llvm::raw_ostream &os) {
  for (TargetBuild &target : targets) {
    llvm::StringMap<LaunchShape> shapes;
    if (target.schedule)
      shapes = launchShapes(*target.schedule);
    os << target.arch->name << ":\n";
    for (const KernelResources &kernel : target.image.resources) {
      LaunchShape shape = shapes.lookup(kernel.kernel);
      unsigned blocks = residentBlocks(kernel, shape, *target.arch);
      os << "  " << kernel.kernel << ": " << kernel.registers << " registers, "
         << kernel.spillStoreBytes + kernel.spillLoadBytes << " bytes spilled, "
         << kernel.staticSharedBytes + shape.sharedBytes << " bytes shared, " << shape.threads << " threads, "
         << blocks << " blocks an SM (" << blocks * shape.threads * 100 / target.arch->threadsPerSm
         << " % of its threads)\n";
      for (const PtxasWarning &warning : target.image.warnings)
        if (warning.kernel == kernel.kernel || warning.kernel.empty())
          os << "    ptxas: " << warning.message << "\n";
    }
    for (const Decision &decision : target.decisions) {
      os << "  " << (decision.place.empty() ? "?" : decision.place) << ": ";
      if (!decision.kernel.empty())
        os << decision.kernel << ": ";
      os << decision.pass << ": " << decision.text << "\n";
    }
  }
}

} // namespace tilec
