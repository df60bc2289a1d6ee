//===- ImportBody.h - expressions and statements to the tile dialect -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports the statements of one isolated region (a kernel or a launch program). Everything with a name is a
// slot: variables and fragments are reassigned, the references of tensors, windows and shared tiles are set
// once. Jumps are flags, which are slots as well (see ImportControl.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TILEC_FRONTEND_LIB_IMPORTBODY_H
#define TILEC_FRONTEND_LIB_IMPORTBODY_H

#include "ImportEffects.h"
#include "ImportScalar.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Dialect/Tile/Utils/StructuredSSA.h"
#include <array>

namespace tilec::frontend {

class BodyImporter {
public:
  BodyImporter(ScalarBuilder &scalars, const SourceManager &sources)
      : scalars(scalars), builder(scalars.builder), sources(sources) {}

  /// Names a value: a variable or an object.
  void define(const void *name, mlir::Value value) { slots.define(name, value); }
  mlir::Value get(const void *name) const { return slots.get(name); }

  void importList(llvm::ArrayRef<hir::Stmt *> list);
  mlir::Value importExpr(const hir::Expr *expr);
  llvm::SmallVector<mlir::Value> importExprs(llvm::ArrayRef<hir::Expr *> exprs);
  /// As a size: an i64 attribute where it is constant.
  mlir::OpFoldResult importSize(const hir::Expr *expr);

  /// Puts the location of what follows at a range, inside the calls that are being inlined.
  mlir::Location at(SourceRange range);

private:
  using Key = const void *;
  using Body = llvm::function_ref<void()>;

  //===--- Expressions (ImportExpr.cpp) ---===//
  mlir::Value importNode(const hir::Expr *expr);
  mlir::Value importArithmetic(const hir::Expr *expr);
  mlir::Value importLazyLogic(const hir::Binary *expr);
  mlir::Value importLogicTerms(mlir::Value result, llvm::ArrayRef<const hir::Expr *> terms, bool isAnd);
  mlir::Value importConditional(const hir::Conditional *expr);
  mlir::Value importElementRead(const hir::ElementRead *expr);
  mlir::Value importInlineCall(const hir::InlineCall *expr);
  /// Whether evaluating the expression where the program would not is legal and costs little.
  bool isSpeculatable(const hir::Expr *expr) const;
  bool spend(const hir::Expr *expr, int &budget) const;
  bool isReadInsideFragment(const hir::ElementRead *read) const;
  /// Runs `body` in a region of its own: what it evaluates is not known outside of it.
  mlir::Value inRegion(llvm::function_ref<mlir::Value()> body);

  //===--- Control flow (ImportControl.cpp) ---===//
  void importStmt(const hir::Stmt *stmt);
  void importStmtNode(const hir::Stmt *stmt);
  void importIf(const hir::If *stmt, llvm::ArrayRef<hir::Stmt *> rest);
  void importFlat(llvm::ArrayRef<hir::Stmt *> list);
  void declarePlaceholder(const hir::Stmt *stmt);
  void importThenGuarded(unsigned jumps, SourceRange range, Body body, llvm::ArrayRef<hir::Stmt *> rest);
  void keepingUnaskedFlags(unsigned jumps, Body body);
  void guard(unsigned jumps, SourceRange range, const Effects &effects, Body body);
  /// Runs `body` with no node evaluated: those of another statement.
  void withFreshNodes(Body body);
  void importFor(const hir::For *loop);
  void importForLoop(const hir::For *loop);
  void importWhile(const hir::While *loop);
  void importWhileLoop(const hir::While *loop);
  void enterLoop(unsigned exits);
  void importLoopBody(unsigned exits, llvm::ArrayRef<hir::Stmt *> body);
  void importParallel(const hir::Parallel *loop);
  void importInlineBlock(const hir::InlineBlock *block);
  void importParts(llvm::ArrayRef<hir::StmtList> parts);
  void importJump(const hir::Stmt *stmt);
  struct LoopSpace importLoopSpace(const hir::For *loop);
  void buildIf(SourceRange range, mlir::Value condition, const Effects &effects, Body thenBody,
               Body elseBody = nullptr);
  /// What a region with these effects carries out of it.
  llvm::SmallVector<Key> carriedOut(const Effects &effects) const;
  mlir::Value jumpTaken(unsigned jumps);
  Key newFlag();

