//===- sm_count_test.cpp - a stub that asks the device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with the sources of sm_count.mlir and sm_count_only.mlir. The fake GPU has 3 multiprocessors.
//
//===----------------------------------------------------------------------===//

#include "../FakeCuda/FakeCuda.h"
#include "sm_count.h"
#include "sm_count_only.h"
#include <cstdio>
#include <dlfcn.h>

static void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
template <typename F> static F *get(const char *name) { return reinterpret_cast<F *>(dlsym(cuda, name)); }

static void print(const char *what, const tilec_result &result) {
  fake_cuda_launch last = get<decltype(fake_cuda_last_launch)>("fake_cuda_last_launch")();
  std::printf("%s: %d %d '%s'", what, result.status(), result.error.cu_result, result.message());
  if (result)
    std::printf(" %u blocks, %llu", last.grid[0], static_cast<unsigned long long>(last.parameters[0]));
  std::printf(", asked %d times\n",
              get<decltype(fake_cuda_calls)>("fake_cuda_calls")("cuDeviceGetAttribute"));
}

int main() {
  const unsigned sizes[] = {8, 0};
  get<decltype(fake_cuda_parameters)>("fake_cuda_parameters")(sizes);
  auto fail = get<decltype(fake_cuda_fail)>("fake_cuda_fail");
  // The requirement before it is checked without a device, and without a context there is none to ask.
  print("refused", persistent_launch({-1}, nullptr));
  print("no context", persistent_launch({5}, nullptr));
  void *context;
  get<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, 0);
  print("few", persistent_launch({5}, nullptr));
  print("many", persistent_launch({100}, nullptr));
  print("nested", nested_launch({100}, nullptr));
  fail("cuDeviceGetAttribute", 700, 0, 1);
  print("failed", persistent_launch({5}, nullptr));
  print("again", persistent_launch({5}, nullptr));
  print("without a launch", fits_launch({4}, nullptr));
  return 0;
}
