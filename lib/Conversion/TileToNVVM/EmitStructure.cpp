//===- EmitStructure.cpp - blocks, control flow and fragments ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a kernel. Control flow outside of parallels is the same for all threads and is copied;
// fragments that it carries become vectors.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "ScalarOps.h"
#include "tilec/Transforms/GlobalAccess.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec::tile;

namespace tilec::lowering {

LogicalResult KernelEmitter::run() {
  Block *body = function.addEntryBlock(entry);
  mapping.map(kernel.getBody().getArguments(), body->getArguments());
  kernel->walk([&](AtomicOp atomic) {
    if (isa<GlobalType>(atomic.getDest().getType()))
      atomicRoots.insert(getRootPointer(atomic.getDest()));
  });
  // The prologue ends at a marker that is taken away at the end.
  builder.setInsertionPointToEnd(body);
  auto marker = LLVM::UndefOp::create(builder, kernel.getLoc(), builder.getI32Type());
  entry.setInsertionPoint(marker);
  auto end = LLVM::ReturnOp::create(builder, kernel.getLoc(), ValueRange());
  builder.setInsertionPoint(end);
  LogicalResult result = emitBlock(kernel.getBody().front());
  marker.erase();
  return result;
}

LogicalResult KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

Type KernelEmitter::convertType(Type type) const {
  if (isa<PtrType>(type))
    return LLVM::LLVMPointerType::get(type.getContext(), 1);
  if (auto fragment = dyn_cast<FragmentType>(type)) {
    Layout layout = cast<LayoutAttrInterface>(fragment.getLayout()).toLinear();
    return VectorType::get({layout.getNumRegisters()},
                           convertScalarType(loadedType(fragment.getElementType())));
  }
  return convertScalarType(type);
}

OpFoldResult KernelEmitter::lookup(OpFoldResult value) const {
  return isa<Attribute>(value) ? value : OpFoldResult(lookup(cast<Value>(value)));
}

LogicalResult KernelEmitter::emitOp(Operation *op) {
  Location loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](GridOp grid) {
        // Grids have one extent here, and at most 2^31 - 1 blocks.
        Value block = createPtxFormValue(builder, loc, PtxFormId::CtaIdX, {});
        mapping.map(grid.getBlockIndices().front(),
                    arith::ExtUIOp::create(builder, loc, builder.getI64Type(), block));
        return emitBlock(*grid.getBody());
      })
      .Case([&](GlobalOp global) { return emitGlobal(global), success(); })
      .Case([&](WindowOp window) { return emitWindow(window), success(); })
      .Case([&](SharedOp shared) { return emitShared(shared); })
      .Case([&](SubviewOp subview) { return emitSubview(subview), success(); })
      .Case([&](DecodeOp decode) { return emitDecode(decode), success(); })
      .Case([&](ParallelOp parallel) { return emitParallel(parallel); })
      .Case([&](LoadOp load) { return emitLoad(load); })
      .Case([&](StoreOp store) { return emitStore(store); })
      .Case([&](ConvertOp convert) { return emitConvert(convert); })
      .Case([&](ReduceOp reduce) { return emitReduce(reduce); })
      .Case([&](GemmOp gemm) { return emitGemm(gemm); })
      .Case<FragmentOp, ReshapeOp>([&](auto) { return emitFragmentOp(op); })
      .Case([&](ReadScalarOp read) {
        if (isa<FragmentType>(read.getSource().getType()))
          return LogicalResult(
              read.emitOpError("has no lowering to stage nvvm: the element is in a register"));
        const MemoryView &view = getView(read.getSource());
        SmallVector<Value> indices =
            llvm::map_to_vector(read.getIndices(), [&](Value v) { return lookup(v); });
        // What other blocks may change by atomics meanwhile is read once, so that all threads take one
        // decision.
        bool changes = !view.isShared() && atomicRoots.contains(getRootPointer(read.getSource()));
        Value value = changes ? emitBroadcastRead(loc, view, indices, isInBounds(op))
                              : emitReadOne(loc, view, indices, isInBounds(op), Value());
        mapping.map(read.getResult(), value);
        return success();
      })
      .Case([&](WriteScalarOp write) {
        SmallVector<Value> indices =
            llvm::map_to_vector(write.getIndices(), [&](Value v) { return lookup(v); });
        emitWriteOne(loc, getView(write.getDest()), indices, lookup(write.getValue()), isInBounds(op),
                     isFirstThread(loc));
        return success();
      })
      .Case([&](AtomicOp atomic) {
        SmallVector<Value> indices =
            llvm::map_to_vector(atomic.getIndices(), [&](Value v) { return lookup(v); });
        emitAtomicOne(loc, getUpdateKind(atomic.getKind()), getView(atomic.getDest()), indices,
                      lookup(atomic.getValue()), isInBounds(op), isFirstThread(loc));
        return success();
      })
      .Case([&](BarrierOp) {
        createPtxForm(builder, loc, PtxFormId::BarSync, constant(loc, 0, 32));
        return success();
      })
      // What the passes could use of a fact they have used; LLVM would keep the condition alive for it.
      .Case([&](AssumeOp) { return success(); })
      .Case([&](AssertOp check) {
        emitAssert(loc, lookup(check.getCondition()), check.getText(), isFirstThread(loc));
        return success();
      })
      .Case([&](PrintOp print) {
        SmallVector<Value> args = llvm::map_to_vector(print.getArgs(), [&](Value v) { return lookup(v); });
        emitPrint(print, args, isFirstThread(loc));
        return success();
      })
      .Case<scf::ForOp, scf::IfOp, scf::WhileOp>([&](auto) { return emitControl(op); })
      .Case([&](arith::SelectOp select) { return emitSelect(select); })
      .Default([&](Operation *) { return emitScalar(op); });
}

