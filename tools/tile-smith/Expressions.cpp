//===- Expressions.cpp - what is computed for an element ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of a compute type over elements of tiles and tensors, indices and scalars. Operands are brought
// within the range in which an operator is exact; indices into tiles are in bounds.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

using namespace tilec;
using namespace tilec::smith;

std::string Smith::conversion(Kind to, Kind from, const std::string &text) {
  if (to == from || (isPacked(to) && computeKind(to) == from) || (isPacked(from) && computeKind(from) == to))
    return text;
  return spell(to) + "(" + text + ")";
}

/// The value after a conversion to a compute type in which it is exact.
Expr Smith::toKind(Expr e, Kind from, Kind to) {
  if (isFloat(to) && e.facts.whole && e.facts.magnitude() > exactLimit(to) && from != Kind::Bool)
    e = fitted(std::move(e), computeKind(from), symmetric(exactLimit(to) / 4));
  return {conversion(to, from, e.text), converted(e.facts, to)};
}

/// Brings a value of compute type k into an interval that holds 0.
Expr Smith::fitted(Expr e, Kind k, const Facts &into) {
  if (e.facts.lo >= into.lo && e.facts.hi <= into.hi)
    return e;
  const int64_t lo = isFloat(k) || isSigned(k) ? into.lo : std::max<int64_t>(into.lo, 0), hi = into.hi;
  if (isInteger(k) && hi + 1 <= rangeOf(k).hi && (lo == 0 ? !isSigned(k) : lo <= -hi) && d.chance(50)) {
    e.text = Text("(") + e.text + Text(") % " + number(hi + 1));
    e.text = Text("(") + e.text + Text(")");
  } else if (!isFloat(k) && !isSigned(k)) {
    e.text = Text("min(") + e.text + Text(", " + number(hi) + ")");
  } else {
    e.text = Text("clamp(") + e.text + Text(", " + number(lo) + ", " + number(hi) + ")");
  }
  e.facts.lo = std::max(e.facts.lo, lo);
  e.facts.hi = std::min(e.facts.hi, hi);
  if (e.facts.lo > e.facts.hi) // an interval outside: all become the nearer end
    e.facts.lo = e.facts.hi = e.facts.lo > hi ? hi : lo;
  return e;
}

Expr Smith::literal(Kind k) {
  if (k == Kind::Bool)
    return {d.chance(50) ? "true" : "false", {0, 1}};
  const int64_t value = isFloat(k) || isSigned(k) ? d.between(-8, 8) : d.between(0, 15);
  return {spell(k) + "(" + number(value) + ")", {value, value}};
}

std::string Smith::indexInto(int64_t extent, const Place &at) {
  std::vector<std::string> choices;
  for (const Scalar &index : at.indices) {
    const int64_t n = index.facts.hi + 1;
    if (n <= extent) {
      choices.push_back(index.name);
      choices.push_back(number(extent - 1) + " - " + index.name);
    } else if (n % extent == 0 || d.chance(30)) {
      choices.push_back(index.name + " / " + number((n + extent - 1) / extent));
    }
    choices.push_back("(" + index.name + " + " + number(d.below(extent)) + ") % " + number(extent));
  }
  for (const Scalar &scalar : at.locals)
    if (scalar.kind == Kind::I64 && scalar.facts.lo >= 0 && scalar.facts.hi < extent)
      choices.push_back(scalar.name);
  if (!at.noOuterScalars)
    for (const Scalar &scalar : blockScalars)
      if (scalar.kind == Kind::I64 && scalar.facts.lo >= 0 && scalar.facts.hi < extent)
        choices.push_back(scalar.name);
  if (choices.empty() || d.chance(8))
    choices = {number(d.below(extent))};
  return d.pick(choices);
}

Expr Smith::elementLeaf(Kind k, Place &at) {
  std::vector<int> usable;
  for (int i = 0; i < static_cast<int>(tiles.size()); ++i) {
    const Tile &tile = tiles[static_cast<size_t>(i)];
    if (tile.isFilled && (at.smooth || tile.facts.whole) && (at.only < 0 || at.only == i) && at.banned != i)
      usable.push_back(i);
  }
  if (usable.empty())
    return literal(k);
  // Preferably one of the same shape: most programs are like that.
  std::vector<int> same;
  for (int i : usable)
    if (tiles[static_cast<size_t>(i)].shape.size() == at.indices.size())
      same.push_back(i);
  const int number = d.pick(!same.empty() && d.chance(70) ? same : usable);
  const Tile &tile = tiles[static_cast<size_t>(number)];
  bool isTarget = false;
  for (int target : at.targets)
    isTarget |= target == number;
  std::vector<std::string> items;
  bool plain = tile.shape.size() == at.indices.size();
  if (plain)
    for (size_t i = 0; i < tile.shape.size(); ++i)
      plain &= at.indices[i].facts.hi < tile.shape[i];
  if (isTarget && !plain)
    return literal(k);
  const bool old = isTarget && at.readsOld;
  if (plain && ((isTarget && !old) || d.chance(65)))
    for (const Scalar &index : at.indices)
      items.push_back(index.name);
  else
    for (int64_t extent : tile.shape)
      items.push_back(indexInto(extent, at));
  const std::string list = "[" + join(items) + "]";
  at.usedOld |= old;
  // A macro's parameter has a name of its own.
  const std::string name = at.only < 0 ? tile.name : "t";
  return toKind({{name + list, (old ? tile.name + "_old" : tile.name) + list}, tile.facts}, tile.kind, k);
}

