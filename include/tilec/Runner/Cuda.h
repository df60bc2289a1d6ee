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

#include "tilec/Runner/Interpreter.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tilec::runner {

struct CudaApi; // the functions that were found

using DevicePointer = uint64_t;

class Cuda {
public:
  /// Loads the driver and makes the primary context of the device current. Null and `error` if there is no
  /// driver, or no such GPU.
  static std::unique_ptr<Cuda> open(int device, std::string &error);
  ~Cuda();
  Cuda(const Cuda &) = delete;
  Cuda &operator=(const Cuda &) = delete;

  const std::string &name() const { return deviceName; }
  int capability() const { return deviceCapability; } ///< 10 * major + minor
  uint64_t l2Bytes() const { return deviceL2; }
  int driverVersion() const { return version; } ///< 1000 * major + 10 * minor
  /// The clock of the SMs in MHz by NVML; no value where NVML is not there.
  std::optional<unsigned> smClock() const;

  /// Loads a fatbin or cubin; the one loaded before goes.
  bool loadImage(const std::string &image);
  /// Launches on the default stream. Parameters that the kernel does not have in that number and those sizes
  /// are refused where the driver can tell (CUDA 12.4).
  bool launch(const KernelLaunch &launch);
  bool synchronize();

  /// Memory of the device that is free now.
  bool freeBytes(uint64_t &bytes);
  bool allocate(DevicePointer &pointer, uint64_t bytes);
  void free(DevicePointer pointer);
  bool fill(DevicePointer pointer, uint8_t value, uint64_t bytes);
  bool copyToDevice(DevicePointer to, const void *from, uint64_t bytes);
  bool copyToHost(void *to, DevicePointer from, uint64_t bytes);
  bool copyOnDevice(DevicePointer to, DevicePointer from, uint64_t bytes);

  /// Milliseconds between two points of the default stream: readTimer waits for the second.
  bool startTimer();
  bool stopTimer();
  bool readTimer(double &milliseconds);

  std::string error;
  /// The last failure ended the context (an illegal address, a device assertion): nothing works any more in
  /// this process.
  bool isLost = false;

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
  uint64_t deviceL2 = 0;
  std::string deviceName, busId;
  std::map<std::string, Kernel> kernels; ///< of the image, those that were launched
  void *context = nullptr, *library = nullptr, *begin = nullptr, *end = nullptr;
  void *nvml = nullptr, *nvmlDevice = nullptr;
};

} // namespace tilec::runner

#endif // TILEC_RUNNER_CUDA_H
