//===- EmitReduce.cpp - folds along an axis ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread folds the registers that hold elements of one row, as a balanced tree. Lanes that share a row then
// exchange what they have, each lane bit along the axis a butterfly, after which all of them have the whole.
// Warps along the axis are somebody else's business: the result numbers them.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ScalarOps.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

namespace {

/// The operation of a reduction on values of the type it is computed in: f32 or f64; i32 or i64, where narrow
/// integers wrap at the end.
class FoldBuilder {
public:
  FoldBuilder(OpBuilder &builder, const ArchInfo &arch, ReduceOp reduce)
      : builder(builder), arch(arch), loc(reduce.getLoc()), kind(reduce.getKind()),
        propagatesNaN(reduce.getNanPropagate()),
        source(cast<FragmentType>(reduce.getSource().getType()).getElementType()),
        result(cast<FragmentType>(reduce.getType()).getElementType()),
        isUnsigned(isUnsignedElement(result) || result.isInteger(1)) {
    if (isa<FloatType>(result))
      type = result.isF64() ? builder.getF64Type() : builder.getF32Type();
    else
      type = builder.getIntegerType(storageBits(result) == 64 ? 64 : 32);
  }

  bool isFloat() const { return isa<FloatType>(type); }

  /// An element of the source.
  Value enter(Value value) {
    if (isFloat()) {
      value = convertElement(builder, loc, value, source, type, arch);
      return kind == ReduceKind::AbsMax ? math::AbsFOp::create(builder, loc, value).getResult() : value;
    }
    value = convertElement(builder, loc, value, source, result, arch);
    // The magnitude of the least integer is itself: it wraps before anything is compared.
    if (kind == ReduceKind::AbsMax && !isUnsigned)
      value = math::AbsIOp::create(builder, loc, value);
    return widen(value);
  }
  /// An element of the result, before it.
  Value enterResult(Value value) {
    return isFloat() ? convertElement(builder, loc, value, result, type, arch) : widen(value);
  }
  /// What becomes an element of the result.
  Value leave(Value value) {
    if (isFloat())
      return convertElement(builder, loc, value, type, result, arch);
    Type loaded = loadedType(result);
    if (loaded != type)
      value = arith::TruncIOp::create(builder, loc, loaded, value);
    return wrapToElement(builder, loc, value, result);
  }

  Value combine(Value a, Value b) {
    switch (kind) {
    case ReduceKind::Sum:
      return pick<arith::AddFOp, arith::AddIOp>(a, b);
    case ReduceKind::Prod:
      return pick<arith::MulFOp, arith::MulIOp>(a, b);
    case ReduceKind::Min:
      if (propagatesNaN && isFloat())
        return arith::MinimumFOp::create(builder, loc, a, b);
      return isUnsigned ? pick<arith::MinNumFOp, arith::MinUIOp>(a, b)
                        : pick<arith::MinNumFOp, arith::MinSIOp>(a, b);
    case ReduceKind::Max:
    case ReduceKind::AbsMax:
      if (propagatesNaN && isFloat())
        return arith::MaximumFOp::create(builder, loc, a, b);
      return isUnsigned ? pick<arith::MaxNumFOp, arith::MaxUIOp>(a, b)
                        : pick<arith::MaxNumFOp, arith::MaxSIOp>(a, b);
    }
    llvm_unreachable("unknown kind of reduction");
  }

  /// What changes nothing.
  Value neutral() {
    bool isMin = kind == ReduceKind::Min, isMax = kind == ReduceKind::Max, isProd = kind == ReduceKind::Prod;
    if (auto real = dyn_cast<FloatType>(type)) {
      llvm::APFloat value = isMin || isMax
                                ? llvm::APFloat::getInf(real.getFloatSemantics(), /*Negative=*/isMax)
                                : llvm::APFloat(real.getFloatSemantics(), isProd ? 1 : 0);
      return arith::ConstantFloatOp::create(builder, loc, real, value);
    }
    // Of the result's type, so that it is one of its values.
    unsigned width = type.getIntOrFloatBitWidth(), own = loadedType(result).getIntOrFloatBitWidth();
    llvm::APInt value(width, isProd ? 1 : 0);
    if (isMin)
      value = isUnsigned ? llvm::APInt::getMaxValue(own).zext(width)
                         : llvm::APInt::getSignedMaxValue(own).sext(width);
    else if (isMax && !isUnsigned)
      value = llvm::APInt::getSignedMinValue(own).sext(width);
    return arith::ConstantIntOp::create(builder, loc, value.getSExtValue(), width);
  }

