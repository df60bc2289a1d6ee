//===- Folds.cpp - reductions, scans, atomics -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that add many values into one. The data are drawn so small that sums of whole numbers stay exact
// in the accumulator's type; the oracle adds in a loop.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

static const char *const indexNames[] = {"i", "j", "l"};

void Smith::openOracleLoops(const Shape &shape) {
  for (size_t i = 0; i < shape.size(); ++i)
    open({"", std::string("for ") + indexNames[i] + " in range(" + number(shape[i]) + ")"});
}

void Smith::closeOracleLoops(const Shape &shape) {
  for (size_t i = 0; i < shape.size(); ++i)
    close();
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

/// A tile for the result of a fold of x, or −1. `op` is changed where a sum would round; `times` is how often
/// x is folded into it.
int Smith::reduceTarget(int x, size_t axis, std::string &op, bool accumulate, int64_t times_) {
  const Tile from = tiles[static_cast<size_t>(x)];
  Kind k = from.kind;
  if (d.chance(30)) {
    if (isFloat(k))
      k = k == Kind::F64 || d.chance(20) ? Kind::F64 : Kind::F32;
    else if (bitsOf(k) < 64)
      k = isSigned(k) ? Kind::I64 : Kind::U64;
  }
  if (op == "absmax" && from.facts.lo <= rangeOf(k).lo)
    op = "max";
  if (op == "prod" && isFloat(k))
    op = "sum";
  const int64_t count = from.shape[axis] * times_;
  Facts facts = from.facts;
  if (op == "sum") {
    facts = total(from.facts, count);
    if (isFloat(k) && from.facts.whole && facts.magnitude() > exactLimit(k)) {
      op = "max";
      facts = from.facts;
    } else if (!facts.whole) {
      facts.error = std::max(facts.error, errorOf(k));
    }
  } else if (op == "prod") {
    facts = rangeOf(k);
  } else if (op == "absmax") {
    facts.lo = 0;
    facts.hi = from.facts.magnitude();
  }
  facts = hull(wrapped(facts, k), {0, 0});
  if (facts.error > errorOf(k))
    return -1;
  Shape shape = from.shape;
  if (shape.size() == 1 || d.chance(20))
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  const int target = makeTile(k, shape, facts, accumulate ? "0" : nullptr);
  if (target >= 0)
    tiles[static_cast<size_t>(target)].isFrozen = accumulate;
  return target;
}

void Smith::reduceInto(int x, int r, size_t axis, const std::string &op, bool accumulate) {
  const Tile from = tiles[static_cast<size_t>(x)], to = tiles[static_cast<size_t>(r)];
  kernelLine("reduce_" + op + "(" + from.name + ", " + to.name + ", axis = " +
             number(static_cast<int64_t>(axis)) + (accumulate ? ", accumulate = true" : "") + ");");
  const Kind wide = accumulatorOf(to.kind);
  openParallel(to.shape, false, true);
  std::vector<std::string> at, out, first;
  const bool keeps = to.shape.size() == from.shape.size();
  for (size_t i = 0, o = 0; i < from.shape.size(); ++i) {
    if (i == axis) {
      at.push_back("q");
      first.push_back("0");
      if (keeps)
        out.push_back(indexNames[o++]);
      continue;
    }
    at.push_back(indexNames[o]);
    first.push_back(indexNames[o]);
    out.push_back(indexNames[o++]);
  }
  auto element = [&](const std::vector<std::string> &items) {
    const std::string text = conversion(wide, from.kind, from.name + "[" + join(items) + "]");
    return op == "absmax" ? "abs(" + text + ")" : text;
  };
  const std::string result = to.name + "[" + join(out) + "]";
  const bool isSum = op == "sum", isProduct = op == "prod";
  const std::string start = accumulate  ? conversion(wide, to.kind, result)
                            : isSum     ? "0"
                            : isProduct ? "1"
                                        : element(first);
  oracleLine("var folded: " + spell(wide) + " = " + start + ";");
  const std::string value = element(at);
  const std::string next = isSum         ? "folded + " + value
                           : isProduct   ? "folded * " + value
                           : op == "min" ? "min(folded, " + value + ")"
                                         : "max(folded, " + value + ")";
  oracleLine("for q in range(" + number(from.shape[axis]) + ") { folded = " + next + "; }");
  oracleLine(result + " = " + conversion(to.kind, wide, "folded") + ";");
  close();
  tiles[static_cast<size_t>(r)].isFilled = true;
}

void Smith::reduce() {
  const int x = findTile([](const Tile &t) { return t.kind != Kind::Bool && !isPacked(t.kind); });
  if (x < 0)
    return;
  const size_t axis =
      static_cast<size_t>(d.below(static_cast<int64_t>(tiles[static_cast<size_t>(x)].shape.size())));
  std::string op = d.pick({"sum", "sum", "sum", "max", "min", "absmax", "prod"});
  const bool accumulate = d.chance(20);
  const int r = reduceTarget(x, axis, op, accumulate, 1);
  if (r >= 0)
    reduceInto(x, r, axis, op, accumulate);
}

void Smith::scan() {
  const int x = findTile([](const Tile &t) { return computeKind(t.kind) == t.kind && t.kind != Kind::Bool; });
  if (x < 0)
    return;
  const Tile from = tiles[static_cast<size_t>(x)];
  const size_t axis = static_cast<size_t>(d.below(static_cast<int64_t>(from.shape.size())));
  Facts facts = total(from.facts, from.shape[axis]);
  bool isSum = d.chance(70);
  if (isFloat(from.kind) && facts.whole && facts.magnitude() > exactLimit(from.kind))
    isSum = false;
  if (!facts.whole)
    facts.error = std::max(facts.error, errorOf(from.kind));
  const int y = makeTile(from.kind, from.shape, isSum ? wrapped(facts, from.kind) : from.facts);
  if (y < 0)
    return;
  const Tile to = tiles[static_cast<size_t>(y)];
  const bool reverse = d.chance(30);
  kernelLine("copy(" + from.name + ", " + to.name + ");");
  kernelLine(std::string(isSum ? "cumsum(" : "cummax(") + to.name +
             ", axis = " + number(static_cast<int64_t>(axis)) + (reverse ? ", reverse = true);" : ");"));
  Shape others = from.shape;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
  if (others.empty())
    others = {1};
  openParallel(others, false, true);
  const std::string last = number(from.shape[axis] - 1);
  std::vector<std::string> at, first;
  for (size_t i = 0, o = 0; i < from.shape.size(); ++i) {
    at.push_back(i == axis ? (reverse ? last + " - q" : "q") : indexNames[o]);
    first.push_back(i == axis ? (reverse ? last : "0") : indexNames[o]);
    o += i != axis;
  }
  const Kind wide = accumulatorOf(from.kind);
  const std::string item = conversion(wide, from.kind, from.name + "[" + join(at) + "]");
  oracleLine("var folded: " + spell(wide) + " = " +
             (isSum ? "0" : conversion(wide, from.kind, from.name + "[" + join(first) + "]")) + ";");
  open({"", "for q in range(" + number(from.shape[axis]) + ")"});
  oracleLine("folded = " + (isSum ? "folded + " + item : "max(folded, " + item + ")") + ";");
  oracleLine(to.name + "[" + join(at) + "] = " + conversion(from.kind, wide, "folded") + ";");
  close();
  close();
  tiles[static_cast<size_t>(y)].isFilled = true;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

void Smith::atomics() {
  const Kind k =
      d.pick({Kind::I32, Kind::U32, Kind::I64, Kind::U64, Kind::F16, Kind::BF16, Kind::F32, Kind::F64});
  if (isFloat(k) && !exact)
    return;
  const bool isGlobal = d.chance(50);
  const Shape over = someShape(static_cast<size_t>(d.between(1, 2)));
  const int64_t places = d.between(1, 20);
  int64_t count = std::max<int64_t>(trips, 1);
  for (int64_t extent : over)
    count *= extent;
  if (isGlobal)
    for (int64_t extent : gridExtents)
      count *= extent;
  const std::string op = d.pick({"add", "add", "max", "min"});
  int64_t each = 64;
  if (isFloat(k) && op == "add")
    each = (exactLimit(k) - 64) / count;
  if (each < 1)
    return;
  const Facts part = symmetric(std::min<int64_t>(each, 16));
  std::string target, start;
  int tile = -1;
  if (isGlobal) {
    Tensor tensor{
        fresh("G"), k, Use::InOut, {{places, number(places)}}, "", dataFacts(k, isFloat(k) ? 8 : 100)};
    target = tensor.name;
    tensors.push_back(std::move(tensor));
    if (d.chance(30))
      start = d.pick(grid).name;
  } else {
    const Facts facts = isFloat(k) ? symmetric(exactLimit(k)) : rangeOf(k);
    if (!fits(true, k, {places}))
      return;
    tile = declareTile(true, k, {places}, facts, "0");
    target = tiles[static_cast<size_t>(tile)].name;
    tiles[static_cast<size_t>(tile)].isFilled = false;
  }
  Place place;
  const bool inRegion = d.chance(20);
  if (inRegion) {
    // One value to every place.
    Expr e = fitted(expression(k, 1, place), k, isFloat(k) ? part : rangeOf(k));
    const std::string where = start.empty() ? "0" : start;
    kernelLine("atomic_" + op + "(" + target + "[" + where + " +: " + number(places) + "], " + e.text.kernel +
               ");");
    openParallel({places}, false, true);
    oracleLine("atomic_" + op + "(" + target + "[" + where + " + i], " + e.text.oracle + ");");
    close();
  } else {
    place.indices = openParallel(over);
    const bool guarded = d.chance(30);
    if (guarded)
      open(Text("if ") + condition(1, place));
    Text at = Text(d.pick(place.indices).name + " % " + number(places));
    if (d.chance(30)) {
      const Expr index = expression(Kind::I32, 1, place);
      at = Text("abs(") + index.text + " % " + number(places) + ")";
    }
    if (!start.empty())
      at = Text("i64(") + at + ") + " + start;
    const Expr e = fitted(expression(k, 2, place), k, isFloat(k) ? part : rangeOf(k));
    line(Text("atomic_" + op + "(" + target + "[") + at + "], " + e.text + ");");
    if (guarded)
      close();
    close();
  }
  if (tile >= 0) {
    tiles[static_cast<size_t>(tile)].isFilled = true;
    tiles[static_cast<size_t>(tile)].isFrozen = isFloat(k);
  }
}
