//===- Depfile.cpp - dependency files for make and ninja ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Depfile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tilec {
namespace {

/// GNU make's quoting, which ninja shares: blanks and '#' get a backslash (and backslashes before them are
/// doubled), '$' is doubled.
std::string escape(llvm::StringRef name) {
  std::string out;
  for (size_t i = 0; i != name.size(); ++i) {
    char c = name[i];
    if (c == '$') {
      out += "$$";
      continue;
    }
    if (c == ' ' || c == '#' || c == '\t') {
      for (size_t k = i; k != 0 && name[k - 1] == '\\'; --k)
        out += '\\';
      out += '\\';
    }
    out += c;
  }
  return out;
}

} // namespace

std::optional<std::string> makeDepfile(llvm::StringRef target, llvm::ArrayRef<std::string> inputs,
                                       DiagnosticEngine &diags) {
  auto isWritable = [&](llvm::StringRef name) {
    if (name.find_first_of("\n\r") == llvm::StringRef::npos)
      return true;
    diags.reportWithoutLocation(DiagId::DepfileName, name);
    return false;
  };
  if (!isWritable(target))
    return std::nullopt;
  std::string rule = escape(target) + ":";
  for (const std::string &input : inputs) {
    if (input == "-")
      continue;
    llvm::SmallString<128> path(input);
    llvm::sys::fs::make_absolute(path);
    if (!isWritable(path))
      return std::nullopt;
    rule += " \\\n  " + escape(path);
  }
  return rule + "\n";
}

} // namespace tilec
