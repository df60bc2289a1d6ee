//===- LayoutCommand.cpp - tilec layout 'TEXT' ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the command line is a file of its own to the diagnostics, so that mistakes in it have a place.
// What a layout may be used for is the type verifiers' business: they are asked for a tile of the shape.
//
//===----------------------------------------------------------------------===//
#include "LayoutCommand.h"

#include "Compilation.h"
#include "MlirDiagnostics.h"
#include "MlirText.h"
#include "mlir/AsmParser/AsmParser.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Driver/OutputTransaction.h"
#include "tilec/Layout/Draw.h"
#include "tilec/Support/Diagnostics.h"

namespace tilec {
namespace {

/// How each layout is written; test/Driver/layout.test draws them.
constexpr llvm::StringLiteral forms[] = {
    "#tile.blocked<vector = [1, 4], lanes = [1, 32], warps = [4, 1], reps = [2, 1]>",
    "#tile.mma<acc, bits = 32, warps = [2, 2], reps = [2, 4]>",
    "#tile.wgmma_acc<n = 128, warpgroups = [2, 1], reps = [1, 1]>",
    "#tile.wgmma_a<bits = 16, warpgroups = [2, 1], reps = [1, 8]>",
    "#tile.rows<#tile.mma<acc, bits = 32, warps = [2, 2], reps = [2, 4]>, axis = 1>",
    "#tile.unit<#tile.blocked<vector = [4], lanes = [32], warps = [4], reps = [1]>, axis = 1>",
    "#tile.panels<64, sw128>",
    "#tile.strided<[72, 1]>",
};

/// The layout in whose brackets the place is, or else the last one before it.
llvm::StringRef layoutAround(llvm::StringRef text, size_t place) {
  unsigned closed = 0;
  for (size_t i = place; i-- > 0;) {
    closed += text[i] == '>';
    if (text[i] != '<' || (closed && closed--))
      continue;
    llvm::StringRef name = text.take_front(i);
    if (size_t begin = name.rfind("#tile."); begin != llvm::StringRef::npos)
      return name.drop_front(begin);
  }
  size_t last = text.take_front(place).rfind("#tile.");
  return last == llvm::StringRef::npos ? "" : text.drop_front(last).split('<').first;
}

class LayoutCommand {
public:
  LayoutCommand(const Options &options, SourceManager &sources, DiagnosticEngine &diags)
      : options(options), diags(diags), file(sources.addText("<layout>", options.input)),
        name(sources.getPortableName(file)), context(createContext()) {}

  int run();

private:
  /// Null after an error.
  tile::LayoutAttrInterface parse();
  /// The extents of --shape, or else the box that a distributed layout fills. False after an error.
  bool readShape(tile::LayoutAttrInterface layout, llvm::SmallVectorImpl<int64_t> &extents);
  bool suits(tile::LayoutAttrInterface layout, llvm::ArrayRef<int64_t> extents);
  void report(mlir::Diagnostic &diag);

  const Options &options;
  DiagnosticEngine &diags;
  FileId file;
  std::string name;
  std::unique_ptr<mlir::MLIRContext> context;
};

tile::LayoutAttrInterface LayoutCommand::parse() {
  if (!checkMlirText(file, diags))
    return {};
  mlir::Attribute attribute = mlir::parseAttribute(options.input, context.get());
  if (!attribute)
    return {};
  auto layout = mlir::dyn_cast<tile::LayoutAttrInterface>(attribute);
  if (!layout)
    diags.report(DiagId::NotALayout, {file, 0, static_cast<uint32_t>(options.input.size())}, options.input)
        .note("layouts are written as in MLIR text: '#tile.mma<acc, bits = 32, warps = [2, 2], reps = [1, "
              "1]>'");
  return layout;
}

bool LayoutCommand::readShape(tile::LayoutAttrInterface layout, llvm::SmallVectorImpl<int64_t> &extents) {
  if (options.shape.empty()) {
    if (layout.isDistributed()) {
      llvm::append_range(extents, layout.toLinear().getBounds());
      return true;
    }
    diags.reportWithoutLocation(DiagId::ShapeMissing, options.input);
    return false;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(options.shape).split(parts, 'x');
  for (llvm::StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 1) {
      diags.reportWithoutLocation(DiagId::ShapeForm, options.shape);
      return false;
    }
    extents.push_back(extent);
  }
  return true;
}

bool LayoutCommand::suits(tile::LayoutAttrInterface layout, llvm::ArrayRef<int64_t> extents) {
  mlir::Location start = mlir::FileLineColLoc::get(context.get(), name, 1, 1);
  auto emitError = [&] { return mlir::emitError(start); };
  mlir::Type element = mlir::IntegerType::get(context.get(), options.elementBits);
  mlir::Attribute attribute = layout;
  return layout.isDistributed()
             ? tile::FragmentType::getChecked(emitError, context.get(), extents, element, attribute) !=
                   nullptr
             : tile::SharedType::getChecked(emitError, context.get(), extents, element, attribute) != nullptr;
}

void LayoutCommand::report(mlir::Diagnostic &diag) {
  const std::string given = diag.str();
  std::string text = plainMlirText(given);
  if (text.empty())
    return;
  auto place = mlir::dyn_cast<mlir::FileLineColLoc>(diag.getLocation());
  SourceRange range =
      place ? rangeOf(name, place.getLine(), place.getColumn(), diags.getSources()) : SourceRange(file, 0, 0);
  llvm::StringRef parsed(given);
  if (parsed.starts_with("unknown attribute `") || parsed.starts_with("undefined symbol alias") ||
      parsed == "expected attribute value") {
    std::string names;
    for (llvm::StringRef form : forms)
      names += (names.empty() ? "'" : ", '") + form.split('<').first.str() + "'";
    diags.report(DiagId::BackEndError, range, "there is no such layout").note("layouts are " + names);
    return;
  }
  DiagnosticBuilder error = diags.report(DiagId::BackEndError, range, text);
  if (!parsed.starts_with("expected ") && text == given)
    return; // understood, but no layout that could be
  llvm::StringRef around = layoutAround(options.input, range.begin);
  for (llvm::StringRef form : forms)
    if (form.split('<').first == around)
      error.note("it is written as '" + form + "'");
}

int LayoutCommand::run() {
  // The parser calls its input by its text: whatever it reports is in ours.
  mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic &diag) { report(diag); });
  tile::LayoutAttrInterface layout = parse();
  llvm::SmallVector<int64_t> extents;
  if (!layout || !readShape(layout, extents) || !suits(layout, extents))
    return ExitInput;

  std::string shape;
  for (int64_t extent : extents)
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  LayoutPicture picture{options.input + (shape.empty() ? "" : " for " + shape),
                        layout.toLinearFor(extents, options.elementBits), extents, !layout.isDistributed(),
                        options.elementBits};
  std::string drawing;
  llvm::raw_string_ostream os(drawing);
  (options.svg ? drawSvg : drawText)(picture, os);
  OutputTransaction transaction;
  transaction.add(options.output.empty() ? "-" : options.output, std::move(drawing));
  return transaction.commit(diags) ? ExitOk : ExitEnvironment;
}

} // namespace

int runLayout(const Options &options, SourceManager &sources, DiagnosticEngine &diags) {
  return LayoutCommand(options, sources, diags).run();
}

} // namespace tilec
