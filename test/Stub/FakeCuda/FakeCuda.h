//===- FakeCuda.h - control of the fake driver ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions beside the driver API by which a test program looks into the fake libcuda.so.1 and makes it fail.
// A program that cannot call them sets FAKE_CUDA_* in the environment; FakeCuda.cpp lists them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_STUB_FAKECUDA_FAKECUDA_H
#define TILEC_TEST_STUB_FAKECUDA_FAKECUDA_H

#ifdef __cplusplus
extern "C" {
#endif

/// Calls of that driver function so far.
int fake_cuda_calls(const char *function);
/// From now on that function answers `result`, `times` times (negative: always) after `skip` good calls.
void fake_cuda_fail(const char *function, int result, int skip, int times);
/// Whether there are launches or copies that nobody has waited for.
int fake_cuda_is_busy(void);
/// The compute capability of a device, 10 * major + minor.
void fake_cuda_set_capability(int device, int capability);
/// The last launch: grid and block extents, dynamic shared bytes, cluster extents (0 without), device.
typedef struct fake_cuda_launch {
  unsigned grid[3], block[3], shared_bytes, cluster[3];
  int device;
  void *stream;
  char kernel[128];
  unsigned long long parameters[512]; ///< raw bits, as many as fake_cuda_parameters says
} fake_cuda_launch;
fake_cuda_launch fake_cuda_last_launch(void);
/// The sizes of the parameters that launches have, ended by 0: the driver gets them from the kernel's code.
void fake_cuda_parameters(const unsigned *sizes);

#ifdef __cplusplus
}
#endif

#endif
