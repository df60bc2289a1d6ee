//===- Elementwise.cpp - parallel loops over elements ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations write elements of their own, loops in which many add to one element, macros over
// tiles, and scalars of the block.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

/// One statement that writes target[at]. `guarded`: the target holds something already.
void Smith::writeElement(int target, const std::string &at, Place &place, bool guarded) {
  const Tile tile = tiles[static_cast<size_t>(target)];
  const Kind k = computeKind(tile.kind);
  auto value = [&](int depth) {
    Expr e = place.smooth ? smooth(k, place) : expression(k, depth, place);
    if (!place.smooth && k != Kind::Bool)
      e = fitted(std::move(e), k, tile.facts);
    return conversion(tile.kind, k, e.text);
  };
  const std::string name = place.only < 0 ? tile.name : "t";
  const Text to = {name + at, tile.name + at};
  const int64_t form = place.smooth ? 9 : d.below(10);
  if (form == 0 && k != Kind::Bool) {
    // A sum over a loop; the variable starts anew in every element.
    const std::string sum = fresh("v"), t = fresh("t");
    const int64_t count = d.between(1, 6);
    line("var " + sum + ": " + spell(k) + " = 0;");
    place.locals.push_back({t, Kind::I64, {0, count - 1}});
    open("for " + t + " in range(" + number(count) + ")");
    Expr e = expression(k, 1, place);
    if (isFloat(k))
      e = fitted(std::move(e), k, symmetric(exactLimit(k) / 8));
    line(Text(sum + " += ") + e.text + ";");
    close();
    place.locals.pop_back();
    const Facts facts = isFloat(k) ? total(e.facts, count) : rangeOf(k);
    const Expr result = fitted({sum, facts}, k, tile.facts);
    line(to + " = " + conversion(tile.kind, k, result.text) + ";");
    return;
  }
  if (form == 1 || (form == 2 && guarded)) {
    const Text c = condition(1, place);
    open(Text("if ") + c);
    line(to + " = " + value(2) + ";");
    if (form == 1 && !guarded) {
      close();
      open("else");
      line(to + " = " + value(1) + ";");
    }
    close();
    return;
  }
  if (form == 3 && guarded && k == tile.kind && k != Kind::Bool && !place.readsOld && place.only < 0) {
    // The statement is the only one of its loop that names the element.
    const bool wraps = isInteger(k) && rangeOf(k).within(tile.facts);
    const std::string op = wraps ? d.pick({" += ", " -= ", " *= ", " max= "}) : d.pick({" max= ", " min= "});
    Place other = place;
    other.banned = target;
    Expr e = fitted(expression(k, 1, other), k, tile.facts);
    line(to + op + e.text + ";");
    return;
  }
  if (form == 4) {
    const std::string local = fresh("v");
    const Kind other = computeKind(someKind());
    if (other != Kind::Bool) {
      const Expr e = expression(other, 2, place);
      line(Text("let " + local + " = ") + e.text + ";");
      place.locals.push_back({local, other, e.facts});
    }
  }
  line(to + " = " + value(3) + ";");
}

