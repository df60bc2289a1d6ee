//===- Program.cpp - declarations and text --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the frame (threads, grid, extents, types), declares what statements ask for, and prints kernel,
// oracle and checks. Blocks write disjoint parts of outputs because every block index is the index of a
// dimension, or times the tile's extent the start in one.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

std::string smith::join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

static int64_t elements(const Shape &shape) {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  return n;
}

std::string Smith::extentText(int64_t extent) {
  return extent == namedExtent && !inMacro ? "E" : number(extent);
}

std::string Smith::extentList(const Shape &shape) {
  std::vector<std::string> parts;
  for (int64_t extent : shape)
    parts.push_back(extentText(extent));
  return join(parts);
}

Smith::Smith(uint64_t seed, bool medium) : d(seed), medium(medium) {
  exact = d.chance(80);
  threads = 32 * d.pick({1, 2, 3, 4, 4, 4, 5, 6, 8, 8});
  const std::vector<int64_t> some = {1,  2,  3,  4,  5,  7,  8,  8,  11, 13, 15,  16,  16, 17,
                                     19, 23, 24, 29, 31, 32, 32, 33, 37, 40, 41,  47,  48, 49,
                                     53, 61, 63, 64, 64, 65, 72, 80, 96, 97, 127, 128, 129};
  const int64_t extents = d.between(2, 4);
  for (int64_t i = 0; i < extents; ++i)
    palette.push_back(d.pick(some));
  const std::vector<Kind> all = {Kind::F16, Kind::F16,  Kind::BF16, Kind::F32,  Kind::F32,
                                 Kind::F64, Kind::TF32, Kind::E4M3, Kind::E5M2, Kind::I8,
                                 Kind::I16, Kind::I32,  Kind::I32,  Kind::I64,  Kind::U8,
                                 Kind::U16, Kind::U32,  Kind::U64,  Kind::Bool};
  const int64_t types = d.between(2, 4);
  while (static_cast<int64_t>(kinds.size()) < types) {
    const Kind k = d.pick(all);
    if (exact || isFloat(k))
      kinds.push_back(k);
  }
  if (d.chance(40)) {
    typeParameter = d.pick(kinds);
  }
  if (d.chance(30)) {
    namedExtent = palette[0];
    extentIsParameter = d.chance(70);
  }
  const int64_t rank = d.pick({1, 1, 1, 2, 2, 3});
  static constexpr const char *blocks[] = {"bx", "by", "bz"};
  for (int64_t g = 0; g < rank; ++g) {
    const int64_t extent = d.pick({1, 2, 2, 3, 4});
    gridExtents.push_back(extent);
    grid.push_back({blocks[g], Kind::I64, {0, extent - 1}});
    if (d.chance(50)) {
      const int64_t per = d.pick(palette);
      const Dim dim = {(extent - 1) * per + d.between(1, per), fresh("N")};
      runtimeDims.push_back(dim);
      // A dimension must be one of a tensor: this one carries nothing else.
      declareInput(d.pick({Kind::I8, Kind::F32}), {dim}, 8);
      gridTexts.push_back("ceildiv(" + dim.text + ", " + number(per) + ")");
    } else {
      gridTexts.push_back(number(extent));
    }
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void Smith::line(const Text &text) {
  if (!text.kernel.empty())
    body.kernel += std::string(2 * kernelDepth, ' ') + text.kernel + "\n";
  if (!text.oracle.empty())
    body.oracle += std::string(2 * oracleDepth, ' ') + text.oracle + "\n";
}

void Smith::open(const Text &head) {
  line({head.kernel.empty() ? "" : head.kernel + " {", head.oracle.empty() ? "" : head.oracle + " {"});
  opened.emplace_back(!head.kernel.empty(), !head.oracle.empty());
  kernelDepth += opened.back().first;
  oracleDepth += opened.back().second;
}

void Smith::close() {
  kernelDepth -= opened.back().first;
  oracleDepth -= opened.back().second;
  line({opened.back().first ? "}" : "", opened.back().second ? "}" : ""});
  opened.pop_back();
}

std::string Smith::fresh(const char *stem) { return stem + std::to_string(++names); }

std::string Smith::spell(Kind k) {
  return k == typeParameter && k != Kind::Bool && !inMacro ? "T" : std::string(elementInfo(k).name);
}

Kind Smith::someKind() { return d.pick(kinds); }

Shape Smith::someShape(size_t rank) {
  const int64_t most = medium ? 6144 : 2048;
  for (;;) {
    Shape shape;
    for (size_t i = 0; i < rank; ++i) {
      // The first of three dimensions is short.
      const bool isShort = rank == 3 && i == 0;
      shape.push_back(isShort ? d.between(1, 4) : d.pick(palette));
    }
    if (elements(shape) <= most)
      return shape;
    if (rank > 1)
      --rank;
  }
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t bytes(Kind k, const Shape &shape) { return storageBytes(k, elements(shape)); }
static int64_t registersOf(Kind k, const Shape &shape, int64_t threads) {
  return (elements(shape) + threads - 1) / threads * std::max<int64_t>(1, bitsOf(k) / 32);
}

bool Smith::fits(bool isShared, Kind k, const Shape &shape) const {
  return isShared ? sharedBytes + bytes(k, shape) <= 36 << 10
                  : registers + registersOf(k, shape, threads) <= 128;
}

int Smith::declareTile(bool isShared, Kind k, const Shape &shape, const Facts &facts, const char *fill) {
  Tile tile{fresh(isShared ? "s" : "r"), isShared, k, shape, facts};
  tile.isFilled = fill != nullptr;
  (isShared ? sharedBytes : registers) += isShared ? bytes(k, shape) : registersOf(k, shape, threads);
  const std::string rest = " " + tile.name + ": " + spell(k) + "[" + extentList(shape) + "]" +
                           (fill ? " = " + std::string(fill) : "") + ";";
  line({(isShared ? "shared" : "fragment") + rest, "shared" + rest});
  if (isShared && shape.size() >= 2 && !isPacked(k) && d.chance(8)) {
    const int64_t swizzle = d.pick({32, 64, 128});
    const bool fitsRows = shape.back() * bitsOf(k) / 8 % swizzle == 0;
    kernelLine("layout(" + tile.name + ", swizzle = " + (fitsRows ? number(swizzle) : "none") + ");");
  }
  tiles.push_back(std::move(tile));
  return static_cast<int>(tiles.size()) - 1;
}

int Smith::makeTile(Kind k, const Shape &shape, const Facts &facts, const char *fill) {
  bool isShared = d.chance(40);
  if (!fits(isShared, k, shape))
    isShared = !isShared;
  return fits(isShared, k, shape) ? declareTile(isShared, k, shape, facts, fill) : -1;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// What random data of the type are: whole numbers up to the magnitude, or normally distributed ones.
Facts Smith::dataFacts(Kind k, int64_t magnitude) const {
  if (k == Kind::Bool)
    return {0, 1};
  if (!exact && isFloat(k))
    return {-7, 7, false, 0};
  const Facts range = rangeOf(k);
  const int64_t most = std::min({magnitude, exactLimit(k), range.hi});
  return {std::max(-most, range.lo), most};
}

size_t Smith::declareInput(Kind k, std::vector<Dim> dims, int64_t magnitude) {
  Tensor tensor{fresh("A"), k, Use::In, std::move(dims), "", dataFacts(k, magnitude)};
  tensor.isNormal = !exact && isFloat(k);
  if (!isPacked(k) && d.chance(30))
    tensor.strides = someStrides(tensor.dims, true);
  tensors.push_back(std::move(tensor));
  return tensors.size() - 1;
}

/// About: what the program reaches. Smaller, larger and odd ones, constant or known at launch.
Dim Smith::someDim(int64_t about, bool isOutput) {
  int64_t value = about;
  switch (d.below(8)) {
  case 0:
    value = about + 1;
    break;
  case 1:
    value = about > 1 ? about - 1 : 1;
    break;
  case 2:
    value = about + d.between(1, 8);
    break;
  case 3:
    value = std::max<int64_t>(1, about - d.between(0, about / 2));
    break;
  case 4: // aligned rows
    value = (about + 15) / 16 * 16;
    break;
  default:
    break;
  }
  if (d.chance(45))
    return {value, number(value)};
  if (!isOutput)
    for (const Dim &dim : runtimeDims)
      if (dim.value == value && d.chance(50))
        return dim;
  runtimeDims.push_back({value, fresh("N")});
  return runtimeDims.back();
}

/// Strides that let no two elements share a place: the dimensions in some order, each as far as the ones
/// before it reach and some more.
std::string Smith::someStrides(const std::vector<Dim> &dims, bool isInput) {
  std::vector<size_t> inner;
  for (size_t i = dims.size(); i-- > 0;)
    inner.push_back(i);
  if (d.chance(40))
    d.shuffle(inner);
  std::vector<std::string> texts(dims.size());
  int64_t stride = d.chance(12) ? 2 : 1;
  bool known = true;
  for (size_t i : inner) {
    if (isInput && d.chance(4)) { // one row for all
      texts[i] = "0";
      continue;
    }
    if (known || d.chance(10)) {
      texts[i] = number(stride);
    } else {
      texts[i] = fresh("ld");
      runtimeStrides.push_back({stride, texts[i]});
    }
    stride = stride * dims[i].value + d.pick({0, 0, 1, 3, 8});
    known &= !dims[i].isRuntime() && d.chance(60);
  }
  return join(texts);
}

/// An output for a tile from every block. `starts` gets the region's items: the tile's dimensions in order,
/// with block indices and loop variables in dimensions of their own or times the extent in one of the tile's.
size_t Smith::declareOutput(Kind k, const Shape &tile, std::vector<std::string> &starts) {
  std::vector<Scalar> lone = grid;
  lone.insert(lone.end(), loopVariables.begin(), loopVariables.end());
  std::vector<Dim> inside;
  std::vector<std::string> insideStarts;
  for (int64_t extent : tile) {
    size_t g = lone.size();
    if (!lone.empty() && d.chance(60))
      g = static_cast<size_t>(d.below(static_cast<int64_t>(lone.size())));
    if (g == lone.size()) {
      inside.push_back(someDim(extent, true));
      insideStarts.push_back("0");
      continue;
    }
    inside.push_back(someDim(extent * (lone[g].facts.hi + 1), true));
    insideStarts.push_back(lone[g].name + " * " + number(extent));
    lone.erase(lone.begin() + static_cast<std::ptrdiff_t>(g));
  }
  d.shuffle(lone);
  std::vector<Dim> dims;
  starts.clear();
  for (const Scalar &g : lone) {
    dims.push_back({g.facts.hi + 1, number(g.facts.hi + 1)});
    starts.push_back(g.name);
  }
  dims.insert(dims.end(), inside.begin(), inside.end());
  starts.insert(starts.end(), insideStarts.begin(), insideStarts.end());
  Tensor tensor{fresh("C"), k, Use::Out, dims, "", {}};
  if (!isPacked(k) && d.chance(25))
    tensor.strides = someStrides(tensor.dims, false);
  tensors.push_back(std::move(tensor));
  return tensors.size() - 1;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

std::string Smith::signature(bool isOracle) {
  std::vector<std::string> parts;
  for (size_t i : order) {
    if (i >= tensors.size()) {
      const Scalar &scalar = parameters[i - tensors.size()];
      parts.push_back(scalar.name + ": " + spell(scalar.kind));
      continue;
    }
    const Tensor &tensor = tensors[i];
    std::vector<std::string> dims;
    for (const Dim &dim : tensor.dims)
      dims.push_back(dim.text);
    parts.push_back((tensor.use == Use::Out     ? "out "
                     : tensor.use == Use::InOut ? "inout "
                                                : "") +
                    tensor.name + ": " + spell(tensor.kind) + "[" + join(dims) + "]" +
                    (tensor.strides.empty() ? "" : " strides [" + tensor.strides + "]"));
  }
  std::string name = isOracle ? "oracle kernel smith_naive" : "kernel smith";
  std::vector<std::string> compileTime;
  if (typeParameter != Kind::Bool)
    compileTime.push_back("type T = " + std::string(elementInfo(typeParameter).name));
  if (namedExtent && extentIsParameter)
    compileTime.push_back("E = " + number(namedExtent));
  if (!compileTime.empty())
    name += "<" + join(compileTime) + ">";
  std::string text = name + "(";
  size_t column = text.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + (i + 1 < parts.size() ? "," : ")");
    if (column + part.size() > 108) {
      text += "\n   ";
      column = 3;
    }
    text += (i ? " " : "") + part;
    column += part.size() + 1;
  }
  text += "\n";
  for (size_t i = 0; i < facts.size(); ++i)
    text += (i ? ", " : "    where ") + facts[i];
  return facts.empty() ? text : text + "\n";
}

/// Facts that the check's sizes have; such a size is pinned for every check.
void Smith::drawFacts() {
  for (Dim &dim : runtimeDims) {
    if (!d.chance(12))
      continue;
    const int64_t of = d.pick({2, 4, 8, 16});
    if (dim.value % of == 0)
      facts.push_back(dim.text + " % " + number(of) + " == 0");
    else
      facts.push_back(dim.text + " >= " + number(std::min<int64_t>(dim.value, 2)));
    pinned.push_back(dim.text);
  }
}

/// With the sizes for which the program was made, or with smaller ones: whatever is outside is not there.
std::string Smith::check(bool isSmaller) {
  std::vector<std::string> values;
  for (const Dim &dim : runtimeDims) {
    int64_t value = dim.value;
    const bool isPinned = std::find(pinned.begin(), pinned.end(), dim.text) != pinned.end();
    if (isSmaller && !isPinned && d.chance(50))
      value = d.chance(30) ? d.below(2) : d.between(0, value);
    values.push_back(dim.text + " = " + number(std::min(value, dim.value)));
  }
  for (const Dim &stride : runtimeStrides)
    values.push_back(stride.text + " = " + number(stride.value));
  for (size_t i = 0; i < parameters.size(); ++i)
    values.push_back(parameters[i].name + " = " + number(parameterValues[i]));
  for (const Tensor &tensor : tensors)
    if (tensor.use != Use::Out && tensor.kind != Kind::Bool && !tensor.isNormal)
      values.push_back(tensor.name + " in range(" + number(tensor.facts.lo) + ", " +
                       number(tensor.facts.hi + 1) + ")");
  std::string text = "check smith {";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? " " : i % 6 == 0 ? ",\n    " : ", ") + values[i];
  text += " }\n    against smith_naive tolerance 0";
  for (const Tensor &tensor : tensors)
    if (tensor.use != Use::In && tensor.facts.error > 0)
      text += ", " + tensor.name + " " + toleranceOf(tensor.facts.error);
  return text + ";\n";
}

std::string Smith::program() {
  statements(static_cast<int>(d.between(3, medium ? 10 : 6)));
  if (findTile([](const Tile &) { return true; }) < 0)
    load(kinds[0], someShape(2), 8);
  storeAll();
  for (size_t i = 0; i < tensors.size() + parameters.size(); ++i)
    order.push_back(i);
  d.shuffle(order);
  drawFacts();

  std::string file;
  if (namedExtent && !extentIsParameter)
    file += "const E = " + number(namedExtent) + ";\n";
  for (const std::string &function : functions)
    file += function + "\n";
  std::vector<std::string> blocks;
  for (const Scalar &g : grid)
    blocks.push_back(g.name);
  const std::string head = "{\n  grid(" + join(gridTexts) + ", threads = ";
  const std::string tail = ") as (" + join(blocks) + ") {\n";
  const std::string persistent = d.chance(10) ? ", persistent = true" : "";
  const std::string raster = grid.size() > 1 && d.chance(15) ? "    rasterize(panel = 2);\n" : "";
  file += signature(false) + head + number(threads) + persistent + tail + raster + body.kernel + "  }\n}\n\n";
  file += signature(true) + head + "32" + tail + body.oracle + "  }\n}\n\n";
  file += check(false);
  return d.chance(50) ? file + check(true) : file;
}
