//===- Emitter.h - the program of one thread --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes, for a kernel at stage schedule, what one thread does. The kernel is walked in program order and
// written anew into an llvm.func: scalar code and control flow stay in arith, math and scf (ScalarToLLVM.cpp
// and MathToLLVM.cpp lower those afterwards), everything of the tile dialect becomes llvm ops and PTX forms
// here.
//
// Code for the block is written once. Code for elements (a parallel, a load) is written for all elements of
// the thread side by side, op by op: all loads of a read come before the first op that uses one, and stores
// come last. A value of such code is a Spread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_CONVERSION_TILETONVVM_EMITTER_H
#define TILEC_LIB_CONVERSION_TILETONVVM_EMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tilec/CodeGen/PtxFormOps.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Layout/Layout.h"
#include "tilec/Target/ArchInfo.h"
#include <map>

namespace tilec::lowering {

/// A value of every element of the thread.
class Spread {
public:
  enum class Kind {
    Uniform, ///< the same for all elements: `base`
    Affine,  ///< i64: base + a constant an element
    Values,  ///< one value an element
    Pairs    ///< 16-bit floats: a vector<2xT> for elements 2k and 2k+1
  };

  Spread() = default;
  static Spread uniform(mlir::Value value) { return Spread(Kind::Uniform, value, {}, {}); }
  static Spread affine(mlir::Value base, llvm::SmallVector<int64_t> offsets) {
    return Spread(Kind::Affine, base, std::move(offsets), {});
  }
  static Spread values(llvm::SmallVector<mlir::Value> values) {
    return Spread(Kind::Values, {}, {}, std::move(values));
  }
  static Spread pairs(llvm::SmallVector<mlir::Value> pairs) {
    return Spread(Kind::Pairs, {}, {}, std::move(pairs));
  }

  Kind getKind() const { return kind; }
  bool isUniform() const { return kind == Kind::Uniform; }
  bool isAffine() const { return kind == Kind::Affine; }
  bool isPairs() const { return kind == Kind::Pairs; }
  mlir::Value getBase() const { return base; }
  /// Affine: the constant of an element; a uniform value has 0 everywhere.
  int64_t getOffset(unsigned element) const { return isUniform() ? 0 : offsets[element]; }
  /// The type of an element's value.
  mlir::Type getType() const;

  /// The value of an element; made where the builder stands if it is not there yet.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Location loc, unsigned element) const;
  /// The spread whose element i is this one's element `elements[i]`. Values that are not there yet are made.
  Spread select(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<unsigned> elements) const;
  /// Elements 2k and 2k + 1 as a vector<2xT>.
  mlir::Value getPair(mlir::OpBuilder &builder, mlir::Location loc, unsigned pair) const;

private:
  Spread(Kind kind, mlir::Value base, llvm::SmallVector<int64_t> offsets,
         llvm::SmallVector<mlir::Value> parts)
      : kind(kind), base(base), offsets(std::move(offsets)), parts(std::move(parts)) {}

  Kind kind = Kind::Uniform;
  mlir::Value base;
  llvm::SmallVector<int64_t> offsets;
  llvm::SmallVector<mlir::Value> parts;
};

/// A tensor or window, or a shared tile or a region of one: where its elements are and which indices are
/// inside.
struct MemoryView {
  /// An index is inside if 0 <= index + shift < size, for all bounds of its dimension.
  struct Bound {
    mlir::Value shift; // null: 0
    mlir::OpFoldResult size;
  };
  struct Dim {
    mlir::OpFoldResult stride; // in elements; of a tensor only
    llvm::SmallVector<Bound, 2> bounds;
    unsigned rootDim = 0; // the dimension of the whole shared tile that it is
  };
  mlir::Value pointer; // !llvm.ptr<1> of the parameter, !llvm.ptr<3> of the whole shared tile
  mlir::Value offset;  // of element 0 from there, in elements; null: 0
  mlir::Value valid;   // null: true; false: no element is inside
  mlir::Type element;
  bool readOnly = false;
  bool changing = false; // by atomics of this kernel, in other blocks too
  llvm::SmallVector<Dim, 4> dims;
  /// Of shared memory: the whole tile, whose layout says where coordinates are, and the coordinates of this
  /// view's element 0 in it (null: 0). An index outside is undefined, so there are no bounds.
  tile::SharedType root;
  llvm::SmallVector<mlir::Value, 4> origin;

  bool isShared() const { return static_cast<bool>(root); }
};

/// The elements that a thread works on, side by side: their number, which of them exist, and whether this
/// thread is the one that counts.
struct Elements {
  unsigned count = 1;
  /// Registers in a row that are neighbours in memory along the last dimension.
  unsigned vector = 1;
  /// An index a dimension.
  llvm::SmallVector<Spread, 4> indices;
  /// One an element; null: it always exists. Empty: all do.
  llvm::SmallVector<mlir::Value> exists;
  /// Neighbours up to this number exist together.
  unsigned existsTogether = 1;
  /// Null: true. False where another thread holds the same elements and acts for them.
  mlir::Value isOwner;
  /// Whether an earlier register of the thread holds the same element and acts for it. Empty: none.
  llvm::SmallVector<bool> repeated;

