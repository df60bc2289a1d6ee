//===- Control.cpp - statements, loops, branches --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

Smith::Scope Smith::enter(const Text &head, const Scalar *variable) {
  const Scope scope{tiles.size(), blockScalars.size(), loopVariables.size(), sharedBytes, registers, trips};
  open(head);
  if (variable) {
    blockScalars.push_back(*variable);
    loopVariables.push_back(*variable);
    trips *= variable->facts.hi + 1;
  }
  ++nesting;
  return scope;
}

void Smith::leave(const Scope &scope) {
  close();
  tiles.resize(scope.tiles);
  blockScalars.resize(scope.scalars, Scalar{"", Kind::Bool, {}});
  loopVariables.resize(scope.variables, Scalar{"", Kind::Bool, {}});
  sharedBytes = scope.sharedBytes;
  registers = scope.registers;
  trips = scope.trips;
  --nesting;
}

/// A parameter that the check gives this value.
std::string Smith::runtimeValue(int64_t value) {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].kind == Kind::I64 && parameterValues[i] == value)
      return parameters[i].name;
  parameters.push_back({fresh("p"), Kind::I64, {value, value}});
  parameterValues.push_back(value);
  return parameters.back().name;
}

/// A loop from 0 up to below count, or over the same numbers in another way.
Text Smith::loopHead(int64_t count, const std::string &variable) {
  const std::string head = "for " + variable + " in ", n = number(count);
  const std::string plain = head + "range(" + n + ")";
  switch (d.below(7)) {
  case 0:
    return {head + "unroll(" + n + ")", plain};
  case 1:
  case 2:
  case 3:
    return {head + "pipelined(" + n + ", stages = " + number(d.between(1, 4)) + ")", plain};
  case 4: {
    const std::string down = head + "range(" + number(count - 1) + ", -1, -1)";
    return {down, down};
  }
  case 5: {
    // The bound is known at launch.
    const bool isPipelined = d.chance(50);
    const std::string bound = runtimeValue(count);
    return {isPipelined ? head + "pipelined(" + bound + ", stages = 2)" : head + "range(" + bound + ")",
            head + "range(" + bound + ")"};
  }
  default:
    return {plain, plain};
  }
}

/// `break` or `continue` for the whole block.
void Smith::exitLoop(const Scalar &variable) {
  Place place;
  const std::string jump = d.chance(50) ? "break" : "continue";
  if (d.chance(50))
    line("if " + variable.name + " == " + number(d.between(0, variable.facts.hi)) + " { " + jump + "; }");
  else
    line(Text("if ") + condition(0, place) + " { " + jump + "; }");
}

void Smith::loop() {
  const int64_t count = d.between(1, 4);
  const Scalar variable = {fresh("t"), Kind::I64, {0, count - 1}};
  const bool isWhile = d.chance(12);
  if (isWhile)
    line("var " + variable.name + ": i64 = " + number(count) + ";");
  const Scope scope =
      enter(isWhile ? Text("while " + variable.name + " > 0") : loopHead(count, variable.name), &variable);
  if (isWhile)
    line(variable.name + " -= 1;");
  if (d.chance(15))
    exitLoop(variable);
  statements(static_cast<int>(d.between(1, 3)));
  const int last = static_cast<int>(tiles.size()) - 1;
  if (tiles.size() > scope.tiles && d.chance(40) && tiles[static_cast<size_t>(last)].isFilled)
    store(last);
  leave(scope);
}

