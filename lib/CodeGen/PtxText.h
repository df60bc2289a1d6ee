//===- PtxText.h - PTX text as functions, blocks and instructions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader for the PTX that LLVM and our forms print, just deep enough for data flow: which registers an
// instruction writes and reads, where it may go next. It accepts anything; ptxas judges syntax.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CODEGEN_PTXTEXT_H
#define TILEC_LIB_CODEGEN_PTXTEXT_H

#include "tilec/CodeGen/CodeGenLog.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace tilec::ptx {

/// `.loc`: the index of a `.file` and a place in it. Line 0: unknown.
struct Loc {
  unsigned file = 0, line = 0, column = 0;
};

struct Instr {
  unsigned line = 0; ///< of the PTX, from 1
  Loc loc;
  int guard = -1;                                 ///< register of `@%p1` or `@!%p1`, or -1
  llvm::StringRef opcode;                         ///< with modifiers: "ld.global.v4.b32"
  llvm::SmallVector<llvm::StringRef, 4> operands; ///< split at top-level commas, trimmed
  bool hasResult = false;                         ///< whether the first operand is written
  llvm::SmallVector<unsigned, 8> registers;       ///< numbers, operand by operand
  llvm::SmallVector<unsigned, 4> registersEnd;    ///< for each operand, where its registers end

  /// The registers in operand `index`, none if there is no such operand.
  llvm::ArrayRef<unsigned> registersOf(unsigned index) const {
    if (index >= operands.size())
      return {};
    unsigned begin = index ? registersEnd[index - 1] : 0;
    return llvm::ArrayRef(registers).slice(begin, registersEnd[index] - begin);
  }
  /// What is written, and what is read (the guard apart).
  llvm::ArrayRef<unsigned> defs() const { return registersOf(hasResult ? 0 : operands.size()); }
  llvm::ArrayRef<unsigned> uses() const { return llvm::ArrayRef(registers).drop_front(defs().size()); }

  /// Whether the opcode is `name`, with or without further modifiers.
  bool is(llvm::StringRef name) const {
    return opcode.starts_with(name) && (opcode.size() == name.size() || opcode[name.size()] == '.');
  }
  bool hasModifier(llvm::StringRef modifier) const;
};

struct Block {
  unsigned begin = 0, end = 0; ///< instructions
  llvm::SmallVector<unsigned, 2> successors;
  /// Threads may leave the function at its end, other than by a trap or a failed assertion.
  bool exits = false;
};

struct Function {
  llvm::StringRef name;
  unsigned beginLine = 0, endLine = 0;
  std::vector<Instr> instrs;
  std::vector<Block> blocks; ///< block 0 is the entry
  /// Names by number, special registers and symbols included. Names that inline PTX declares in braces of its
  /// own may repeat.
  std::vector<llvm::StringRef> registers;
  unsigned localBytes = 0; ///< of `.local` variables
  unsigned localLine = 0;  ///< where they are declared
};

struct Module {
  std::vector<Function> functions;
  std::vector<std::string> files; ///< by `.file` number
  /// Every `.loc` line with the function it is in.
  struct Mark {
    unsigned line, function;
    Loc loc;
  };
  std::vector<Mark> marks;

  SourcePos position(Loc loc) const {
    if (loc.line == 0 || loc.file >= files.size())
      return {};
    // LLVM writes column 0 for a function as a whole.
    return {files[loc.file], loc.line, std::max(loc.column, 1u)};
  }
};

/// Reads a whole PTX file. The result refers to `text`.
Module parse(llvm::StringRef text);

/// Immediate post-dominators of the blocks, those that only lead to traps left out; blocks.size() stands for
/// the function's end, and for blocks from which no way leads there.
std::vector<unsigned> postDominators(const Function &function);

} // namespace tilec::ptx

#endif // TILEC_LIB_CODEGEN_PTXTEXT_H
