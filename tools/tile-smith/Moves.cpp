//===- Moves.cpp - copies, stores, fills ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between tensors and tiles in every direction. Reads begin anywhere, since what is outside a tensor
// is the pad; the oracle says so with a condition.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

static const char *const indexNames[] = {"i", "j", "l"};

/// `first` is the first extent's text if it is not its number.
std::vector<Scalar> Smith::openParallel(const Shape &shape, bool inKernel, bool inOracle,
                                        const std::string &first) {
  std::vector<Scalar> indices;
  std::vector<std::string> names, extents;
  for (size_t i = 0; i < shape.size(); ++i) {
    indices.push_back({indexNames[i], Kind::I64, {0, shape[i] - 1}});
    names.push_back(indexNames[i]);
    extents.push_back(i == 0 && !first.empty() ? first : extentText(shape[i]));
  }
  const std::string text = "for " + (names.size() == 1 ? names[0] : "(" + join(names) + ")") +
                           " in parallel(" + join(extents) + ")";
  open({inKernel ? text : "", inOracle ? text : ""});
  return indices;
}

static std::string element(const std::string &name, const std::vector<std::string> &starts, size_t rank) {
  std::vector<std::string> items;
  const size_t lead = starts.size() - rank;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (i < lead)
      items.push_back(starts[i]);
    else
      items.push_back(starts[i] == "0" ? indexNames[i - lead] : starts[i] + " + " + indexNames[i - lead]);
  }
  return name + "[" + join(items) + "]";
}

/// Where a read of a tensor begins.
std::string Smith::offset(int64_t extent) {
  std::vector<std::string> scalars;
  for (const Scalar &g : grid)
    scalars.push_back(g.name);
  for (const Scalar &s : blockScalars)
    if (s.kind == Kind::I64 && s.facts.magnitude() < 1000)
      scalars.push_back(s.name);
  const std::string &scalar = d.pick(scalars);
  switch (d.below(9)) {
  case 0:
  case 1:
    return "0";
  case 2:
    return number(d.between(1, 9));
  case 3:
    return number(-d.between(1, 5));
  case 4: {
    const std::string by = number(d.pick(palette));
    return scalar + " * " + by + (d.chance(50) ? " + 3" : " - 3");
  }
  case 5:
    return "(" + scalar + " + 1) * " + number(extent);
  case 6:
    return scalar;
  default:
    return scalar + " * " + number(extent);
  }
}

/// A region of these extents; `whole` are the extents of what it is a region of, 0 where they are not known.
/// Leading items without an extent of their own are single indices.
std::string Smith::region(const std::string &name, const std::vector<std::string> &starts,
                          const Shape &extents, const std::vector<int64_t> &whole) {
  const size_t lead = starts.size() - extents.size();
  std::vector<std::string> items;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (i < lead)
      items.push_back(starts[i]);
    else if (starts[i] == "0" && whole[i] == extents[i - lead] && d.chance(70))
      items.push_back(":");
    else
      items.push_back(starts[i] + " +: " + number(extents[i - lead]));
  }
  return name + "[" + join(items) + "]";
}

