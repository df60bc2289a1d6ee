//===- Gemm.cpp - products ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product with what it needs: an accumulator, operands from tensors, from tiles that are there or parts of
// larger ones, a loop along the inner extent. The data are so small that its sums of whole numbers are exact.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

/// A new tile of this type with a tile's values, brought into ±magnitude; −1 if there is no room.
int Smith::narrowed(int source, Kind k, int64_t magnitude) {
  const Tile from = tiles[static_cast<size_t>(source)];
  const int target = makeTile(k, from.shape, hull(dataFacts(k, magnitude), {0, 0}));
  if (target < 0)
    return -1;
  Tile &to = tiles[static_cast<size_t>(target)];
  to.facts.whole = true;
  to.facts = {std::max(to.facts.lo, -magnitude), std::min(to.facts.hi, magnitude)};
  openParallel(from.shape);
  const Kind compute = computeKind(k);
  Expr e = toKind({from.name + "[i, j]", from.facts}, from.kind, computeKind(from.kind));
  e = fitted(std::move(e), computeKind(from.kind), symmetric(magnitude));
  e = toKind(std::move(e), computeKind(from.kind), compute);
  if (!isSigned(k)) // a negative number becomes a large one
    e = fitted(std::move(e), compute, {0, magnitude});
  line(Text(to.name + "[i, j] = ") + conversion(k, compute, e.text) + ";");
  close();
  to.isFilled = true;
  return target;
}

