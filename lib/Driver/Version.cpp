//===- Version.cpp - what --version and the manifest say ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Version.h"

#include "tilec/CodeGen/Toolchain.h"
#include "llvm/Config/llvm-config.h"

namespace tilec {

llvm::StringRef tilecVersion() { return TILEC_VERSION; }

void printVersion(llvm::raw_ostream &os) {
  os << "tilec " << tilecVersion() << " (.tile language 1)\n";
  os << "LLVM " << LLVM_VERSION_STRING << "\n";
  CodeGenLog log;
  if (std::optional<Toolchain> tools = findToolchain(ToolSearch::fromEnvironment(), log)) {
    for (const Tool *tool : {&tools->ptxas, &tools->fatbinary})
      os << tool->path << " " << tool->version << " (by " << tools->foundBy << ")\n";
    return;
  }
  for (const CodeGenDiagnostic &diag : log.diagnostics)
    os << "no CUDA tools: " << diag.message << "\n";
}

} // namespace tilec