  mlir::Value existing(unsigned element) const { return exists.empty() ? mlir::Value() : exists[element]; }
  bool isRepeated(unsigned element) const { return !repeated.empty() && repeated[element]; }
};

/// What the passes decided about an access; see tilec/Transforms/GlobalAccess.h.
struct AccessPath {
  bool inBounds = false;  ///< it is never outside
  unsigned width = 1;     ///< neighbours that one instruction may move
  unsigned guard = 1;     ///< neighbours that are inside or outside together
  bool isDecided = false; ///< a pass has set `width`; else shared memory proves one itself

  static AccessPath of(mlir::Operation *access);
};

class Addresses;

/// The largest difference that lanes and warps make to a coordinate.
int64_t getThreadSpan(const Layout &layout, unsigned dim);

/// The update that an atomic is.
tile::UpdateKind getUpdateKind(tile::AtomicKind kind);

class KernelEmitter {
public:
  KernelEmitter(tile::KernelOp kernel, mlir::LLVM::LLVMFuncOp function, const ArchInfo &arch)
      : kernel(kernel), function(function), arch(arch), builder(kernel.getContext()),
        entry(kernel.getContext()) {}

  /// Fills the function. A located error if something has no lowering.
  mlir::LogicalResult run();

private:
  friend class FmaEmitter;
  friend class MmaEmitter;
  friend class ParallelEmitter;

  /// \name Structure (EmitStructure.cpp)
  /// @{
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitScalar(mlir::Operation *op);
  mlir::LogicalResult emitControl(mlir::Operation *op);
  mlir::LogicalResult emitSelect(mlir::arith::SelectOp select);
  mlir::LogicalResult emitParallel(tile::ParallelOp parallel); // EmitParallel.cpp
  mlir::LogicalResult emitFragmentOp(mlir::Operation *op);
  mlir::LogicalResult emitLoad(tile::LoadOp load);
  mlir::LogicalResult emitStore(tile::StoreOp store);
  mlir::LogicalResult emitConvert(tile::ConvertOp convert);
  mlir::LogicalResult emitReduce(tile::ReduceOp reduce); // EmitReduce.cpp
  mlir::LogicalResult emitGemm(tile::GemmOp gemm);       // EmitGemm.cpp
  Spread convertSpread(mlir::Location loc, const Spread &values, unsigned count, mlir::Type from,
                       mlir::Type to);
  void emitDecode(tile::DecodeOp decode);
  /// The type of a value in the function: fragments become vectors.
  mlir::Type convertType(mlir::Type type) const;
  /// What a value of the kernel became.
  mlir::Value lookup(mlir::Value value) const { return mapping.lookup(value); }
  mlir::OpFoldResult lookup(mlir::OpFoldResult value) const;

  mlir::Value getThreadId();
  /// What the thread adds to a coordinate of its elements, as i32; null: nothing.
  mlir::Value getThreadCoordinate(const Layout &layout, unsigned dim);
  /// The elements of this thread under a layout, for a box of extents.
  Elements getElements(mlir::Location loc, const Layout &layout, llvm::ArrayRef<mlir::OpFoldResult> extents);
  llvm::SmallVector<mlir::Value> unpack(mlir::Location loc, mlir::Value vector);
  mlir::Value pack(mlir::Location loc, const Spread &spread, unsigned count, mlir::Type element);
  /// @}

  /// \name Shared memory (EmitShared.cpp)
  /// @{
  mlir::LogicalResult emitShared(tile::SharedOp shared);
  void emitSubview(tile::SubviewOp subview);
  /// @}

  /// \name Memory (EmitMemory.cpp, EmitAtomics.cpp)
  /// @{
  void emitGlobal(tile::GlobalOp global);
  void emitWindow(tile::WindowOp window);
  const MemoryView &getView(mlir::Value global) const { return views.at(global.getAsOpaquePointer()); }
  /// Reads the elements at `indices`. `pad` null: 0.
  Spread emitRead(mlir::Location loc, const MemoryView &view, llvm::ArrayRef<Spread> indices,
                  const Elements &elements, AccessPath path, mlir::Value pad);
  void emitWrite(mlir::Location loc, const MemoryView &view, llvm::ArrayRef<Spread> indices,
                 const Spread &value, const Elements &elements, AccessPath path);
  /// Combines values into elements, each of which counts: atomically.
  void emitAtomic(mlir::Location loc, tile::UpdateKind kind, const MemoryView &view,
                  llvm::ArrayRef<Spread> indices, const Spread &value, const Elements &elements,
                  bool inBounds);
  /// A single element; `guard` null: always.
  mlir::Value emitReadOne(mlir::Location loc, const MemoryView &view, mlir::ValueRange indices, bool inBounds,
                          mlir::Value guard);
  void emitWriteOne(mlir::Location loc, const MemoryView &view, mlir::ValueRange indices, mlir::Value value,
                    bool inBounds, mlir::Value guard);
  void emitAtomicOne(mlir::Location loc, tile::UpdateKind kind, const MemoryView &view,
                     mlir::ValueRange indices, mlir::Value value, bool inBounds, mlir::Value guard);
  mlir::Value emitBroadcastRead(mlir::Location loc, const MemoryView &view, mlir::ValueRange indices,
                                bool inBounds);

