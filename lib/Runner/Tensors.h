//===- Tensors.h - the arguments of a launch in device memory -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the runner: makes the tensors of a check or a benchmark, and looks at them afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_RUNNER_TENSORS_H
#define TILEC_LIB_RUNNER_TENSORS_H

#include "tilec/Runner/Runner.h"
#include <memory>
#include <string_view>

namespace tilec::runner {

/// Bytes on the host that may be too many: an allocation that fails is an error and no end of the process.
struct HostBuffer {
  std::unique_ptr<char[]> bytes;
  uint64_t size = 0;

  /// False, and nothing, if there is no memory for it.
  bool allocate(uint64_t wanted);
};

/// One tensor: canary, misalignment, data, canary. Everything that is not data holds the canary's byte.
struct Tensor {
  const launch::Param *param = nullptr;
  const Argument *argument = nullptr;
  ElementKind kind = ElementKind::F32;
  uint64_t number = 0;    ///< among the parameters
  int64_t span = 0;       ///< elements
  uint64_t first = 0;     ///< offset of the data in the allocation
  uint64_t dataBytes = 0; ///< of the data
  HostBuffer initial;     ///< the whole allocation before the launch
  DevicePointer allocation = 0;

  DevicePointer pointer() const { return allocation + first; }
  uint64_t allocationBytes() const;
};

/// The tensors of one launch. They live until the object goes.
class Tensors {
public:
  Tensors(Device &device, const ManifestEntry &entry, const std::vector<Argument> &arguments, uint64_t seed);
  ~Tensors();
  Tensors(const Tensors &) = delete;
  Tensors &operator=(const Tensors &) = delete;

  /// Allocates them and writes what they hold before the launch. False: device.error. What does not fit the
  /// memory that is free is refused before anything is allocated.
  bool upload();
  /// The same with the data of `like`, tensors of the same arguments that were uploaded.
  bool upload(const Tensors &like);
  std::vector<Value> arguments() const;
  /// Compares memory with what it held before and with what is expected. Answers what is wrong, or nothing;
  /// the worst relative error of an output in `relativeError`.
  std::string verify(const std::vector<Expected> &expected, double &relativeError);
  /// The data of the largest tensor that is not an `out`, as before the launch; empty if there is none.
  std::string_view inputData() const;
  uint64_t bytes() const;           ///< of the data
  uint64_t allocationBytes() const; ///< on the device, the canaries too

private:
  bool checkFits();
  void describeAll();
  bool makeInitial(Tensor &tensor);
  std::string verifyOne(const Tensor &tensor, const char *now, const Expected *expected,
                        double &relativeError);

  Device &device;
  uint64_t seed;
  std::vector<Tensor> tensors;
  std::vector<Value> values;                       ///< of the launch program; pointers are set by arguments()
  std::vector<std::pair<size_t, size_t>> pointers; ///< place in values, tensor
};

/// The launch program for the device, and the name of its target; null and `error` if nothing runs there.
const launch::Program *selectProgram(const Manifest &manifest, const ManifestEntry &entry, int capability,
                                     std::string &target, std::string &error);

} // namespace tilec::runner

#endif // TILEC_LIB_RUNNER_TENSORS_H
