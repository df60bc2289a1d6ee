//===- HandWritten.cpp - modules of LLVM IR with known results -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler does not write yet. Instructions get the lines of the file as their places.
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

namespace {
/// A kernel of f32 tensors: two that it reads, one that it writes.
struct Kernel {
  const char *name;
  std::array<int64_t, 3> grid;
  unsigned threads, sharedBytes;
  size_t counts[3];
  float (*input)(unsigned tensor, size_t element);
  float (*output)(size_t element);
};
} // namespace

// Small whole numbers, so that sums are exact in any order; no two neighbours are alike.
static float element(unsigned tensor, size_t i) {
  return static_cast<float>((i * 37 + i / 11 * 5 + tensor * 17) % 61) - 30;
}

/// ring_gemm.ll: C[16, 32] = A[16, 36] * B[36, 32], a block for 16 columns.
static float product(size_t i) {
  float sum = 0;
  for (size_t k = 0; k != 36; ++k)
    sum += element(0, i / 32 * 36 + k) * element(1, k * 32 + i % 32);
  return sum;
}
/// warp_ring.ll: C = A - 2 * B, in rows of 64 that are turned round; every fifth row by pairs.
static float turned(size_t i) {
  size_t row = i / 64, column = i % 64, from = row * 64 + 63 - column;
  if (row % 5 == 4)
    from ^= 1;
  return element(0, from) - 2 * element(1, from);
}

/// ring_ends.ll: the sum over six tiles of A[tile][63 - t] * B[tile][t].
static float sumOfTiles(size_t i) {
  float sum = 0;
  for (size_t tile = 0; tile != 6; ++tile) {
    size_t start = (i / 64 * 6 + tile) * 64;
    sum += element(0, start + 63 - i % 64) * element(1, start + i % 64);
  }
  return sum;
}

static constexpr Kernel kernels[] = {
    {"ring_ends", {2, 1, 1}, 64, 4 * 512, {2 * 384, 2 * 384, 2 * 64}, element, sumOfTiles},
    {"ring_gemm", {2, 1, 1}, 64, 3 * 1024, {16 * 36, 36 * 32, 16 * 32}, element, product},
    {"warp_ring", {2, 1, 1}, 64, 2 * 512, {2 * 320, 2 * 320, 2 * 320}, element, turned},
};

namespace {
class HandWrittenSubject : public Subject {
public:
  size_t numChecks() const override { return 1; }
  std::string runCheck(emu::Machine &machine, size_t) const override;

  const Kernel *kernel = nullptr;
};
} // namespace

std::string HandWrittenSubject::runCheck(emu::Machine &machine, size_t) const {
  runner::KernelLaunch launch;
  launch.kernel = kernel->name;
  launch.grid = kernel->grid;
  launch.threads = kernel->threads;
  launch.sharedBytes = kernel->sharedBytes;
  runner::DevicePointer pointers[3];
  const char *names[] = {"A", "B", "C"};
  for (unsigned i = 0; i != 3; ++i) {
    uint64_t bytes = kernel->counts[i] * sizeof(float);
    if (!machine.allocate(pointers[i], bytes))
      return machine.error;
    machine.fill(pointers[i], 0xff, bytes);
    machine.describe(
        {names[i], pointers[i], bytes, ElementKind::F32, i == 2 ? launch::Access::Out : launch::Access::In});
    for (size_t n = 0; i != 2 && n != kernel->counts[i]; ++n)
      reinterpret_cast<float *>(pointers[i])[n] = kernel->input(i, n);
    launch.parameters.emplace_back(reinterpret_cast<const char *>(&pointers[i]), sizeof pointers[i]);
  }
  std::string problem;
  if (!machine.launch(launch))
    problem = machine.error;
  const auto *got = reinterpret_cast<const float *>(pointers[2]);
  for (size_t i = 0; problem.empty() && i != kernel->counts[2]; ++i)
    if (!(got[i] == kernel->output(i)))
      problem = "C: element " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
                std::to_string(kernel->output(i));
  for (runner::DevicePointer pointer : reverse(pointers))
    machine.free(pointer);
  return problem;
}

static void addLines(Module &module, const AsmParserContext &places, StringRef file) {
  DIBuilder builder(module);
  DIFile *place = builder.createFile(file, "");
  builder.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C99), place, "", true, "", 0);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DISubprogram *scope =
        builder.createFunction(place, function.getName(), "", place, 1,
                               builder.createSubroutineType(builder.getOrCreateTypeArray({})), 1,
                               DINode::FlagZero, DISubprogram::SPFlagDefinition);
    function.setSubprogram(scope);
    for (Instruction &inst : instructions(function))
      if (std::optional<FileLocRange> range = places.getInstructionLocation(&inst))
        inst.setDebugLoc(
            DILocation::get(module.getContext(), range->Start.Line + 1, range->Start.Col + 1, scope));
  }
  builder.finalize();
}

std::unique_ptr<Subject> mutation::makeHandWrittenSubject(StringRef file, const ArchInfo &arch) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(file);
  if (!text) {
    errs() << "tile-mutate: cannot read " << file << "\n";
    return nullptr;
  }
  auto subject = std::make_unique<HandWrittenSubject>();
  subject->name = sys::path::filename(file).str();
  subject->arch = &arch;
  subject->device.context = std::make_unique<LLVMContext>();
  SMDiagnostic error;
  AsmParserContext places;
  subject->device.module =
      parseAssemblyString((*text)->getBuffer(), error, *subject->device.context, nullptr, &places);
  if (!subject->device.module) {
    error.print("tile-mutate", errs());
    return nullptr;
  }
  for (const Kernel &kernel : kernels)
    if (subject->device.module->getFunction(kernel.name))
      subject->kernel = &kernel;
  if (!subject->kernel) {
    errs() << "tile-mutate: " << file << " has no kernel whose results are known\n";
    return nullptr;
  }
  addLines(*subject->device.module, places, sys::path::filename(file));
  return subject;
}
