//===- EmitGemm.cpp - products of tiles by mma.sync and by multiply-add -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions (PTX ISA, "Matrix multiply-accumulate operation using mma instruction"). The
// accumulator's layout says which pieces of 16 rows and 8 columns a warp has; step by step along k it loads
// the pieces of B, then those of A one by one, and multiplies:
//
//     for each step of k:  B[all n];  for each m:  A[m];  for each n:  C[m, n] += A[m] * B[n]
//
// A piece comes from shared memory by ldmatrix where rows of 16 bytes are whole and aligned, else word by
// word or element by element, or from the registers of a fragment. Rows and columns beyond the tile are read
// inside of it, as nobody uses their results; k beyond the tile is zero in both operands.
//
// Multiply-add: each thread has rows and columns of the result, and reads what it needs of A and B.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "PossibleBits.h"
#include "ScalarOps.h"
#include "SharedAddresses.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

namespace {

/// One of A and B, as a matrix of an outer dimension (m or n) and k.
struct Operand {
  bool isA;
  Value tile;
  Type element;
  unsigned outerDim, kDim; // dimensions of the tile
  int64_t outer;           // extent
};

Operand getOperand(GemmOp gemm, bool isA) {
  bool trans = isA ? gemm.getTransA() : gemm.getTransB();
  Value tile = isA ? gemm.getA() : gemm.getB();
  unsigned kDim = isA != trans ? 1 : 0;
  return {isA,      tile, cast<ObjectTypeInterface>(tile.getType()).getElementType(),
          1 - kDim, kDim, isA ? gemm.getM() : gemm.getN()};
}

/// The instruction of a triple of element types, or nothing.
std::optional<PtxFormId> getMmaForm(Type a, Type b, Type acc) {
  if (a.isF16())
    return acc.isF16() ? PtxFormId::MmaF16F16 : PtxFormId::MmaF16F32;
  if (a.isBF16())
    return PtxFormId::MmaBf16F32;
  if (isa<FloatTF32Type>(a))
    return PtxFormId::MmaTf32F32;
  if (a.isF64())
    return PtxFormId::MmaF64F64;
  if (isa<IntegerType>(a) && storageBits(a) == 8) {
    if (isUnsignedElement(a))
      return isUnsignedElement(b) ? PtxFormId::MmaU8U8S32 : PtxFormId::MmaU8S8S32;
    return isUnsignedElement(b) ? PtxFormId::MmaS8U8S32 : PtxFormId::MmaS8S8S32;
  }
  return std::nullopt;
}

} // namespace

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

/// What one instruction takes of an operand: 32-bit words, or one f64.
using Piece = SmallVector<Value, 4>;

class MmaEmitter {
public:
  MmaEmitter(KernelEmitter &emitter, GemmOp gemm, InstrAttr instr)
      : emitter(emitter), builder(emitter.builder), gemm(gemm), loc(gemm.getLoc()), a(getOperand(gemm, true)),
        b(getOperand(gemm, false)), k(gemm.getK()), step(instr.getK()), bits(storageBits(a.element)) {}

  LogicalResult run();

private:
  /// Where the k of a step begins: a value (null: 0) plus a constant. `isLast`: it reaches beyond the tile.
  struct Step {
    Value base;
    int64_t constant;
    bool isLast;
  };
  /// A shared operand at one place of the code.
  struct Source {
    const Operand &operand;
    const MemoryView &view;
    SharedTile tile;
  };

  LogicalResult matchFragment(const Operand &operand, SmallVector<unsigned> &map);
  void emitSteps(Value base, int64_t first, int64_t count, SmallVectorImpl<Value> &sums);
  void emitLoop(int64_t unrolled, int64_t count, SmallVectorImpl<Value> &sums);
  SmallVector<Value> multiply(const Piece &left, const Piece &right, ArrayRef<Value> sums);

