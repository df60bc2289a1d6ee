//===- RunForms.cpp - runs the kernels of all forms on a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   run-forms FOLDER OUT
//
// FOLDER is what form-kernels wrote. Writes OUT/outputs.bin, the results and the memory of each form in the
// order of forms.list, OUT/ran.txt, the kernels that ran, and OUT/gpu.txt, the names of the GPU and its
// driver. Needs the driver only. A kernel that fails takes the context with it: the program names it and
// ends, and the files have what ran before.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Cuda.h"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace tilec::runner;

static bool fail(const std::string &message) {
  fprintf(stderr, "run-forms: %s\n", message.c_str());
  return false;
}

static bool readFile(const std::string &path, std::string &bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return file.good() || file.eof() || fail("cannot read '" + path + "'");
}

namespace {
/// A buffer on the device.
struct Buffer {
  Cuda &cuda;
  DevicePointer pointer = 0;
  uint64_t bytes;

  Buffer(Cuda &cuda, uint64_t bytes) : cuda(cuda), bytes(bytes) {
    ok = cuda.allocate(pointer, bytes + 16) && cuda.fill(pointer, 0, bytes);
  }
  ~Buffer() {
    if (pointer)
      cuda.free(pointer);
  }
  std::string parameter() const { return {reinterpret_cast<const char *>(&pointer), sizeof pointer}; }
  bool ok;
};

struct Form {
  std::string kernel;
  unsigned warps = 0;
  uint64_t operandBytes = 0, resultBytes = 0, memoryBytes = 0;
};
} // namespace

static bool runForm(Cuda &cuda, const Form &form, const char *input, std::ostream &output) {
  Buffer operands(cuda, form.operandBytes), results(cuda, form.resultBytes), memory(cuda, form.memoryBytes);
  KernelLaunch launch;
  launch.kernel = form.kernel;
  launch.grid = {form.warps, 1, 1};
  launch.threads = 32;
  launch.parameters = {operands.parameter(), results.parameter(), memory.parameter()};
  std::string bytes(form.resultBytes + form.memoryBytes, '\0');
  if (!operands.ok || !results.ok || !memory.ok ||
      !cuda.copyToDevice(operands.pointer, input, form.operandBytes) ||
      !cuda.copyToDevice(memory.pointer, input + form.operandBytes, form.memoryBytes) ||
      !cuda.launch(launch) || !cuda.synchronize() ||
      !cuda.copyToHost(bytes.data(), results.pointer, form.resultBytes) ||
      !cuda.copyToHost(bytes.data() + form.resultBytes, memory.pointer, form.memoryBytes))
    return fail(form.kernel + ": " + cuda.error);
  output.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  return output.good() || fail("cannot write the results of " + form.kernel);
}

static bool run(const std::string &folder, const std::string &out) {
  std::string image, list, inputs, error;
  if (!readFile(folder + "/forms.cubin", image) || !readFile(folder + "/forms.list", list) ||
      !readFile(folder + "/inputs.bin", inputs))
    return false;
  std::unique_ptr<Cuda> cuda = Cuda::open(0, error);
  if (!cuda)
    return fail(error);
  if (!cuda->loadImage(image))
    return fail(cuda->error);
  std::ofstream(out + "/gpu.txt") << cuda->name() << ", driver for CUDA " << cuda->driverVersion() / 1000
                                  << "." << cuda->driverVersion() % 1000 / 10 << "\n";
  std::ofstream outputs(out + "/outputs.bin", std::ios::binary), ran(out + "/ran.txt");
  std::istringstream lines(list);
  Form form;
  uint64_t at = 0;
  unsigned count = 0;
  while (lines >> form.kernel >> form.warps >> form.operandBytes >> form.resultBytes >> form.memoryBytes) {
    if (at + form.operandBytes + form.memoryBytes > inputs.size())
      return fail("inputs.bin is too short");
    if (!runForm(*cuda, form, inputs.data() + at, outputs))
      return fail("stopped after " + std::to_string(count) + " forms");
    ran << form.kernel << std::endl;
    at += form.operandBytes + form.memoryBytes;
    ++count;
  }
  printf("%u forms, %llu bytes\n", count, static_cast<unsigned long long>(outputs.tellp()));
  return true;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: run-forms FOLDER OUT\n");
    return 2;
  }
  return run(argv[1], argv[2]) ? 0 : 1;
}
