//===- Stage.h - the stages of the compiler --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one vocabulary: what --emit= and --from= accept, as an enum in pipeline order over Stage.def.
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_DRIVER_STAGE_H
#define TILEC_DRIVER_STAGE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tilec {

enum class Stage : uint8_t {
#define STAGE(Enum, Name, Extension, Form, Scope) Enum,
#include "tilec/Driver/Stage.def"
};

enum class StageForm : uint8_t { Text, Module, Binary };
enum class StageScope : uint8_t { File, Target };

llvm::StringRef stageName(Stage stage);
/// Of the files that --save-temps and a multi-stage --emit write: "schedule.mlir".
llvm::StringRef stageExtension(Stage stage);
StageForm stageForm(Stage stage);
StageScope stageScope(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);
/// "tokens, ast, tile, …" for messages and help.
std::string allStageNames();

} // namespace tilec

#endif