void Smith::copyFrom(size_t number_, int tile, const std::string &step, size_t stepDim) {
  const Tensor tensor = tensors[number_];
  const Tile to = tiles[static_cast<size_t>(tile)];
  const size_t rank = to.shape.size(), lead = tensor.dims.size() - rank;
  std::vector<std::string> starts, insides;
  std::vector<int64_t> whole;
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    const Dim &dim = tensor.dims[i];
    whole.push_back(dim.isRuntime() ? 0 : dim.value);
    std::string start;
    if (i < lead) // constant ones must be inside
      start = d.chance(50) ? number(d.below(dim.isRuntime() ? 3 : dim.value)) : d.pick(grid).name;
    else
      start = !step.empty() && i - lead == stepDim ? step : offset(to.shape[i - lead]);
    starts.push_back(start);
    insides.push_back("0 <= " + start + (i < lead ? "" : std::string(" + ") + indexNames[i - lead]) + " < " +
                      dim.text);
  }
  std::string pad;
  if (step.empty() && !isPacked(to.kind) && d.chance(30)) {
    const int64_t value = d.between(std::max<int64_t>(to.facts.lo, -3), std::min<int64_t>(to.facts.hi, 5));
    pad = to.kind == Kind::Bool ? (value ? "true" : "false") : number(value);
  }
  const std::string padded = pad.empty() ? ");" : ", pad = " + pad + ");";

  const int64_t form = d.below(pad.empty() ? 8 : 6);
  const std::string target =
      d.chance(20) ? region(to.name, std::vector<std::string>(rank, "0"), to.shape, to.shape) : to.name;
  bool byElement = false;
  if (form < 3) {
    kernelLine("copy(" + tensor.name + "[" + join(starts) + "], " + target + padded);
  } else if (form < 5) {
    kernelLine("copy(" + region(tensor.name, starts, to.shape, whole) + ", " + to.name + padded);
  } else if (form == 5) {
    // A window, which may end before the tile does.
    const std::string window = fresh("w");
    std::vector<std::string> items(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(lead)), inner;
    for (size_t i = 0; i < rank; ++i) {
      const int64_t skip = d.chance(70) ? 0 : d.between(0, to.shape[i]);
      const int64_t length = d.chance(60) ? to.shape[i] + 2 : d.between(1, to.shape[i] + 2);
      items.push_back(starts[lead + i] + " - " + number(skip) + " +: " + number(length));
      inner.push_back(number(skip));
      insides.push_back(std::string(indexNames[i]) + " + " + number(skip) + " < " + number(length));
    }
    kernelLine("let " + window + " = " + tensor.name + "[" + join(items) + "];");
    kernelLine("copy(" + window + "[" + join(inner) + "], " + target + padded);
  } else {
    byElement = true;
  }
  openParallel(to.shape, byElement, true);
  const std::string value = conversion(to.kind, tensor.kind, element(tensor.name, starts, rank));
  const std::string at = element(to.name, std::vector<std::string>(rank, "0"), rank) + " = ";
  std::string inside;
  for (const std::string &c : insides)
    inside += (inside.empty() ? "" : " && ") + c;
  std::string zero = pad.empty() ? (to.kind == Kind::Bool ? "false" : "0") : pad;
  if (to.kind != Kind::Bool)
    zero = spell(computeKind(to.kind) == to.kind || isFloat(to.kind) ? to.kind : computeKind(to.kind)) + "(" +
           zero + ")";
  line({byElement ? at + value + ";" : "", at + "(" + inside + ") ? " + value + " : " + zero + ";"});
  close();
  tiles[static_cast<size_t>(tile)].isFilled = true;
}

/// Fills a new tile of this type, or `into`, from a tensor; −1 if there is no room for one. `step` is the
/// start in dimension `stepDim`, for which the pad is 0.
int Smith::load(Kind k, const Shape &shape, int64_t magnitude, int into, const std::string &step,
                size_t stepDim) {
  Kind from = k;
  if (isPacked(k) == false && k != Kind::Bool && d.chance(25)) {
    from = isFloat(k) ? (exact ? someKind() : d.pick({Kind::F16, Kind::F32, Kind::BF16})) : someKind();
    if (d.chance(10) && exact && k == Kind::I8)
      from = Kind::I4;
    if (!exact && !isFloat(k))
      from = k;
  }
  const Facts facts = converted(dataFacts(from, magnitude), k);
  const Facts within = hull(facts, {0, k == Kind::Bool ? 1 : 5});
  if (into >= 0 && !within.within(tiles[static_cast<size_t>(into)].facts))
    from = k;
  std::vector<size_t> usable;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &t = tensors[i];
    if (t.use == Use::In && t.kind == from && t.dims.size() >= shape.size() &&
        t.dims.size() <= shape.size() + 1 && t.facts.within(dataFacts(from, magnitude)))
      usable.push_back(i);
  }
  size_t tensor;
  if (!usable.empty() && d.chance(40)) {
    tensor = d.pick(usable);
  } else {
    std::vector<Dim> dims;
    if (d.chance(25))
      dims.push_back(someDim(d.between(1, 3), false));
    for (int64_t extent : shape) {
      const int64_t blocks = *std::max_element(gridExtents.begin(), gridExtents.end());
      const int64_t some = d.between(1, 3), pieces = d.chance(60) ? std::max(some, blocks) : some;
      dims.push_back(someDim(extent * pieces, false));
    }
    tensor = declareInput(from, dims, magnitude);
  }
  int tile = into;
  if (tile < 0)
    tile = makeTile(k, shape, hull(converted(tensors[tensor].facts, k), dataFacts(k, 3)));
  if (tile >= 0)
    copyFrom(tensor, tile, step, stepDim);
  return tile;
}

