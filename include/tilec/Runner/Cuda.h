//===- Cuda.h - the driver API by dlopen ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GPU through libcuda.so.1, found at run time: no CUDA header and no link. Every function that can fail
// answers false and leaves a text in `error`, which names the driver's function and its error.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_CUDA_H
#define TILEC_RUNNER_CUDA_H

#include "tilec/Runner/Device.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tilec::runner {

struct CudaApi; // the functions that were found

class Cuda : public Device {
public:
  /// Loads the driver and makes the primary context of the device current. Null and `error` if there is no
  /// driver, or no such GPU.
  static std::unique_ptr<Cuda> open(int device, std::string &error);
  ~Cuda() override;

  const std::string &name() const { return deviceName; }
  int capability() const override { return deviceCapability; }
  unsigned smCount() const override { return deviceSmCount; }
  uint64_t l2Bytes() const { return deviceL2; }
  int driverVersion() const { return version; } ///< 1000 * major + 10 * minor
  /// The clock of the SMs in MHz by NVML; no value where NVML is not there.
  std::optional<unsigned> smClock() const;

  /// Loads a fatbin or cubin; the one loaded before goes.
  bool loadImage(const std::string &image);
  /// Launches on the default stream. Parameters that the kernel does not have in that number and those sizes
  /// are refused where the driver can tell (CUDA 12.4).
  bool launch(const KernelLaunch &launch) override;
  bool synchronize() override;

  bool freeBytes(uint64_t &bytes) override;
  bool allocate(DevicePointer &pointer, uint64_t bytes) override;
  void free(DevicePointer pointer) override;
  bool fill(DevicePointer pointer, uint8_t value, uint64_t bytes) override;
  bool copyToDevice(DevicePointer to, const void *from, uint64_t bytes) override;
  bool copyToHost(void *to, DevicePointer from, uint64_t bytes) override;
  bool copyOnDevice(DevicePointer to, DevicePointer from, uint64_t bytes);

  /// Milliseconds between two points of the default stream: readTimer waits for the second.
  bool startTimer();
  bool stopTimer();
  bool readTimer(double &milliseconds);

private:
  struct Kernel {
    void *handle = nullptr;
    std::optional<std::vector<size_t>> parameterSizes; ///< no value: the driver cannot tell
  };

  Cuda();
  bool check(const char *function, int result);
  const Kernel *findKernel(const KernelLaunch &launch);
  bool checkParameters(const KernelLaunch &launch, const Kernel &kernel);

  std::unique_ptr<CudaApi> api;
  int device = 0, deviceCapability = 0, version = 0;
  unsigned deviceSmCount = 0;
  uint64_t deviceL2 = 0;
  std::string deviceName, busId;
  std::map<std::string, Kernel> kernels; ///< of the image, those that were launched
  void *context = nullptr, *library = nullptr, *begin = nullptr, *end = nullptr;
  void *nvml = nullptr, *nvmlDevice = nullptr;
};

} // namespace tilec::runner

#endif // TILEC_RUNNER_CUDA_H
