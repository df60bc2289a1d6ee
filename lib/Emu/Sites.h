//===- Sites.h - the instructions that the emulator watches -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumented code names an instruction by its number; this is what the number stands for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_EMU_SITES_H
#define TILEC_LIB_EMU_SITES_H

#include "Twins.h"
#include "tilec/CodeGen/CodeGenLog.h"
#include <vector>

namespace tilec::emu {

struct Site {
  enum class Kind : uint8_t { Load, Store, Atomic, Form, Loop };
  /// How the value is shown where nothing better is known.
  enum class Value : uint8_t { Bits, Integer, F16, BF16, F32, F64 };

  Kind kind = Kind::Load;
  SourcePos place;                ///< of the statement
  std::vector<SourcePos> callers; ///< where the function it is in was called, innermost first
  unsigned bytes = 0;             ///< loads, stores, atomics: of the whole access
  unsigned alignment = 1;
  Value value = Value::Bits; ///< of its elements
  unsigned valueBytes = 4;   ///< of one element
  const FormShape *shape = nullptr;
  /// The first site at the same place of the program: what is unrolled or has variants counts as one in
  /// reports.
  uint32_t first = 0;
};

} // namespace tilec::emu

#endif // TILEC_LIB_EMU_SITES_H
