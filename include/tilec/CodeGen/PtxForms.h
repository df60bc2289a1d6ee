//===- PtxForms.h - queries over the table of instruction forms -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of PtxForms.def as objects: what a form reads and writes, who must execute it together, which
// targets have it. Used by the conversion (through PtxFormOps.h), by the LLVM pipeline, and by the emulator,
// hence without MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_CODEGEN_PTXFORMS_H
#define TILEC_CODEGEN_PTXFORMS_H

#include "tilec/Target/ArchInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilec {

/// The stable number of a form.
enum class PtxFormId : unsigned {
#define TILEC_PTX_ASM(id, Enum, text, signature, effects, converges, needs, twin) Enum = id,
#define TILEC_PTX_INTRINSIC(id, Enum, intrinsic, signature, effects, converges, needs, twin) Enum = id,
#define TILEC_PTX_FUNCTION(id, Enum, symbol, signature, effects, converges, needs, twin) Enum = id,
#include "tilec/CodeGen/PtxForms.def"
};

/// How a form is written in LLVM IR.
enum class PtxKind { Asm, Intrinsic, Function };

/// What a form does besides computing its results; see PtxForms.def.
enum class PtxEffects { Pure, ReadConst, Read, Write, ReadWrite, Sync, Control };

/// Who must execute a form together.
enum class PtxConverges { Single, Warp, Members, MembersLast, Block };

/// One type of a signature.
struct PtxType {
  enum Kind { I1, I16, I32, I64, F16, BF16, F32, F64, F16x2, BF16x2, Ptr, GlobalPtr, SharedPtr };
  Kind kind;
  /// The result an operand is tied to, or -1.
  int tiedTo = -1;
};

struct PtxSignature {
  llvm::SmallVector<PtxType, 4> results;
  llvm::SmallVector<PtxType, 8> operands;
};

/// One row of PtxForms.def.
class PtxForm {
public:
  PtxFormId id;
  llvm::StringRef name; ///< the enumerator, "LdNcStreamV4B32"
  PtxKind kind;
  llvm::StringRef text; ///< PTX, the intrinsic's name, or the function's symbol
  llvm::StringRef signatureText;
  PtxEffects effects;
  PtxConverges converges;
  std::optional<Feature> needs;
  llvm::StringRef twin; ///< the emulator's function

  unsigned number() const { return static_cast<unsigned>(id); }
  bool isConvergent() const { return converges != PtxConverges::Single; }
  bool isAvailableOn(const ArchInfo &arch) const { return !needs || arch.has(*needs); }
  PtxSignature signature() const;

  /// Asm only: the text with its tag, "/* tile:20 */ ld.global…".
  std::string taggedText() const;
  /// Asm only: LLVM's constraint string, made from the signature: "=r,=r,l,b,0,1".
  std::string constraints() const;
  /// Asm only: whether the asm is `sideeffect`. Pure asm is not, so that equal calls merge and unused ones
  /// go; nor are reads of constant memory.
  bool hasSideEffectFlag() const { return effects != PtxEffects::Pure && effects != PtxEffects::ReadConst; }

  static const PtxForm &get(PtxFormId id);
  /// The row of that number, or null.
  static const PtxForm *find(unsigned id);
  /// The row of an asm string that carries a tag and is exactly that row's text, or null.
  static const PtxForm *findAsm(llvm::StringRef asmString);
  /// The row of an intrinsic or an external function by its name in LLVM IR, or null.
  static const PtxForm *findCallee(llvm::StringRef name);
  /// All rows by ascending id.
  static llvm::ArrayRef<PtxForm> all();
};

} // namespace tilec

#endif // TILEC_CODEGEN_PTXFORMS_H
