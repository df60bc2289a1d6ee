//===- ImageCheck.cpp - whether a cubin or fatbin is whole ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ELF part follows the ELF-64 object file format. The fatbin's layout has no document of NVIDIA's; the
// fields used here (kind, header size, padded size, architecture) were read off the output of fatbinary 12.4
// to 13.0 and are the ones that the driver must rely on.
//
//===----------------------------------------------------------------------===//

#include "ImageCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"

using namespace tilec;
using namespace llvm;
using namespace llvm::support;

/// Whether [offset, offset + size) lies in a file of `total` bytes.
static bool fits(uint64_t offset, uint64_t size, uint64_t total) {
  return offset <= total && size <= total - offset;
}

std::string tilec::checkCubin(StringRef bytes, ArrayRef<std::string> kernels) {
  using ELFFile = object::ELF64LEFile;
  auto fileOrError = ELFFile::create(bytes);
  if (!fileOrError)
    return "not an ELF file: " + toString(fileOrError.takeError());
  const ELFFile &file = *fileOrError;
  const ELFFile::Elf_Ehdr &header = file.getHeader();
  if (!bytes.starts_with(StringRef(ELF::ElfMagic, 4)) || header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return "not a little-endian ELF-64 file";
  if (header.e_machine != ELF::EM_CUDA)
    return "ELF file for machine " + std::to_string(header.e_machine) + ", not for CUDA";
  if (header.e_shnum == 0 || header.e_shentsize != sizeof(ELFFile::Elf_Shdr) ||
      !fits(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize, bytes.size()))
    return "section headers end outside the file";
  if (header.e_phnum != 0 &&
      (header.e_phentsize != sizeof(ELFFile::Elf_Phdr) ||
       !fits(header.e_phoff, uint64_t(header.e_phnum) * header.e_phentsize, bytes.size())))
    return "program headers end outside the file";

  auto segments = file.program_headers();
  if (!segments)
    return toString(segments.takeError());
  for (const ELFFile::Elf_Phdr &segment : *segments)
    if (!fits(segment.p_offset, segment.p_filesz, bytes.size()))
      return "a segment ends outside the file";
  auto sections = file.sections();
  if (!sections)
    return toString(sections.takeError());
  const ELFFile::Elf_Shdr *symbols = nullptr;
  for (const ELFFile::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_NOBITS && section.sh_type != ELF::SHT_NULL &&
        !fits(section.sh_offset, section.sh_size, bytes.size()))
      return "a section ends outside the file";
    if (section.sh_type == ELF::SHT_SYMTAB)
      symbols = &section;
  }
  if (!symbols)
    return "no symbol table";
  auto table = file.symbols(symbols);
  if (!table)
    return toString(table.takeError());
  auto names = file.getStringTableForSymtab(*symbols);
  if (!names)
    return toString(names.takeError());
  StringSet<> functions;
  for (const ELFFile::Elf_Sym &symbol : *table) {
    if (symbol.getType() != ELF::STT_FUNC || symbol.st_size == 0)
      continue;
    auto name = symbol.getName(*names);
    if (!name)
      return toString(name.takeError());
    functions.insert(*name);
  }
  for (const std::string &kernel : kernels)
    if (!functions.contains(kernel))
      return "kernel '" + kernel + "' is missing";
  return {};
}

namespace {
// Offsets in the fatbin's header and in the header of an entry, all little-endian.
constexpr uint32_t fatbinMagic = 0xBA55ED50;
constexpr size_t fatbinHeaderSize = 16, entryHeaderSize = 64;
constexpr uint16_t kindPtx = 1, kindElf = 2;
} // namespace

std::string tilec::checkFatbin(StringRef bytes, ArrayRef<ExpectedImage> images) {
  const char *data = bytes.data();
  if (bytes.size() < fatbinHeaderSize || endian::read32le(data) != fatbinMagic)
    return "not a fatbin";
  uint64_t headerSize = endian::read16le(data + 6), payload = endian::read64le(data + 8);
  if (headerSize < fatbinHeaderSize || !fits(headerSize, payload, bytes.size()) ||
      headerSize + payload != bytes.size())
    return "the fatbin's size is " + std::to_string(bytes.size()) + " bytes, its header says " +
           std::to_string(headerSize + payload);
  uint64_t at = headerSize;
  for (const ExpectedImage &image : images) {
    std::string name =
        (image.isPtx ? "the PTX" : "the cubin") + std::string(" for sm_") + std::to_string(image.sm);
    if (!fits(at, entryHeaderSize, bytes.size()))
      return name + " is missing";
    const char *entry = data + at;
    uint16_t kind = endian::read16le(entry);
    uint64_t entryHeader = endian::read32le(entry + 4), size = endian::read64le(entry + 8);
    uint32_t sm = endian::read32le(entry + 28);
    if (entryHeader < entryHeaderSize || !fits(at, entryHeader, bytes.size()) ||
        !fits(at + entryHeader, size, bytes.size()))
      return name + " ends outside the fatbin";
    if (kind != (image.isPtx ? kindPtx : kindElf) || sm != image.sm)
      return name + " is missing";
    if (!image.isPtx && !bytes.substr(at + entryHeader, size).starts_with(image.cubin))
      return name + " differs from the one that ptxas wrote";
    if (image.isPtx && size == 0)
      return name + " is empty";
    at += entryHeader + size;
  }
  if (at != bytes.size())
    return "the fatbin holds more images than expected";
  return {};
}
