//===- Accesses.cpp - may this thread touch that now? ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilec::emu;

static std::string bytesText(unsigned bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

bool Block::locate(Thread &thread, uint32_t siteNumber, const void *pointer, unsigned &bytes,
                   unsigned alignment, bool isWrite, uint8_t flags, Place &place) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  const char *verb = isWrite ? "writes" : "reads";
  uint64_t arena = reinterpret_cast<uint64_t>(worker.shared);
  bool isShared = address - arena < sharedCapacity;
  if (isShared) {
    for (const Region &region : sharedRegions)
      if (region.contains(address, bytes))
        place.region = &region;
  } else {
    place.region = launch.memory->find(address, bytes);
    // Bytes of a tensor are updated by atomics on the aligned word around them, which leave the word's other
    // bytes as they are and cannot leave the page.
    if (const Region *part; !place.region && (flags & Record::Atomic) && address % bytes == 0 &&
                            (part = launch.memory->findAny(address, bytes))) {
      place.region = part;
      uint64_t end = std::min(address + bytes, part->base + part->bytes);
      address = std::max(address, part->base);
      bytes = static_cast<unsigned>(end - address);
      alignment = 1;
    }
  }
  if (!place.region) {
    std::string where;
    if (isShared)
      where = outsideShared(address);
    else if (const Region *near = launch.memory->nearest(address))
      where = llvm::formatv("at byte {0} of '{1}', which has {2}", static_cast<int64_t>(address - near->base),
                            near->name, near->bytes);
    else
      where = "where no tensor is";
    stop(thread, FindingKind::OutOfBounds, siteNumber,
         describe(thread) + " " + verb + " " + bytesText(bytes) + " " + where);
    return false;
  }
  place.offset = address - place.region->base;
  if (address % alignment) {
    stop(thread, FindingKind::Misaligned, siteNumber,
         llvm::formatv("{0} {1} {2}, an address that is no multiple of {3}", describe(thread), verb,
                       describePlace(*place.region, address, bytes), alignment));
    return false;
  }
  if (isWrite && place.region->access == launch::Access::In) {
    stop(thread, FindingKind::ReadOnly, siteNumber,
         describe(thread) + " writes " + describePlace(*place.region, address, bytes) + ", an 'in' tensor");
    return false;
  }
  return true;
}

/// "at byte 1040 of shared memory, of which the block has 1024".
std::string Block::outsideShared(uint64_t address) const {
  const Region *nearest = nullptr;
  for (const Region &region : sharedRegions)
    if (!nearest || std::max(address, region.base) - std::min(address, region.base) <
                        std::max(address, nearest->base) - std::min(address, nearest->base))
      nearest = &region;
  if (!nearest)
    return "of shared memory, of which the block has none";
  return llvm::formatv("at byte {0} of shared memory, of which the block has {1}",
                       static_cast<int64_t>(address - nearest->base), nearest->bytes);
}

template <typename F> void Block::visitCells(const Place &place, unsigned bytes, F function) {
  const Region &region = *place.region;
  if (region.isShared()) {
    Cell *cells = &worker.sharedCells[place.address() - reinterpret_cast<uint64_t>(worker.shared)];
    for (unsigned i = 0; i != bytes; ++i)
      function(place.offset + i, cells[i], static_cast<TensorCell *>(nullptr));
    return;
  }
  uint64_t cell = place.offset / region.granule, end = (place.offset + bytes - 1) / region.granule + 1,
           available;
  while (cell != end) {
    TensorCell *cells = tensorCells.find(region.index, cell, available);
    for (uint64_t last = std::min(end, cell + available); cell != last; ++cell, ++cells)
      function(cell, cells->cell, cells);
  }
}

void Block::reportConflict(Thread &thread, RecordId mine, bool isWrite, RecordId other, bool otherIsWrite,
                           const Place &place, unsigned bytes) {
  uint32_t mySite = records[mine].site, otherSite = records[other].site;
  bool inFlight = records[other].has(Record::InFlight);
  auto verbOf = [&](RecordId id, bool writes) {
    return records[id].has(Record::Atomic) ? "updates" : writes ? "writes" : "reads";
  };
  const char *verb = verbOf(mine, isWrite);
  std::string what = describePlace(*place.region, place.address(), bytes);
  Finding *finding =
      inFlight ? log.add(FindingKind::InFlight, mySite, otherSite,
                         describe(thread) + " " + verb + " " + what + " while a copy to it is in flight")
               : log.add(FindingKind::Race, mySite, otherSite,
                         llvm::formatv("{0} {1} {2} with nothing between this and the {3} by thread {4}",
                                       describe(thread), verb, what,
                                       records[other].has(Record::Atomic) ? "update"
                                       : otherIsWrite                     ? "write"
                                                                          : "read",
                                       records[other].thread));
  if (!finding)
    return;
  log.note(*finding, otherSite,
           llvm::formatv("thread {0} {1} here", records[other].thread,
                         inFlight       ? "starts the copy"
                         : otherIsWrite ? "writes"
                                        : "reads"));
  finding->notes.push_back({{},
                            (isWrite ? "overwritten: " : "read: ") +
                                describeValues(*place.region, site(mySite), place.address(), bytes)});
}

static void keepFirst(RecordId &kept, RecordId record) {
  if (!kept)
    kept = record;
}

