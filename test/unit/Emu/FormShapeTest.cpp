//===- FormShapeTest.cpp - shapes against the table -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Twins.h"
#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::emu;

namespace {

const FormShape &shapeOf(PtxFormId id) { return getShape(PtxForm::get(id)); }

void expectAccess(PtxFormId id, int predicate, unsigned words, unsigned wordBytes) {
  const FormShape &shape = shapeOf(id);
  EXPECT_EQ(shape.predicate, predicate) << shape.form->name.str();
  EXPECT_EQ(shape.words, words) << shape.form->name.str();
  EXPECT_EQ(shape.wordBytes, wordBytes) << shape.form->name.str();
}

TEST(FormShape, Accesses) {
  expectAccess(PtxFormId::LdNcStreamV4B32, -1, 4, 4);
  expectAccess(PtxFormId::LdNcStreamB8, -1, 1, 1);
  expectAccess(PtxFormId::LdNcStreamV2B32Pred, 1, 2, 4);
  expectAccess(PtxFormId::LdGlobalB16Pred, 1, 1, 2);
  expectAccess(PtxFormId::StStreamV4B32, -1, 4, 4);
  expectAccess(PtxFormId::StSharedB8Pred, 1, 1, 1);
  expectAccess(PtxFormId::StGlobalV2B32Pred, 1, 2, 4);
  expectAccess(PtxFormId::LdMatrixX4, -1, 1, 16);
  expectAccess(PtxFormId::CpAsyncB4, -1, 1, 4);
  expectAccess(PtxFormId::CpAsyncZfillB16, -1, 1, 16);
  expectAccess(PtxFormId::RedGlobalAddF64Pred, 1, 1, 8);
  expectAccess(PtxFormId::RedGlobalAddBf16Pred, 1, 1, 2);
  expectAccess(PtxFormId::RedSharedMinU64Pred, 1, 1, 8);
  expectAccess(PtxFormId::RedSharedMaxS32Pred, 1, 1, 4);
}

/// Names say the size of loads and stores, too.
TEST(FormShape, NamesOfLoadsAndStoresAgree) {
  unsigned seen = 0;
  for (const PtxForm &form : PtxForm::all()) {
    if (!form.name.starts_with("Ld") && !form.name.starts_with("St"))
      continue;
    llvm::StringRef name = form.name;
    name.consume_back("Pred");
    unsigned expected = name.ends_with("V4B32")   ? 16
                        : name.ends_with("V2B32") ? 8
                        : name.ends_with("B32")   ? 4
                        : name.ends_with("B16")   ? 2
                        : name.ends_with("B8")    ? 1
                                                  : 16; // ldmatrix
    EXPECT_EQ(getShape(form).accessBytes(), expected) << form.name.str();
    ++seen;
  }
  EXPECT_EQ(seen, 56u);
}

TEST(FormShape, CountsAndMasks) {
  for (const PtxForm &form : PtxForm::all()) {
    const FormShape &shape = getShape(form);
    PtxSignature signature = form.signature();
    EXPECT_EQ(shape.form, &form);
    EXPECT_EQ(shape.numOperands, signature.operands.size());
    EXPECT_EQ(shape.numResults, signature.results.size());
    // What loads rely on: the tied operands follow the predicate in the order of the results.
    for (unsigned i = 0; i < shape.numOperands; ++i)
      if (signature.operands[i].tiedTo >= 0)
        EXPECT_EQ(int(i), shape.predicate + 1 + signature.operands[i].tiedTo) << form.name.str();
  }
  EXPECT_EQ(shapeOf(PtxFormId::WarpSync).memberMask, 0);
  EXPECT_EQ(shapeOf(PtxFormId::ShflIdxF32).memberMask, 0);
  EXPECT_EQ(shapeOf(PtxFormId::VoteAll).memberMask, 0);
  EXPECT_EQ(shapeOf(PtxFormId::ReduxAddB32).memberMask, 1); // redux.sync d, value, mask
  EXPECT_EQ(shapeOf(PtxFormId::ReduxXorB32).memberMask, 1);
  EXPECT_EQ(shapeOf(PtxFormId::LdMatrixX1).memberMask, -1);
  EXPECT_EQ(shapeOf(PtxFormId::TidX).memberMask, -1);
  EXPECT_EQ(shapeOf(PtxFormId::VoteAll).predicate, -1);
  EXPECT_EQ(shapeOf(PtxFormId::VoteAll).accessBytes(), 0u);
  EXPECT_EQ(shapeOf(PtxFormId::BarSync).accessBytes(), 0u);
}

} // namespace
