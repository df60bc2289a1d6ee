//===- ImageCheck.h - whether a cubin or fatbin is whole ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas exits with 0 on a full disk and leaves a truncated file, and fatbinary wraps that without a word:
// what the tools wrote is judged by its contents.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CODEGEN_IMAGECHECK_H
#define TILEC_LIB_CODEGEN_IMAGECHECK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilec {

/// Whether `bytes` is an ELF file for CUDA, all of whose headers, sections and segments lie inside it, and
/// which defines every kernel as a function with code. Returns what is wrong, or an empty string.
std::string checkCubin(llvm::StringRef bytes, llvm::ArrayRef<std::string> kernels);

/// One image that a fatbin must hold.
struct ExpectedImage {
  unsigned sm; ///< 90 for sm_90a
  bool isPtx;
  llvm::StringRef cubin; ///< must be in it byte for byte; unused for PTX, which fatbinary reformats
};

/// Whether `bytes` is one whole fatbin that holds exactly these images in this order. Returns what is wrong,
/// or an empty string.
std::string checkFatbin(llvm::StringRef bytes, llvm::ArrayRef<ExpectedImage> images);

} // namespace tilec

#endif // TILEC_LIB_CODEGEN_IMAGECHECK_H
