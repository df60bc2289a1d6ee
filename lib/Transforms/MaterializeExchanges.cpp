//===- MaterializeExchanges.cpp - tile-materialize-exchanges -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a thread needs and does not hold goes through shared memory, as ops that everybody can see: a
// `tile.shared`, stores into it, loads or reads from it. Placement and synchronisation then know all of shared
// memory, and the conversion finds every fragment op within threads. Any two layouts meet in this way, so
// nothing here can fail but what one iteration of a parallel may not see of itself.
//
//===----------------------------------------------------------------------===//

#include "Blocking.h"
#include "LayoutSolver.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Support/Diagnostics.h"
#include "tilec/Transforms/FragmentIteration.h"
#include "tilec/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_TILEMATERIALIZEEXCHANGESPASS
#include "tilec/Transforms/Passes.h.inc"

using namespace tile;

//===----------------------------------------------------------------------===//
// Shared memory in between
//===----------------------------------------------------------------------===//

namespace {
/// A shared tile for one exchange, in row-major order.
class Scratch {
public:
  Scratch(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape, Type element, StringRef reason) {
    SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * shape[dim];
    auto layout = StridedAttr::get(builder.getContext(), strides);
    tile = SharedOp::create(builder, loc, SharedType::get(builder.getContext(), shape, element, layout));
    remark::passed(loc, decision(tile.getDefiningOp(), "Exchange", "tile-materialize-exchanges"))
        << (reason + " through shared memory").str();
  }

  Value get() const { return tile; }

  void store(OpBuilder &builder, Location loc, Value fragment) const {
    StoreOp::create(builder, loc, fragment, tile, zeros(builder, loc), shape());
  }
  Value load(OpBuilder &builder, Location loc, FragmentType type) const {
    return LoadOp::create(builder, loc, type, tile, zeros(builder, loc), shape());
  }

private:
  ArrayRef<int64_t> shape() const { return cast<SharedType>(tile.getType()).getShape(); }
  SmallVector<Value> zeros(OpBuilder &builder, Location loc) const {
    if (shape().empty())
      return {};
    return SmallVector<Value>(shape().size(), arith::ConstantIntOp::create(builder, loc, 0, 64));
  }

  Value tile;
};
} // namespace

static FragmentType withElement(FragmentType type, Type element) {
  return FragmentType::get(type.getContext(), type.getShape(), element, type.getLayout());
}

static Value convertElements(OpBuilder &builder, Location loc, Value fragment, Type element) {
  auto type = cast<FragmentType>(fragment.getType());
  if (type.getElementType() == element)
    return fragment;
  return ConvertOp::create(builder, loc, withElement(type, element), fragment);
}

/// A parallel over a fragment's elements, in its layout, which changes `inits`.
static ParallelOp createParallelOver(OpBuilder &builder, Location loc, FragmentType type, ValueRange inits) {
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : type.getShape())
    extents.push_back(builder.getI64IntegerAttr(extent));
  auto parallel = ParallelOp::create(builder, loc, extents, inits);
  parallel.setLayoutAttr(cast<LayoutAttrInterface>(type.getLayout()));
  return parallel;
}

static std::string nameOf(Value fragment) {
  auto made = fragment.getDefiningOp<FragmentOp>();
  return made && made.getName() ? "'" + made.getName()->str() + "'" : "a fragment";
}

//===----------------------------------------------------------------------===//
// Whole fragments
//===----------------------------------------------------------------------===//

/// A transposition reads its source with the indices swapped; who holds what is the parallel's question.
static void expandTranspose(TransposeOp transpose) {
  OpBuilder builder(transpose);
  Location loc = transpose.getLoc();
  Value init = FragmentOp::create(builder, loc, transpose.getType(), Value(), StringAttr());
  ParallelOp parallel = createParallelOver(builder, loc, transpose.getType(), init);
  OpBuilder body = OpBuilder::atBlockBegin(parallel.getBody());
  auto indices = parallel.getIndices();
  Value element = ReadOp::create(body, loc, transpose.getSource(), ValueRange{indices[1], indices[0]},
                                 /*in_bounds=*/true);
  WriteOp::create(body, loc, element, parallel.getRefs().front(), ValueRange(indices), /*in_bounds=*/true);
  transpose.replaceAllUsesWith(parallel.getResult(0));
  transpose.erase();
}

