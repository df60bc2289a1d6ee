//===- FormShape.cpp - what twins ask of a form's signature ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of an access are not in the signature (a byte travels in an i16): they are in the PTX text, as
// the vector and type suffixes of the opcode or the constant size of a copy.
//
//===----------------------------------------------------------------------===//

#include "Twins.h"
#include <cassert>
#include <vector>

using namespace tilec;
using namespace tilec::emu;
using llvm::StringRef;

static void addAccess(FormShape &shape, const PtxForm &form) {
  if (form.kind != PtxKind::Asm) { // ldmatrix: a lane's address is that of one row
    shape.words = 1;
    shape.wordBytes = 16;
    return;
  }
  StringRef text = form.text;
  if (text.consume_front("@"))
    text = text.split(' ').second;
  auto [opcode, rest] = text.split(' ');
  if (opcode.starts_with("cp.async")) {
    shape.words = 1;
    [[maybe_unused]] bool failed =
        !rest.consume_front("[$0], [$1], ") || rest.consumeInteger(10, shape.wordBytes);
    assert(!failed && "a copy's size is not where it should be");
    return;
  }
  auto [path, type] = opcode.rsplit('.');
  shape.words = path.ends_with(".v4") ? 4 : path.ends_with(".v2") ? 2 : 1;
  unsigned bits;
  [[maybe_unused]] bool failed = type.drop_until([](char c) { return c <= '9'; }).getAsInteger(10, bits);
  assert(!failed && bits % 8 == 0 && "the opcode of an access does not end in a type");
  shape.wordBytes = bits / 8;
}

static FormShape makeShape(const PtxForm &form) {
  FormShape shape;
  PtxSignature signature = form.signature();
  shape.form = &form;
  shape.numOperands = static_cast<unsigned>(signature.operands.size());
  shape.numResults = static_cast<unsigned>(signature.results.size());
  if (form.converges == PtxConverges::Members)
    shape.memberMask = 0;
  else if (form.converges == PtxConverges::MembersLast)
    shape.memberMask = static_cast<int>(shape.numOperands) - 1;
  if (form.effects == PtxEffects::Pure || form.effects == PtxEffects::Sync ||
      form.effects == PtxEffects::Control)
    return shape;
  for (unsigned i = 0; i < shape.numOperands; ++i)
    if (signature.operands[i].kind == PtxType::I1)
      shape.predicate = static_cast<int>(i);
  addAccess(shape, form);
  return shape;
}

const FormShape &emu::getShape(const PtxForm &form) {
  static const std::vector<FormShape> shapes = [] {
    std::vector<FormShape> all;
    for (const PtxForm &row : PtxForm::all())
      all.push_back(makeShape(row));
    return all;
  }();
  return shapes[&form - PtxForm::all().data()];
}