/// An element of an input, anywhere: outside it is 0.
Expr Smith::tensorLeaf(Kind k, Place &at) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].use == Use::In && (at.smooth || tensors[i].facts.whole))
      inputs.push_back(i);
  if (inputs.empty() || at.noTensors)
    return literal(k);
  const Tensor &tensor = tensors[d.pick(inputs)];
  std::vector<std::string> items;
  for (size_t i = 0; i < tensor.dims.size(); ++i) {
    std::string item;
    if (!at.indices.empty())
      item = at.indices[std::min(at.indices.size() - 1, i)].name;
    if (item.empty() || d.chance(40)) {
      const Scalar &block = d.pick(grid);
      const std::string stride = number(d.pick(palette));
      item = block.name + " * " + stride + (item.empty() ? "" : " + " + item);
    }
    if (tensor.dims[i].isRuntime() && d.chance(15))
      item += " - " + number(d.between(1, 3));
    items.push_back(item);
  }
  // Read as bits of four, the smallest type has one of eight.
  return toKind({tensor.name + "[" + join(items) + "]", hull(tensor.facts, {0, 0})}, tensor.kind, k);
}

Expr Smith::scalarLeaf(Kind k, Place &at) {
  std::vector<const Scalar *> usable;
  for (const Scalar &scalar : at.indices)
    usable.push_back(&scalar);
  for (const Scalar &scalar : at.locals)
    usable.push_back(&scalar);
  if (!at.noOuterScalars) {
    for (const Scalar &scalar : blockScalars)
      usable.push_back(&scalar);
    for (const Scalar &scalar : grid)
      usable.push_back(&scalar);
    for (const Scalar &scalar : parameters)
      usable.push_back(&scalar);
  }
  std::vector<const Scalar *> whole;
  for (const Scalar *scalar : usable)
    if (at.smooth || scalar->facts.whole)
      whole.push_back(scalar);
  if (whole.empty())
    return literal(k);
  const Scalar &scalar = *d.pick(whole);
  return toKind({scalar.name, scalar.facts}, scalar.kind, k);
}

Expr Smith::leaf(Kind k, Place &at) {
  switch (d.below(10)) {
  case 0:
    return literal(k);
  case 1:
    return tensorLeaf(k, at);
  case 2:
  case 3:
    return scalarLeaf(k, at);
  default:
    return elementLeaf(k, at);
  }
}

Expr Smith::expression(Kind k, int depth, Place &at) {
  if (k == Kind::Bool) {
    if (depth > 0 && d.chance(70))
      return {Text("(") + condition(depth - 1, at) + Text(")"), {0, 1}};
    return leaf(k, at);
  }
  if (depth <= 0)
    return leaf(k, at);
  if (d.chance(12)) { // by way of another type
    const Kind other = computeKind(someKind());
    if (other != k && other != Kind::Bool)
      return toKind(expression(other, depth - 1, at), other, k);
  }
  if (d.chance(15)) {
    const Text c = condition(depth - 1, at);
    const Expr a = expression(k, depth - 1, at), b = expression(k, depth - 1, at);
    const Facts facts = hull(a.facts, b.facts);
    if (d.chance(50))
      return {Text("select(") + c + ", " + a.text + ", " + b.text + ")", facts};
    return {Text("(") + c + " ? " + a.text + " : " + b.text + ")", facts};
  }
  if (d.chance(8))
    return call(k, depth, at);
  return isFloat(k) ? floatOperator(k, depth, at) : integerOperator(k, depth, at);
}

