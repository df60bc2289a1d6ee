//===- ImportProgram.h - kernels and launch programs ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ops made of a kernel instance, and what they share.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_LIB_IMPORTPROGRAM_H
#define TILEC_FRONTEND_LIB_IMPORTPROGRAM_H

#include "ImportBody.h"
#include "tilec/Frontend/ImportTile.h"

namespace tilec::frontend {

/// What the import of every kernel needs.
struct ImportContext {
  const hir::Program &program;
  const SourceManager &sources;
  const ImportOptions &options;
};

/// The device function of a kernel instance.
tile::KernelOp importKernel(const ImportContext &context, mlir::OpBuilder &builder,
                            const hir::Kernel &kernel);

/// The launch program of an entry point: refuses arguments that LANGUAGE sections 3 and 4 rule out, computes
/// the grid, launches the kernel.
tile::EntryOp importLaunch(const ImportContext &context, mlir::OpBuilder &builder, const hir::Kernel &kernel);

tile::AccessMode accessMode(hir::Access access);

/// Imports the `let`s before the grid and its extents.
llvm::SmallVector<mlir::Value> importGridExtents(BodyImporter &body, const hir::Kernel &kernel);

/// The hint with an entry for every extent of the grid, or none. The program may give fewer or more.
llvm::SmallVector<int64_t> clusterOf(const hir::Kernel &kernel);

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_LIB_IMPORTPROGRAM_H
