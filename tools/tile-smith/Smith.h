//===- Smith.h - one random program -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is written twice at once: as a kernel, in tiles, copies, products and folds, and as an oracle in
// which each of these statements is the scalar loop that the language defines it to be. Every tile of the
// kernel is a shared tile of the same name in the oracle.
//
// A tile keeps the facts that it got with its declaration: whatever is written to it later is first brought
// into its range. So facts do not depend on the order of execution, and loops and branches need no analysis.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_SMITH_SMITH_H
#define TILEC_SMITH_SMITH_H

#include "Draws.h"
#include "Facts.h"
#include <string>
#include <utility>
#include <vector>

namespace tilec::smith {

using Shape = std::vector<int64_t>;

/// A piece of program text, as the kernel and as the oracle have it.
struct Text {
  std::string kernel, oracle;
  Text() = default;
  Text(std::string both) : kernel(both), oracle(std::move(both)) {}
  Text(const char *both) : Text(std::string(both)) {}
  Text(std::string kernel, std::string oracle) : kernel(std::move(kernel)), oracle(std::move(oracle)) {}
  Text &operator+=(const Text &o) {
    kernel += o.kernel;
    oracle += o.oracle;
    return *this;
  }
};
inline Text operator+(Text a, const Text &b) { return a += b; }

struct Expr {
  Text text;
  Facts facts;
};

struct Dim {
  int64_t value;
  std::string text; ///< a number, or the name of a runtime dimension
  bool isRuntime() const { return text[0] >= 'A'; }
};

enum class Use { In, Out, InOut };

struct Tensor {
  std::string name;
  Kind kind;
  Use use;
  std::vector<Dim> dims;
  std::string strides; ///< their list, or empty
  Facts facts;         ///< of an output: the most that was written, for its tolerance
  bool isNormal = false;
};

struct Tile {
  std::string name;
  bool isShared;
  Kind kind;
  Shape shape;
  Facts facts;
  bool isFilled = false;
  bool isFrozen = false; ///< an accumulator: only what made it writes it
};

/// A scalar of the block or of an element.
struct Scalar {
  std::string name;
  Kind kind;
  Facts facts;
};

/// What an expression inside loops over elements may use.
struct Place {
  std::vector<Scalar> indices; ///< loop variables, from 0 to their facts' hi
  std::vector<Scalar> locals;
  std::vector<int> targets; ///< tiles that the loop writes, at `indices` alone
  bool readsOld = false;    ///< the one target, a fragment, may be read anywhere as it was before
  bool usedOld = false;     ///< set by an expression that did; the oracle then needs a copy
  int only = -1;            ///< the one tile to use, of a macro, instead of all
  int banned = -1;          ///< one that the loop updates and so may not read
  bool noTensors = false, noOuterScalars = false;
  bool smooth = false;
};

class Smith {
public:
  Smith(uint64_t seed, bool medium);
  std::string program();

private:
  // Program.cpp: declarations and text.
  void line(const Text &text);
  void kernelLine(const std::string &text) { line({text, ""}); }
  void oracleLine(const std::string &text) { line({"", text}); }
  void open(const Text &head);
  void close();
  std::string fresh(const char *stem);
  std::string spell(Kind k);
  std::string extentText(int64_t extent);
  std::string extentList(const Shape &shape);
  Kind someKind();
  Shape someShape(size_t rank);
  std::string signature(bool isOracle);
  void drawFacts();
  std::string check(bool isSmaller);
  int declareTile(bool isShared, Kind k, const Shape &shape, const Facts &facts, const char *fill = nullptr);
  bool fits(bool isShared, Kind k, const Shape &shape) const;
  int makeTile(Kind k, const Shape &shape, const Facts &facts, const char *fill = nullptr);
  size_t declareInput(Kind k, std::vector<Dim> dims, int64_t magnitude);
  size_t declareOutput(Kind k, const Shape &tile, std::vector<std::string> &starts);
  Dim someDim(int64_t about, bool isOutput);
  std::string someStrides(const std::vector<Dim> &dims, bool isInput);
  template <typename Predicate> int findTile(Predicate predicate);
  Facts dataFacts(Kind k, int64_t magnitude) const;