  /// Whether starting at the neutral element changes a fold of elements alone: of NaNs, of the least
  /// integer's magnitude.
  bool needsStart() const {
    if (isFloat())
      return kind != ReduceKind::Sum && kind != ReduceKind::Prod && !propagatesNaN;
    return kind == ReduceKind::AbsMax && !isUnsigned;
  }

  /// The instruction that folds over a whole warp, or nothing.
  std::optional<PtxFormId> getWarpForm() const {
    if (!type.isInteger(32))
      return std::nullopt;
    std::optional<PtxFormId> form;
    if (kind == ReduceKind::Sum)
      form = PtxFormId::ReduxAddB32;
    else if (kind == ReduceKind::Min)
      form = isUnsigned ? PtxFormId::ReduxMinU32 : PtxFormId::ReduxMinS32;
    else if (kind == ReduceKind::Max || kind == ReduceKind::AbsMax)
      form = isUnsigned ? PtxFormId::ReduxMaxU32 : PtxFormId::ReduxMaxS32;
    return form && PtxForm::get(*form).isAvailableOn(arch) ? form : std::nullopt;
  }

private:
  template <typename Float, typename Integer> Value pick(Value a, Value b) {
    return isFloat() ? Float::create(builder, loc, a, b).getResult()
                     : Integer::create(builder, loc, a, b).getResult();
  }
  Value widen(Value value) {
    if (value.getType() == type)
      return value;
    return isUnsigned ? arith::ExtUIOp::create(builder, loc, type, value).getResult()
                      : arith::ExtSIOp::create(builder, loc, type, value).getResult();
  }

  OpBuilder &builder;
  const ArchInfo &arch;
  Location loc;
  ReduceKind kind;
  bool propagatesNaN;
  Type source, result; // elements
  bool isUnsigned;
  Type type; // of the computation
};

} // namespace

