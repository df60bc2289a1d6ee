//===- main.cpp - calling a kernel that tilec compiled --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds two vectors on the GPU with the kernel of kernels/vector_add.tile. What belongs to tilec is three lines: the
// include, the arguments, the launch. The rest is memory and a stream from the CUDA driver API; an application that uses
// the CUDA runtime passes its cudaStream_t in the same place.
//
//===----------------------------------------------------------------------===//

#include "vector_add.h" // written by tilec

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <vector>

static void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = "unknown error";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what, name);
  std::exit(1);
}

static CUdeviceptr allocate(const std::vector<float> &values) {
  CUdeviceptr memory = 0;
  check(cuMemAlloc(&memory, values.size() * sizeof(float)), "cuMemAlloc");
  check(cuMemcpyHtoD(memory, values.data(), values.size() * sizeof(float)), "cuMemcpyHtoD");
  return memory;
}

int main() {
  constexpr int64_t n = 1000003;
  CUdevice device;
  CUcontext context;
  CUstream stream;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");

  std::vector<float> a(n), b(n), c(n);
  for (int64_t i = 0; i < n; ++i) {
    a[static_cast<size_t>(i)] = static_cast<float>(i % 1000);
    b[static_cast<size_t>(i)] = 0.5f;
  }
  CUdeviceptr deviceA = allocate(a), deviceB = allocate(b), deviceC = allocate(c);

  vector_add_f32_args args = {};
  args.A = {reinterpret_cast<const float *>(deviceA), {n}};
  args.B = {reinterpret_cast<const float *>(deviceB), {n}};
  args.C = {reinterpret_cast<float *>(deviceC), {n}};
  if (tilec_result result = vector_add_f32_launch(args, stream); !result) {
    std::fprintf(stderr, "%s\n", result.message());
    return 1;
  }
  check(cuStreamSynchronize(stream), "cuStreamSynchronize");

  check(cuMemcpyDtoH(c.data(), deviceC, n * sizeof(float)), "cuMemcpyDtoH");
  int64_t wrong = 0;
  for (size_t i = 0; i < c.size(); ++i)
    wrong += c[i] != a[i] + b[i];
  std::printf("%lld sums, %lld wrong\n", static_cast<long long>(n), static_cast<long long>(wrong));

  // A mistake is answered, not launched.
  args.B.extents[0] = n - 1;
  tilec_result result = vector_add_f32_launch(args, stream);
  std::printf("refused: %s\n", result.message());
  return wrong != 0 || result;
}
