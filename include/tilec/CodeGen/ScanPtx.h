//===- ScanPtx.h - last look at the PTX before ptxas ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-scan-ptx: finds in the final text what neither numbers nor the emulator show, because llc's own passes
// run after everything that the emulator sees. Also the map from PTX lines to `.tile` lines, which ptxas's
// messages need too.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_SCANPTX_H
#define TILEC_CODEGEN_SCANPTX_H

#include "tilec/CodeGen/CodeGenLog.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tilec {

struct ScanOptions {
  /// Report `.local` memory, unless the kernel prints or asserts (both pass their operands there).
  bool forbidLocalMemory = false;
};

/// Checks every function of `ptx`:
///  - no `.aligned` operation, and no warp exchange with a full member mask, under a branch or predicate
///  whose
///    value may differ between the threads of a warp;
///  - no access to the registers of a wgmma group (accumulators, A fragments) between its start and the
///    wgmma.wait_group that ends it, on any path, and no group left open at the end;
///  - no `.local` memory, if forbidden.
/// Conservative: a value is thread-dependent if it may come from %tid, %laneid, an atomic, local memory, or
/// memory at a thread-dependent address; tid.x shifted or masked to whole warps is not. Threads that trap do
/// not count. Returns false after reports of kind CompilerBug to `log`, each at the nearest `.loc`.
bool scanPtx(llvm::StringRef ptx, const ScanOptions &options, CodeGenLog &log);

/// Where the lines of a PTX text come from.
class PtxLineMap {
public:
  explicit PtxLineMap(llvm::StringRef ptx);
  /// The `.tile` position in force at `line` of the PTX (from 1): the nearest `.loc` above it in the same
  /// function; else unknown.
  SourcePos lookup(unsigned line) const;
  /// The function that holds `line`, or empty.
  llvm::StringRef functionAt(unsigned line) const;
  /// The first known position in function `name`, for messages without a line.
  SourcePos functionPos(llvm::StringRef name) const;

private:
  struct Entry {
    unsigned line;     ///< in the PTX
    unsigned function; ///< index into `functions`
    SourcePos pos;
  };
  struct Range {
    std::string name;
    unsigned begin, end; ///< lines, end included
  };
  std::vector<Entry> entries;
  std::vector<Range> functions;
};

} // namespace tilec

#endif // TILEC_CODEGEN_SCANPTX_H