void Smith::elementwise() {
  const size_t rank = static_cast<size_t>(d.pick({1, 2, 2, 2, 3}));
  int target = -1;
  if (d.chance(50))
    target = findTile([](const Tile &t) { return !t.isFrozen && t.facts.whole; });
  bool guarded = target >= 0;
  if (target < 0) {
    Kind k = someKind();
    const int old = findTile([](const Tile &) { return true; });
    const Shape shape = old >= 0 && d.chance(70) ? tiles[static_cast<size_t>(old)].shape : someShape(rank);
    const bool full = isInteger(k) && d.chance(40);
    const Facts facts = k == Kind::Bool ? Facts{0, 1}
                        : full          ? rangeOf(k)
                                        : dataFacts(isFloat(k) ? k : k, d.pick({4, 8, 100}));
    const Facts whole = facts.whole ? facts : symmetric(8);
    const bool isInitialised = d.chance(30) && k != Kind::Bool;
    target = makeTile(k, shape, whole, isInitialised ? "0" : nullptr);
    if (target < 0)
      return;
    guarded = isInitialised;
  }
  const Tile tile = tiles[static_cast<size_t>(target)];
  Shape extents = tile.shape;
  if (guarded && d.chance(25)) // a corner of it
    for (int64_t &extent : extents)
      extent = d.between(1, extent);
  Place place;
  place.targets = {target};
  place.readsOld = guarded && !tile.isShared && d.chance(50);

  // The oracle's copy of the old values goes before the loop, and whether there must be one shows after it.
  const Text before = std::exchange(body, {});
  // An extent of the launch: as long as the tile, shorter where it may be, or longer behind a guard.
  const std::string bound = extentText(extents[0]);
  std::string first;
  bool isLonger = false;
  if (d.chance(12)) {
    isLonger = d.chance(40);
    first = runtimeValue(extents[0] + (isLonger ? d.between(1, 40) : 0));
  }
  place.indices = openParallel(extents, true, true, first);
  if (isLonger)
    open("if i < " + bound);
  std::vector<std::string> items;
  for (const Scalar &index : place.indices)
    items.push_back(index.name);
  writeElement(target, "[" + join(items) + "]", place, guarded);
  if (isLonger)
    close();
  close();
  const Text loop = std::exchange(body, before);
  if (place.usedOld) {
    oracleLine("{");
    oldCopy(target);
  }
  body += loop;
  if (place.usedOld)
    oracleLine("}");
  tiles[static_cast<size_t>(target)].isFilled = true;
}

/// Many iterations add to one element, or leave their greatest there.
void Smith::update() {
  const Shape over = someShape(static_cast<size_t>(d.between(1, 2)));
  int64_t count = 1;
  for (int64_t extent : over)
    count *= extent;
  const Kind k = someKind();
  if (computeKind(k) != k || k == Kind::Bool)
    return;
  // part[i / g, j]: a group of the first dimension, the second one or nothing of it.
  Shape shape;
  std::vector<std::string> at;
  for (size_t i = 0; i < over.size(); ++i) {
    const int64_t group = d.pick<int64_t>({1, 2, 3, 8, 16, over[i]});
    const std::string name = i == 0 ? "i" : "j";
    shape.push_back((over[i] + group - 1) / group);
    at.push_back(group == 1 ? name
                            : name + (d.chance(60) ? " / " + number(group) : " % " + number(shape.back())));
  }
  const bool isSum = d.chance(60);
  const int64_t each = isFloat(k) ? (isSum ? exactLimit(k) / count / std::max<int64_t>(1, trips) : 16) : 100;
  if (each < 1)
    return;
  const Facts part = symmetric(std::min<int64_t>(each, 64));
  const Facts facts = isFloat(k) ? symmetric(exactLimit(k)) : rangeOf(k);
  const int target = makeTile(k, shape, facts, "0");
  if (target < 0)
    return;
  const std::string name = tiles[static_cast<size_t>(target)].name, element = name + "[" + join(at) + "]";
  tiles[static_cast<size_t>(target)].isFilled = false; // nothing may read it in the loop
  Place place;
  const Text before = std::exchange(body, {});
  place.indices = openParallel(over, true, false);
  openOracleLoops(over);
  const bool guarded = d.chance(30);
  if (guarded)
    open(Text("if ") + condition(1, place));
  Expr e = fitted(expression(k, 2, place), k, isFloat(k) ? part : rangeOf(k));
  const bool isMax = d.chance(50);
  if (isSum)
    line(Text(element + " += ") + e.text + ";");
  else
    line(Text(element + (isMax ? " max= " : " min= ")) + e.text + ";");
  if (guarded)
    close();
  closeOracleLoops(over);
  close();
  body = before + body;
  tiles[static_cast<size_t>(target)].isFilled = true;
  tiles[static_cast<size_t>(target)].isFrozen = isFloat(k) && isSum;
}

