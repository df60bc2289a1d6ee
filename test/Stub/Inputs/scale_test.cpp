//===- scale_test.cpp - variants, scalars and targets of a stub -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with the source of scale.mlir, whose launch program differs between sm_80 (blocks of 8 rows), sm_86
// and compute_80 (16) and sm_90a (32).
//
//===----------------------------------------------------------------------===//

#include "../FakeCuda/FakeCuda.h"
#include "scale.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <initializer_list>

static void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
template <typename F> static F *get(const char *name) { return reinterpret_cast<F *>(dlsym(cuda, name)); }

static acme::scale_args arguments() {
  static unsigned short data[64];
  acme::scale_args args = {};
  args.X = {data, {100, 64}, {64, 1}};
  args.int_ = 1.0f;
  args.not_ = true;
  return args;
}

static fake_cuda_launch launch(const acme::scale_args &args) {
  tilec_result result = acme::scale_launch(args, nullptr);
  if (!result)
    std::printf("%d %s\n", result.status(), result.message());
  return get<decltype(fake_cuda_last_launch)>("fake_cuda_last_launch")();
}

int main() {
  void *context;
  get<int(unsigned)>("cuInit")(0);
  get<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, 0);
  const unsigned sizes[] = {8, 8, 2, 2, 4, 1, 1, 1, 0};
  get<decltype(fake_cuda_parameters)>("fake_cuda_parameters")(sizes);
  auto setCapability = get<decltype(fake_cuda_set_capability)>("fake_cuda_set_capability");

  // Which program runs on which device.
  for (int capability : {75, 80, 86, 87, 89, 90, 100, 120}) {
    setCapability(0, capability);
    std::printf("%d: ", capability);
    tilec_result result = acme::scale_launch(arguments(), nullptr);
    if (result)
      std::printf("%u blocks\n", get<decltype(fake_cuda_last_launch)>("fake_cuda_last_launch")().grid[0]);
    else
      std::printf("%d %s\n", result.status(), result.message());
    if (bool(acme::scale_preload(nullptr)) != bool(result))
      std::printf("preload differs\n");
  }
  setCapability(0, 90);

  // Scalars in the kernel's formats, rounded to nearest even; the 8-bit ones saturate.
  acme::scale_args args = arguments();
  args.int_ = 1.00048828125f; // halfway between two f16
  args.k = 3.14159265f;
  args.t = 1.0009765625f + 0.00048828125f;
  args.q = 1e6f;
  args.r = -1e6f;
  fake_cuda_launch got = launch(args);
  std::printf("%s block %u shared %u cluster %u %u %u\n", got.kernel, got.block[0], got.shared_bytes,
              got.cluster[0], got.cluster[1], got.cluster[2]);
  std::printf("f16 %04llx bf16 %04llx tf32 %08llx e4m3 %02llx e5m2 %02llx bool %llu\n", got.parameters[2],
              got.parameters[3], got.parameters[4], got.parameters[5], got.parameters[6], got.parameters[7]);
  // 100000 bytes of shared memory need one permission a device.
  launch(args);
  std::printf("permissions %d\n", get<decltype(fake_cuda_calls)>("fake_cuda_calls")("cuKernelSetAttribute"));
  get<decltype(fake_cuda_parameters)>("fake_cuda_parameters")(sizes + 8); // scale_slow has other parameters
  args.not_ = false;
  got = launch(args);
  std::printf("%s block %u shared %u cluster %u\n", got.kernel, got.block[0], got.shared_bytes,
              got.cluster[0]);

  // Texts with values, and with what looks like placeholders or formats.
  args = arguments();
  args.X.extents[1] = 65;
  args.u = UINT64_MAX;
  launch(args);
  args = arguments();
  args.X.strides[1] = 2;
  launch(args);
  args = arguments();
  args.int_ = -0.1f;
  launch(args);
  args.int_ = -1e-9f; // rounds to -0, which is not less than 0
  launch(args);
  // An empty grid of a stub with several programs.
  args.X.extents[0] = 0;
  int launches = get<decltype(fake_cuda_calls)>("fake_cuda_calls")("cuLaunchKernelEx");
  launch(args);
  std::printf("launched %d\n",
              get<decltype(fake_cuda_calls)>("fake_cuda_calls")("cuLaunchKernelEx") - launches);
}