static void expandExtractSlice(ExtractSliceOp extract) {
  OpBuilder builder(extract);
  Location loc = extract.getLoc();
  FragmentType source = extract.getSource().getType();
  Scratch scratch(builder, loc, source.getShape(), source.getElementType(), "a region of a fragment goes");
  scratch.store(builder, loc, extract.getSource());
  Value region = LoadOp::create(builder, loc, extract.getType(), scratch.get(), extract.getOffsets(),
                                extract.getExtents());
  extract.replaceAllUsesWith(region);
  extract.erase();
}

static void expandInsertSlice(InsertSliceOp insert) {
  OpBuilder builder(insert);
  Location loc = insert.getLoc();
  FragmentType type = insert.getType();
  Scratch scratch(builder, loc, type.getShape(), type.getElementType(), "a region of a fragment goes");
  scratch.store(builder, loc, insert.getDest());
  StoreOp::create(builder, loc, insert.getValue(), scratch.get(), insert.getOffsets(), insert.getExtents());
  insert.replaceAllUsesWith(scratch.load(builder, loc, type));
  insert.erase();
}

static bool isWithinThreads(ConvertOp convert) {
  auto from = convert.getSource().getType(), to = convert.getType();
  return matchRegisters(to.getLayout(), from.getLayout(),
                        llvm::to_vector(llvm::seq<int>(0, to.getShape().size())))
      .has_value();
}

static void expandConvert(ConvertOp convert) {
  if (isWithinThreads(convert))
    return;
  OpBuilder builder(convert);
  Location loc = convert.getLoc();
  FragmentType to = convert.getType();
  Value value = convert.getSource();
  Type from = cast<FragmentType>(value.getType()).getElementType();
  // The narrower type travels.
  bool narrowsFirst = storageBits(to.getElementType()) <= storageBits(from);
  if (narrowsFirst)
    value = convertElements(builder, loc, value, to.getElementType());
  Type travels = cast<FragmentType>(value.getType()).getElementType();
  Scratch scratch(builder, loc, to.getShape(), travels, "a change of layout goes");
  scratch.store(builder, loc, value);
  value = scratch.load(builder, loc, withElement(to, travels));
  convert.replaceAllUsesWith(convertElements(builder, loc, value, to.getElementType()));
  convert.erase();
}

static void expandReshape(ReshapeOp reshape) {
  FragmentType from = reshape.getSource().getType(), to = reshape.getType();
  SmallVector<int> dims = matchDims(from.getShape(), to.getShape());
  // The result's dimension d is the source's dims[d], so each of the source's asks the result's.
  SmallVector<int> inverse = matchDims(to.getShape(), from.getShape());
  if (matchRegisters(to.getLayout(), from.getLayout(), inverse))
    return;
  OpBuilder builder(reshape);
  Location loc = reshape.getLoc();
  Scratch scratch(builder, loc, from.getShape(), from.getElementType(), "a change of layout goes");
  scratch.store(builder, loc, reshape.getSource());
  reshape.replaceAllUsesWith(scratch.load(builder, loc, to));
  reshape.erase();
}

