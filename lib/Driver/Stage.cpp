//===- Stage.cpp - the stages of the compiler -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers from the table Stage.def.
//
//===----------------------------------------------------------------------===//
#include "tilec/Driver/Stage.h"

#include "llvm/ADT/StringExtras.h"

namespace tilec {
namespace {
struct Row {
  llvm::StringRef name, extension;
  StageForm form;
  StageScope scope;
};
constexpr Row kRows[] = {
#define STAGE(Enum, Name, Extension, Form, Scope) {Name, Extension, StageForm::Form, StageScope::Scope},
#include "tilec/Driver/Stage.def"
};
const Row &row(Stage stage) { return kRows[static_cast<unsigned>(stage)]; }
} // namespace

llvm::StringRef stageName(Stage stage) { return row(stage).name; }
llvm::StringRef stageExtension(Stage stage) { return row(stage).extension; }
StageForm stageForm(Stage stage) { return row(stage).form; }
StageScope stageScope(Stage stage) { return row(stage).scope; }

std::optional<Stage> parseStage(llvm::StringRef name) {
  for (unsigned i = 0; i != std::size(kRows); ++i)
    if (kRows[i].name == name)
      return static_cast<Stage>(i);
  return std::nullopt;
}

std::string allStageNames() {
  return llvm::join(llvm::map_range(kRows, [](const Row &r) { return r.name; }), ", ");
}

} // namespace tilec