Expr Smith::floatOperator(Kind k, int depth, Place &at) {
  const int64_t limit = exactLimit(k);
  Expr a = expression(k, depth - 1, at);
  switch (d.below(9)) {
  case 0:
  case 1:
  case 2: {
    const Expr b = fitted(expression(k, depth - 1, at), k, symmetric(limit / 2));
    a = fitted(std::move(a), k, symmetric(limit / 2));
    if (d.chance(60))
      return {Text("(") + a.text + " + " + b.text + ")", sum(a.facts, b.facts)};
    return {Text("(") + a.text + " - " + b.text + ")", sum(a.facts, product(b.facts, {-1, -1}))};
  }
  case 3:
  case 4: {
    const Expr b = fitted(expression(k, depth - 1, at), k, symmetric(k == Kind::BF16 ? 8 : 16));
    a = fitted(std::move(a), k, symmetric(limit / std::max<int64_t>(1, b.facts.magnitude())));
    return {Text("(") + a.text + " * " + b.text + ")", product(a.facts, b.facts)};
  }
  case 5: {
    const Expr b = fitted(expression(k, depth - 1, at), k, symmetric(4));
    const Expr c = fitted(expression(k, depth - 1, at), k, symmetric(limit / 2));
    a = fitted(std::move(a), k, symmetric(limit / 8));
    return {Text("fma(") + a.text + ", " + b.text + ", " + c.text + ")",
            sum(product(a.facts, b.facts), c.facts)};
  }
  case 6: {
    const Expr b = expression(k, depth - 1, at);
    const bool isMax = d.chance(50);
    return {Text(isMax ? "max(" : "min(") + a.text + ", " + b.text + ")", hull(a.facts, b.facts)};
  }
  case 7:
    return {Text("abs(") + a.text + ")", {0, a.facts.magnitude(), a.facts.whole, a.facts.error}};
  default: {
    // Halves are exact below the limit's half.
    a = fitted(std::move(a), k, symmetric(limit / 2));
    const char *round = d.pick({"floor(", "ceil(", "trunc(", "round("});
    const Facts half = {a.facts.lo / 2 - 1, a.facts.hi / 2 + 1};
    return {Text(round) + a.text + " * 0.5)", half};
  }
  }
}

Expr Smith::integerOperator(Kind k, int depth, Place &at) {
  const Expr a = expression(k, depth - 1, at);
  const Facts range = rangeOf(k);
  auto with = [&](const char *op, const Expr &b, const Facts &facts) {
    return Expr{Text("(") + a.text + op + b.text + ")", wrapped(facts, k)};
  };
  const std::string low = number(d.between(1, 7)), bits = number(bitsOf(k) - 1);
  switch (d.below(14)) {
  case 0:
  case 1: {
    const Expr b = expression(k, depth - 1, at);
    return with(" + ", b, sum(a.facts, b.facts));
  }
  case 2: {
    const Expr b = expression(k, depth - 1, at);
    return with(" - ", b, sum(a.facts, product(b.facts, {-1, -1})));
  }
  case 3: {
    const Expr b = expression(k, depth - 1, at);
    return with(" * ", b, product(a.facts, b.facts));
  }
  case 4:
    return {Text("(") + a.text + " / " + low + ")", a.facts};
  case 5: {
    const int64_t by = d.between(2, 17);
    return {Text("(") + a.text + " % " + number(by) + ")",
            {a.facts.lo < 0 ? 1 - by : 0, a.facts.hi > 0 ? by - 1 : 0}};
  }
  case 6: {
    const Expr b = expression(k, depth - 1, at);
    return with(d.pick({" & ", " | ", " ^ "}), b, range);
  }
  case 7:
    return {Text("(") + a.text + " & " + number(d.pick({1, 3, 7, 15, 127})) + ")",
            {0, std::min<int64_t>(127, range.hi)}};
  case 8: {
    const int64_t count = d.chance(10) ? bitsOf(k) : d.between(0, 3);
    if (count < bitsOf(k) || bitsOf(k) < 64)
      return {Text("(") + a.text + " << " + number(count) + ")", range};
    return {Text("(") + a.text + " << " + bits + ")", range};
  }
  case 9: {
    const Facts signs = {std::min<int64_t>(a.facts.lo, -1), std::max<int64_t>(a.facts.hi, 0)};
    return {Text("(") + a.text + " >> " + low + ")", isSigned(k) ? signs : Facts{0, a.facts.hi}};
  }
  case 10: {
    const Expr b = expression(k, depth - 1, at);
    const bool isMax = d.chance(50);
    return {Text(isMax ? "max(" : "min(") + a.text + ", " + b.text + ")", hull(a.facts, b.facts)};
  }
  case 11:
    if (isSigned(k)) // of the least number it wraps to itself
      return {Text("abs(") + a.text + ")", a.facts.lo <= range.lo ? range : Facts{0, a.facts.magnitude()}};
    return {Text("~") + a.text, range};
  case 12:
    return {Text(d.chance(50) ? "ceildiv(" : "floordiv(") + a.text + ", " + low + ")",
            {std::min<int64_t>(a.facts.lo, -1), plus(std::max<int64_t>(a.facts.hi, 0), 1)}};
  default: {
    // Variable shift counts and divisors, made safe by a mask.
    const Expr b = expression(k, depth - 1, at);
    const char *op = d.pick({" / ((", " % ((", " >> ((", " << (("});
    return {Text("(") + a.text + op + b.text + " & 7) + 1))", range};
  }
  }
}

