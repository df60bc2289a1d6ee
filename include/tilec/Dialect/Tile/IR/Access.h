//===- Access.h - what an op reads and writes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access says which part of which buffer an op touches, how, by which proxy, by whom and until when.
// Rings, shared memory placement, synchronisation, warnings and the checkers are all decided from accesses.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_DIALECT_TILE_IR_ACCESS_H
#define TILEC_DIALECT_TILE_IR_ACCESS_H

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVector.h"

namespace tilec::tile {

enum class AccessKind {
  Read,
  Write,
  Update // reads and writes the same elements
};

enum class Coverage {
  May,  // some of the region, perhaps none of it
  Must, // every element of the region
  Full  // every element of the buffer, whatever it held: what came before is dead
};

/// Which path to memory: an access by the async proxy (bulk copies, wgmma) is ordered with generic ones by a
/// proxy fence or a barrier object only (PTX ISA, "Async proxy").
enum class Proxy { Generic, Async };

/// Who touches the region: the threads of the role, each warpgroup its own rows, each thread what it owns, one
/// elected lane, or one lane of each warpgroup. Defined in TilePlan.td.
enum class Executor : uint32_t;

struct Access {
  mlir::OpOperand *operand = nullptr; // the buffer: tensor, shared tile, ring slot, or a fragment value
  AccessKind kind = AccessKind::Read;
  Coverage coverage = Coverage::Must;
  Proxy proxy = Proxy::Generic;
  Executor executor = {}; // all threads of the role
  /// The box that is touched, in the buffer's coordinates; no offsets: all of it.
  mlir::ValueRange offsets = {};
  llvm::SmallVector<int64_t, 4> extents = {};
  /// The value whose wait ends the access; null if it ends with the op.
  mlir::Value until = {};

  mlir::Value buffer() const { return operand->get(); }
  bool reads() const { return kind != AccessKind::Write; }
  bool writes() const { return kind != AccessKind::Read; }
};

/// The three kinds of memory that effects are about.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  mlir::StringRef getName() final { return "GlobalMemory"; }
};
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  mlir::StringRef getName() final { return "SharedMemory"; }
};
struct FragmentMemory : mlir::SideEffects::Resource::Base<FragmentMemory> {
  mlir::StringRef getName() final { return "FragmentMemory"; }
};

using EffectList = llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance>;

/// Appends the memory effects of an op that implements AccessOpInterface. Fragments are values: no effect.
void appendEffectsOfAccesses(mlir::Operation *op, EffectList &effects);
/// Appends the effect of an op that stops the program, prints, or launches.
void appendActionEffect(EffectList &effects);

} // namespace tilec::tile

#endif // TILEC_DIALECT_TILE_IR_ACCESS_H