/// The thread that holds the element puts it where all threads can read it.
static void expandReadScalar(ReadScalarOp read) {
  auto type = cast<FragmentType>(read.getSource().getType());
  OpBuilder builder(read);
  Location loc = read.getLoc();
  Scratch scratch(builder, loc, {}, type.getElementType(), "an element of a fragment goes");
  if (type.getShape().empty()) {
    scratch.store(builder, loc, read.getSource());
  } else {
    ParallelOp parallel = createParallelOver(builder, loc, type, {});
    OpBuilder body = OpBuilder::atBlockBegin(parallel.getBody());
    Value here;
    for (auto [index, wanted] : llvm::zip_equal(parallel.getIndices(), read.getIndices())) {
      Value equal = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, index, wanted);
      here = here ? arith::AndIOp::create(body, loc, here, equal).getResult() : equal;
    }
    Value element =
        ReadOp::create(body, loc, read.getSource(), ValueRange(parallel.getIndices()), /*in_bounds=*/true);
    auto branch = scf::IfOp::create(body, loc, here, /*withElseRegion=*/false);
    OpBuilder then = OpBuilder::atBlockBegin(branch.thenBlock());
    WriteOp::create(then, loc, element, scratch.get(), ValueRange(), /*in_bounds=*/true);
  }
  read.getSourceMutable().set(scratch.get());
  read.getIndicesMutable().clear();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Whether lanes, or warps, differ in the index along the axis.
static bool hasThreadsAlong(const Layout &layout, Place place, unsigned axis) {
  return llvm::any_of(layout.getBits(place), [&](const Coord &basis) { return basis[axis] != 0; }) ||
         llvm::any_of(layout.getFactors(), [&](const LayoutFactor &factor) {
           return factor.place == place && factor.dim == axis && factor.step != 0;
         });
}

/// One step of the fold, on elements of `type` as they are loaded.
static Value combine(OpBuilder &builder, Location loc, ReduceKind kind, bool propagatesNan, Type type, Value a,
                     Value b) {
  bool isFloat = isa<FloatType>(type), isUnsigned = isUnsignedElement(type);
  switch (kind) {
  case ReduceKind::Max:
  case ReduceKind::AbsMax: // of absolute values, and what was there
    if (isFloat)
      return propagatesNan ? arith::MaximumFOp::create(builder, loc, a, b).getResult()
                           : arith::MaxNumFOp::create(builder, loc, a, b).getResult();
    return isUnsigned ? arith::MaxUIOp::create(builder, loc, a, b).getResult()
                      : arith::MaxSIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::Min:
    if (isFloat)
      return propagatesNan ? arith::MinimumFOp::create(builder, loc, a, b).getResult()
                           : arith::MinNumFOp::create(builder, loc, a, b).getResult();
    return isUnsigned ? arith::MinUIOp::create(builder, loc, a, b).getResult()
                      : arith::MinSIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::Sum:
    return isFloat ? arith::AddFOp::create(builder, loc, a, b).getResult()
                   : arith::AddIOp::create(builder, loc, a, b).getResult();
  case ReduceKind::Prod:
    return isFloat ? arith::MulFOp::create(builder, loc, a, b).getResult()
                   : arith::MulIOp::create(builder, loc, a, b).getResult();
  }
  llvm_unreachable("unknown reduction");
}