void Smith::gemm() {
  struct Types {
    Kind a, b, c;
  };
  Types types = d.pick<Types>({{Kind::F16, Kind::F16, Kind::F32},
                               {Kind::F16, Kind::F16, Kind::F32},
                               {Kind::F16, Kind::F16, Kind::F16},
                               {Kind::BF16, Kind::BF16, Kind::F32},
                               {Kind::TF32, Kind::TF32, Kind::F32},
                               {Kind::F32, Kind::F32, Kind::F32},
                               {Kind::E4M3, Kind::E4M3, Kind::F32},
                               {Kind::E4M3, Kind::E5M2, Kind::F32},
                               {Kind::E5M2, Kind::E5M2, Kind::F32},
                               {Kind::I8, Kind::I8, Kind::I32},
                               {Kind::U8, Kind::I8, Kind::I32},
                               {Kind::U8, Kind::U8, Kind::I32},
                               {Kind::F64, Kind::F64, Kind::F64}});
  int64_t m = d.pick(palette), n = d.pick(palette), k = d.pick(palette);
  const bool transA = d.chance(30), transB = d.chance(30);
  // The first operand may be what was computed before.
  const int source = d.chance(30) ? findTile([](const Tile &t) {
    return t.shape.size() == 2 && t.facts.whole && t.kind != Kind::Bool && !isPacked(t.kind);
  })
                                  : -1;
  if (source >= 0) {
    const Shape &shape = tiles[static_cast<size_t>(source)].shape;
    m = shape[transA ? 1 : 0];
    k = shape[transA ? 0 : 1];
  }
  const int64_t steps = d.pick({1, 1, 2, 3, 4});
  if (m * n * k * steps * std::max<int64_t>(trips, 1) > (medium ? 400000 : 100000))
    return;
  int64_t limit = exactLimit(types.c) / (k * steps);
  if (types.c == Kind::F16 && (!exact || limit < 1)) {
    types.c = Kind::F32;
    limit = exactLimit(types.c) / (k * steps);
  }
  int64_t magnitude = 1;
  while ((magnitude + 1) * (magnitude + 1) <= limit && magnitude < (isFloat(types.c) ? 16 : 128))
    ++magnitude;
  const Shape shapes[2] = {transA ? Shape{k, m} : Shape{m, k}, transB ? Shape{n, k} : Shape{k, n}};
  const Kind operandKinds[2] = {types.a, types.b};
  if (!fits(false, types.c, {m, n}))
    return;
  const int acc = declareTile(false, types.c, {m, n}, symmetric(huge), d.chance(80) ? "0" : "1");
  tiles[static_cast<size_t>(acc)].isFrozen = true;
  tiles[static_cast<size_t>(acc)].isFilled = false;
  const std::string accumulator = tiles[static_cast<size_t>(acc)].name;

  const std::string t = fresh("k");
  // Operands that are there before the loop, or are loaded in it.
  int operands[2] = {-1, -1};
  Shape whole[2];
  std::vector<std::string> starts[2];
  bool early[2];
  if (source >= 0)
    operands[0] = narrowed(source, types.a, magnitude);
  for (int side = 0; side < 2; ++side) {
    early[side] = d.chance(50);
    starts[side] = {"0", "0"};
    whole[side] = shapes[side];
    if (operands[side] < 0 && d.chance(35))
      operands[side] = findTile([&](const Tile &t) {
        return t.kind == operandKinds[side] && t.shape == shapes[side] && t.facts.magnitude() <= magnitude &&
               t.facts.error == 0;
      });
    if (operands[side] >= 0)
      continue;
    const size_t along = (side == 0) != (side == 0 ? transA : transB) ? 1 : 0;
    if (steps > 1 && d.chance(15)) { // a slice of one that holds all of them
      Shape all = shapes[side];
      all[along] *= steps;
      if (fits(true, operandKinds[side], all)) {
        whole[side] = all;
        starts[side][along] = t + " * " + number(k);
        operands[side] = declareTile(true, operandKinds[side], all, dataFacts(operandKinds[side], magnitude));
        load(operandKinds[side], all, magnitude, operands[side], d.pick(grid).name + " * " + number(k),
             along);
        continue;
      }
    }
    if (!d.chance(20))
      continue;
    // A part of a larger shared tile.
    for (size_t i = 0; i < 2; ++i) {
      const int64_t slack = d.pick({0, 1, 4, 8});
      whole[side][i] += slack;
      starts[side][i] = number(d.between(0, slack));
    }
    if (!fits(true, operandKinds[side], whole[side]))
      whole[side] = shapes[side], starts[side] = {"0", "0"};
  }
  auto declare = [&](int side) {
    const Facts facts = dataFacts(operandKinds[side], magnitude);
    if (whole[side] != shapes[side])
      return declareTile(true, operandKinds[side], whole[side], facts);
    const bool isShared = d.chance(70);
    if (fits(isShared, operandKinds[side], shapes[side]))
      return declareTile(isShared, operandKinds[side], shapes[side], facts);
    return fits(!isShared, operandKinds[side], shapes[side])
               ? declareTile(!isShared, operandKinds[side], shapes[side], facts)
               : -1;
  };
  bool found[2];
  for (int side = 0; side < 2; ++side) {
    found[side] = operands[side] >= 0;
    if (!found[side] && early[side] && (operands[side] = declare(side)) < 0)
      return;
  }
  const bool looped = steps > 1 || d.chance(30);
  const Scalar variable = {t, Kind::I64, {0, steps - 1}};
  Scope scope{};
  if (looped)
    scope = enter(loopHead(steps, t), &variable);
  bool complete = true;
  for (int side = 0; side < 2 && complete; ++side) {
    if (found[side])
      continue;
    if (operands[side] < 0)
      operands[side] = declare(side);
    complete = operands[side] >= 0;
    if (!complete)
      break;
    const size_t stepDim = (side == 0) != (side == 0 ? transA : transB) ? 1 : 0;
    load(operandKinds[side], whole[side], magnitude, operands[side],
         looped && d.chance(85) ? t + " * " + number(k) : "", stepDim);
  }
  if (complete && operands[0] != acc && operands[1] != acc) {
    std::string names[2];
    for (int side = 0; side < 2; ++side) {
      const Tile &tile = tiles[static_cast<size_t>(operands[side])];
      names[side] = whole[side] == shapes[side] ? tile.name
                                                : region(tile.name, starts[side], shapes[side], whole[side]);
    }
    std::string options;
    if (transA)
      options += ", trans_a = true";
    if (transB)
      options += ", trans_b = true";
    if (d.chance(15))
      options += std::string(", warps = ") + d.pick({"square", "rows", "cols"});
    kernelLine("gemm(" + names[0] + ", " + names[1] + ", " + accumulator + options + ");");

    auto element = [&](int side, const char *row, const char *column, bool trans) {
      const Tile &tile = tiles[static_cast<size_t>(operands[side])];
      const std::string r = starts[side][0] + " + " + (trans ? column : row);
      const std::string c = starts[side][1] + " + " + (trans ? row : column);
      const Kind to = isFloat(types.c) ? accumulatorOf(types.c) : Kind::I32;
      const std::string text = tile.name + "[" + r + ", " + c + "]";
      // An unsigned byte becomes i32 by a conversion like any other.
      return conversion(to, tile.kind, text);
    };
    const Kind wide = accumulatorOf(types.c);
    openParallel({m, n}, false, true);
    oracleLine("var sum: " + spell(wide) + " = " + conversion(wide, types.c, accumulator + "[i, j]") + ";");
    oracleLine("for q in range(" + number(k) + ") { sum += " + element(0, "i", "q", transA) + " * " +
               element(1, "q", "j", transB) + "; }");
    oracleLine(accumulator + "[i, j] = " + conversion(types.c, wide, "sum") + ";");
    close();
  }
  Facts facts = total(product(dataFacts(types.a, magnitude), dataFacts(types.b, magnitude)), k * steps);
  facts = hull(facts, {0, facts.hi + 1});
  if (!facts.whole)
    facts.error = errorOf(types.c);
  if (looped)
    leave(scope);
  Tile &result = tiles[static_cast<size_t>(acc)];
  result.facts = wrapped(facts, types.c);
  result.isFilled = true;
}
