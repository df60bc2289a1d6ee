//===- Device.h - what runs kernels -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a check needs of a device: memory and launches. A GPU is one (Cuda.h), the emulator is one. Every
// function that can fail answers false and leaves a text in `error`.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_RUNNER_DEVICE_H
#define TILEC_RUNNER_DEVICE_H

#include "tilec/Check/Element.h"
#include "tilec/Runner/Interpreter.h"
#include <cstdint>
#include <string>

namespace tilec::runner {

using DevicePointer = uint64_t;

/// Where a tensor lies in an allocation, and what the kernel may do with it.
struct TensorPlace {
  std::string name;
  DevicePointer data = 0; ///< the first element
  uint64_t bytes = 0;
  ElementKind kind = ElementKind::F32;
  launch::Access access = launch::Access::In;
};

class Device {
public:
  Device() = default;
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  virtual ~Device() = default;

  virtual int capability() const = 0;   ///< 10 * major + minor
  virtual unsigned smCount() const = 0; ///< multiprocessors
  /// Launches; may come back before the kernel is done.
  virtual bool launch(const KernelLaunch &launch) = 0;
  virtual bool synchronize() = 0;

  /// Memory of the device that is free now.
  virtual bool freeBytes(uint64_t &bytes) = 0;
  virtual bool allocate(DevicePointer &pointer, uint64_t bytes) = 0;
  virtual void free(DevicePointer pointer) = 0;
  virtual bool fill(DevicePointer pointer, uint8_t value, uint64_t bytes) = 0;
  virtual bool copyToDevice(DevicePointer to, const void *from, uint64_t bytes) = 0;
  virtual bool copyToHost(void *to, DevicePointer from, uint64_t bytes) = 0;

  /// Says where a tensor lies, before the launch. Only a device that checks accesses listens.
  virtual void describe(const TensorPlace &) {}

  std::string error;
  /// The last failure ended the context (an illegal address, a device assertion): nothing works any more in
  /// this process.
  bool isLost = false;
};

} // namespace tilec::runner

#endif // TILEC_RUNNER_DEVICE_H