/// The most usual loop: tiles come from a tensor and are folded into what was made before.
void Smith::accumulate() {
  const Shape shape = someShape(static_cast<size_t>(d.between(1, 2)));
  const int64_t count = d.between(1, 4);
  Kind k = someKind();
  if (k == Kind::Bool)
    k = Kind::I32;
  const Scalar variable = {fresh("t"), Kind::I64, {0, count - 1}};
  const int64_t magnitude = d.pick({2, 8, 100});
  const int x = makeTile(k, shape, dataFacts(k, magnitude));
  if (x < 0)
    return;
  tiles[static_cast<size_t>(x)].isFrozen = true;
  const size_t axis = static_cast<size_t>(d.below(static_cast<int64_t>(shape.size())));
  std::string op = d.pick({"sum", "sum", "max", "min"});
  const int r = reduceTarget(x, axis, op, true, count);
  const Kind sums = isFloat(k) ? (k == Kind::F64 ? Kind::F64 : Kind::F32) : k;
  const Facts total_ = total(dataFacts(k, magnitude), count);
  const bool adds =
      fits(false, sums, shape) && (!isFloat(sums) || total_.magnitude() <= exactLimit(sums)) && d.chance(60);
  int acc = -1;
  if (adds) {
    Facts facts = wrapped(total_, sums);
    if (!facts.whole)
      facts.error = errorOf(sums);
    acc = declareTile(false, sums, shape, facts, "0");
    tiles[static_cast<size_t>(acc)].isFilled = false;
    tiles[static_cast<size_t>(acc)].isFrozen = true;
  }
  const Scope scope = enter(loopHead(count, variable.name), &variable);
  load(k, shape, magnitude, x, variable.name + " * " + number(shape[axis]), axis);
  if (d.chance(15))
    exitLoop(variable);
  if (adds) {
    const std::string sumName = tiles[static_cast<size_t>(acc)].name,
                      xName = tiles[static_cast<size_t>(x)].name;
    const std::string at = shape.size() == 1 ? "[i]" : "[i, j]";
    openParallel(shape);
    line(sumName + at + " += " + conversion(sums, k, xName + at) + ";");
    close();
  }
  if (r >= 0)
    reduceInto(x, r, axis, op, true);
  if (d.chance(30))
    statement();
  leave(scope);
  if (acc >= 0)
    tiles[static_cast<size_t>(acc)].isFilled = true;
}

void Smith::branch() {
  Place place;
  const Text c = condition(1, place);
  Scope scope = enter(Text("if ") + c);
  statements(static_cast<int>(d.between(1, 2)));
  leave(scope);
  if (!d.chance(50))
    return;
  scope = enter("else");
  statements(1);
  leave(scope);
}

void Smith::statement() {
  // With little to work on, first something from a tensor.
  size_t filled = 0;
  for (const Tile &tile : tiles)
    filled += tile.isFilled;
  if (filled < 2 && d.chance(70)) {
    const Kind k = someKind();
    const Shape shape = someShape(static_cast<size_t>(d.pick({1, 2, 2, 2, 3})));
    load(k, shape, d.pick({2, 8, 8, 100}));
    return;
  }
  if (d.chance(3)) {
    const Scalar &g = d.pick(grid);
    if (d.chance(50))
      kernelLine("assume(" + g.name + " <= " + number(g.facts.hi) + ");");
    else
      kernelLine("assert(" + g.name + " <= " + number(g.facts.hi) + ", \"blocks\");");
  }
  switch (d.below(26)) {
  case 0:
  case 1: {
    const Kind k = d.chance(6) && exact ? d.pick({Kind::I4, Kind::U4}) : someKind();
    const Shape shape = someShape(static_cast<size_t>(d.pick({1, 2, 2, 2, 3})));
    load(k, shape, d.pick({2, 8, 8, 100}));
    return;
  }
  case 2:
  case 3:
  case 4:
  case 5:
  case 6:
    return exact ? elementwise() : d.chance(70) ? smoothTile() : elementwise();
  case 7:
  case 8:
  case 9:
    return gemm();
  case 10:
  case 11:
  case 12:
    return reduce();
  case 13:
    return scan();
  case 14:
    return copyTiles();
  case 15:
    return copyRegion();
  case 16:
    return fillTile();
  case 17:
    return transposeTiles();
  case 18:
    return update();
  case 19:
    return macroCall();
  case 20:
    return d.chance(50) ? smoothTile() : scalars();
  case 21:
    return scalars();
  case 22:
    return atomics();
  case 23:
    return nesting < 2 ? loop() : elementwise();
  case 24:
    return nesting < 2 ? accumulate() : elementwise();
  default:
    return nesting < 2 ? branch() : elementwise();
  }
}

void Smith::statements(int count) {
  for (int i = 0; i < count; ++i)
    statement();
}
