//===- FakeNvml.cpp - a libnvidia-ml.so.1 without a GPU -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock of the SMs, which a throttling GPU lowers in every fourth reading. The device is idle, and its
// clock 345 MHz, unless the fake driver has launches or copies that nobody has waited for.
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>

extern "C" {
int nvmlInit_v2() { return 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *, void **device) {
  *device = nullptr;
  return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) ? (*device = device, 0) : 6;
}

int nvmlDeviceGetClockInfo(void *, int type, unsigned *megahertz) {
  static int readings = 0;
  auto isBusy = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "fake_cuda_is_busy"));
  if (void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD); !isBusy && library)
    isBusy = reinterpret_cast<int (*)()>(dlsym(library, "fake_cuda_is_busy"));
  if (type != 1 || !isBusy)
    return 2;
  *megahertz = !isBusy() ? 345 : ++readings % 4 == 0 ? 1410 : 1980;
  return 0;
}
}