/// A macro over one tile: its own text in the kernel's file, the loop itself in the oracle.
void Smith::macroCall() {
  const int target = findTile([](const Tile &t) {
    return !t.isFrozen && t.facts.whole && t.kind != Kind::Bool && !isPacked(t.kind) && t.shape.size() <= 2;
  });
  if (target < 0)
    return;
  const Tile tile = tiles[static_cast<size_t>(target)];
  const std::string name = fresh("m");
  static const char *const dims[] = {"R", "C"};
  std::vector<std::string> parameters_, extents;
  for (size_t i = 0; i < tile.shape.size(); ++i) {
    parameters_.push_back(dims[i]);
    extents.push_back(number(tile.shape[i]));
  }
  const std::string head = "fn " + name + "(t: " + (tile.isShared ? "shared " : "fragment ") +
                           std::string(elementInfo(tile.kind).name) + "[" + join(parameters_) + "])";
  const std::string call = name + "(" + tile.name + ");";
  const Text before = std::exchange(body, {});
  const size_t depth = kernelDepth;
  kernelDepth = 1;
  inMacro = true;
  Place place;
  place.only = target;
  place.targets = {target};
  place.noTensors = place.noOuterScalars = true;
  const std::vector<std::string> names = {"i", "j"};
  std::vector<std::string> items(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(tile.shape.size()));
  for (size_t i = 0; i < items.size(); ++i)
    place.indices.push_back({items[i], Kind::I64, {0, tile.shape[i] - 1}});
  const std::string vars = items.size() == 1 ? items[0] : "(" + join(items) + ")";
  open({"for " + vars + " in parallel(" + join(parameters_) + ")",
        "for " + vars + " in parallel(" + join(extents) + ")"});
  writeElement(target, "[" + join(items) + "]", place, true);
  close();
  inMacro = false;
  kernelDepth = depth;
  const Text text = std::exchange(body, before);
  functions.push_back(head + " {\n" + text.kernel + "}\n");
  kernelLine(call);
  body.oracle += text.oracle;
}

/// A tile of values that are no whole numbers.
void Smith::smoothTile() {
  const int from = findTile([](const Tile &t) { return t.kind != Kind::Bool; });
  if (from < 0)
    return;
  const Tile source = tiles[static_cast<size_t>(from)];
  const Kind k = d.pick({Kind::F16, Kind::F32, Kind::F32, Kind::BF16, Kind::F64});
  if (source.facts.error > errorOf(k))
    return;
  // What the expression reads must not be coarser than the tile.
  std::vector<bool> filled;
  for (Tile &tile : tiles) {
    filled.push_back(tile.isFilled);
    tile.isFilled &= tile.facts.error <= errorOf(k) && tile.kind != Kind::Bool;
  }
  const int target = makeTile(k, source.shape, {-64, 64, false, errorOf(k)});
  if (target >= 0) {
    Place place;
    place.smooth = true;
    place.targets = {target};
    place.indices = openParallel(source.shape);
    std::vector<std::string> items;
    for (const Scalar &index : place.indices)
      items.push_back(index.name);
    writeElement(target, "[" + join(items) + "]", place, false);
    close();
    filled.push_back(true);
  }
  for (size_t i = 0; i < filled.size(); ++i)
    tiles[i].isFilled = filled[i];
}

/// One element for the whole block, or a value of the launch.
void Smith::scalars() {
  if (nesting == 0 && d.chance(40) && parameters.size() < 3) {
    const Kind k =
        d.pick({Kind::I64, Kind::I64, Kind::I64, Kind::I32, Kind::F32, Kind::F16, Kind::F64, Kind::U8});
    const int64_t value = d.between(0, 12);
    parameters.push_back({fresh("p"), k, {value, value}});
    parameterValues.push_back(value);
    if (k == Kind::I64)
      blockScalars.push_back(parameters.back());
    return;
  }
  const int from = findTile([](const Tile &t) { return t.facts.whole && !isPacked(t.kind); });
  if (from < 0)
    return;
  const Tile tile = tiles[static_cast<size_t>(from)];
  std::vector<std::string> at;
  for (int64_t extent : tile.shape)
    at.push_back(d.chance(30) && extent >= 4 ? d.pick(grid).name : number(d.below(extent)));
  const std::string element = tile.name + "[" + join(at) + "]";
  if (!tile.isFrozen && d.chance(35)) {
    Place place;
    place.targets = {from};
    const Kind k = computeKind(tile.kind);
    Expr e = expression(k, 1, place);
    if (k != Kind::Bool)
      e = fitted(std::move(e), k, tile.facts);
    line(Text(element + " = ") + conversion(tile.kind, k, e.text) + ";");
    return;
  }
  const std::string name = fresh("x");
  line("let " + name + " = " + element + ";");
  blockScalars.push_back({name, tile.kind, tile.facts});
}
