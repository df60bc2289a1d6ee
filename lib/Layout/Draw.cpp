//===- Draw.cpp - layouts to look at ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both forms ask the same object for what they show: a tile is a sequence of planes (one but for tiles of
// rank 3 and up), a plane has rows and columns, and only cells that are shown are computed.
//
//===----------------------------------------------------------------------===//

#include "tilec/Layout/Draw.h"
#include "tilec/Layout/Locator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace tilec {

namespace {

/// The most that is shown.
struct Room {
  int64_t planes, rows, cols;
};
constexpr Room kTextRoom = {4, 64, 32}, kSvgRoom = {4, 128, 256};

/// Elements of a line (a tile of rank 1) in one row.
constexpr int64_t kLine = 16;

struct Cell {
  std::string label, title;
  std::optional<Position> place; ///< nothing: no thread, no offset has this element
};

class Picture {
public:
  Picture(const LayoutPicture &picture, Room room)
      : picture(picture), locator(picture.layout), owner(picture.layout.ownerPredicate()) {
    ArrayRef<int64_t> extents = picture.extents;
    if (extents.size() == 1) {
      all = {1, static_cast<int64_t>(divideCeil(extents[0], kLine)), std::min(extents[0], kLine)};
    } else if (!extents.empty()) {
      ArrayRef<int64_t> leading = extents.drop_back(2);
      all = {1, extents[extents.size() - 2], extents.back()};
      for (int64_t extent : leading)
        all.planes =
            SaturatingMultiply<uint64_t>(all.planes, extent) > INT32_MAX ? INT32_MAX : all.planes * extent;
    }
    shown = {std::min(all.planes, room.planes), std::min(all.rows, room.rows), std::min(all.cols, room.cols)};
  }

  /// The coordinates of a cell; beyond the extents in the last row of a line.
  Coord getCoord(int64_t plane, int64_t row, int64_t col) const;
  bool exists(int64_t row, int64_t col) const {
    return picture.extents.size() != 1 || row * kLine + col < picture.extents[0];
  }
  Cell getCell(int64_t plane, int64_t row, int64_t col) const;
  /// What stands in front of a row: its coordinate, or that of its first element in a line.
  int64_t getRowLabel(int64_t row) const { return picture.extents.size() == 1 ? row * kLine : row; }
  /// "plane (1, 0)", for tiles of rank 3 and up.
  std::string getPlaneLabel(int64_t plane) const;
  /// Facts, a line each.
  SmallVector<std::string> getFacts() const;
  /// How many places hold an element.
  int64_t getNumHolders() const;
  /// What is left out, or "".
  std::string getOmitted() const;
  int64_t bankOf(int64_t offset) const { return offset * picture.elementBits / 32 % 32; }

