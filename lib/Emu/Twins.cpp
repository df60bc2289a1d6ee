//===- Twins.cpp - from a form to its twin --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from the twins themselves: this file refers to every one of them, those of the machine too, so only
// what links the machine can link it.
//
//===----------------------------------------------------------------------===//

#include "Twins.h"
#include <vector>

using namespace tilec;
using namespace tilec::emu;

static Twin makeTwin(SingleTwin function) { return {function, nullptr}; }
static Twin makeTwin(WarpTwin function) { return {nullptr, function}; }

const Twin &emu::getTwin(const PtxForm &form) {
  static const std::vector<Twin> byNumber = [] {
    std::vector<Twin> table(PtxForm::all().back().number() + 1);
#define TILEC_PTX_TWIN(id, Enum, text, signature, effects, converges, needs, twin)                           \
  table[id] = makeTwin(&twins::twin);
#define TILEC_PTX_ASM(...) TILEC_PTX_TWIN(__VA_ARGS__)
#define TILEC_PTX_INTRINSIC(...) TILEC_PTX_TWIN(__VA_ARGS__)
#define TILEC_PTX_FUNCTION(...) TILEC_PTX_TWIN(__VA_ARGS__)
#include "tilec/CodeGen/PtxForms.def"
#undef TILEC_PTX_TWIN
    return table;
  }();
  return byNumber[form.number()];
}