  //===--- Tiles (ImportTiles.cpp) ---===//
  void importTileDecl(const hir::TileDecl *decl);
  void importWindowDecl(const hir::WindowDecl *decl);
  void importViewDecl(const hir::ViewDecl *decl);
  void importElementWrite(const hir::ElementWrite *stmt);
  void importElementUpdate(const hir::ElementUpdate *stmt);
  void importElementAtomic(const hir::ElementAtomic *stmt);
  void importCopy(const hir::Copy *copy);
  void importGemm(const hir::Gemm *gemm);
  void importFill(const hir::Fill *fill);
  void importReduce(const hir::Reduce *reduce);
  void importScan(const hir::Scan *scan);
  void importTranspose(const hir::Transpose *transpose);
  void importRegionAtomic(const hir::RegionAtomic *atomic);
  void importPrint(const hir::Print *print);

  mlir::Value loadForCopy(const hir::Copy *copy, llvm::ArrayRef<mlir::Value> offsets, mlir::Value pad,
                          llvm::ArrayRef<int64_t> shape);
  mlir::Value exactPad(mlir::Value pad, ScalarType from, ScalarType to);
  /// The elements of a region of a fragment; unit extents as it comes.
  mlir::Value readFragmentRegion(const hir::Region &region, llvm::ArrayRef<mlir::Value> offsets);
  void writeFragmentRegion(const hir::Region &region, llvm::ArrayRef<mlir::Value> offsets, mlir::Value value);
  /// A whole tile as a fragment, loaded if it is shared, and back.
  mlir::Value readTile(const hir::Object *tile);
  void writeTile(const hir::Object *tile, mlir::Value value);
  mlir::Value convert(mlir::Value fragment, mlir::Type element);
  mlir::Value reshape(mlir::Value fragment, llvm::ArrayRef<int64_t> shape);
  mlir::Type elementTypeOf(const hir::Object *object) const {
    return elementType(object->element, builder.getContext());
  }

  ScalarBuilder &scalars;
  mlir::OpBuilder &builder;
  const SourceManager &sources;
  EffectsAnalysis effects;
  tile::SlotMap<Key> slots;

  /// The nodes that the statement at hand has evaluated, in order: a node is evaluated once, however many
  /// parents it has.
  llvm::DenseMap<const hir::Expr *, mlir::Value> evaluated;
  llvm::SmallVector<const hir::Expr *> evaluationOrder;

  /// Where the inlined calls around the current place stand, outermost first, folded into one location.
  std::optional<mlir::Location> caller;

  /// Flags of the innermost targets of jumps, and the slot of the result that a return sets.
  struct Targets {
    Key breakFlag = nullptr, continueFlag = nullptr, returnFlag = nullptr, result = nullptr;
    /// The jumps whose flags somebody asks behind the place at hand.
    unsigned needed = NoJump;

    std::array<std::pair<Jump, Key>, 3> flags() const {
      return {{{BreakJump, breakFlag}, {ContinueJump, continueFlag}, {ReturnJump, returnFlag}}};
    }
  } targets;
  std::deque<char> flags; // their addresses are the keys

  /// How many regions are open only because their content follows a jump.
  unsigned restDepth = 0;

  bool inParallel = false;
  /// Extents of the parallel indices in scope that are constant.
  llvm::DenseMap<const hir::Variable *, int64_t> indexExtents;
};

} // namespace tilec::frontend

#endif // TILEC_FRONTEND_LIB_IMPORTBODY_H