/// A fold across warps: each warp folds its part, the parts meet in shared memory, and whoever holds a row
/// folds them.
static void expandReduce(ReduceOp reduce) {
  FragmentType source = reduce.getSource().getType(), result = reduce.getType();
  unsigned axis = reduce.getAxis();
  if (reduce.getParts().value_or(Parts::None) != Parts::None ||
      !hasThreadsAlong(cast<LayoutAttrInterface>(source.getLayout()).toLinear(), Place::Warp, axis))
    return;
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  MLIRContext *context = reduce.getContext();
  // Floats travel and accumulate wide and are rounded once.
  Type element = result.getElementType();
  if (isa<FloatType>(element) && !element.isF64())
    element = builder.getF32Type();
  auto parts = RowsAttr::get(context, source.getLayout(), axis, Parts::Warps);
  SmallVector<int64_t> shape(source.getShape());
  shape[axis] = parts.toLinear().getBounds()[axis];
  auto folded = ReduceOp::create(builder, loc, FragmentType::get(context, shape, element, parts),
                                 reduce.getKind(), reduce.getSource(), Value(), axis, reduce.getNanPropagate());
  folded.setParts(Parts::Warps);
  Scratch scratch(builder, loc, shape, element, "a reduction over several warps goes");
  scratch.store(builder, loc, folded);

  // A parallel has an index at least.
  FragmentType rows = withElement(result, element);
  bool isScalar = rows.getShape().empty();
  if (isScalar)
    rows = FragmentType::get(context, {1}, element, UnitDimAttr::get(context, rows.getLayout(), 0));
  Value init = reduce.getInit();
  if (init) {
    init = convertElements(builder, loc, init, element);
    if (isScalar)
      init = ReshapeOp::create(builder, loc, rows, init);
  } else {
    init = FragmentOp::create(builder, loc, rows, Value(), StringAttr());
  }
  ParallelOp parallel = createParallelOver(builder, loc, rows, init);
  OpBuilder body = OpBuilder::atBlockBegin(parallel.getBody());
  Value ref = parallel.getRefs().front(), fold;
  if (reduce.getInit())
    fold = ReadOp::create(body, loc, ref, ValueRange(parallel.getIndices()), /*in_bounds=*/true);
  for (int64_t part = 0; part < shape[axis]; ++part) {
    SmallVector<Value> indices(parallel.getIndices().begin(), parallel.getIndices().end());
    if (isScalar)
      indices.clear();
    indices.insert(indices.begin() + axis, arith::ConstantIntOp::create(body, loc, part, 64));
    Value next = ReadOp::create(body, loc, scratch.get(), indices, /*in_bounds=*/true);
    fold = fold ? combine(body, loc, reduce.getKind(), reduce.getNanPropagate(), element, fold, next) : next;
  }
  WriteOp::create(body, loc, fold, ref, ValueRange(parallel.getIndices()), /*in_bounds=*/true);
  Value value = parallel.getResult(0);
  if (isScalar)
    value = ReshapeOp::create(builder, loc, withElement(result, element), value);
  reduce.replaceAllUsesWith(convertElements(builder, loc, value, result.getElementType()));
  reduce.erase();
}

/// A scan: each line along the axis is walked by one thread, in shared memory.
static void expandScan(ScanOp scan) {
  OpBuilder builder(scan);
  Location loc = scan.getLoc();
  FragmentType type = scan.getType();
  Type element = type.getElementType();
  bool isFloat = isa<FloatType>(element);
  if (isFloat && !element.isF64())
    element = builder.getF32Type();
  unsigned axis = scan.getAxis();
  ArrayRef<int64_t> shape = type.getShape();
  Scratch scratch(builder, loc, shape, element, "a scan goes");
  scratch.store(builder, loc, convertElements(builder, loc, scan.getSource(), element));

  SmallVector<OpFoldResult> extents;
  for (auto [dim, extent] : llvm::enumerate(shape))
    extents.push_back(builder.getI64IntegerAttr(dim == axis ? 1 : extent));
  auto parallel = ParallelOp::create(builder, loc, extents);
  SmallVector<int64_t> lines(shape);
  lines[axis] = 1;
  int64_t warps = scan->getParentOfType<GridOp>().getThreads() / 32;
  parallel.setLayoutAttr(makeBlocking(lines, 1, warps).toAttr(builder.getContext()));
  OpBuilder body = OpBuilder::atBlockBegin(parallel.getBody());
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(body, loc, value, 64).getResult(); };
  int64_t last = shape[axis] - 1;
  Value one = number(1), end = number(shape[axis]), start = number(scan.getReverse() ? last : 0);
  SmallVector<Value> indices(parallel.getIndices().begin(), parallel.getIndices().end());
  indices[axis] = start;
  Value first = ReadOp::create(body, loc, scratch.get(), indices, /*in_bounds=*/true);
  auto loop = scf::ForOp::create(body, loc, one, end, one, first);
  OpBuilder step = OpBuilder::atBlockBegin(loop.getBody());
  indices[axis] = loop.getInductionVar();
  if (scan.getReverse())
    indices[axis] = arith::SubIOp::create(step, loc, start, indices[axis]);
  Value next = ReadOp::create(step, loc, scratch.get(), indices, /*in_bounds=*/true);
  ReduceKind kind = scan.getKind() == ScanKind::Sum ? ReduceKind::Sum : ReduceKind::Max;
  Value sum = combine(step, loc, kind, scan.getNanPropagate(), element, loop.getRegionIterArgs()[0], next);
  WriteOp::create(step, loc, sum, scratch.get(), indices, /*in_bounds=*/true);
  scf::YieldOp::create(step, loc, sum);

  Value result = scratch.load(builder, loc, withElement(type, element));
  scan.replaceAllUsesWith(convertElements(builder, loc, result, type.getElementType()));
  scan.erase();
}