LogicalResult KernelEmitter::emitScalar(Operation *op) {
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value value) { return mapping.lookupOrNull(value); });
  FailureOr<SmallVector<Value>> results = llvm::is_contained(operands, Value())
                                              ? FailureOr<SmallVector<Value>>(failure())
                                              : emitScalarOp(builder, op, operands, arch);
  if (failed(results))
    return op->emitOpError("has no lowering to stage nvvm");
  mapping.map(op->getResults(), *results);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitControl(Operation *op) {
  Location loc = op->getLoc();
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<GlobalType, SharedType>))
    return op->emitOpError("has no lowering to stage nvvm: what it chooses is in memory");
  SmallVector<Value> operands =
      llvm::map_to_vector(op->getOperands(), [&](Value value) { return lookup(value); });
  SmallVector<Type> results =
      llvm::map_to_vector(op->getResultTypes(), [&](Type type) { return convertType(type); });
  Operation *copy = createLike(builder, op, operands, results);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    Block &block = from.front();
    SmallVector<Type> types =
        llvm::map_to_vector(block.getArgumentTypes(), [&](Type type) { return convertType(type); });
    SmallVector<Location> locs(types.size(), loc);
    OpBuilder::InsertionGuard guard(builder);
    Block *target = builder.createBlock(&to, to.end(), types, locs);
    mapping.map(block.getArguments(), target->getArguments());
    if (failed(emitBlock(block)))
      return failure();
    builder.clone(*block.getTerminator(), mapping);
  }
  mapping.map(op->getResults(), copy->getResults());
  return success();
}

LogicalResult KernelEmitter::emitSelect(arith::SelectOp select) {
  if (isa<GlobalType, SharedType>(select.getType()))
    return select.emitOpError("has no lowering to stage nvvm: what it chooses is in memory");
  if (!isa<FragmentType>(select.getType()))
    return emitScalar(select);
  // All registers of one or of the other: the layouts are one.
  mapping.map(select.getResult(),
              arith::SelectOp::create(builder, select.getLoc(), lookup(select.getCondition()),
                                      lookup(select.getTrueValue()), lookup(select.getFalseValue())));
  return success();
}

void KernelEmitter::emitDecode(DecodeOp decode) {
  // In 32 bits: there are at most 2^31 - 1 blocks, so each extent that matters fits.
  Location loc = decode.getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto narrow = [&](Value value) -> Value {
    return arith::TruncIOp::create(builder, loc, i32, lookup(value));
  };
  Value rest = narrow(decode.getTile());
  unsigned rank = decode.getIndices().size();
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < rank; ++dim) {
    Value index = rest;
    if (dim + 1 < rank) {
      Value extent = narrow(decode.getExtents()[dim]);
      index = arith::RemUIOp::create(builder, loc, rest, extent);
      rest = arith::DivUIOp::create(builder, loc, rest, extent);
    }
    indices.push_back(index);
  }
  if (decode.getLongestFirst()) {
    Value last = arith::SubIOp::create(builder, loc, narrow(decode.getExtents()[0]), constant(loc, 1, 32));
    indices[0] = arith::SubIOp::create(builder, loc, last, indices[0]);
  }
  for (auto [result, index] : llvm::zip_equal(decode.getIndices(), indices))
    mapping.map(result, arith::ExtUIOp::create(builder, loc, i64, index));
}

