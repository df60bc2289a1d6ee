//===- VectorsTest.cpp - twins against a GPU ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vectors.txt has what a GPU computed for the cases of every form (test/Emu/Record says how it was made).
// Here the twins get the same cases.
//
//===----------------------------------------------------------------------===//

#include "FormResults.h"
#include "TestCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <fstream>
#include <map>
#include <sstream>

using namespace tilec;
using namespace tilec::record;

namespace {

struct Vector {
  bool isExact = false;
  uint64_t hash = 0, ulp = 0;
  std::vector<uint64_t> sample;
};

class Vectors : public ::testing::Test {
protected:
  static std::map<std::string, Vector> read() {
    std::map<std::string, Vector> vectors;
    std::ifstream file(TILEC_VECTORS);
    std::string line;
    while (std::getline(file, line)) {
      if (line.starts_with("#"))
        continue;
      std::istringstream words(line);
      std::string kind, name;
      Vector vector;
      words >> kind >> name;
      vector.isExact = kind == "exact";
      EXPECT_TRUE(vector.isExact || kind == "near") << line;
      if (vector.isExact)
        words >> std::hex >> vector.hash;
      else
        words >> vector.ulp;
      EXPECT_FALSE(words.fail()) << line;
      for (uint64_t result; words >> std::hex >> result;)
        vector.sample.push_back(result);
      EXPECT_TRUE(vectors.emplace(name, vector).second) << "two lines of " << name;
    }
    EXPECT_FALSE(vectors.empty()) << "no " TILEC_VECTORS;
    return vectors;
  }
  void SetUp() override { test::recordsAccesses = false; }
  void TearDown() override { test::recordsAccesses = true; }
  const std::map<std::string, Vector> vectors = read();
};

TEST_F(Vectors, EveryRowIsRecordedOrExcused) {
  for (const PtxForm &form : PtxForm::all())
    EXPECT_EQ(vectors.count(form.name.str()), isRecorded(form.twin) ? 1u : 0u)
        << form.name.str()
        << ": record it (test/Emu/Record), or say in FormCases.h why there is nothing to record";
  for (const auto &[name, vector] : vectors)
    EXPECT_TRUE(llvm::any_of(PtxForm::all(), [&](const PtxForm &form) { return form.name == name; }))
        << "no form '" << name << "'";
  for (const NotRecorded &entry : notRecorded)
    EXPECT_TRUE(llvm::any_of(PtxForm::all(),
                             [&](const PtxForm &form) { return form.twin == llvm::StringRef(entry.twin); }))
        << "no twin '" << entry.twin << "'";
}

TEST_F(Vectors, TwinsDoAsTheGpu) {
  for (const PtxForm &form : PtxForm::all()) {
    auto found = vectors.find(form.name.str());
    if (!isRecorded(form.twin) || found == vectors.end())
      continue;
    const Vector &vector = found->second;
    const FormCases cases = drawCases(form);
    FormResults twin = runTwins(cases);
    unifyNaNs(form, twin);
    const Tolerance *tolerance = findTolerance(form.twin);
    ASSERT_EQ(vector.isExact, tolerance == nullptr) << form.name.str();
    if (vector.isExact) {
      EXPECT_EQ(hashOf(twin), vector.hash) << form.name.str();
      continue;
    }
    EXPECT_LE(vector.ulp, tolerance->ulp) << form.name.str();
    const std::vector<uint64_t> magnitudes = sumMagnitudes(cases, *tolerance);
    const size_t stride = sampleStride(twin), numResults = form.signature().results.size();
    ASSERT_EQ(vector.sample.size(), (twin.results.size() + stride - 1) / stride) << form.name.str();
    for (size_t i = 0; i < vector.sample.size(); ++i)
      EXPECT_LE(distance(form, *tolerance, i * stride % numResults, vector.sample[i],
                         twin.results[i * stride], magnitudes[i * stride]),
                vector.ulp)
          << form.name.str() << " result " << i * stride;
  }
}

} // namespace
