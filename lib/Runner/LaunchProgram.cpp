//===- LaunchProgram.cpp - tables of the launch program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and facts of types and operations, one row each.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/LaunchProgram.h"

using namespace tilec::launch;

static constexpr ValueTypeInfo valueTypes[] = {
    {"i1", 1, 1, "bool", ""},           {"i8", 8, 1, "int8_t", ""},       {"i16", 16, 2, "int16_t", ""},
    {"i32", 32, 4, "int32_t", ""},      {"i64", 64, 8, "int64_t", ""},    {"f16", 16, 2, "float", "f16"},
    {"bf16", 16, 2, "float", "bf16"},   {"tf32", 32, 4, "float", "tf32"}, {"f32", 32, 4, "float", ""},
    {"f64", 64, 8, "double", ""},       {"e4m3", 8, 1, "float", "e4m3"},  {"e5m2", 8, 1, "float", "e5m2"},
    {"ptr", 64, 8, "const void *", ""},
};

const ValueTypeInfo &tilec::launch::getInfo(ValueType type) {
  return valueTypes[static_cast<unsigned>(type)];
}

std::optional<ValueType> tilec::launch::parseValueType(std::string_view name) {
  for (unsigned i = 0; i != std::size(valueTypes); ++i)
    if (valueTypes[i].name == name)
      return static_cast<ValueType>(i);
  return std::nullopt;
}

const std::vector<ElementTypeInfo> &tilec::launch::getElementTypes() {
  // C has no 16-bit and 8-bit floats of these formats, and C++ users have several: any pointer converts to
  // void *.
  static const std::vector<ElementTypeInfo> types = {
      {"bool", 8, ValueType::I1, "bool", "bool"},
      {"i4", 4, ValueType::I8, "", "void"},
      {"u4", 4, ValueType::I8, "", "void"},
      {"i8", 8, ValueType::I8, "int8_t", "int8_t"},
      {"u8", 8, ValueType::I8, "uint8_t", "uint8_t"},
      {"i16", 16, ValueType::I16, "int16_t", "int16_t"},
      {"u16", 16, ValueType::I16, "uint16_t", "uint16_t"},
      {"i32", 32, ValueType::I32, "int32_t", "int32_t"},
      {"u32", 32, ValueType::I32, "uint32_t", "uint32_t"},
      {"i64", 64, ValueType::I64, "int64_t", "int64_t"},
      {"u64", 64, ValueType::I64, "uint64_t", "uint64_t"},
      {"f16", 16, ValueType::F16, "float", "void"},
      {"bf16", 16, ValueType::BF16, "float", "void"},
      {"tf32", 32, ValueType::TF32, "float", "float"},
      {"f32", 32, ValueType::F32, "float", "float"},
      {"f64", 64, ValueType::F64, "double", "double"},
      {"e4m3", 8, ValueType::E4M3, "float", "void"},
      {"e5m2", 8, ValueType::E5M2, "float", "void"},
  };
  return types;
}

const ElementTypeInfo *tilec::launch::findElementType(std::string_view name) {
  for (const ElementTypeInfo &info : getElementTypes())
    if (info.name == name)
      return &info;
  return nullptr;
}

static constexpr std::string_view accessNames[] = {"in", "out", "inout"};

std::string_view tilec::launch::getAccessName(Access access) {
  return accessNames[static_cast<unsigned>(access)];
}

std::optional<Access> tilec::launch::parseAccess(std::string_view name) {
  for (unsigned i = 0; i != std::size(accessNames); ++i)
    if (accessNames[i] == name)
      return static_cast<Access>(i);
  return std::nullopt;
}

static constexpr std::string_view opcodeNames[] = {
#define TILEC_LAUNCH_OP(Enum, name) name,
#include "tilec/Runner/LaunchOps.def"
};

std::string_view tilec::launch::getOpcodeName(Opcode opcode) {
  return opcodeNames[static_cast<unsigned>(opcode)];
}

std::optional<Opcode> tilec::launch::parseOpcode(std::string_view name) {
  for (unsigned i = 0; i != std::size(opcodeNames); ++i)
    if (opcodeNames[i] == name)
      return static_cast<Opcode>(i);
  return std::nullopt;
}