//===----------------------------------------------------------------------===//
// Threads and their elements
//===----------------------------------------------------------------------===//

Value KernelEmitter::getThreadId() {
  if (!threadId)
    threadId = createPtxFormValue(entry, kernel.getLoc(), PtxFormId::TidX, {});
  return threadId;
}

Value KernelEmitter::isFirstThread(Location loc) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, getThreadId(), constant(loc, 0, 32));
}

void KernelEmitter::emitIf(Location loc, Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

/// One digit of the thread's number, (thread / stride) % size, times a step.
namespace {
struct ThreadDigit {
  int64_t stride, size, step;
};
} // namespace

Value KernelEmitter::getThreadCoordinate(const Layout &layout, unsigned dim) {
  auto [it, isNew] = threadCoordinates.try_emplace({layout.str(), dim}, Value());
  if (!isNew)
    return it->second;
  // Lanes and warps are the digits of the thread's number. Neighbouring digits whose steps continue each
  // other are one digit: in the common case the coordinate is thread * step.
  SmallVector<ThreadDigit> digits;
  auto append = [&](int64_t stride, int64_t size, int64_t step) {
    if (step == 0)
      return;
    if (!digits.empty()) {
      ThreadDigit &last = digits.back();
      if (last.stride * last.size == stride && last.step * last.size == step) {
        last.size *= size;
        return;
      }
    }
    digits.push_back({stride, size, step});
  };
  for (auto [bit, basis] : llvm::enumerate(layout.getBits(Place::Lane)))
    append(int64_t(1) << bit, 2, basis[dim]);
  for (auto [bit, basis] : llvm::enumerate(layout.getBits(Place::Warp)))
    append(int64_t(32) << bit, 2, basis[dim]);
  for (const LayoutFactor &factor : layout.getFactors())
    if (factor.place == Place::Warp && factor.dim == dim)
      append(32 * factor.stride, factor.size, factor.step);

  Location loc = kernel.getLoc();
  int64_t threads = 32 * layout.getNumWarps();
  auto number = [&](int64_t value) {
    return arith::ConstantIntOp::create(entry, loc, value, 32).getResult();
  };
  Value sum;
  for (const ThreadDigit &digit : digits) {
    Value value = getThreadId();
    if (digit.stride > 1)
      value = arith::DivUIOp::create(entry, loc, value, number(digit.stride));
    if (digit.stride * digit.size < threads)
      value = arith::RemUIOp::create(entry, loc, value, number(digit.size));
    if (digit.step > 1)
      value = arith::MulIOp::create(entry, loc, value, number(digit.step));
    sum = sum ? arith::AddIOp::create(entry, loc, sum, value).getResult() : value;
  }
  return it->second = sum;
}

int64_t getThreadSpan(const Layout &layout, unsigned dim) {
  int64_t span = 0;
  for (Place place : {Place::Lane, Place::Warp})
    for (const Coord &basis : layout.getBits(place))
      span += basis[dim];
  for (const LayoutFactor &factor : layout.getFactors())
    if (factor.place == Place::Warp && factor.dim == dim)
      span += (factor.size - 1) * factor.step;
  return span;
}

Elements KernelEmitter::getElements(Location loc, const Layout &layout, ArrayRef<OpFoldResult> extents) {
  Elements elements;
  unsigned rank = layout.getRank();
  elements.count = layout.getNumRegisters();
  // Unit dimensions behind it do not keep another dimension from being the contiguous one.
  unsigned vectorDim = 0;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (unsigned width = layout.vectorWidth(dim); width >= elements.vector) {
      elements.vector = width;
      vectorDim = dim;
    }
  elements.existsTogether = elements.vector;
  SmallVector<Coord> coords;
  for (unsigned reg = 0; reg < elements.count; ++reg)
    coords.push_back(layout.apply({.reg = reg}));

  elements.exists.assign(elements.count, Value());
  for (unsigned dim = 0; dim < rank; ++dim) {
    Value thread = getThreadCoordinate(layout, dim);
    Value base = thread ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), thread).getResult()
                        : constant(loc, 0);
    SmallVector<int64_t> offsets =
        llvm::map_to_vector(coords, [&](const Coord &coord) { return coord[dim]; });

    std::optional<int64_t> extent = getConstantIntValue(extents[dim]);
    int64_t span = getThreadSpan(layout, dim);
    for (unsigned reg = 0; reg < elements.count; ++reg) {
      if (extent && offsets[reg] + span < *extent)
        continue;
      // The comparison that holds for each thread: coordinate < extent.
      Value inside;
      if (extent && *extent <= offsets[reg]) {
        inside = constant(loc, 0, 1);
      } else if (extent) {
        // With a span beyond the extent there is a thread coordinate.
        inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                                       constant(loc, *extent - offsets[reg], 32));
      } else {
        Value index = offsets[reg]
                          ? arith::AddIOp::create(builder, loc, base, constant(loc, offsets[reg])).getResult()
                          : base;
        inside =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, cast<Value>(extents[dim]));
      }
      elements.exists[reg] = both(loc, elements.exists[reg], inside);
    }
    if (dim == vectorDim)
      elements.existsTogether = extent ? std::min<int64_t>(elements.vector, *extent & -*extent) : 1;
    elements.indices.push_back(Spread::affine(base, std::move(offsets)));
  }
  if (llvm::all_of(elements.exists, [](Value value) { return !value; }))
    elements.exists.clear();

  OwnerPredicate owner = layout.ownerPredicate();
  auto requireZero = [&](Value value) {
    Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value, constant(loc, 0, 32));
    elements.isOwner = both(loc, elements.isOwner, isZero);
  };
  if (owner.laneMask || owner.warpMask)
    requireZero(arith::AndIOp::create(builder, loc, getThreadId(),
                                      constant(loc, owner.laneMask | owner.warpMask << 5, 32)));
  for (const LayoutFactor &digit : owner.zeroDigits) {
    if (digit.place != Place::Warp)
      continue;
    Value value = arith::DivUIOp::create(builder, loc, getThreadId(), constant(loc, 32 * digit.stride, 32));
    requireZero(arith::RemUIOp::create(builder, loc, value, constant(loc, digit.size, 32)));
  }
  // The same within a thread: registers that come after another one with their element.
  if (owner.registerMask || llvm::any_of(owner.zeroDigits, [](const LayoutFactor &digit) {
        return digit.place == Place::Register;
      })) {
    OwnerPredicate own{owner.registerMask, 0, 0, {}};
    llvm::copy_if(owner.zeroDigits, std::back_inserter(own.zeroDigits),
                  [](const LayoutFactor &digit) { return digit.place == Place::Register; });
    for (unsigned reg = 0; reg < elements.count; ++reg)
      elements.repeated.push_back(!own.holds({.reg = reg}));
  }
  return elements;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelEmitter::unpack(Location loc, Value vector) {
  SmallVector<Value> values;
  for (int64_t i = 0, e = cast<VectorType>(vector.getType()).getNumElements(); i < e; ++i)
    values.push_back(LLVM::ExtractElementOp::create(builder, loc, vector, constant(loc, i, 32)));
  return values;
}