/// The value of the lane whose number differs in one bit. 64 bits are two exchanges.
static Value shuffle(OpBuilder &builder, Location loc, Value value, int64_t lane) {
  auto number = [&](int64_t value, unsigned bits = 32) {
    return arith::ConstantIntOp::create(builder, loc, value, bits).getResult();
  };
  auto exchange = [&](PtxFormId form, Value word) {
    return createPtxFormValue(builder, loc, form, {number(-1), word, number(lane), number(31)});
  };
  Type type = value.getType(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  if (type.isF32())
    return exchange(PtxFormId::ShflBflyF32, value);
  if (type.isInteger(32))
    return exchange(PtxFormId::ShflBflyB32, value);
  if (type.isF64())
    value = arith::BitcastOp::create(builder, loc, i64, value);
  Value low = arith::TruncIOp::create(builder, loc, i32, value);
  Value high = arith::ShRUIOp::create(builder, loc, value, number(32, 64));
  high = arith::TruncIOp::create(builder, loc, i32, high);
  low = arith::ExtUIOp::create(builder, loc, i64, exchange(PtxFormId::ShflBflyB32, low));
  high = arith::ExtUIOp::create(builder, loc, i64, exchange(PtxFormId::ShflBflyB32, high));
  high = arith::ShLIOp::create(builder, loc, high, number(32, 64));
  value = arith::OrIOp::create(builder, loc, low, high);
  return type.isF64() ? arith::BitcastOp::create(builder, loc, type, value).getResult() : value;
}

static Coord dropAxis(Coord coord, int64_t axis) {
  coord.erase(coord.begin() + axis);
  return coord;
}

/// Why the elements along the axis cannot be counted from registers, then lanes, or nothing.
static std::optional<std::string> checkAxis(const Layout &layout, int64_t axis, Parts parts) {
  for (Place place : {Place::Register, Place::Lane, Place::Warp})
    for (const Coord &basis : layout.getBits(place)) {
      if (basis[axis] == 0)
        continue;
      if (llvm::any_of(dropAxis(basis, axis), [](int64_t step) { return step != 0; }))
        return "its layout moves along the axis and another dimension at once";
      if (place == Place::Warp && parts == Parts::None)
        return "several warps share a row";
    }
  for (const LayoutFactor &factor : layout.getFactors())
    if (factor.place == Place::Warp && factor.dim == axis && factor.step && parts == Parts::None)
      return "several warps share a row";
  OwnerPredicate owner = layout.ownerPredicate();
  for (auto [bit, basis] : llvm::enumerate(layout.getBits(Place::Lane)))
    if ((owner.laneMask >> bit & 1) && basis[axis] != 0)
      return "lanes along the axis hold elements of each other";
  return std::nullopt;
}

LogicalResult KernelEmitter::emitReduce(ReduceOp reduce) {
  Location loc = reduce.getLoc();
  auto source = cast<FragmentType>(reduce.getSource().getType()),
       result = cast<FragmentType>(reduce.getType());
  Layout layout = cast<LayoutAttrInterface>(source.getLayout()).toLinear();
  int64_t axis = reduce.getAxis(), extent = source.getShape()[axis];
  Parts parts = reduce.getParts().value_or(Parts::None);
  if (std::optional<std::string> reason = checkAxis(layout, axis, parts))
    return reduce.emitOpError() << "has no lowering to stage nvvm: " << *reason;
  FoldBuilder fold(builder, arch, reduce);

  // The registers of a row, each element once. What is beyond the extent changes nothing.
  SmallVector<Value> registers = unpack(loc, lookup(reduce.getSource()));
  OwnerPredicate owner = layout.ownerPredicate(), own{owner.registerMask, 0, 0, {}};
  llvm::copy_if(owner.zeroDigits, std::back_inserter(own.zeroDigits),
                [](const LayoutFactor &digit) { return digit.place == Place::Register; });
  Value thread = getThreadCoordinate(layout, axis);
  int64_t span = getThreadSpan(layout, axis);
  std::map<int64_t, Value> inside; // by the register's part of the coordinate
  std::map<Coord, SmallVector<Value>> rows;
  for (auto [reg, value] : llvm::enumerate(registers)) {
    Position position;
    position.reg = reg;
    Coord coord = layout.apply(position);
    int64_t at = coord[axis];
    SmallVector<Value> &row = rows[dropAxis(coord, axis)];
    if (!own.holds(position) || at >= extent)
      continue;
    Value entered = fold.enter(value);
    if (at + span >= extent) {
      Value &isInside = inside[at];
      if (!isInside)
        isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                                         constant(loc, extent - at, 32));
      entered = arith::SelectOp::create(builder, loc, isInside, entered, fold.neutral());
    }
    row.push_back(entered);
  }
  for (auto &[coord, row] : rows) {
    if (row.empty())
      row.push_back(fold.neutral());
    while (row.size() > 1) {
      size_t half = (row.size() + 1) / 2;
      for (size_t i = 0; i + half < row.size(); ++i)
        row[i] = fold.combine(row[i], row[i + half]);
      row.resize(half);
    }
  }

  // All rows take a step before the next one, so that exchanges overlap.
  SmallVector<int64_t> lanes;
  for (auto [bit, basis] : llvm::enumerate(layout.getBits(Place::Lane)))
    if (basis[axis] != 0 && parts != Parts::Threads)
      lanes.push_back(int64_t(1) << bit);
  if (std::optional<PtxFormId> form = fold.getWarpForm(); form && lanes.size() == 5) {
    for (auto &[coord, row] : rows)
      row[0] = createPtxFormValue(builder, loc, *form, {row[0], constant(loc, -1, 32)});
  } else {
    for (int64_t lane : lanes) {
      SmallVector<Value> others;
      for (auto &[coord, row] : rows)
        others.push_back(shuffle(builder, loc, row[0], lane));
      for (auto [row, other] : llvm::zip_equal(rows, others))
        row.second[0] = fold.combine(row.second[0], other);
    }
  }

  // Where the registers of the result find their rows.
  Layout rowLayout = RowsAttr::get(builder.getContext(), source.getLayout(), axis, parts).toLinearFor({}, 0);
  Layout target = cast<LayoutAttrInterface>(result.getLayout()).toLinear();
  std::optional<SmallVector<unsigned>> map;
  if (target.getRank() == rowLayout.getRank())
    map = target.matchRegisters(rowLayout, llvm::to_vector(llvm::seq<int>(0, rowLayout.getRank())));
  if (!map)
    return reduce.emitOpError(
        "has no lowering to stage nvvm: threads hold other rows of the result than of the "
        "source");
  SmallVector<Value> inits;
  if (reduce.getInit())
    inits = unpack(loc, lookup(reduce.getInit()));
  SmallVector<Value> values;
  for (auto [reg, from] : llvm::enumerate(*map)) {
    Position position;
    position.reg = from;
    Coord coord = rowLayout.apply(position);
    Value value = rows.at(parts == Parts::None ? coord : dropAxis(coord, axis))[0];
    if (!inits.empty())
      value = fold.combine(fold.enterResult(inits[reg]), value);
    else if (fold.needsStart())
      value = fold.combine(fold.neutral(), value);
    values.push_back(fold.leave(value));
  }
  unsigned count = values.size();
  auto vector = cast<VectorType>(convertType(result));
  mapping.map(reduce.getResult(),
              pack(loc, Spread::values(std::move(values)), count, vector.getElementType()));
  return success();
}

} // namespace tilec::lowering