  const LayoutPicture &picture;
  Room all{1, 1, 1}, shown{1, 1, 1};

private:
  Locator locator;
  OwnerPredicate owner;
};

Coord Picture::getCoord(int64_t plane, int64_t row, int64_t col) const {
  unsigned rank = picture.extents.size();
  Coord coord(rank, 0);
  if (rank == 1)
    coord[0] = row * kLine + col;
  if (rank < 2)
    return coord;
  coord[rank - 2] = row;
  coord[rank - 1] = col;
  for (unsigned dim = rank - 2; dim-- > 0; plane /= picture.extents[dim])
    coord[dim] = plane % picture.extents[dim];
  return coord;
}

std::string Picture::getPlaneLabel(int64_t plane) const {
  Coord coord = getCoord(plane, 0, 0);
  std::string text;
  raw_string_ostream os(text);
  os << "plane (";
  interleaveComma(ArrayRef(coord).drop_back(2), os);
  os << ")";
  return text;
}

int64_t Picture::getNumHolders() const {
  int64_t holders = int64_t(1) << (popcount(uint64_t(owner.registerMask)) +
                                   popcount(uint64_t(owner.laneMask)) + popcount(uint64_t(owner.warpMask)));
  for (const LayoutFactor &factor : owner.zeroDigits)
    holders *= factor.size;
  return holders;
}

Cell Picture::getCell(int64_t plane, int64_t row, int64_t col) const {
  Coord coord = getCoord(plane, row, col);
  Cell cell;
  raw_string_ostream label(cell.label), title(cell.title);
  title << "(";
  interleaveComma(coord, title);
  title << "): ";
  cell.place = locator.locate(coord);
  if (!cell.place) {
    label << "-";
    title << "nowhere";
  } else if (picture.isMemory) {
    int64_t offset = cell.place->offset, bank = bankOf(offset);
    label << offset << ":b" << bank;
    title << "offset " << offset << ", bank " << bank;
  } else {
    int64_t thread = cell.place->warp * 32 + cell.place->lane;
    label << "T" << thread << ":r" << cell.place->reg;
    title << "thread " << thread << " (warp " << cell.place->warp << ", lane " << cell.place->lane
          << "), register " << cell.place->reg;
    if (int64_t others = getNumHolders() - 1)
      title << ", and " << others << " more";
  }
  return cell;
}

SmallVector<std::string> Picture::getFacts() const {
  const Layout &layout = picture.layout;
  SmallVector<std::string> facts;
  auto count = [](int64_t number, StringRef what) {
    return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
  };
  if (picture.isMemory) {
    int64_t offsets = layout.getNumPlaces(Place::Offset);
    facts.push_back(count(offsets, "offset") + " of " + count(picture.elementBits, "bit") + ", " +
                    count(divideCeil(offsets * picture.elementBits, 8), "byte"));
  } else {
    facts.push_back(count(layout.getNumWarps(), "warp") + ", " + count(layout.getNumRegisters(), "register") +
                    " a thread");
    if (int64_t holders = getNumHolders(); holders > 1)
      facts.push_back("every element is held " + std::to_string(holders) + " times; the owner is shown");
    for (unsigned dim = 0; dim < layout.getRank(); ++dim)
      if (int64_t width = layout.vectorWidth(dim); width > 1)
        facts.push_back("vectors of " + std::to_string(width) + " along dimension " + std::to_string(dim));
  }
  if (!layout.covers(picture.extents))
    facts.push_back("does not cover the tile");
  return facts;
}

std::string Picture::getOmitted() const {
  SmallVector<std::string> parts;
  auto add = [&](StringRef what, int64_t shownCount, int64_t allCount) {
    if (shownCount < allCount)
      parts.push_back("the first " + std::to_string(shownCount) + " of " + std::to_string(allCount) + " " +
                      what.str());
  };
  add("planes", shown.planes, all.planes);
  add("rows", shown.rows, all.rows);
  add("columns", shown.cols, all.cols);
  return parts.empty() ? "" : "shown: " + join(parts, ", ");
}

} // namespace

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void drawText(const LayoutPicture &what, raw_ostream &os) {
  Picture picture(what, kTextRoom);
  os << what.title << "\n" << what.layout << "\n";
  for (const std::string &fact : picture.getFacts())
    os << fact << "\n";
  const Room &shown = picture.shown;
  for (int64_t plane = 0; plane < shown.planes; ++plane) {
    os << "\n";
    if (what.extents.size() > 2)
      os << picture.getPlaneLabel(plane) << "\n";
    // All columns of a plane have one width.
    SmallVector<std::string, 0> labels;
    size_t width = std::to_string(shown.cols - 1).size();
    for (int64_t row = 0; row < shown.rows; ++row)
      for (int64_t col = 0; col < shown.cols; ++col) {
        labels.push_back(picture.exists(row, col) ? picture.getCell(plane, row, col).label : "");
        width = std::max(width, labels.back().size());
      }
    size_t margin = std::to_string(picture.getRowLabel(shown.rows - 1)).size();
    auto printRow = [&](StringRef head, auto &&label) {
      std::string line = std::string(margin - head.size(), ' ') + head.str();
      for (int64_t col = 0; col < shown.cols; ++col) {
        std::string text = label(col);
        line += "  " + text + std::string(width - text.size(), ' ');
      }
      os << StringRef(line).rtrim() << "\n";
    };
    printRow("", [](int64_t col) { return std::to_string(col); });
    const std::string *label = labels.begin();
    for (int64_t row = 0; row < shown.rows; ++row)
      printRow(std::to_string(picture.getRowLabel(row)), [&](int64_t) { return *label++; });
  }
  if (std::string omitted = picture.getOmitted(); !omitted.empty())
    os << "\n" << omitted << "\n";
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

/// A colour of one brightness class: `hue` goes once round from 0 to 1.
static std::string colorOf(double hue, double lightness) {
  // From HSL with a saturation that leaves black text readable.
  double chroma = (1 - std::abs(2 * lightness - 1)) * 0.75;
  auto channel = [&](double shift) {
    double position = std::fmod(hue * 6 + shift, 6);
    double value = lightness - chroma / 2 + chroma * std::clamp(std::abs(position - 3) - 1, 0.0, 1.0);
    return static_cast<int>(std::lround(value * 255));
  };
  return "#" + utohexstr(channel(0), true, 2) + utohexstr(channel(4), true, 2) +
         utohexstr(channel(2), true, 2);
}

/// Lanes go round the colours, warps from light to dark; banks go round the colours.
static std::string colorOf(const LayoutPicture &picture, int64_t warp, int64_t lane) {
  int64_t warps = picture.layout.getNumWarps();
  double dark = picture.isMemory || warps == 1 ? 0.2 : static_cast<double>(warp) / (warps - 1);
  return colorOf(lane / 32.0, 0.88 - 0.3 * dark);
}

static std::string escape(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  printHTMLEscaped(text, os);
  return result;
}

void drawSvg(const LayoutPicture &what, raw_ostream &os) {
  Picture picture(what, kSvgRoom);
  const Room &shown = picture.shown;
  constexpr int64_t rowHeight = 18, margin = 12, swatch = 12;
  // Digits of the longest label decide the width of a cell.
  int64_t longest = what.isMemory ? std::to_string(what.layout.getNumPlaces(Place::Offset)).size() + 4
                                  : std::to_string(what.layout.getNumWarps() * 32).size() +
                                        std::to_string(what.layout.getNumRegisters()).size() + 3;
  int64_t cellWidth = 6 * longest + 6, head = 40;

  SmallVector<std::string> lines = {what.title, what.layout.str()};
  append_range(lines, picture.getFacts());
  if (std::string omitted = picture.getOmitted(); !omitted.empty())
    lines.push_back(omitted);
  int64_t legendRows = what.isMemory ? 1 : what.layout.getNumWarps();
  int64_t top = margin + lines.size() * rowHeight, grid = top + (legendRows + 1) * (swatch + 2) + rowHeight;
  int64_t planeHeight = (shown.rows + 2) * rowHeight;
  size_t textWidth = 0;
  for (const std::string &line : lines)
    textWidth = std::max(textWidth, line.size());
  int64_t width =
      std::max<int64_t>({head + shown.cols * cellWidth + 2 * margin, int64_t(textWidth) * 7 + 2 * margin,
                         64 + 33 * (swatch + 2) + 2 * margin});

  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\""
     << grid + shown.planes * planeHeight << "\">\n"
     << "<style>text{font:10px monospace;pointer-events:none}.t{font-size:12px}.c{text-anchor:middle}rect{stroke:#fff}</style>\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  auto text = [&](int64_t x, int64_t y, StringRef kind, StringRef content) {
    os << "<text";
    if (!kind.empty())
      os << " class=\"" << kind << "\"";
    os << " x=\"" << x << "\" y=\"" << y << "\">" << escape(content) << "</text>\n";
  };
  auto box = [&](int64_t x, int64_t y, int64_t w, int64_t h, StringRef color, StringRef title) {
    os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << w << "\" height=\"" << h << "\" fill=\""
       << color << "\"><title>" << escape(title) << "</title></rect>\n";
  };
  for (auto [index, line] : enumerate(lines))
    text(margin, margin + (index + 1) * rowHeight - 6, "t", line);

  // The legend: a swatch for each lane of each warp, or for each bank.
  auto swatchX = [&](int64_t lane) { return margin + 64 + lane * (swatch + 2); };
  for (int64_t lane = 0; lane < 32; lane += 4)
    text(swatchX(lane), top + swatch, "", std::to_string(lane));
  for (int64_t row = 0; row < legendRows; ++row) {
    int64_t y = top + (row + 1) * (swatch + 2);
    text(margin, y + swatch - 2, "", what.isMemory ? "bank" : "warp " + std::to_string(row));
    for (int64_t lane = 0; lane < 32; ++lane)
      box(swatchX(lane), y, swatch, swatch, colorOf(what, row, lane),
          what.isMemory ? "bank " + std::to_string(lane)
                        : "thread " + std::to_string(row * 32 + lane) + " (warp " + std::to_string(row) +
                              ", lane " + std::to_string(lane) + ")");
  }

  for (int64_t plane = 0; plane < shown.planes; ++plane) {
    int64_t y0 = grid + plane * planeHeight;
    if (what.extents.size() > 2)
      text(margin, y0 - 4, "t", picture.getPlaneLabel(plane));
    for (int64_t col = 0; col < shown.cols; ++col)
      text(margin + head + col * cellWidth + cellWidth / 2, y0 + rowHeight - 5, "c", std::to_string(col));
    for (int64_t row = 0; row < shown.rows; ++row) {
      int64_t y = y0 + (row + 1) * rowHeight;
      text(margin, y + rowHeight - 5, "", std::to_string(picture.getRowLabel(row)));
      for (int64_t col = 0; col < shown.cols; ++col) {
        if (!picture.exists(row, col))
          continue;
        Cell cell = picture.getCell(plane, row, col);
        std::string color = "#eee";
        if (cell.place)
          color = what.isMemory ? colorOf(what, 0, picture.bankOf(cell.place->offset))
                                : colorOf(what, cell.place->warp, cell.place->lane);
        box(margin + head + col * cellWidth, y, cellWidth, rowHeight, color, cell.title);
        text(margin + head + col * cellWidth + cellWidth / 2, y + rowHeight - 5, "c", cell.label);
      }
    }
  }
  os << "</svg>\n";
}

} // namespace tilec
