//===- TileAttrs.cpp - attributes of the tile dialect ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of attributes and the generated enumerations and storage.
//
//===----------------------------------------------------------------------===//

#include "Parsing.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::tile;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult RasterAttr::verify(EmitError emitError, int64_t panel, RasterOrder) {
  if (panel < 1)
    return emitError() << "a raster panel must be positive, got " << panel;
  return success();
}

static LogicalResult verifyTexts(EmitError emitError, ArrayAttr texts, StringRef what) {
  for (Attribute text : texts)
    if (!isa<StringAttr>(text))
      return emitError() << "'" << what << "' must hold strings, got " << text;
  return success();
}

LogicalResult TensorParamAttr::verify(EmitError emitError, StringRef name, Type element, AccessMode,
                                      ArrayAttr extents, ArrayAttr strides) {
  if (!isElementType(element))
    return emitError() << "'" << name << "' has no element type of the language: " << element;
  if (failed(verifyTexts(emitError, extents, "extents")))
    return failure();
  if (!strides)
    return success();
  if (failed(verifyTexts(emitError, strides, "strides")))
    return failure();
  if (!strides.empty() && strides.size() != extents.size())
    return emitError() << "'" << name << "' has " << extents.size() << " extents, but " << strides.size()
                       << " strides";
  return success();
}

LogicalResult ScalarParamAttr::verify(EmitError emitError, StringRef name, Type type) {
  if (!isElementType(type))
    return emitError() << "'" << name << "' has no scalar type of the language: " << type;
  return success();
}

LogicalResult PlanAttr::verify(EmitError emitError, int64_t consumers, ProducerKind producer,
                               int64_t producerWarps, PlanMode mode, bool, int64_t rotate,
                               DictionaryAttr depths, RasterAttr, StringAttr) {
  if (consumers < 1 || producerWarps < 0 || consumers + producerWarps > 32)
    return emitError() << "a plan has 1 to 32 warps, got " << consumers << " consumers and " << producerWarps
                       << " producers";
  if ((producer == ProducerKind::None) != (producerWarps == 0))
    return emitError() << "a plan without a producer has no producer warps, one with a producer has some";
  if (mode == PlanMode::Uniform && producer != ProducerKind::None)
    return emitError() << "a uniform plan has no producer";
  if (rotate < 0)
    return emitError() << "'rotate' must not be negative, got " << rotate;
  for (NamedAttribute depth : depths ? depths.getValue() : ArrayRef<NamedAttribute>()) {
    auto value = dyn_cast<IntegerAttr>(depth.getValue());
    if (!value || value.getInt() < 1)
      return emitError() << "the depth of '" << depth.getName().getValue()
                         << "' must be a positive integer, got " << depth.getValue();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// InstrAttr
//===----------------------------------------------------------------------===//

LogicalResult InstrAttr::verify(EmitError emitError, InstrKind kind, int64_t m, int64_t n, int64_t k, Type a,
                                Type b, Type acc) {
  if (!isElementType(a) || !isElementType(b) || !isGemmTypes(a, b, acc))
    return emitError() << "no gemm multiplies " << a << " by " << b << " into " << acc;
  int64_t bits = storageBits(a);
  switch (kind) {
  case InstrKind::Fma:
    if (m != 1 || n != 1 || k != 1)
      return emitError() << "'fma' has shape 1x1x1, got " << m << 'x' << n << 'x' << k;
    return success();
  case InstrKind::Mma:
    // PTX ISA, "Matrix multiply-accumulate operation using mma instruction": m16n8, k of 128 or 256 bits; f64
    // m8n8k4.
    if (a.isF64() ? m != 8 || n != 8 || k != 4 : m != 16 || n != 8 || (k * bits != 256 && k * bits != 128))
      return emitError() << "'mma' has no shape " << m << 'x' << n << 'x' << k << " for " << a;
    if (a.isF32())
      return emitError() << "'mma' has no f32 operands: tf32 it is";
    return success();
  case InstrKind::Wgmma:
    // PTX ISA, "Asynchronous warpgroup-level matrix shape": m64, n a multiple of 8 up to 256, k of 256 bits.
    if (m != 64 || n < 8 || n > 256 || n % 8 || k * bits != 256)
      return emitError() << "'wgmma' has no shape " << m << 'x' << n << 'x' << k << " for " << a;
    if (a.isF32() || a.isF64())
      return emitError() << "'wgmma' has no " << a << " operands";
    return success();
  }
  llvm_unreachable("all kinds of instructions are handled");
}

std::array<int64_t, 3> InstrAttr::getInstrShape() const { return {getM(), getN(), getK()}; }

std::array<Type, 3> InstrAttr::getInstrTypes() const { return {getA(), getB(), getAcc()}; }

unsigned InstrAttr::getNumWarps() const {
  return getKind() == InstrKind::Fma ? 0 : getKind() == InstrKind::Mma ? 1 : 4;
}

bool InstrAttr::readsShared(MmaOperand operand) const {
  return operand != MmaOperand::Acc; // mma.sync loads them piece by piece as it goes
}

bool InstrAttr::readsFragment(MmaOperand operand) const {
  return operand != MmaOperand::B || getKind() != InstrKind::Wgmma;
}

bool InstrAttr::isAsync() const { return getKind() == InstrKind::Wgmma; }

#include "tilec/Dialect/Tile/IR/TileEnums.cpp.inc"

#include "tilec/Dialect/Tile/IR/TileAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilec/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}