Value KernelEmitter::pack(Location loc, const Spread &spread, unsigned count, Type element) {
  Value vector = LLVM::PoisonOp::create(builder, loc, VectorType::get({count}, element));
  for (unsigned i = 0; i < count; ++i)
    vector = LLVM::InsertElementOp::create(builder, loc, vector, spread.get(builder, loc, i),
                                           constant(loc, i, 32));
  return vector;
}

LogicalResult KernelEmitter::emitFragmentOp(Operation *op) {
  Location loc = op->getLoc();
  auto type = cast<VectorType>(convertType(op->getResult(0).getType()));
  Value result;
  if (auto fragment = dyn_cast<FragmentOp>(op)) {
    if (fragment.getInit()) {
      Value init =
          wrapToElement(builder, loc, lookup(fragment.getInit()), fragment.getType().getElementType());
      result = pack(loc, Spread::uniform(init), type.getNumElements(), type.getElementType());
    } else {
      // Any value, but one: a branch on it must go one way.
      result = LLVM::FreezeOp::create(builder, loc, LLVM::PoisonOp::create(builder, loc, type));
    }
  } else {
    // Unit extents hold nothing: both sides have the same registers, which layout inference sees to.
    result = lookup(op->getOperand(0));
    if (result.getType() != type)
      return op->emitOpError("needs an exchange between threads, which has no lowering here");
  }
  mapping.map(op->getResult(0), result);
  return success();
}