  /// Neighbours, as many as the path allows, that are one piece of memory in every group.
  unsigned getRun(mlir::Location loc, const MemoryView &view, llvm::ArrayRef<Spread> indices,
                  const Elements &elements, AccessPath path);
  unsigned getGroup(mlir::Location loc, const MemoryView &view, llvm::ArrayRef<Spread> indices,
                    const Elements &elements, AccessPath path, bool guarded);
  /// Whether an element is inside; null: it is.
  mlir::Value isInside(mlir::Location loc, const MemoryView &view, llvm::ArrayRef<Spread> indices,
                       unsigned element);
  mlir::Value decodeElement(mlir::Location loc, mlir::Value bits, mlir::Type element);
  mlir::Value encodeElement(mlir::Location loc, mlir::Value value, mlir::Type element);
  Spread decodeWords(mlir::Location loc, llvm::ArrayRef<mlir::Value> words, mlir::Type element);
  llvm::SmallVector<mlir::Value> encodeWords(mlir::Location loc, const Spread &value, unsigned first,
                                             unsigned count, mlir::Type element);
  llvm::SmallVector<mlir::Value> loadWords(mlir::Location loc, mlir::Value pointer, unsigned bytes,
                                           bool readOnly, mlir::Value guard, mlir::Value padWord);
  void storeWords(mlir::Location loc, mlir::Value pointer, llvm::ArrayRef<mlir::Value> words,
                  mlir::Value guard);
  /// An element that atomics may change meanwhile. `pad` null: 0.
  mlir::Value loadRelaxed(mlir::Location loc, mlir::Value pointer, mlir::Type element, mlir::Value guard,
                          mlir::Value pad);
  /// Replaces the element at a pointer, of 4 bits that of an index in the byte, and tries again as long as
  /// another thread changes the word meanwhile.
  void emitSwap(mlir::Location loc, mlir::Value pointer, mlir::Value index, mlir::Type element,
                llvm::function_ref<mlir::Value(mlir::Value old)> next);
  std::unique_ptr<Addresses> getAddresses(mlir::Location loc, const MemoryView &view,
                                          llvm::ArrayRef<Spread> indices);
  /// @}

  /// \name Effects (EmitEffects.cpp)
  /// @{
  void emitAssert(mlir::Location loc, mlir::Value condition, llvm::StringRef text, mlir::Value guard);
  void emitPrint(tile::PrintOp print, mlir::ValueRange args, mlir::Value guard);
  mlir::Value getString(mlir::Location loc, llvm::StringRef text);
  void callPrintf(mlir::Location loc, llvm::StringRef format, mlir::ValueRange args);
  /// @}

  /// \name Small things
  /// @{
  mlir::Value constant(mlir::Location loc, int64_t value, unsigned bits = 64) {
    return mlir::arith::ConstantIntOp::create(builder, loc, value, bits);
  }
  /// The conjunction; null is true.
  mlir::Value both(mlir::Location loc, mlir::Value a, mlir::Value b) {
    return !a ? b : !b ? a : mlir::arith::AndIOp::create(builder, loc, a, b).getResult();
  }
  mlir::Value isFirstThread(mlir::Location loc);
  /// Runs `body` under a condition; null: always.
  void emitIf(mlir::Location loc, mlir::Value condition, llvm::function_ref<void()> body);
  /// @}

  tile::KernelOp kernel;
  mlir::LLVM::LLVMFuncOp function;
  const ArchInfo &arch;
  mlir::OpBuilder builder; // where code is being written
  mlir::OpBuilder entry;   // end of the function's prologue: thread numbers, stack slots
  mlir::IRMapping mapping;
  std::map<const void *, MemoryView> views;
  mlir::Value threadId;
  std::map<std::pair<std::string, unsigned>, mlir::Value> threadCoordinates;
  llvm::DenseSet<mlir::BlockArgument> atomicRoots; // tensors that an atomic of the kernel touches
};

} // namespace tilec::lowering

#endif // TILEC_LIB_CONVERSION_TILETONVVM_EMITTER_H