/// In the oracle, the tile as it is now under another name.
std::string Smith::oldCopy(int tile) {
  const Tile &from = tiles[static_cast<size_t>(tile)];
  std::vector<std::string> parts;
  for (int64_t extent : from.shape)
    parts.push_back(number(extent));
  const std::string old = from.name + "_old";
  oracleLine("shared " + old + ": " + spell(from.kind) + "[" + join(parts) + "];");
  openParallel(from.shape, false, true);
  const std::vector<std::string> zeros(from.shape.size(), "0");
  oracleLine(element(old, zeros, zeros.size()) + " = " + element(from.name, zeros, zeros.size()) + ";");
  close();
  return old;
}

/// A tile into a new one of another place or type.
void Smith::copyTiles() {
  const int from = findTile([](const Tile &) { return true; });
  if (from < 0)
    return;
  const Tile source = tiles[static_cast<size_t>(from)];
  Kind k = d.chance(50) ? source.kind : someKind();
  if (k == Kind::Bool || source.kind == Kind::Bool || (!source.facts.whole && !isFloat(k)) ||
      (source.facts.error && errorOf(k) < source.facts.error))
    k = source.kind;
  const int to = makeTile(k, source.shape, converted(source.facts, k));
  if (to < 0)
    return;
  const Tile &target = tiles[static_cast<size_t>(to)];
  kernelLine("copy(" + source.name + ", " + target.name + ");");
  openParallel(source.shape, false, true);
  const std::vector<std::string> zeros(source.shape.size(), "0");
  oracleLine(element(target.name, zeros, zeros.size()) + " = " +
             conversion(k, source.kind, element(source.name, zeros, zeros.size())) + ";");
  close();
  tiles[static_cast<size_t>(to)].isFilled = true;
}

/// A part of a tile into a part of another, or of itself.
void Smith::copyRegion() {
  const int from = findTile([](const Tile &) { return true; });
  if (from < 0)
    return;
  const Tile source = tiles[static_cast<size_t>(from)];
  const int to = findTile([&](const Tile &t) {
    return !t.isFrozen && t.shape.size() == source.shape.size() &&
           (t.kind == Kind::Bool) == (source.kind == Kind::Bool) &&
           converted(source.facts, t.kind).within(t.facts) && (!isPacked(t.kind) || t.kind == source.kind) &&
           (source.facts.whole || isFloat(t.kind));
  });
  if (to < 0)
    return;
  const Tile target = tiles[static_cast<size_t>(to)];
  Shape extents;
  std::vector<std::string> at, into;
  for (size_t i = 0; i < source.shape.size(); ++i) {
    const int64_t most = std::min(source.shape[i], target.shape[i]);
    const int64_t extent = d.chance(50) ? most : d.between(1, most);
    extents.push_back(extent);
    at.push_back(number(d.between(0, source.shape[i] - extent)));
    const int64_t slack = target.shape[i] - extent;
    std::string start = number(d.between(0, slack));
    for (const Scalar &s : blockScalars)
      if (s.kind == Kind::I64 && s.facts.lo >= 0 && s.facts.hi <= slack && d.chance(40))
        start = s.name;
    into.push_back(start);
  }
  const std::string first = region(source.name, at, extents, source.shape);
  kernelLine("copy(" + first + ", " + region(target.name, into, extents, target.shape) + ");");
  std::string name = source.name;
  if (from == to) {
    oracleLine("{");
    ++oracleDepth;
    name = oldCopy(from);
  }
  openParallel(extents, false, true);
  oracleLine(element(target.name, into, extents.size()) + " = " +
             conversion(target.kind, source.kind, element(name, at, extents.size())) + ";");
  close();
  if (from == to) {
    --oracleDepth;
    oracleLine("}");
  }
}