  SmallVector<Piece> getPieces(std::optional<Source> &source, const Operand &operand, const Step &at,
                               unsigned first, unsigned count);
  Piece getFragmentPiece(const Operand &operand, const Step &at, unsigned number);
  bool canLoadMatrices(Source &source, const Step &at);
  SmallVector<Piece> loadMatrices(Source &source, const Step &at, unsigned first, unsigned count);
  Piece loadElements(Source &source, const Step &at, unsigned number);
  Value loadWord(Source &source, const SharedCoord &outer, SharedCoord along, const Step &at);
  void maskTail(Piece &piece, const Operand &operand, const Step &at);

  bool isDouble() const { return bits == 64; }
  int64_t packed() const { return 32 / bits; }
  /// Rows of A or columns of B in a piece, and how far the warp's next piece is.
  int64_t pieceOuter(const Operand &operand) const { return operand.isA && !isDouble() ? 16 : 8; }
  int64_t pieceDistance(const Operand &operand) const {
    return pieceOuter(operand) * warps[operand.isA ? 0 : 1];
  }
  unsigned getReps(const Operand &operand) const { return reps[operand.isA ? 0 : 1]; }

  Value number(int64_t value) { return emitter.constant(loc, value, 32); }
  Value getLane();
  Value add(Value a, Value b) {
    return !a ? b : !b ? a : arith::AddIOp::create(builder, loc, a, b).getResult();
  }
  /// `shift` right, `mask`, then times `factor`.
  Value getLaneBits(unsigned shift, int64_t mask, int64_t factor);
  /// What the warp adds to the operand's outer coordinate; null: nothing.
  Value getWarpOffset(const Operand &operand);
  SharedCoord getOuter(const Operand &operand, Value lanePart, int64_t laneSpan, unsigned number,
                       int64_t granule);
  SharedCoord getAlong(const Step &at, Value lanePart, int64_t constant, int64_t granule);
  SmallVector<SharedCoord, 2> order(const Operand &operand, SharedCoord outer, SharedCoord along) {
    return operand.kDim == 1 ? SmallVector<SharedCoord, 2>{outer, along}
                             : SmallVector<SharedCoord, 2>{along, outer};
  }

  KernelEmitter &emitter;
  OpBuilder &builder;
  GemmOp gemm;
  Location loc;
  Operand a, b;
  int64_t k, step;
  unsigned bits;
  PtxFormId form;
  ArrayRef<int64_t> warps, reps;
  SmallVector<Value> aRegisters, bRegisters; // of a fragment, in the order of the pieces
};

LogicalResult MmaEmitter::run() {
  FragmentType type = gemm.getType();
  auto acc = dyn_cast<MmaAttr>(type.getLayout());
  std::optional<PtxFormId> found = getMmaForm(a.element, b.element, type.getElementType());
  if (!acc || acc.getOperand() != MmaOperand::Acc || !found || step * bits != 256)
    return gemm.emitOpError(
        "has no lowering to stage nvvm: no mma.sync multiplies these types into this layout");
  form = *found;
  warps = acc.getWarps();
  reps = acc.getReps();
  for (auto [operand, registers] : {std::pair(&a, &aRegisters), std::pair(&b, &bRegisters)})
    if (isa<FragmentType>(operand->tile.getType())) {
      SmallVector<unsigned> map;
      if (failed(matchFragment(*operand, map)))
        return failure();
      SmallVector<Value> held = emitter.unpack(loc, emitter.lookup(operand->tile));
      for (unsigned reg : map)
        registers->push_back(held[reg]);
    }

  auto vector = cast<VectorType>(emitter.convertType(type));
  unsigned count = vector.getNumElements();
  SmallVector<Value> sums;
  if (gemm.getAcc())
    sums = emitter.unpack(loc, emitter.lookup(gemm.getAcc()));
  else
    sums.assign(count, arith::ConstantOp::create(
                           builder, loc, cast<TypedAttr>(builder.getZeroAttr(vector.getElementType()))));

  // So much code is unrolled; the rest is a loop, whose body covers the 128 bytes of a swizzled row.
  constexpr int64_t maxUnrolled = 256, maxSteps = 4;
  int64_t steps = llvm::divideCeil(k, step), products = reps[0] * reps[1], whole = k / step;
  bool fragments = !aRegisters.empty() || !bRegisters.empty(); // registers have no numbers at run time
  if (steps * products <= maxUnrolled || fragments || whole < 2) {
    emitSteps(Value(), 0, steps, sums);
  } else {
    int64_t unrolled = maxSteps;
    while (unrolled > 1 && (unrolled * products > maxUnrolled || unrolled > whole))
      unrolled /= 2;
    int64_t looped = whole - whole % unrolled;
    emitLoop(unrolled, looped, sums);
    emitSteps(Value(), looped, steps - looped, sums);
  }
  emitter.mapping.map(gemm.getResult(),
                      emitter.pack(loc, Spread::values(std::move(sums)), count, vector.getElementType()));
  return success();
}