LogicalResult KernelEmitter::emitConvert(ConvertOp convert) {
  Location loc = convert.getLoc();
  FragmentType source = convert.getSource().getType(), target = convert.getType();
  auto type = cast<VectorType>(convertType(target));
  Spread values = Spread::values(unpack(loc, lookup(convert.getSource())));
  if (source.getLayout() != target.getLayout()) {
    Layout from = cast<LayoutAttrInterface>(source.getLayout()).toLinear();
    Layout to = cast<LayoutAttrInterface>(target.getLayout()).toLinear();
    auto map = to.matchRegisters(from, llvm::to_vector(llvm::seq<int>(0, from.getRank())));
    if (!map)
      return convert.emitOpError("has no lowering to stage nvvm: it needs an exchange between threads");
    values = values.select(builder, loc, *map);
  }
  unsigned count = type.getNumElements();
  values = convertSpread(loc, values, count, source.getElementType(), target.getElementType());
  mapping.map(convert.getResult(), pack(loc, values, count, type.getElementType()));
  return success();
}

Spread KernelEmitter::convertSpread(Location loc, const Spread &values, unsigned count, Type from, Type to) {
  SmallVector<Value> results;
  // 16-bit floats two at a time, as the hardware rounds them.
  if (from.isF32() && isa<Float16Type, BFloat16Type>(to) && count % 2 == 0) {
    PtxFormId form = to.isF16() ? PtxFormId::CvtF16x2 : PtxFormId::CvtBf16x2;
    for (unsigned i = 0; i < count; i += 2)
      results.push_back(createPtxFormValue(builder, loc, form,
                                           {values.get(builder, loc, i + 1), values.get(builder, loc, i)}));
    return Spread::pairs(std::move(results));
  }
  for (unsigned i = 0; i < count; ++i)
    results.push_back(convertElement(builder, loc, values.get(builder, loc, i), from, to, arch));
  return Spread::values(std::move(results));
}

/// Offsets of a region plus the indices of a fragment, which lacks the region's unit extents (or has some of
/// its own).
static SmallVector<Spread> getRegionIndices(OpBuilder &builder, Location loc, ValueRange offsets,
                                            ArrayRef<int64_t> extents, ArrayRef<int64_t> shape,
                                            const Elements &elements) {
  SmallVector<const Spread *> moving;
  for (auto [index, extent] : llvm::zip_equal(elements.indices, shape))
    if (extent != 1)
      moving.push_back(&index);
  SmallVector<Spread> indices;
  unsigned next = 0;
  for (auto [offset, extent] : llvm::zip_equal(offsets, extents)) {
    if (extent == 1) {
      indices.push_back(Spread::uniform(offset));
      continue;
    }
    const Spread &index = *moving[next++];
    Value base = arith::AddIOp::create(builder, loc, offset, index.getBase());
    SmallVector<int64_t> constants;
    for (unsigned i = 0; i < elements.count; ++i)
      constants.push_back(index.getOffset(i));
    indices.push_back(Spread::affine(base, std::move(constants)));
  }
  return indices;
}

static SmallVector<OpFoldResult> toExtents(OpBuilder &builder, ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(
      shape, [&](int64_t extent) -> OpFoldResult { return builder.getI64IntegerAttr(extent); });
}

LogicalResult KernelEmitter::emitLoad(LoadOp load) {
  Location loc = load.getLoc();
  FragmentType type = load.getType();
  Layout layout = cast<LayoutAttrInterface>(type.getLayout()).toLinear();
  Elements elements = getElements(loc, layout, toExtents(builder, type.getShape()));
  SmallVector<Value> offsets = llvm::map_to_vector(load.getOffsets(), [&](Value v) { return lookup(v); });
  Value pad = load.getPad() ? lookup(load.getPad()) : Value();
  Spread spread =
      emitRead(loc, getView(load.getSource()),
               getRegionIndices(builder, loc, offsets, load.getExtents(), type.getShape(), elements),
               elements, AccessPath::of(load), pad);
  auto vector = cast<VectorType>(convertType(type));
  mapping.map(load.getResult(), pack(loc, spread, elements.count, vector.getElementType()));
  return success();
}

LogicalResult KernelEmitter::emitStore(StoreOp store) {
  Location loc = store.getLoc();
  FragmentType type = store.getValue().getType();
  Layout layout = cast<LayoutAttrInterface>(type.getLayout()).toLinear();
  Elements elements = getElements(loc, layout, toExtents(builder, type.getShape()));
  SmallVector<Value> offsets = llvm::map_to_vector(store.getOffsets(), [&](Value v) { return lookup(v); });
  emitWrite(loc, getView(store.getDest()),
            getRegionIndices(builder, loc, offsets, store.getExtents(), type.getShape(), elements),
            Spread::values(unpack(loc, lookup(store.getValue()))), elements, AccessPath::of(store));
  return success();
}

} // namespace tilec::lowering