//===----------------------------------------------------------------------===//
// Parallels
//===----------------------------------------------------------------------===//

namespace {
/// What a parallel reads and writes of fragments that its threads do not hold.
class ParallelExchanger {
public:
  explicit ParallelExchanger(ParallelOp parallel) : parallel(parallel) {}

  LogicalResult run() {
    collect();
    for (FragmentAccess &access : foreignReads)
      readShared(access);
    SmallVector<unsigned> scattered;
    for (unsigned number = 0; number < parallel.getInits().size(); ++number) {
      auto found = refs.find(parallel.getRefs()[number]);
      if (found == refs.end())
        continue;
      if (found->second.scatters) {
        if (failed(scatter(number, found->second)))
          return failure();
        scattered.push_back(number);
      } else if (!found->second.foreign.empty()) {
        gather(number, found->second);
      }
    }
    if (!scattered.empty())
      dropUpdates(scattered);
    return success();
  }

private:
  struct RefAccesses {
    SmallVector<FragmentAccess> all, foreign;
    bool scatters = false; // one of `foreign` writes
  };

  bool isOwn(const FragmentAccess &access) {
    std::optional<Projection> projection = getOwnProjection(access, parallel);
    Attribute layout = cast<ObjectTypeInterface>(access.fragment->get().getType()).getLayout();
    return projection && (isa<ReadOp>(access.op) || changesAllCopies(*projection)) &&
           reachesAlong(access, *projection, parallel) &&
           matchRegisters(parallel.getLayoutAttr(), layout, *projection);
  }

  /// Whether every thread that holds the element makes the change. Threads along an index that does not name
  /// elements, of extent 1, are idle.
  bool changesAllCopies(ArrayRef<int> projection) {
    Layout iteration = parallel.getLayoutAttr().toLinear();
    for (unsigned index = 0; index < parallel.getRank(); ++index)
      if (!llvm::is_contained(projection, int(index)) &&
          (hasThreadsAlong(iteration, Place::Lane, index) || hasThreadsAlong(iteration, Place::Warp, index)))
        return false;
    return true;
  }