LogicalResult MmaEmitter::matchFragment(const Operand &operand, SmallVector<unsigned> &map) {
  auto type = cast<FragmentType>(operand.tile.getType());
  if (operand.isA ? gemm.getTransA() : gemm.getTransB())
    return gemm.emitOpError("has no lowering to stage nvvm: a transposed operand is no fragment");
  int64_t steps = llvm::divideCeil(k, step), outerReps = getReps(operand);
  SmallVector<int64_t, 2> ownReps =
      operand.isA ? SmallVector<int64_t, 2>{outerReps, steps} : SmallVector<int64_t, 2>{steps, outerReps};
  auto wanted =
      MmaAttr::get(builder.getContext(), operand.isA ? MmaOperand::A : MmaOperand::B, bits, warps, ownReps);
  Layout held = cast<LayoutAttrInterface>(type.getLayout()).toLinear();
  auto match = held.getRank() == 2 ? wanted.toLinearFor({}, 0).matchRegisters(held, {0, 1}) : std::nullopt;
  if (!match)
    return gemm.emitOpError(
        "has no lowering to stage nvvm: an operand has another layout than the instruction");
  map = std::move(*match);
  return success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void MmaEmitter::emitSteps(Value base, int64_t first, int64_t count, SmallVectorImpl<Value> &sums) {
  std::optional<Source> sources[2];
  for (auto [operand, source] : {std::pair(&a, &sources[0]), std::pair(&b, &sources[1])})
    if (isa<SharedType>(operand->tile.getType())) {
      const MemoryView &view = emitter.getView(operand->tile);
      source->emplace(*operand, view, SharedTile(builder, loc, view, emitter.kernel.getGrid().getThreads()));
    }
  unsigned perPiece = isDouble() ? 2 : 4;
  for (int64_t i = first; i < first + count; ++i) {
    Step at{base, i * step, !base && (i + 1) * step > k};
    SmallVector<Piece> right = getPieces(sources[1], b, at, 0, reps[1]);
    for (unsigned m = 0; m < reps[0]; ++m) {
      Piece left = getPieces(sources[0], a, at, m, 1).front();
      for (unsigned n = 0; n < reps[1]; ++n) {
        MutableArrayRef<Value> own = MutableArrayRef(sums).slice((m * reps[1] + n) * perPiece, perPiece);
        llvm::copy(multiply(left, right[n], own), own.begin());
      }
    }
  }
}

void MmaEmitter::emitLoop(int64_t unrolled, int64_t count, SmallVectorImpl<Value> &sums) {
  auto loop =
      scf::ForOp::create(builder, loc, number(0), number(count * step), number(unrolled * step), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> inner = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
  emitSteps(loop.getInductionVar(), 0, unrolled, inner);
  scf::YieldOp::create(builder, loc, inner);
  sums.assign(loop.getResults().begin(), loop.getResults().end());
}

SmallVector<Value> MmaEmitter::multiply(const Piece &left, const Piece &right, ArrayRef<Value> sums) {
  SmallVector<Value> operands(left.begin(), left.end());
  llvm::append_range(operands, right);
  if (a.element.isF16()) {
    Type pair = VectorType::get({2}, builder.getF16Type());
    for (Value &word : operands)
      word = LLVM::BitcastOp::create(builder, loc, pair, word);
  }
  if (form != PtxFormId::MmaF16F16) {
    llvm::append_range(operands, sums);
    return createPtxForm(builder, loc, form, operands);
  }
  Spread pairs = Spread::values(SmallVector<Value>(sums));
  operands.push_back(pairs.getPair(builder, loc, 0));
  operands.push_back(pairs.getPair(builder, loc, 1));
  Spread results = Spread::pairs(createPtxForm(builder, loc, form, operands));
  SmallVector<Value> values;
  for (unsigned i = 0; i < 4; ++i)
    values.push_back(results.get(builder, loc, i));
  return values;
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

Value MmaEmitter::getLane() { return arith::AndIOp::create(builder, loc, emitter.getThreadId(), number(31)); }

Value MmaEmitter::getLaneBits(unsigned shift, int64_t mask, int64_t factor) {
  Value value = getLane();
  if (shift)
    value = arith::ShRUIOp::create(builder, loc, value, number(shift));
  value = arith::AndIOp::create(builder, loc, value, number(mask));
  return factor == 1 ? value : arith::MulIOp::create(builder, loc, value, number(factor)).getResult();
}

Value MmaEmitter::getWarpOffset(const Operand &operand) {
  Layout groups(2);
  if (warps[1] > 1)
    groups.addFactor(warps[1], 1, Place::Warp, 8);
  if (warps[0] > 1)
    groups.addFactor(warps[0], 0, Place::Warp, pieceOuter(a));
  return emitter.getThreadCoordinate(groups, operand.isA ? 0 : 1);
}

/// The outer coordinate in piece `number`; `laneSpan`: the most that the lane adds. What may be beyond the
/// tile is brought to its last multiple of `granule`.
SharedCoord MmaEmitter::getOuter(const Operand &operand, Value lanePart, int64_t laneSpan, unsigned number,
                                 int64_t granule) {
  SharedCoord coord{add(getWarpOffset(operand), lanePart), number * pieceDistance(operand)};
  int64_t most = coord.constant + laneSpan + (warps[operand.isA ? 0 : 1] - 1) * pieceOuter(operand);
  if (most < operand.outer)
    return coord;
  Value last = this->number((operand.outer - 1) / granule * granule);
  Value value = add(coord.base, this->number(coord.constant));
  return {arith::MinUIOp::create(builder, loc, value, last), 0};
}

/// The coordinate along k, likewise.
SharedCoord MmaEmitter::getAlong(const Step &at, Value lanePart, int64_t constant, int64_t granule) {
  SharedCoord coord{add(at.base, lanePart), at.constant + constant};
  if (!at.isLast)
    return coord;
  Value last = number((k - 1) / granule * granule);
  return {arith::MinUIOp::create(builder, loc, add(coord.base, number(coord.constant)), last), 0};
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

SmallVector<Piece> MmaEmitter::getPieces(std::optional<Source> &source, const Operand &operand,
                                         const Step &at, unsigned first, unsigned count) {
  SmallVector<Piece> pieces;
  if (source && canLoadMatrices(*source, at))
    pieces = loadMatrices(*source, at, first, count);
  else
    for (unsigned i = first; i < first + count; ++i)
      pieces.push_back(source ? loadElements(*source, at, i) : getFragmentPiece(operand, at, i));
  if (at.isLast)
    for (Piece &piece : pieces)
      maskTail(piece, operand, at);
  return pieces;
}

Piece MmaEmitter::getFragmentPiece(const Operand &operand, const Step &at, unsigned number) {
  // Registers of a piece, then the repetitions of the second dimension, then those of the first.
  int64_t steps = llvm::divideCeil(k, step), inStep = at.constant / step;
  int64_t index = operand.isA ? number * steps + inStep : inStep * getReps(operand) + number;
  ArrayRef<Value> registers = operand.isA ? aRegisters : bRegisters;
  if (isDouble())
    return {registers[index]};
  unsigned words = operand.isA ? 4 : 2, count = words * packed();
  Spread elements = Spread::values(SmallVector<Value>(registers.slice(index * count, count)));
  Piece piece;
  for (unsigned word = 0; word < words; ++word)
    piece.push_back(emitter.encodeWords(loc, elements, word * packed(), packed(), operand.element).front());
  return piece;
}

/// Sets what is beyond k to zero: NaN times zero would not be.
void MmaEmitter::maskTail(Piece &piece, const Operand &operand, const Step &at) {
  Value lane = getLaneBits(0, 3, isDouble() ? 1 : packed());
  unsigned words = piece.size(), halves = isDouble() ? 1 : 2;
  for (auto [word, value] : llvm::enumerate(piece)) {
    int64_t half = isDouble() ? 0 : word / (words / halves);
    int64_t left = k - at.constant - half * 4 * packed(); // elements from the first lane's on
    if (!isDouble() && left >= 4 * packed())
      continue;
    Type type = value.getType();
    Value zero = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
    if (left <= 0) {
      value = zero;
      continue;
    }
    // Whole words, and the one in which k ends.
    if (int64_t rest = isDouble() ? 0 : left % packed()) {
      Value mask = number((int64_t(1) << (rest * bits)) - 1);
      Value cut = arith::AndIOp::create(builder, loc, value, mask);
      Value isCut = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, number(left - rest));
      value = arith::SelectOp::create(builder, loc, isCut, cut, value);
    }
    Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lane, number(left));
    value = arith::SelectOp::create(builder, loc, inside, value, zero);
  }
}

/// Whether the pieces of a step are matrices of whole, aligned rows of 16 bytes, along k or, of 16-bit
/// elements, across it.
bool MmaEmitter::canLoadMatrices(Source &source, const Step &at) {
  const Operand &operand = source.operand;
  std::optional<unsigned> contiguous = source.tile.getForm().contiguousDim();
  if (!contiguous || isDouble())
    return false;
  bool along = source.view.dims[operand.kDim].rootDim == *contiguous;
  bool across = source.view.dims[operand.outerDim].rootDim == *contiguous;
  if (!along && !(across && bits == 16))
    return false;
  int64_t chunk = 128 / bits;
  if (source.tile.getForm().isPanels() && source.tile.getForm().width < chunk)
    return false;
  // Rows begin at multiples of a chunk, other coordinates are arbitrary.
  SharedCoord any{emitter.getThreadId(), 0}, aligned{Value(), 0};
  if (at.base)
    aligned.base = at.base;
  SharedCoords root = source.tile.toRoot(along ? order(operand, any, aligned) : order(operand, aligned, any));
  return source.tile.getAlignment(root, chunk) >= chunk;
}

SmallVector<Piece> MmaEmitter::loadMatrices(Source &source, const Step &at, unsigned first, unsigned count) {
  const Operand &operand = source.operand;
  bool along = source.view.dims[operand.kDim].rootDim == *source.tile.getForm().contiguousDim();
  int64_t chunk = 128 / bits;
  auto load = [&](unsigned piece, bool two) -> SmallVector<Value> {
    // Which row of which matrix a lane names. A: matrix 1 is 8 rows further, 2 and 3 are the other half of k.
    // B: matrix 1 is the other half of k, 2 and 3 are the next piece's.
    Value outerLane, kLane;
    int64_t span;
    int64_t distance = pieceDistance(operand);
    if (operand.isA && along) {
      outerLane = getLaneBits(0, 15, 1);
      kLane = getLaneBits(4, 1, chunk);
      span = 15;
    } else if (operand.isA) {
      outerLane = getLaneBits(3, 1, 8);
      kLane = add(getLaneBits(0, 7, 1), getLaneBits(4, 1, 8));
      span = 15;
    } else if (along) {
      outerLane = getLaneBits(0, 7, 1);
      kLane = getLaneBits(3, 1, chunk);
      span = 7;
    } else {
      kLane = getLaneBits(0, 15, 1);
      span = 7;
    }
    if (two) {
      outerLane = add(outerLane, getLaneBits(4, 1, distance));
      span += distance;
    }
    SharedCoord outer = getOuter(operand, outerLane, span, piece, along ? 1 : 8);
    SharedCoord k = getAlong(at, kLane, 0, along ? chunk : 1);
    Value pointer = source.tile.getPointer(source.tile.toRoot(order(operand, outer, k)));
    bool four = operand.isA || two;
    PtxFormId form = along ? (four ? PtxFormId::LdMatrixX4 : PtxFormId::LdMatrixX2)
                           : (four ? PtxFormId::LdMatrixTransX4 : PtxFormId::LdMatrixTransX2);
    return createPtxForm(builder, loc, form, pointer);
  };
  SmallVector<Piece> pieces;
  for (unsigned i = first; i < first + count;) {
    bool two = !operand.isA && i + 1 < first + count;
    SmallVector<Value> words = load(i, two);
    for (unsigned word = 0; word < words.size(); word += operand.isA ? 4 : 2)
      pieces.push_back(Piece(ArrayRef(words).slice(word, operand.isA ? 4 : 2)));
    i += two ? 2 : 1;
  }
  return pieces;
}

/// What the layout of the operand gives to a lane: for lane = 4g + t row g of A (column g of B), elements
/// packed * t and following of k; then 8 rows further (A), then the other half of k.
Piece MmaEmitter::loadElements(Source &source, const Step &at, unsigned number) {
  const Operand &operand = source.operand;
  Value g = getLaneBits(2, 7, 1);
  if (isDouble()) {
    SharedCoord outer = getOuter(operand, g, 7, number, 1), along = getAlong(at, getLaneBits(0, 3, 1), 0, 1);
    Value pointer = source.tile.getPointer(source.tile.toRoot(order(operand, outer, along)));
    return {LLVM::LoadOp::create(builder, loc, builder.getF64Type(), pointer, 8).getResult()};
  }
  Piece piece;
  for (int64_t half : {0, 1})
    for (int64_t row : {0, 8}) {
      if (row && !operand.isA)
        continue;
      Value lane = row ? add(g, this->number(row)) : g;
      SharedCoord outer = getOuter(operand, lane, 7 + row, number, 1);
      SharedCoord along{getLaneBits(0, 3, packed()), half * 4 * packed()};
      piece.push_back(loadWord(source, outer, along, at));
    }
  return piece;
}

/// `packed` elements along k as one word.
Value MmaEmitter::loadWord(Source &source, const SharedCoord &outer, SharedCoord along, const Step &at) {
  const Operand &operand = source.operand;
  Type i32 = builder.getI32Type();
  auto rootOf = [&](int64_t element, int64_t granule) {
    return source.tile.toRoot(
        order(operand, outer, getAlong(at, along.base, along.constant + element, granule)));
  };
  std::optional<unsigned> contiguous = source.tile.getForm().contiguousDim();
  // The word in which k ends is read element by element: what follows may be beyond the tile.
  int64_t left = k - at.constant - along.constant;
  bool ends = at.isLast && left > 0 && left < 4 * packed() && left % packed();
  if (!ends && contiguous && source.view.dims[operand.kDim].rootDim == *contiguous) {
    SharedCoords root = rootOf(0, packed());
    if (source.tile.getAlignment(root, packed()) >= packed())
      return LLVM::LoadOp::create(builder, loc, i32, source.tile.getPointer(root), 4);
  }
  Type type = builder.getIntegerType(bits);
  Value word;
  for (int64_t element = 0; element < packed(); ++element) {
    Value pointer = source.tile.getPointer(rootOf(element, 1));
    Value part = LLVM::LoadOp::create(builder, loc, type, pointer, bits / 8);
    if (bits < 32)
      part = arith::ExtUIOp::create(builder, loc, i32, part);
    if (element)
      part = arith::ShLIOp::create(builder, loc, part, number(element * bits));
    word = word ? arith::OrIOp::create(builder, loc, word, part).getResult() : part;
  }
  return word;
}

//===----------------------------------------------------------------------===//
// Multiply-add
//===----------------------------------------------------------------------===//

class FmaEmitter {
public:
  FmaEmitter(KernelEmitter &emitter, GemmOp gemm)
      : emitter(emitter), builder(emitter.builder), gemm(gemm), loc(gemm.getLoc()),
        operands{getOperand(gemm, true), getOperand(gemm, false)} {}

  LogicalResult run();

private:
  void emitSteps(Value base, int64_t first, int64_t count, SmallVectorImpl<Value> &sums);
  SmallVector<SmallVector<Value>> load(const Operand &operand, Value base, int64_t first, int64_t count);
  Value multiply(Value a, Value b, Value sum);

  KernelEmitter &emitter;
  OpBuilder &builder;
  GemmOp gemm;
  Location loc;
  Operand operands[2];
  Layout layout{2};
  Type type;                                         // of the sums
  SmallVector<int64_t> offsets[2];                   // the thread's rows and columns, from its first ones
  SmallVector<std::pair<unsigned, unsigned>> places; // by register: which of these
};

LogicalResult FmaEmitter::run() {
  if (!isa<SharedType>(gemm.getA().getType()) || !isa<SharedType>(gemm.getB().getType()))
    return gemm.emitOpError(
        "has no lowering to stage nvvm: multiply-add takes both operands from shared memory");
  FragmentType result = gemm.getType();
  Type element = result.getElementType();
  type = isa<IntegerType>(element) || element.isF64() ? element : builder.getF32Type();
  layout = cast<LayoutAttrInterface>(result.getLayout()).toLinear();
  auto vector = cast<VectorType>(emitter.convertType(result));
  unsigned count = vector.getNumElements();
  std::map<int64_t, unsigned> numbers[2];
  SmallVector<Coord> coords;
  for (unsigned reg = 0; reg < count; ++reg) {
    Position position;
    position.reg = reg;
    coords.push_back(layout.apply(position));
    for (unsigned dim : {0, 1})
      numbers[dim].insert({coords.back()[dim], 0});
  }
  for (unsigned dim : {0, 1})
    for (auto &[offset, number] : numbers[dim]) {
      number = offsets[dim].size();
      offsets[dim].push_back(offset);
    }
  for (const Coord &coord : coords)
    places.push_back({numbers[0][coord[0]], numbers[1][coord[1]]});

  SmallVector<Value> sums;
  if (gemm.getAcc())
    for (Value value : emitter.unpack(loc, emitter.lookup(gemm.getAcc())))
      sums.push_back(convertElement(builder, loc, value, element, type, emitter.arch));
  else
    sums.assign(count, arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type))));

  // Four steps at once, so that neighbours along k are one access.
  constexpr int64_t unrolled = 4;
  int64_t k = gemm.getK(), looped = k / unrolled * unrolled;
  if (looped > unrolled) {
    auto loop = scf::ForOp::create(builder, loc, emitter.constant(loc, 0), emitter.constant(loc, looped),
                                   emitter.constant(loc, unrolled), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> inner = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    emitSteps(loop.getInductionVar(), 0, unrolled, inner);
    scf::YieldOp::create(builder, loc, inner);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  } else {
    looped = 0;
  }
  emitSteps(emitter.constant(loc, 0), looped, k - looped, sums);
  for (Value &sum : sums)
    sum = convertElement(builder, loc, sum, type, element, emitter.arch);
  emitter.mapping.map(gemm.getResult(),
                      emitter.pack(loc, Spread::values(std::move(sums)), count, vector.getElementType()));
  return success();
}