/// A function of the file, made on first use.
Expr Smith::call(Kind k, int depth, Place &at) {
  const Expr a = fitted(expression(k, depth - 1, at), k, isFloat(k) ? symmetric(64) : rangeOf(k));
  const int64_t which = d.below(3);
  static const std::string texts[] = {
      "fn near<type E>(x: E) -> E {\n  var y = x;\n  while y > 9 { y = y - 8; }\n  return y;\n}\n",
      "fn steps<type E>(x: E) -> E {\n  var y: E = 0;\n  for i in range(5) {\n    if x < E(i) { break; }\n"
      "    y += E(i);\n  }\n  return y;\n}\n",
      "fn fold<type E>(x: E) -> E {\n  if x > 4 { return 8 - min(x, 8); }\n  return max(x, 0);\n}\n"};
  static constexpr const char *names[] = {"near(", "steps(", "fold("};
  const std::string &text = texts[which];
  if (std::find(functions.begin(), functions.end(), text) == functions.end())
    functions.push_back(text);
  Expr x = which == 0 ? fitted(a, k, isSigned(k) ? Facts{-100, 100} : Facts{0, 200}) : a;
  const Facts results[] = {{std::min<int64_t>(x.facts.lo, 0), 9}, {0, 10}, {0, 8}};
  return {Text(names[which]) + x.text + ")", results[which]};
}

Text Smith::condition(int depth, Place &at) {
  const int64_t which = d.below(depth > 0 ? 7 : 5);
  if (which >= 5) {
    const Text a = condition(depth - 1, at), b = condition(depth - 1, at);
    if (d.chance(20))
      return Text("!(") + a + ")";
    return Text("(") + a + (which == 5 ? " && " : " || ") + b + ")";
  }
  if (!at.indices.empty() && which < 2) {
    const Scalar &index = d.pick(at.indices);
    const std::string most = number(d.between(0, index.facts.hi + 1));
    switch (d.below(3)) {
    case 0:
      return index.name + d.pick({" < ", " >= ", " != "}) + most;
    case 1:
      return "1 <= " + index.name + " < " + most;
    default:
      return index.name + " % " + number(d.between(2, 4)) + " == 1";
    }
  }
  Kind k = computeKind(someKind());
  if (k == Kind::Bool)
    return leaf(k, at).text;
  const Expr a = expression(k, depth - 1, at);
  const std::string bound = number(isFloat(k) || isSigned(k) ? d.between(-3, 5) : d.between(0, 9));
  return Text("") + a.text + d.pick({" < ", " > ", " <= ", " >= ", " == ", " != "}) + bound;
}

/// A continuous function of a few elements, for outputs with a tolerance: a small error in an operand is a
/// small one in the result.
Expr Smith::smooth(Kind k, Place &at) {
  Expr x = elementLeaf(k, at);
  // Into −4 … 4, by a power of two.
  int64_t scale = 1;
  while (x.facts.magnitude() / scale > 4 && scale < (int64_t(1) << 40))
    scale *= 2;
  const std::string by = scale > 1 && scale < 4096 ? " * " + spell(k) + "(1.0 / " + number(scale) + ")" : "";
  if (scale >= 4096)
    x = fitted(std::move(x), k, symmetric(4));
  const Text v = Text("(") + x.text + by + ")";
  auto result = [&](const Text &text, int64_t lo, int64_t hi) {
    return Expr{text, {lo, hi, false, std::max(x.facts.error, errorOf(k))}};
  };
  const int64_t which = d.below(16);
  static constexpr const char *direct[] = {"exp(", "exp2(", "tanh(", "sigmoid(", "sin(", "cos(", "erf("};
  if (which < 7)
    return result(Text(direct[which]) + v + ")", -1, which < 2 ? 55 : 1);
  switch (which) {
  case 7:
    return result(Text("sqrt(abs(") + v + ") + 1)", 1, 3);
  case 8:
    return result(Text("rsqrt(abs(") + v + ") + 1)", 0, 1);
  case 9:
    return result(Text("rcp(abs(") + v + ") + 2)", 0, 1);
  case 10:
    return result(Text("log(abs(") + v + ") + 2)", 0, 2);
  case 11:
    return result(Text("log2(abs(") + v + ") + 2)", 1, 3);
  case 12:
    return result(Text("pow(abs(") + v + ") + 1, 0.75)", 1, 4);
  case 13:
    return result(Text("fma(") + v + ", 0.5, 3)", 1, 5);
  case 14:
    return result(Text("(") + v + " / (abs(" + v + ") + 1))", -1, 1);
  default:
    return result(Text("(") + v + " * 0.75 + 2)", -1, 5);
  }
}