  // Expressions.cpp
  std::string conversion(Kind to, Kind from, const std::string &text);
  std::string conversion(Kind to, Kind from, const char *text) {
    return conversion(to, from, std::string(text));
  }
  Text conversion(Kind to, Kind from, const Text &text) {
    return {conversion(to, from, text.kernel), conversion(to, from, text.oracle)};
  }
  std::string number(int64_t value) { return std::to_string(value); }
  Expr literal(Kind k);
  Expr toKind(Expr e, Kind from, Kind to);
  Expr fitted(Expr e, Kind k, const Facts &into);
  Expr scalarLeaf(Kind k, Place &at);
  Expr elementLeaf(Kind k, Place &at);
  Expr tensorLeaf(Kind k, Place &at);
  std::string indexInto(int64_t extent, const Place &at);
  Expr leaf(Kind k, Place &at);
  Expr expression(Kind k, int depth, Place &at);
  Expr floatOperator(Kind k, int depth, Place &at);
  Expr integerOperator(Kind k, int depth, Place &at);
  Expr call(Kind k, int depth, Place &at);
  Text condition(int depth, Place &at);
  Expr smooth(Kind k, Place &at);

  // Moves.cpp
  std::string offset(int64_t extent);
  int load(Kind k, const Shape &shape, int64_t magnitude, int into = -1, const std::string &step = "",
           size_t stepDim = 0);
  void copyFrom(size_t tensor, int tile, const std::string &step, size_t stepDim);
  std::string region(const std::string &name, const std::vector<std::string> &starts, const Shape &extents,
                     const std::vector<int64_t> &whole);
  void copyTiles();
  void copyRegion();
  std::string oldCopy(int tile);
  void store(int tile);
  void storeAll();
  void fillTile();
  void transposeTiles();

  // Elementwise.cpp
  void elementwise();
  void writeElement(int target, const std::string &at, Place &place, bool guarded);
  void update();
  void macroCall();
  void smoothTile();
  void scalars();
  std::vector<Scalar> openParallel(const Shape &shape, bool inKernel = true, bool inOracle = true,
                                   const std::string &first = "");
  std::string runtimeValue(int64_t value);

  // Gemm.cpp
  void gemm();
  int narrowed(int source, Kind k, int64_t magnitude);

  // Folds.cpp
  void reduce();
  int reduceTarget(int x, size_t axis, std::string &op, bool accumulate, int64_t times);
  void reduceInto(int x, int r, size_t axis, const std::string &op, bool accumulate);
  void scan();
  void atomics();
  void openOracleLoops(const Shape &shape);
  void closeOracleLoops(const Shape &shape);

  // Control.cpp
  void statements(int count);
  void statement();
  void loop();
  void accumulate();
  void branch();
  Text loopHead(int64_t count, const std::string &variable);
  void exitLoop(const Scalar &variable);
  struct Scope {
    size_t tiles, scalars, variables;
    int64_t sharedBytes, registers, trips;
  };
  Scope enter(const Text &head, const Scalar *variable = nullptr);
  void leave(const Scope &scope);

  Draws d;
  const bool medium;
  bool exact = true;               ///< whole numbers; otherwise drawn from the normal distribution
  Kind typeParameter = Kind::Bool; ///< the type that is spelled T; none if bool
  int64_t namedExtent = 0;         ///< the extent that is spelled E; none if 0
  bool extentIsParameter = false;  ///< of the kernel; else a constant of the file
  int64_t threads = 128;
  std::vector<int64_t> palette; ///< extents, few so that tiles meet
  std::vector<Kind> kinds;
  std::vector<Scalar> grid, loopVariables;
  std::vector<int64_t> gridExtents;
  std::vector<std::string> gridTexts;
  std::vector<Dim> runtimeDims, runtimeStrides;
  std::vector<std::string> facts, pinned;
  std::vector<Scalar> parameters;
  std::vector<int64_t> parameterValues;
  std::vector<size_t> order; ///< parameters as declared: tensors, then scalars from `tensors.size()` on
  std::vector<Tensor> tensors;
  std::vector<Tile> tiles;
  std::vector<Scalar> blockScalars;
  std::vector<std::string> functions;
  Text body;
  std::vector<std::pair<bool, bool>> opened; ///< which of the two texts each open brace is in
  size_t kernelDepth = 2, oracleDepth = 2;
  int nesting = 0;
  int64_t trips = 1; ///< how often the place that is being written runs in a block, at most
  int64_t sharedBytes = 0, registers = 0;
  unsigned names = 0;
  bool inMacro = false; ///< whose text stands outside the kernel: T is unknown
};

template <typename Predicate> int Smith::findTile(Predicate predicate) {
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(tiles.size()); ++i)
    if (tiles[static_cast<size_t>(i)].isFilled && predicate(tiles[static_cast<size_t>(i)]))
      found.push_back(i);
  return found.empty() ? -1 : d.pick(found);
}

std::string join(const std::vector<std::string> &parts);

} // namespace tilec::smith

#endif // TILEC_SMITH_SMITH_H
