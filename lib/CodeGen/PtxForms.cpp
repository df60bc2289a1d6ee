//===- PtxForms.cpp - the rows of PtxForms.def ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns PtxForms.def into a sorted static table. The signature string is the one description of a form's
// types; LLVM's constraint string is made from it.
//
//===----------------------------------------------------------------------===//

#include "tilec/CodeGen/PtxForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <vector>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// A column that says `Any` or names a Feature.
namespace needs {
using enum Feature;
inline constexpr std::nullopt_t Any = std::nullopt;
} // namespace needs
} // namespace

ArrayRef<PtxForm> PtxForm::all() {
  static const std::vector<PtxForm> table = [] {
    std::vector<PtxForm> rows = {
#define TILEC_PTX_ROW(kind, id, Enum, text, signature, effects, converges, needed, twin)                     \
  {PtxFormId::Enum,         #Enum,         PtxKind::kind, text, signature, PtxEffects::effects,              \
   PtxConverges::converges, needs::needed, #twin},
#define TILEC_PTX_ASM(...) TILEC_PTX_ROW(Asm, __VA_ARGS__)
#define TILEC_PTX_INTRINSIC(...) TILEC_PTX_ROW(Intrinsic, __VA_ARGS__)
#define TILEC_PTX_FUNCTION(...) TILEC_PTX_ROW(Function, __VA_ARGS__)
#include "tilec/CodeGen/PtxForms.def"
#undef TILEC_PTX_ROW
    };
    llvm::sort(rows, [](const PtxForm &a, const PtxForm &b) { return a.id < b.id; });
    return rows;
  }();
  return table;
}

const PtxForm *PtxForm::find(unsigned id) {
  ArrayRef<PtxForm> rows = all();
  const PtxForm *row = llvm::lower_bound(
      rows, id, [](const PtxForm &form, unsigned number) { return form.number() < number; });
  return row != rows.end() && row->number() == id ? row : nullptr;
}

const PtxForm &PtxForm::get(PtxFormId id) { return *find(static_cast<unsigned>(id)); }

static constexpr StringRef tagBegin = "/* tile:";
static constexpr StringRef tagEnd = " */ ";

std::string PtxForm::taggedText() const { return (tagBegin + Twine(number()) + tagEnd + text).str(); }

const PtxForm *PtxForm::findAsm(StringRef asmString) {
  StringRef rest = asmString;
  unsigned id;
  if (!rest.consume_front(tagBegin) || rest.consumeInteger(10, id) || !rest.consume_front(tagEnd))
    return nullptr;
  const PtxForm *form = find(id);
  return form && form->kind == PtxKind::Asm && form->text == rest ? form : nullptr;
}

const PtxForm *PtxForm::findCallee(StringRef name) {
  static const llvm::StringMap<const PtxForm *> byName = [] {
    llvm::StringMap<const PtxForm *> map;
    for (const PtxForm &form : all())
      if (form.kind != PtxKind::Asm)
        map[form.text] = &form;
    return map;
  }();
  return byName.lookup(name);
}

static PtxType parseType(StringRef text) {
  auto [name, tied] = text.split('=');
  PtxType type;
  type.kind = llvm::StringSwitch<PtxType::Kind>(name)
                  .Case("i1", PtxType::I1)
                  .Case("i16", PtxType::I16)
                  .Case("i32", PtxType::I32)
                  .Case("i64", PtxType::I64)
                  .Case("f16", PtxType::F16)
                  .Case("bf16", PtxType::BF16)
                  .Case("f32", PtxType::F32)
                  .Case("f64", PtxType::F64)
                  .Case("2xf16", PtxType::F16x2)
                  .Case("2xbf16", PtxType::BF16x2)
                  .Case("p", PtxType::Ptr)
                  .Case("p1", PtxType::GlobalPtr)
                  .Case("p3", PtxType::SharedPtr);
  if (!tied.empty())
    tied.getAsInteger(10, type.tiedTo);
  return type;
}

PtxSignature PtxForm::signature() const {
  auto parseTypes = [](StringRef list, auto &types) {
    SmallVector<StringRef> items;
    list.split(items, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef item : items)
      types.push_back(parseType(item));
  };
  PtxSignature result;
  auto [results, operands] = signatureText.split('(');
  parseTypes(results, result.results);
  parseTypes(operands.drop_back(), result.operands);
  return result;
}

/// The register class of a type as LLVM's NVPTX constraints name it. Shared pointers are 64 bits wide in
/// LLVM's data layout without short pointers.
static StringRef registerClass(PtxType type) {
  switch (type.kind) {
  case PtxType::I1:
    return "b";
  case PtxType::I16:
  case PtxType::F16:
  case PtxType::BF16:
    return "h";
  case PtxType::I32:
  case PtxType::F16x2:
  case PtxType::BF16x2:
    return "r";
  case PtxType::F32:
    return "f";
  case PtxType::F64:
    return "d";
  case PtxType::I64:
  case PtxType::Ptr:
  case PtxType::GlobalPtr:
  case PtxType::SharedPtr:
    return "l";
  }
  llvm_unreachable("unknown type of a form");
}

std::string PtxForm::constraints() const {
  PtxSignature types = signature();
  std::string text;
  for (PtxType type : types.results)
    text += ("=" + registerClass(type) + ",").str();
  for (PtxType type : types.operands)
    text += type.tiedTo >= 0 ? std::to_string(type.tiedTo) + "," : (registerClass(type) + ",").str();
  // Without it LLVM could keep a value of memory in a register across an asm that orders memory.
  if (effects == PtxEffects::Sync)
    text += "~{memory},";
  if (!text.empty())
    text.pop_back();
  return text;
}
