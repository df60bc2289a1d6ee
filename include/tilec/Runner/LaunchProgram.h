//===- LaunchProgram.h - the host side of a launch as plain data ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch program checks the arguments of an entry point, computes the grid and launches kernels: the body
// of a `tile.entry`, free of MLIR. The stub printer writes it as C, the manifest as JSON, the runner
// interprets it. Standard library only, so that the runner builds without LLVM.
//
// Values are numbered; a program's arguments come first, in the order of the launch ABI: per tensor its
// pointer, its extents and its declared strides, per scalar its value.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_LAUNCHPROGRAM_H
#define TILEC_RUNNER_LAUNCHPROGRAM_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::launch {

/// The type of a value: integers by width (signedness is in the operation), floats, device pointers.
enum class ValueType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, TF32, F32, F64, E4M3, E5M2, Pointer };

/// Facts about the value types, indexed by ValueType.
struct ValueTypeInfo {
  std::string_view name;      ///< in the manifest
  unsigned bits;              ///< width of integers, storage bits of the others
  unsigned kernelBytes;       ///< size as a kernel argument
  std::string_view cType;     ///< of a local variable of the stub; narrow floats are carried as float
  std::string_view roundings; ///< suffix of the functions round_*, *_bits and *_value; empty for the others
};
const ValueTypeInfo &getInfo(ValueType type);
inline bool isInteger(ValueType type) { return type <= ValueType::I64; }
inline bool isFloat(ValueType type) { return type >= ValueType::F16 && type <= ValueType::E5M2; }
std::optional<ValueType> parseValueType(std::string_view name);

/// A type as the language declares it: of a tensor's elements or of a scalar parameter.
struct ElementTypeInfo {
  std::string_view name;     ///< as in the language
  unsigned storageBits;      ///< 4 for the packed types
  ValueType value;           ///< of a scalar parameter inside the launch program
  std::string_view cScalar;  ///< of a scalar parameter in the header; empty where there is none
  std::string_view cPointee; ///< of a tensor's pointer in the header
};
const std::vector<ElementTypeInfo> &getElementTypes();
const ElementTypeInfo *findElementType(std::string_view name);

enum class Access : uint8_t { In, Out, InOut };
std::string_view getAccessName(Access access);
std::optional<Access> parseAccess(std::string_view name);

/// A declared parameter of an entry point.
struct Param {
  bool isTensor = false;
  std::string name; ///< as in the program
  const ElementTypeInfo *element = nullptr;
  Access access = Access::In;
  std::vector<std::string> extents, strides; ///< as declared; no strides: contiguous

  bool operator==(const Param &) const = default;
};

enum class Opcode : uint8_t {
#define TILEC_LAUNCH_OP(Enum, name) Enum,
#include "tilec/Runner/LaunchOps.def"
};
std::string_view getOpcodeName(Opcode opcode);
std::optional<Opcode> parseOpcode(std::string_view name);

using ValueId = uint32_t;
struct Instruction;

struct Region {
  std::vector<ValueId> args;
  std::vector<Instruction> body;

  bool operator==(const Region &) const;
};

struct Instruction {
  Opcode op = Opcode::Constant;
  std::vector<ValueId> args;
  std::vector<ValueId> results;
  /// Constant: an integer, sign-extended, or the bits of a float of the result's type. PtrAligned: bytes.
  uint64_t bits = 0;
  std::string text;      ///< Require: the message. Launch: the kernel's symbol
  std::string kind;      ///< Require: what the requirement is about
  unsigned gridRank = 0; ///< Launch: how many of the arguments, the first ones, are extents of the grid
  unsigned threads = 0;  ///< Launch: of a block
  std::array<unsigned, 3> cluster = {1, 1, 1};
  unsigned sharedBytes = 0; ///< dynamic shared memory of a block
  std::vector<Region> regions;

  bool operator==(const Instruction &) const = default;
};

inline bool Region::operator==(const Region &other) const { return args == other.args && body == other.body; }

/// The launch program of one entry point, for one or several targets.
struct Program {
  std::vector<ValueType> types; ///< of every value
  Region body;                  ///< its arguments are the launch ABI

  bool operator==(const Program &) const = default;
};

} // namespace tilec::launch

#endif // TILEC_RUNNER_LAUNCHPROGRAM_H