bool Block::read(Thread &thread, uint32_t siteNumber, const void *from, unsigned bytes, unsigned alignment,
                 uint8_t flags) {
  Place place;
  if (!locate(thread, siteNumber, from, bytes, alignment, /*isWrite=*/false, flags, place))
    return false;
  if (place.region->access == launch::Access::In && !place.region->isShared())
    return true; // nobody writes it while the kernel runs, and all of it is there
  // Two elements of 4 bits share a byte. They are changed by compare-and-swap, which leaves the other one as
  // it is, so reading one while another thread changes the other is fine, and the byte does not tell which it
  // was.
  if (!place.region->isShared() && elementInfo(place.region->kind).storageBits < 8)
    flags |= Record::Atomic;
  RecordId record = records.get(thread.index, thread.clock.own, siteNumber, flags);
  Cell before, after;
  bool isFirst = true;
  unsigned unwritten = 0, cells = 0;
  visitCells(place, bytes, [&](uint64_t index, Cell &cell, TensorCell *tensor) {
    ++cells;
    if (tensor)
      keepFirst((flags & Record::Atomic) ? tensor->updated : tensor->read, record);
    unwritten += !cell.write && (place.region->isShared() || !place.region->wasWritten(index));
    if (!isFirst && cell == before) { // neighbours mostly have the same past
      cell = after;
      return;
    }
    isFirst = false;
    before = cell;
    if (cell.write && !records.isBefore(cell.write, thread.index, thread.clock) &&
        !(flags & records[cell.write].flags & Record::Atomic))
      reportConflict(thread, record, /*isWrite=*/false, cell.write, /*otherIsWrite=*/true, place, bytes);
    else if (RecordId other = (flags & Record::Atomic)
                                  ? 0
                                  : records.findUnordered(cell.reads, thread.index, thread.clock, true))
      reportConflict(thread, record, /*isWrite=*/false, other, /*otherIsWrite=*/true, place, bytes);
    cell.reads = records.addRead(cell.reads, record, thread.index, thread.clock);
    after = cell;
  });
  // A row of a matrix load may run over the end of the tile: registers past it are masked later, and where
  // they are not, the poison that shared memory starts with shows in the numbers.
  const FormShape *shape = site(siteNumber).shape;
  bool isRow = shape && shape->form->needs == Feature::LdMatrix;
  if (isRow ? unwritten == cells : unwritten != 0)
    log.add(FindingKind::Uninitialised, siteNumber, 0,
            describe(thread) + " reads " + describePlace(*place.region, place.address(), bytes) +
                ", which nothing has written");
  return true;
}

void Block::settle(Thread &thread, uint32_t siteNumber, const void *word, unsigned bytes) {
  Place place;
  if (!locate(thread, siteNumber, word, bytes, bytes, /*isWrite=*/true, Record::Atomic, place))
    return;
  visitCells(place, bytes, [&](uint64_t, Cell &cell, TensorCell *) {
    if (!cell.write)
      cell.write = Records::quiet;
  });
}

bool Block::write(Thread &thread, uint32_t siteNumber, void *to, unsigned bytes, unsigned alignment,
                  uint8_t flags) {
  return writeAs(thread, siteNumber, to, bytes, alignment,
                 records.get(thread.index, thread.clock.own, siteNumber, flags));
}

bool Block::writeAs(Thread &thread, uint32_t siteNumber, void *to, unsigned bytes, unsigned alignment,
                    RecordId record) {
  Place place;
  if (!locate(thread, siteNumber, to, bytes, alignment, /*isWrite=*/true, records[record].flags, place))
    return false;
  uint8_t flags = records[record].flags;
  bool isAtomic = flags & Record::Atomic;
  Cell before, after;
  bool isFirst = true;
  visitCells(place, bytes, [&](uint64_t, Cell &cell, TensorCell *tensor) {
    if (tensor)
      keepFirst(isAtomic ? tensor->updated : tensor->written, record);
    if (isFirst || !(cell == before)) {
      isFirst = false;
      before = cell;
      if (cell.write && !records.isBefore(cell.write, thread.index, thread.clock) &&
          !(isAtomic && records[cell.write].has(Record::Atomic)))
        reportConflict(thread, record, /*isWrite=*/true, cell.write, /*otherIsWrite=*/true, place, bytes);
      else if (RecordId other =
                   isAtomic ? 0 : records.findUnordered(cell.reads, thread.index, thread.clock, true))
        reportConflict(thread, record, /*isWrite=*/true, other, /*otherIsWrite=*/true, place, bytes);
      if (RecordId other = records.findUnordered(cell.reads, thread.index, thread.clock, false))
        reportConflict(thread, record, /*isWrite=*/true, other, /*otherIsWrite=*/false, place, bytes);
      after = {record, isAtomic ? records.addRead(cell.reads, record, thread.index, thread.clock) : 0};
    }
    cell = after;
  });
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Accesses of forms are aligned to their size.
static unsigned naturalAlignment(unsigned bytes) { return (bytes & (bytes - 1)) ? 1 : std::min(bytes, 16u); }
static uint8_t flagsOf(AccessKind kind) { return kind == AccessKind::Atomic ? Record::Atomic : 0; }

bool SingleCall::read(const void *from, unsigned bytes, AccessKind kind) const {
  return thread->block->read(*thread, site, from, bytes, naturalAlignment(bytes), flagsOf(kind));
}

bool SingleCall::write(void *to, unsigned bytes, AccessKind kind) const {
  return thread->block->write(*thread, site, to, bytes, naturalAlignment(bytes), flagsOf(kind));
}

void *Block::sharedObject(unsigned number) const {
  return worker.shared + launch.sharedObjects[number].offset;
}

Worker::Worker() {
  arena = std::malloc(2 * sharedCapacity);
  auto begin = (reinterpret_cast<uintptr_t>(arena) + sharedCapacity - 1) / sharedCapacity * sharedCapacity;
  shared = reinterpret_cast<char *>(begin);
}

Worker::~Worker() { std::free(arena); }
