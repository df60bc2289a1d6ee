//===- CompileParallel.cpp - grids, parallel loops, single elements -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid is a closure that runs the code of its body once a block. A parallel is a loop nest in the same
// bytecode, which runs up or down; a fragment that it updates has the value before the loop, the value now,
// and for every element the number of the iteration that wrote it last, so that an iteration sees its own
// writes and nobody else's.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

static Outcome runBlock(Machine &m, uint32_t body, ArrayRef<uint32_t> indices, std::array<int64_t, 3> block) {
  for (unsigned d = 0; d < indices.size(); ++d)
    m.slot(indices[d]).i = block[d];
  std::copy(block.begin(), block.end(), m.blockIndex);
  m.inBlock = true;
  uint32_t pc = body;
  Outcome outcome = m.execute(pc);
  if (outcome == Outcome::Blocked) // nobody else runs who could let it go on
    outcome = m.fail(m.blockedOn + " never comes", ErrorKind::Deadlock);
  m.inBlock = false;
  return outcome;
}

static LogicalResult compileGrid(Compiler &c, Operation *op) {
  auto grid = cast<tile::GridOp>(op);
  const auto extents = c.slotsOf(grid.getExtents());
  SmallVector<uint32_t, 3> indices;
  for (BlockArgument index : grid.getBlockIndices())
    indices.push_back(c.slotOf(index));
  const uint32_t over = c.emit(op->getLoc(), {Opcode::Jump});
  const uint32_t body = c.here();
  if (failed(c.compileBody(*grid.getBody())))
    return failure();
  c.emit(op->getLoc(), {Opcode::Halt});
  c.at(over).a = c.here();
  c.call(op->getLoc(), [=](Machine &m) {
    int64_t size[3] = {1, 1, 1};
    for (unsigned d = 0; d < extents.size(); ++d)
      size[d] = m.slot(extents[d]).i;
    for (unsigned d = 0; d < m.launchGrid.size() && m.launchGrid.size() == extents.size(); ++d)
      if (m.launchGrid[d] != size[d])
        return m.fail("the launch program's grid has extent " + Twine(m.launchGrid[d]) + " in dimension " +
                      Twine(d) + ", the kernel's " + Twine(size[d]));
    if (size[0] <= 0 || size[1] <= 0 || size[2] <= 0)
      return Outcome::Ok;
    auto inside = [&](const std::array<int64_t, 3> &block) {
      for (unsigned d = 0; d < 3; ++d)
        if (block[d] < 0 || block[d] >= size[d])
          return false;
      return true;
    };
    for (const std::array<int64_t, 3> &block : m.options.blocks)
      if (inside(block))
        if (Outcome outcome = runBlock(m, body, indices, block); outcome != Outcome::Ok)
          return outcome;
    if (!m.options.blocks.empty())
      return Outcome::Ok;
    auto at = [&](int64_t i, unsigned d) { return m.isReverse() ? size[d] - 1 - i : i; };
    for (int64_t z = 0; z < size[2]; ++z)
      for (int64_t y = 0; y < size[1]; ++y)
        for (int64_t x = 0; x < size[0]; ++x)
          if (Outcome outcome = runBlock(m, body, indices, {at(x, 0), at(y, 1), at(z, 2)});
              outcome != Outcome::Ok)
            return outcome;
    return Outcome::Ok;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Parallel
//===----------------------------------------------------------------------===//

/// Once parallels are cut, threads run what the layout covers and nothing else.
static void checkIsCovered(Compiler &c, tile::ParallelOp parallel, ArrayRef<uint32_t> extents) {
  auto module = parallel->getParentOfType<ModuleOp>();
  auto stage = module ? module->getAttrOfType<StringAttr>(tile::kStageAttr) : StringAttr();
  if (!stage || stage.getValue() != "schedule" || module->hasAttr(tile::kPartialAttr) ||
      !parallel.getLayoutAttr())
    return;
  Coord covered = parallel.getLayoutAttr().toLinear().getBounds();
  c.call(parallel.getLoc(), [covered, extents = SmallVector<uint32_t>(extents)](Machine &m) {
    for (auto [d, extent] : llvm::enumerate(extents))
      if (m.slot(extent).i > covered[d])
        return m.fail("extent " + Twine(m.slot(extent).i) + " of dimension " + Twine(d) +
                      " is more than the layout covers: " + Twine(covered[d]));
    return Outcome::Ok;
  });
}

static LogicalResult compileParallel(Compiler &c, Operation *op) {
  auto parallel = cast<tile::ParallelOp>(op);
  SmallVector<uint32_t, 4> extents;
  for (OpFoldResult extent : parallel.getMixedExtents())
    extents.push_back(isa<Attribute>(extent) ? c.constant(cast<IntegerAttr>(cast<Attribute>(extent)).getInt())
                                             : c.slotOf(cast<Value>(extent)));
  checkIsCovered(c, parallel, extents);
  if (failed(c.hoistInvariants(parallel.getRegion())))
    return failure();

  // The number of the iteration grows from run to run, so that the stamps need no clearing between them.
  const unsigned iteration = c.newSlot();
  c.program.constants.push_back({iteration, slotOfInt(0)});
  SmallVector<RefInfo, 2> refs;
  for (auto [reference, init, result] :
       llvm::zip_equal(parallel.getRefs(), parallel.getInits(), parallel.getResults())) {
    refs.push_back({c.viewOf(init), c.viewOf(reference), c.program.numStamps++, iteration});
    c.bindView(result, refs.back().now);
    c.program.refs.resize(std::max<size_t>(c.program.refs.size(), refs.back().now + 1));
    c.program.refs[refs.back().now] = refs.back();
  }
  if (!refs.empty())
    c.call(op->getLoc(), [=](Machine &m) {
      double trips = 1;
      for (uint32_t extent : extents)
        trips *= static_cast<double>(std::max<int64_t>(m.slot(extent).i, 0));
      const bool restart = static_cast<double>(m.slot(iteration).i) + trips > 4e9; // stamps have 32 bits
      if (restart)
        m.slot(iteration).i = 0;
      for (const RefInfo &ref : refs) {
        View &view = m.view(ref.now);
        view = m.view(ref.before);
        m.makeUnique(view);
        std::vector<uint32_t> &table = m.stamps[ref.stamps];
        if (restart)
          table.clear();
        table.resize(static_cast<size_t>(view.owner->count), 0);
      }
      return Outcome::Ok;
    });

  SmallVector<uint32_t, 4> begins;
  SmallVector<unsigned, 4> counters;
  for (auto [d, index] : llvm::enumerate(parallel.getIndices())) {
    counters.push_back(c.newSlot());
    begins.push_back(
        c.emit(op->getLoc(), {Opcode::ParBegin, 0, c.slotOf(index), counters.back(), extents[d]}));
  }
  const uint32_t body = c.here();
  if (!parallel.getRefs().empty())
    c.emit(op->getLoc(), {Opcode::Iteration, 0, iteration});
  if (failed(c.compileBody(*parallel.getBody())))
    return failure();
  for (unsigned d = static_cast<unsigned>(begins.size()); d-- > 0;) {
    const uint32_t again = d + 1 < begins.size() ? begins[d + 1] : body;
    c.emit(op->getLoc(), {Opcode::ParNext, 0, c.slotOf(parallel.getIndices()[d]), counters[d], 0, again});
    c.at(begins[d]).d = c.here();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Emits an element access: `scalar` is read or written. `f32` is the first opcode of its family, in the
/// order R1 R2 RN of f32, then of f16, then of any type.
static void emitAccess(Compiler &c, Location loc, Opcode f32, unsigned scalar, Value object,
                       ValueRange indices, bool inBounds) {
  const unsigned view = c.viewOf(object);
  const ElementKind kind = c.program.views[view].kind;
  const unsigned family = kind == ElementKind::F32 ? 0 : kind == ElementKind::F16 ? 1 : 2;
  const unsigned rank = static_cast<unsigned>(indices.size());
  const unsigned form = rank == 1 ? 0 : rank == 2 ? 1 : 2;
  Instr instr{static_cast<Opcode>(static_cast<unsigned>(f32) + 3 * family + form)};
  instr.x = inBounds;
  instr.a = scalar;
  instr.b = view;
  if (form == 2) {
    instr.c = c.indexList(indices);
  } else {
    instr.c = c.slotOf(indices[0]);
    instr.d = rank == 2 ? c.slotOf(indices[1]) : 0;
  }
  c.emit(loc, instr);
}

/// The same for a reference: R1 and R2 of f32, RN of any type.
static void emitRefAccess(Compiler &c, Location loc, Opcode f32, unsigned scalar, Value reference,
                          ValueRange indices) {
  const unsigned view = c.viewOf(reference);
  const unsigned rank = static_cast<unsigned>(indices.size());
  const bool isShort = c.program.views[view].kind == ElementKind::F32 && (rank == 1 || rank == 2);
  Instr instr{static_cast<Opcode>(static_cast<unsigned>(f32) + (isShort ? rank - 1 : 2))};
  instr.a = scalar;
  instr.b = view;
  if (isShort) {
    instr.c = c.slotOf(indices[0]);
    instr.d = rank == 2 ? c.slotOf(indices[1]) : 0;
  } else {
    instr.c = c.indexList(indices);
  }
  c.emit(loc, instr);
}

static LogicalResult compileRead(Compiler &c, Operation *op) {
  auto read = cast<tile::ReadOp>(op);
  const unsigned to = c.slotOf(read.getResult());
  if (isa<tile::FragRefType>(read.getSource().getType()))
    emitRefAccess(c, op->getLoc(), Opcode::RefReadF32R1, to, read.getSource(), read.getIndices());
  else
    emitAccess(c, op->getLoc(), Opcode::ReadF32R1, to, read.getSource(), read.getIndices(),
               read.getInBounds());
  return success();
}

static LogicalResult compileReadScalar(Compiler &c, Operation *op) {
  auto read = cast<tile::ReadScalarOp>(op);
  emitAccess(c, op->getLoc(), Opcode::ReadF32R1, c.slotOf(read.getResult()), read.getSource(),
             read.getIndices(), false);
  return success();
}

static LogicalResult compileWrite(Compiler &c, Operation *op) {
  auto write = cast<tile::WriteOp>(op);
  const unsigned value = c.slotOf(write.getValue());
  if (isa<tile::FragRefType>(write.getDest().getType()))
    emitRefAccess(c, op->getLoc(), Opcode::RefWriteF32R1, value, write.getDest(), write.getIndices());
  else
    emitAccess(c, op->getLoc(), Opcode::WriteF32R1, value, write.getDest(), write.getIndices(),
               write.getInBounds());
  return success();
}

static LogicalResult compileWriteScalar(Compiler &c, Operation *op) {
  auto write = cast<tile::WriteScalarOp>(op);
  emitAccess(c, op->getLoc(), Opcode::WriteF32R1, c.slotOf(write.getValue()), write.getDest(),
             write.getIndices(), false);
  return success();
}

static LogicalResult compileInsert(Compiler &c, Operation *op) {
  auto insert = cast<tile::InsertOp>(op);
  const unsigned to = c.viewOf(insert.getResult());
  c.emit(op->getLoc(), {Opcode::MoveView, 0, to, c.viewOf(insert.getDest())});
  c.call(op->getLoc(), [=](Machine &m) {
    m.makeUnique(m.view(to));
    return Outcome::Ok;
  });
  emitAccess(c, op->getLoc(), Opcode::WriteF32R1, c.slotOf(insert.getValue()), insert.getResult(),
             insert.getIndices(), false);
  return success();
}

static LogicalResult compileUpdate(Compiler &c, Operation *op) {
  auto update = cast<tile::UpdateOp>(op);
  const bool isRef = isa<tile::FragRefType>(update.getDest().getType());
  Instr instr{isRef ? Opcode::RefUpdate : Opcode::Update, static_cast<uint16_t>(update.getKind())};
  instr.a = c.slotOf(update.getValue());
  instr.b = c.viewOf(update.getDest());
  instr.c = c.indexList(update.getIndices());
  c.emit(op->getLoc(), instr);
  return success();
}

unsigned eval::updateOfAtomic(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
    return static_cast<unsigned>(tile::UpdateKind::Add);
  case tile::AtomicKind::Max:
    return static_cast<unsigned>(tile::UpdateKind::Max);
  case tile::AtomicKind::Min:
    return static_cast<unsigned>(tile::UpdateKind::Min);
  }
  llvm_unreachable("all kinds are handled");
}

static LogicalResult compileAtomic(Compiler &c, Operation *op) {
  auto atomic = cast<tile::AtomicOp>(op);
  c.emit(op->getLoc(),
         {Opcode::Update, static_cast<uint16_t>(updateOfAtomic(atomic.getKind())),
          c.slotOf(atomic.getValue()), c.viewOf(atomic.getDest()), c.indexList(atomic.getIndices())});
  return success();
}

//===----------------------------------------------------------------------===//
// Facts, checks, output
//===----------------------------------------------------------------------===//

static LogicalResult compileAssume(Compiler &c, Operation *op) {
  const unsigned failing = c.addClosure([](Machine &m) { return m.fail("this assumption does not hold"); });
  c.emit(op->getLoc(), {Opcode::CallIfNot, 0, c.slotOf(cast<tile::AssumeOp>(op).getCondition()), failing});
  return success();
}

static LogicalResult compileAssert(Compiler &c, Operation *op) {
  auto assertion = cast<tile::AssertOp>(op);
  const unsigned failing = c.addClosure([text = assertion.getText().str()](Machine &m) {
    return m.fail(fileAndLine(m.location()) + ": assertion failed: " + text, ErrorKind::Assertion);
  });
  c.emit(op->getLoc(), {Opcode::CallIfNot, 0, c.slotOf(assertion.getCondition()), failing});
  return success();
}

std::string eval::formatScalar(const ScalarInfo &info, bool isUnsigned, Slot value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (info.isDouble)
    os << llvm::format("%.17g", value.d);
  else if (info.isFloat)
    os << llvm::format("%.9g", static_cast<double>(value.f));
  else if (info.width == 1)
    os << (value.i ? "true" : "false");
  else if (isUnsigned)
    os << ((value.u << info.shift()) >> info.shift());
  else
    os << value.i;
  return text;
}

static LogicalResult compilePrint(Compiler &c, Operation *op) {
  auto print = cast<tile::PrintOp>(op);
  struct Operand {
    ScalarInfo info;
    bool isUnsigned;
    uint32_t slot;
  };
  SmallVector<Operand, 4> operands;
  for (auto [i, value] : llvm::enumerate(print.getArgs()))
    operands.push_back({Compiler::scalarInfo(value.getType()),
                        print.getIsUnsigned() && (*print.getIsUnsigned())[i], c.slotOf(value)});
  c.call(op->getLoc(), [operands, text = print.getText().str()](Machine &m) {
    m.result.printed += text;
    for (const Operand &operand : operands)
      m.result.printed += " " + formatScalar(operand.info, operand.isUnsigned, m.slot(operand.slot));
    m.result.printed += "\n";
    return Outcome::Ok;
  });
  return success();
}

void eval::addParallelHandlers(HandlerTable &table) {
  table.add<tile::AssertOp>(compileAssert);
  table.add<tile::AssumeOp>(compileAssume);
  table.add<tile::AtomicOp>(compileAtomic);
  table.add<tile::GridOp>(compileGrid);
  table.add<tile::InsertOp>(compileInsert);
  table.add<tile::ParallelOp>(compileParallel);
  table.add<tile::PrintOp>(compilePrint);
  table.add<tile::ReadOp>(compileRead);
  table.add<tile::ReadScalarOp>(compileReadScalar);
  table.add<tile::UpdateOp>(compileUpdate);
  table.add<tile::WriteOp>(compileWrite);
  table.add<tile::WriteScalarOp>(compileWriteScalar);
}