  void collect() {
    parallel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::optional<FragmentAccess> access = FragmentAccess::get(op);
      if (!access)
        return;
      Value fragment = access->fragment->get();
      bool own = isOwn(*access);
      if (isa<FragmentType>(fragment.getType())) {
        if (!own)
          foreignReads.push_back(*access);
        return;
      }
      RefAccesses &accesses = refs[fragment];
      accesses.all.push_back(*access);
      if (own)
        return;
      accesses.foreign.push_back(*access);
      accesses.scatters |= !isa<ReadOp>(op);
    });
  }

  /// A shared tile with what a fragment holds before the loop.
  Value getCopy(Value fragment, StringRef verb) {
    Value &copy = copies[fragment];
    if (!copy)
      copy = makeCopy(fragment, verb);
    return copy;
  }
  Value makeCopy(Value fragment, StringRef verb) {
    OpBuilder builder(parallel);
    auto type = cast<FragmentType>(fragment.getType());
    Scratch scratch(builder, parallel.getLoc(), type.getShape(), type.getElementType(),
                    nameOf(fragment) + ", whose elements other threads " + verb.str() + ", goes");
    scratch.store(builder, parallel.getLoc(), fragment);
    return scratch.get();
  }

  void readShared(FragmentAccess &access) { access.fragment->set(getCopy(access.fragment->get(), "read")); }

  /// Whether the iteration may have changed the fragment before it gets there.
  bool isBehindWrite(Operation *read, const RefAccesses &accesses) {
    bool inLoop = false;
    for (Operation *parent = read->getParentOp(); parent != parallel; parent = parent->getParentOp())
      inLoop |= isa<LoopLikeOpInterface>(parent);
    for (const FragmentAccess &other : accesses.all) {
      if (other.op == read && !inLoop)
        return false;
      if (!isa<ReadOp>(other.op))
        return true;
    }
    return false;
  }

  /// Reads of other iterations' elements, which are as they were before the loop, in a parallel whose writes
  /// are its threads' own. An iteration sees what it wrote itself.
  void gather(unsigned number, RefAccesses &accesses) {
    Value ref = parallel.getRefs()[number];
    Value copy = getCopy(parallel.getInits()[number], "read");
    for (FragmentAccess &access : accesses.foreign) {
      auto read = cast<ReadOp>(access.op);
      bool seesOwn = isBehindWrite(read, accesses);
      SmallVector<Value> own;
      if (seesOwn)
        own = findOwnIndices(accesses);
      OpBuilder builder(read);
      builder.setInsertionPointAfter(read);
      Location loc = read.getLoc();
      SmallVector<Value> indices(read.getIndices());
      read.getSourceMutable().set(copy);
      if (!seesOwn)
        continue;
      Value same;
      for (auto [index, mine] : llvm::zip_equal(indices, own)) {
        Value equal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index, mine);
        same = same ? arith::AndIOp::create(builder, loc, same, equal).getResult() : equal;
      }
      auto mine = ReadOp::create(builder, loc, ref, own, /*in_bounds=*/true);
      auto choice = arith::SelectOp::create(builder, loc, same, mine, read.getResult());
      read.getResult().replaceAllUsesExcept(choice, choice);
    }
  }

  /// The element that belongs to the iteration: what its writes name.
  SmallVector<Value> findOwnIndices(const RefAccesses &accesses) {
    for (const FragmentAccess &access : accesses.all)
      if (!isa<ReadOp>(access.op))
        return SmallVector<Value>(access.indices);
    llvm_unreachable("only asked behind a write");
  }

  /// Writes to other threads' elements: all accesses go to shared tiles, writes to one that becomes the result,
  /// reads to what was there before the loop.
  LogicalResult scatter(unsigned number, RefAccesses &accesses) {
    Value init = parallel.getInits()[number];
    OpBuilder builder(parallel);
    for (FragmentAccess &access : accesses.all) {
      auto read = dyn_cast<ReadOp>(access.op);
      if (!read)
        continue;
      if (!isBehindWrite(read, accesses)) {
        read.getSourceMutable().set(getCopy(init, "read"));
        continue;
      }
      Value written = findOwnWrite(read, accesses);
      if (!written)
        return read->emitError() << formatMessage(
                   getDiagInfo(DiagId::NotSupportedYet).message,
                   {DiagArg("reading an element of a fragment that the iteration may have written elsewhere")});
      read.getResult().replaceAllUsesWith(written);
      read.erase();
    }
    Value target = makeCopy(init, "write");
    for (FragmentAccess &access : accesses.all)
      if (access.op->getBlock() && !isa<ReadOp>(access.op))
        access.fragment->set(target);
    builder.setInsertionPointAfter(parallel);
    auto type = cast<FragmentType>(parallel.getResults()[number].getType());
    SmallVector<Value> zeros;
    if (!type.getShape().empty())
      zeros.assign(type.getShape().size(), arith::ConstantIntOp::create(builder, parallel.getLoc(), 0, 64));
    Value result = LoadOp::create(builder, parallel.getLoc(), type, target, zeros, type.getShape());
    parallel.getResults()[number].replaceAllUsesWith(result);
    return success();
  }

  /// The value that the last write before `read` gave the very element, if nothing else can have come between.
  Value findOwnWrite(ReadOp read, const RefAccesses &accesses) {
    Value value;
    for (const FragmentAccess &access : accesses.all) {
      if (access.op == read)
        break;
      if (isa<ReadOp>(access.op))
        continue;
      auto write = dyn_cast<WriteOp>(access.op);
      bool certain = write && write->getBlock() == read->getBlock() &&
                     llvm::equal(write.getIndices(), read.getIndices());
      value = certain ? write.getValue() : Value();
    }
    return value;
  }

  /// Takes fragments that became shared tiles out of what the parallel changes.
  void dropUpdates(ArrayRef<unsigned> numbers) {
    OpBuilder builder(parallel);
    SmallVector<Value> inits;
    for (auto [number, init] : llvm::enumerate(parallel.getInits()))
      if (!llvm::is_contained(numbers, number))
        inits.push_back(init);
    auto next = ParallelOp::create(builder, parallel.getLoc(), parallel.getMixedExtents(), inits);
    next->setDiscardableAttrs(parallel->getDiscardableAttrDictionary());
    next.setLayoutAttr(parallel.getLayoutAttr());
    Block *body = parallel.getBody(), *target = next.getBody();
    unsigned rank = parallel.getRank();
    for (auto [from, to] : llvm::zip_equal(parallel.getIndices(), next.getIndices()))
      from.replaceAllUsesWith(to);
    unsigned kept = 0;
    for (auto [number, ref] : llvm::enumerate(parallel.getRefs()))
      if (!llvm::is_contained(numbers, number)) {
        ref.replaceAllUsesWith(target->getArgument(rank + kept));
        parallel.getResults()[number].replaceAllUsesWith(next.getResults()[kept]);
        ++kept;
      }
    target->getOperations().splice(target->begin(), body->getOperations(), body->begin(),
                                   std::prev(body->end()));
    parallel.erase();
  }

  ParallelOp parallel;
  SmallVector<FragmentAccess> foreignReads;
  llvm::MapVector<Value, RefAccesses> refs;
  llvm::MapVector<Value, Value> copies;
};
} // namespace

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TileMaterializeExchangesPass : impl::TileMaterializeExchangesPassBase<TileMaterializeExchangesPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    // What one kind makes, the next may have to take up: transpositions become parallels.
    forEach<TransposeOp>(kernel, expandTranspose);
    forEach<ExtractSliceOp>(kernel, expandExtractSlice);
    forEach<InsertSliceOp>(kernel, expandInsertSlice);
    forEach<ReduceOp>(kernel, expandReduce);
    forEach<ScanOp>(kernel, expandScan);
    bool failed = false;
    forEach<ParallelOp>(kernel, [&](ParallelOp parallel) {
      failed |= mlir::failed(ParallelExchanger(parallel).run());
    });
    forEach<ConvertOp>(kernel, expandConvert);
    forEach<ReshapeOp>(kernel, expandReshape);
    forEach<ReadScalarOp>(kernel, [](ReadScalarOp read) {
      if (isa<FragmentType>(read.getSource().getType()))
        expandReadScalar(read);
    });
    if (failed)
      signalPassFailure();
  }

  template <typename Op> static void forEach(KernelOp kernel, function_ref<void(Op)> callback) {
    SmallVector<Op> ops;
    kernel->walk([&](Op op) { ops.push_back(op); });
    llvm::for_each(ops, callback);
  }
};
} // namespace

} // namespace tilec
