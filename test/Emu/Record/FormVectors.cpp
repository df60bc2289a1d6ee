//===- FormVectors.cpp - judges what a GPU gave for all forms -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   form-vectors OUT > vectors.txt
//
// OUT is what run-forms wrote. Prints a line a form:
//   exact Name hash                  the GPU's results and the twin's are the same
//   near Name ulp result result …    they are within the tolerance, `ulp` at most; some of the GPU's results
// and what does not fit to stderr. The exit status is 0 if everything fits.
//
//===----------------------------------------------------------------------===//

#include "FormResults.h"
#include "Twins.h"
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace tilec;
using namespace tilec::record;

/// Shows the first few cases that differ.
static void explain(const FormCases &cases, const FormResults &gpu, const FormResults &twin) {
  unsigned shown = 0;
  size_t different = 0;
  for (size_t i = 0; i < gpu.results.size(); ++i) {
    if (gpu.results[i] == twin.results[i])
      continue;
    ++different;
    if (++shown > 6)
      continue;
    const size_t thread = i / cases.numResults;
    fprintf(stderr, "  thread %zu result %zu gpu %" PRIx64 " twin %" PRIx64 " operands", thread,
            i % cases.numResults, gpu.results[i], twin.results[i]);
    for (unsigned k = 0; k < cases.numOperands; ++k)
      fprintf(stderr, " %" PRIx64, cases.operands[thread * cases.numOperands + k]);
    fprintf(stderr, "\n");
  }
  const unsigned word = std::max(1u, emu::getShape(*cases.form).wordBytes);
  for (size_t at = 0; at < gpu.memory.size(); at += word) {
    uint64_t before = 0, ofGpu = 0, ofTwin = 0;
    const unsigned bytes = std::min(8u, word);
    std::memcpy(&before, cases.memory.data() + at, bytes);
    std::memcpy(&ofGpu, gpu.memory.data() + at, bytes);
    std::memcpy(&ofTwin, twin.memory.data() + at, bytes);
    if (ofGpu == ofTwin)
      continue;
    ++different;
    if (++shown <= 6) {
      const size_t thread = at / memoryBytes * 32 + at % globalBytes / 16;
      fprintf(stderr, "  memory at %zu before %" PRIx64 " gpu %" PRIx64 " twin %" PRIx64 " operands", at,
              before, ofGpu, ofTwin);
      for (unsigned k = 0; k < cases.numOperands; ++k)
        fprintf(stderr, " %" PRIx64, cases.operands[thread * cases.numOperands + k]);
      fprintf(stderr, "\n");
    }
  }
  fprintf(stderr, "  %zu of %zu results differ\n", different, gpu.results.size());
}

static bool judge(const FormCases &cases, FormResults gpu) {
  const PtxForm &form = *cases.form;
  FormResults twin = runTwins(cases);
  unifyNaNs(form, gpu);
  unifyNaNs(form, twin);
  const Tolerance *tolerance = findTolerance(form.twin);
  if (!tolerance) {
    printf("exact %s %016" PRIx64 "\n", form.name.str().c_str(), hashOf(gpu));
    if (gpu.results == twin.results && gpu.memory == twin.memory)
      return true;
    fprintf(stderr, "%s is not exact\n", form.name.str().c_str());
    explain(cases, gpu, twin);
    return false;
  }
  const std::vector<uint64_t> magnitudes = sumMagnitudes(cases, *tolerance);
  auto off = [&](size_t i) {
    return distance(form, *tolerance, i % cases.numResults, gpu.results[i], twin.results[i], magnitudes[i]);
  };
  uint64_t ulp = 0;
  for (size_t i = 0; i < gpu.results.size(); ++i)
    ulp = std::max(ulp, off(i));
  printf("near %s %" PRIu64, form.name.str().c_str(), ulp);
  for (size_t i = 0; i < gpu.results.size(); i += sampleStride(gpu))
    printf(" %" PRIx64, gpu.results[i]);
  printf("\n");
  if (ulp <= tolerance->ulp)
    return true;
  fprintf(stderr, "%s is off by %" PRIu64 " last places\n", form.name.str().c_str(), ulp);
  FormResults near = twin;
  for (size_t i = 0; i < gpu.results.size(); ++i) // show the ones that are off
    if (off(i) <= tolerance->ulp)
      near.results[i] = gpu.results[i];
  explain(cases, gpu, near);
  return false;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: form-vectors OUT > vectors.txt\n");
    return 2;
  }
  const std::string folder = argv[1];
  std::ifstream file(folder + "/outputs.bin", std::ios::binary), gpuFile(folder + "/gpu.txt");
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::string gpu;
  std::getline(gpuFile, gpu);
  printf("# What a GPU computed for the cases of FormCases.cpp; written by form-vectors, which says what the "
         "columns\n"
         "# are. %s.\n",
         gpu.c_str());
  size_t at = 0;
  bool ok = true;
  for (const PtxForm &form : PtxForm::all()) {
    if (!isRecorded(form.twin))
      continue;
    const FormCases cases = drawCases(form);
    FormResults results;
    results.results.resize(size_t(cases.threads()) * cases.numResults);
    results.memory.resize(cases.memory.size());
    const size_t resultBytes = results.results.size() * 8;
    if (at + resultBytes + results.memory.size() > bytes.size()) {
      fprintf(stderr,
              "form-vectors: '%s/outputs.bin' ends before %s: the form failed, or the file is not of these "
              "cases\n",
              folder.c_str(), form.name.str().c_str());
      return 1;
    }
    std::copy_n(bytes.data() + at, resultBytes, reinterpret_cast<char *>(results.results.data()));
    std::copy_n(bytes.data() + at + resultBytes, results.memory.size(), results.memory.begin());
    at += resultBytes + results.memory.size();
    ok &= judge(cases, std::move(results));
  }
  return ok ? 0 : 1;
}
