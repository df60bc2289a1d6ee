//===- ImportTile.h - from the checked program to the tile dialect -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one entry point of the importer. It reports nothing: every rule of the language holds in a
// hir::Program.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_IMPORTTILE_H
#define TILEC_FRONTEND_IMPORTTILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tilec/Frontend/Hir.h"
#include <optional>
#include <set>
#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilec::frontend {

struct ImportOptions {
  /// Whether `a * b + c` may become one rounding: fastmath<contract> on float additions and products.
  bool contract = true;
  /// The chip of the module's `tile.target` attribute.
  std::optional<std::string> target;
  /// Only the entry points: no oracles, no instances that only checks use.
  bool entriesOnly = true;
  /// With entriesOnly: no others than the kernels with these symbols; empty: all.
  std::set<std::string> symbols;
};

/// The dialects that an imported module is made of.
void registerImportDialects(mlir::DialectRegistry &registry);

/// The program at stage `tile`: a `tile.kernel` for every kernel instance and a `tile.entry`, its launch
/// program, for every entry point. The entry has the entry point's name, its kernel that name and `_kernel`;
/// other kernels have their hir symbol. Loads the dialects into `context`.
mlir::OwningOpRef<mlir::ModuleOp> importTile(const hir::Program &program, const SourceManager &sources,
                                             mlir::MLIRContext &context, const ImportOptions &options);

/// The name of the `tile.kernel` that importTile makes of a kernel instance.
std::string getKernelSymbol(const hir::Program &program, const hir::Kernel &kernel);

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_IMPORTTILE_H
