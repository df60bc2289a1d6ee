//===- Toolchain.h - the programs of the CUDA Toolkit that we run ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds ptxas and fatbinary. The search order is CUDAToolkit_ROOT, CUDA_HOME, PATH; a variable that is set
// but does not lead to both tools is an error, not a reason to look further: whoever set it wants that
// toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_TOOLCHAIN_H
#define TILEC_CODEGEN_TOOLCHAIN_H

#include "tilec/CodeGen/CodeGenLog.h"
#include <optional>
#include <string>

namespace tilec {

struct Tool {
  std::string path;    ///< absolute
  std::string version; ///< "13.0.88"
  unsigned major = 0;
  unsigned minor = 0;
};

struct Toolchain {
  Tool ptxas;
  Tool fatbinary;
  std::string foundBy; ///< "CUDAToolkit_ROOT", "CUDA_HOME" or "PATH"
};

/// The oldest CUDA Toolkit that works: its ptxas knows PTX 8.4.
inline constexpr unsigned minToolkitMajor = 12;
inline constexpr unsigned minToolkitMinor = 4;

/// Where to look; an empty value counts as not set.
struct ToolSearch {
  std::string cudaToolkitRoot;
  std::string cudaHome;
  std::string path;

  static ToolSearch fromEnvironment();
};

/// Finds both tools and asks each for its version (about 20 ms: do it once). Nothing after a report to `log`.
std::optional<Toolchain> findToolchain(const ToolSearch &search, CodeGenLog &log);

/// SHA-256 of the tool's file in hexadecimal, for the manifest; empty if it cannot be read. Takes 0.1 s for
/// ptxas, so it is asked for only when somebody wants to know.
std::string hashTool(const Tool &tool);

/// Kills the tools that are running now, and deletes the private folders in which they work.
/// Async-signal-safe, and for the end of the process only: for the driver's handlers of SIGINT, SIGTERM and
/// SIGHUP, since the tools run in process groups of their own.
void killRunningTools();

} // namespace tilec

#endif // TILEC_CODEGEN_TOOLCHAIN_H