void FmaEmitter::emitSteps(Value base, int64_t first, int64_t count, SmallVectorImpl<Value> &sums) {
  if (count == 0)
    return;
  SmallVector<SmallVector<Value>> left = load(operands[0], base, first, count),
                                  right = load(operands[1], base, first, count);
  for (int64_t k = 0; k < count; ++k)
    for (auto [sum, place] : llvm::zip_equal(sums, places))
      sum = multiply(left[k][place.first], right[k][place.second], sum);
}

/// By k, then by row of A or column of B: the elements that the thread needs, in the type of the sums.
SmallVector<SmallVector<Value>> FmaEmitter::load(const Operand &operand, Value base, int64_t first,
                                                 int64_t count) {
  unsigned dim = operand.isA ? 0 : 1;
  ArrayRef<int64_t> outer = offsets[dim];
  const MemoryView &view = emitter.getView(operand.tile);
  std::optional<unsigned> contiguous = SharedForm(view.root).contiguousDim();
  bool along = contiguous && view.dims[operand.kDim].rootDim == *contiguous;
  // Neighbours in memory follow each other.
  Elements elements;
  elements.count = outer.size() * count;
  SmallVector<int64_t> outerOffsets, kOffsets;
  for (unsigned i = 0; i < elements.count; ++i) {
    unsigned row = along ? i / count : i % outer.size(), k = along ? i % count : i / outer.size();
    outerOffsets.push_back(outer[row]);
    kOffsets.push_back(first + k);
  }
  Value thread = emitter.getThreadCoordinate(layout, dim);
  Value start = thread ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), thread).getResult()
                       : emitter.constant(loc, 0);
  Spread outerIndex = Spread::affine(start, outerOffsets);
  if (outer.back() + getThreadSpan(layout, dim) >= operand.outer) {
    // Beyond the tile the last one is read: nobody uses what comes of it.
    SmallVector<Value> clamped;
    for (unsigned i = 0; i < elements.count; ++i)
      clamped.push_back(arith::MinUIOp::create(builder, loc, outerIndex.get(builder, loc, i),
                                               emitter.constant(loc, operand.outer - 1)));
    outerIndex = Spread::values(std::move(clamped));
  }
  Spread kIndex = Spread::affine(base, kOffsets);
  SmallVector<Spread, 2> indices(2);
  indices[operand.outerDim] = outerIndex;
  indices[operand.kDim] = kIndex;
  Spread read = emitter.emitRead(loc, view, indices, elements, AccessPath(), Value());
  SmallVector<SmallVector<Value>> values(count, SmallVector<Value>(outer.size()));
  for (unsigned i = 0; i < elements.count; ++i) {
    unsigned row = along ? i / count : i % outer.size(), k = along ? i % count : i / outer.size();
    values[k][row] =
        convertElement(builder, loc, read.get(builder, loc, i), operand.element, type, emitter.arch);
  }
  return values;
}

Value FmaEmitter::multiply(Value a, Value b, Value sum) {
  if (isa<FloatType>(type))
    return math::FmaOp::create(builder, loc, a, b, sum);
  return arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, a, b), sum);
}

LogicalResult KernelEmitter::emitGemm(GemmOp gemm) {
  auto instr = dyn_cast_if_present<InstrAttr>(gemm.getInstrAttr());
  if (instr && instr.getKind() == InstrKind::Mma)
    return MmaEmitter(*this, gemm, instr).run();
  if (instr && instr.getKind() == InstrKind::Fma)
    return FmaEmitter(*this, gemm).run();
  return gemm.emitOpError("has no lowering to stage nvvm");
}

} // namespace tilec::lowering