void Smith::fillTile() {
  const int tile = findTile([](const Tile &t) { return !t.isFrozen && t.kind != Kind::Bool; });
  if (tile < 0)
    return;
  const Tile to = tiles[static_cast<size_t>(tile)];
  const std::string value =
      number(d.between(std::max<int64_t>(to.facts.lo, -4), std::min<int64_t>(to.facts.hi, 6)));
  Shape extents = to.shape;
  std::vector<std::string> starts(to.shape.size(), "0");
  const bool part = d.chance(60);
  for (size_t i = 0; part && i < extents.size(); ++i) {
    extents[i] = d.between(1, to.shape[i]);
    starts[i] = number(d.between(0, to.shape[i] - extents[i]));
  }
  const std::string where = part ? region(to.name, starts, extents, to.shape) : to.name;
  const bool isClear = to.facts.lo <= 0 && to.facts.hi >= 0 && d.chance(30);
  kernelLine(isClear ? "clear(" + where + ");" : "fill(" + where + ", " + value + ");");
  openParallel(extents, false, true);
  oracleLine(element(to.name, starts, extents.size()) + " = " + (isClear ? "0" : value) + ";");
  close();
}

void Smith::transposeTiles() {
  const int from = findTile([](const Tile &t) { return t.shape.size() == 2 && !isPacked(t.kind); });
  if (from < 0)
    return;
  const Tile source = tiles[static_cast<size_t>(from)];
  Kind k = d.chance(70) || source.kind == Kind::Bool ? source.kind : someKind();
  if (k == Kind::Bool || (!source.facts.whole && !isFloat(k)) ||
      (source.facts.error && errorOf(k) < source.facts.error))
    k = source.kind;
  const int to = makeTile(k, {source.shape[1], source.shape[0]}, converted(source.facts, k));
  if (to < 0)
    return;
  Tile &target = tiles[static_cast<size_t>(to)];
  kernelLine("transpose(" + source.name + ", " + target.name + ");");
  openParallel(target.shape, false, true);
  oracleLine(target.name + "[i, j] = " + conversion(k, source.kind, source.name + "[j, i]") + ";");
  close();
  target.isFilled = true;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void Smith::store(int tile) {
  const Tile from = tiles[static_cast<size_t>(tile)];
  Kind k = from.kind;
  if (from.kind != Kind::Bool && d.chance(35)) {
    const Kind other = someKind();
    const bool fine = other != Kind::Bool && (from.facts.whole || isFloat(other)) &&
                      (!from.facts.error || errorOf(other) >= from.facts.error);
    if (fine)
      k = other;
  }
  std::vector<std::string> starts;
  const size_t number_ = declareOutput(k, from.shape, starts);
  Tensor &to = tensors[number_];
  to.facts = converted(from.facts, k);
  const size_t rank = from.shape.size();
  const std::vector<std::string> zeros(rank, "0");
  const std::string target = element(to.name, starts, rank);
  const std::string value = conversion(k, from.kind, element(from.name, zeros, rank));
  // Integers wrap: their old values may be added to.
  if (isInteger(k) && d.chance(20)) {
    to.use = Use::InOut;
    to.facts = dataFacts(k, 100);
    openParallel(from.shape);
    line(target + " = " + target + " + " + value + ";");
    close();
    return;
  }
  std::vector<int64_t> whole;
  for (const Dim &dim : to.dims)
    whole.push_back(dim.isRuntime() ? 0 : dim.value);
  const int64_t form = d.below(6);
  if (form < 3)
    kernelLine("copy(" + from.name + ", " + to.name + "[" + join(starts) + "]);");
  else if (form < 5)
    kernelLine("copy(" + from.name + ", " + region(to.name, starts, from.shape, whole) + ");");
  openParallel(from.shape, form == 5, true);
  line({form == 5 ? target + " = " + value + ";" : "", target + " = " + value + ";"});
  close();
}

/// The tiles of the grid's scope into outputs, so that most of what was computed is seen.
void Smith::storeAll() {
  int stored = 0;
  for (size_t i = tiles.size(); i-- > 0 && stored < 6;)
    if (tiles[i].isFilled && (stored == 0 || d.chance(70))) {
      store(static_cast<int>(i));
      ++stored;
    }
}
