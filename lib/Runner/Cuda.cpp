//===- Cuda.cpp - the driver API by dlopen --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures and numbers: CUDA driver API 12.0, NVML API 12.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Cuda.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>

using namespace tilec::runner;

namespace {
struct LaunchAttribute { // CUlaunchAttribute
  int id = 0, reserved = 0;
  union {
    unsigned cluster[3];
    uint64_t words[8] = {};
  };
};
struct LaunchConfig { // CUlaunchConfig
  unsigned grid[3], block[3], sharedBytes = 0;
  void *stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};

enum {
  attributeL2Bytes = 38, // CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
  attributeSmCount = 16, // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
  attributeMajor = 75,   // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
  attributeMinor = 76,   // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
  maxDynamicShared = 8,  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  launchCluster = 4,     // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
  clockSm = 1,           // NVML_CLOCK_SM
  errorInvalidValue = 1, // CUDA_ERROR_INVALID_VALUE
  freeShared = 49152     // bytes a block may have without asking
};

/// Errors after which the context is gone (CUDA driver API, "Error codes": the process must be relaunched).
bool endsContext(int result) {
  switch (result) {
  case 214: // ECC_UNCORRECTABLE
  case 700: // ILLEGAL_ADDRESS
  case 702: // LAUNCH_TIMEOUT
  case 710: // ASSERT
  case 714: // HARDWARE_STACK_ERROR
  case 715: // ILLEGAL_INSTRUCTION
  case 716: // MISALIGNED_ADDRESS
  case 717: // INVALID_ADDRESS_SPACE
  case 718: // INVALID_PC
  case 719: // LAUNCH_FAILED
    return true;
  default:
    return false;
  }
}
} // namespace

// Name in the library, then the type.
#define TILEC_CUDA_FUNCTIONS(X)                                                                              \
  X(cuInit, (unsigned))                                                                                      \
  X(cuGetErrorName, (int, const char **))                                                                    \
  X(cuDriverGetVersion, (int *))                                                                             \
  X(cuDeviceGetCount, (int *))                                                                               \
  X(cuDeviceGet, (int *, int))                                                                               \
  X(cuDeviceGetName, (char *, int, int))                                                                     \
  X(cuDeviceGetPCIBusId, (char *, int, int))                                                                 \
  X(cuDeviceGetAttribute, (int *, int, int))                                                                 \
  X(cuDevicePrimaryCtxRetain, (void **, int))                                                                \
  X(cuDevicePrimaryCtxRelease_v2, (int))                                                                     \
  X(cuCtxPushCurrent_v2, (void *))                                                                           \
  X(cuCtxPopCurrent_v2, (void **))                                                                           \
  X(cuCtxSynchronize, ())                                                                                    \
  X(cuMemAlloc_v2, (uint64_t *, size_t))                                                                     \
  X(cuMemGetInfo_v2, (size_t *, size_t *))                                                                   \
  X(cuMemFree_v2, (uint64_t))                                                                                \
  X(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                                                       \
  X(cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                                                             \
  X(cuMemcpyDtoDAsync_v2, (uint64_t, uint64_t, size_t, void *))                                              \
  X(cuMemsetD8Async, (uint64_t, unsigned char, size_t, void *))                                              \
  X(cuEventCreate, (void **, unsigned))                                                                      \
  X(cuEventRecord, (void *, void *))                                                                         \
  X(cuEventSynchronize, (void *))                                                                            \
  X(cuEventElapsedTime, (float *, void *, void *))                                                           \
  X(cuEventDestroy_v2, (void *))                                                                             \
  X(cuLibraryLoadData, (void **, const void *, void *, void **, unsigned, void *, void **, unsigned))        \
  X(cuLibraryUnload, (void *))                                                                               \
  X(cuLibraryGetKernel, (void **, void *, const char *))                                                     \
  X(cuKernelSetAttribute, (int, int, void *, int))                                                           \
  X(cuLaunchKernelEx, (const LaunchConfig *, void *, void **, void **))

struct tilec::runner::CudaApi {
#define TILEC_MEMBER(name, arguments) int(*name) arguments = nullptr;
  TILEC_CUDA_FUNCTIONS(TILEC_MEMBER)
#undef TILEC_MEMBER
  /// From CUDA 12.4 on; null in older drivers.
  int (*cuKernelGetParamInfo)(void *, size_t, size_t *, size_t *) = nullptr;
};

template <typename F> static bool find(void *library, const char *name, F *&function) {
  function = reinterpret_cast<F *>(dlsym(library, name));
  return function != nullptr;
}

#define TILEC_CALL(name, ...) check(#name, api->name(__VA_ARGS__))

Cuda::Cuda() : api(std::make_unique<CudaApi>()) {}

bool Cuda::check(const char *function, int result) {
  if (result == 0)
    return true;
  const char *name = nullptr;
  if (api->cuGetErrorName(result, &name) != 0 || !name)
    name = "unknown error";
  error = std::string(function) + " failed: " + name + " (" + std::to_string(result) + ")";
  isLost |= endsContext(result);
  return false;
}

std::unique_ptr<Cuda> Cuda::open(int device, std::string &error) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = std::string("cannot load the NVIDIA driver: ") + dlerror();
    return nullptr;
  }
  std::unique_ptr<Cuda> cuda(new Cuda);
  CudaApi *api = cuda->api.get();
#define TILEC_FIND(name, arguments)                                                                          \
  if (!find(library, #name, api->name)) {                                                                    \
    error = "the NVIDIA driver has no '" #name "': CUDA 12.0 (driver 525) or later is needed";               \
    return nullptr;                                                                                          \
  }
  TILEC_CUDA_FUNCTIONS(TILEC_FIND)
#undef TILEC_FIND
  (void)find(library, "cuKernelGetParamInfo", api->cuKernelGetParamInfo);
  auto check = [&](const char *function, int result) {
    bool ok = cuda->check(function, result);
    if (!ok)
      error = cuda->error;
    return ok;
  };
  int count = 0, handle = 0, major = 0, minor = 0, sms = 0, l2 = 0;
  char text[256] = "";
  if (!TILEC_CALL(cuInit, 0) || !TILEC_CALL(cuDeviceGetCount, &count))
    return nullptr;
  if (device < 0 || device >= count) {
    error = "there is no GPU " + std::to_string(device) + "; this machine has " + std::to_string(count);
    return nullptr;
  }
  if (!TILEC_CALL(cuDeviceGet, &handle, device) || !TILEC_CALL(cuDeviceGetName, text, sizeof text, handle) ||
      !TILEC_CALL(cuDeviceGetAttribute, &major, attributeMajor, handle) ||
      !TILEC_CALL(cuDeviceGetAttribute, &minor, attributeMinor, handle) ||
      !TILEC_CALL(cuDeviceGetAttribute, &sms, attributeSmCount, handle) ||
      !TILEC_CALL(cuDeviceGetAttribute, &l2, attributeL2Bytes, handle) ||
      !TILEC_CALL(cuDriverGetVersion, &cuda->version))
    return nullptr;
  cuda->deviceName = text;
  cuda->deviceCapability = 10 * major + minor;
  cuda->deviceSmCount = static_cast<unsigned>(sms);
  cuda->deviceL2 = static_cast<uint64_t>(l2);
  cuda->device = handle;
  if (api->cuDeviceGetPCIBusId(text, sizeof text, handle) == 0)
    cuda->busId = text;
  if (!TILEC_CALL(cuDevicePrimaryCtxRetain, &cuda->context, handle))
    return nullptr;
  if (!TILEC_CALL(cuCtxPushCurrent_v2, cuda->context) || !TILEC_CALL(cuEventCreate, &cuda->begin, 0) ||
      !TILEC_CALL(cuEventCreate, &cuda->end, 0))
    return nullptr;
  cuda->nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*init)() = nullptr;
  int (*byBusId)(const char *, void **) = nullptr;
  if (cuda->nvml && (!find(cuda->nvml, "nvmlInit_v2", init) || init() != 0 ||
                     !find(cuda->nvml, "nvmlDeviceGetHandleByPciBusId_v2", byBusId) ||
                     byBusId(cuda->busId.c_str(), &cuda->nvmlDevice) != 0))
    cuda->nvmlDevice = nullptr;
  return cuda;
}

Cuda::~Cuda() {
  if (!context)
    return;
  void *popped;
  if (library)
    (void)api->cuLibraryUnload(library);
  for (void *event : {begin, end})
    if (event)
      (void)api->cuEventDestroy_v2(event);
  (void)api->cuCtxPopCurrent_v2(&popped);
  (void)api->cuDevicePrimaryCtxRelease_v2(device);
}

std::optional<unsigned> Cuda::smClock() const {
  int (*clock)(void *, int, unsigned *) = nullptr;
  unsigned megahertz = 0;
  if (!nvmlDevice || !find(nvml, "nvmlDeviceGetClockInfo", clock) ||
      clock(nvmlDevice, clockSm, &megahertz) != 0)
    return std::nullopt;
  return megahertz;
}

bool Cuda::loadImage(const std::string &image) {
  if (library && !TILEC_CALL(cuLibraryUnload, library))
    return false;
  library = nullptr;
  kernels.clear();
  // The driver wants words; a string need not begin at one.
  std::vector<uint64_t> words((image.size() + 7) / 8 + 1);
  memcpy(words.data(), image.data(), image.size());
  return TILEC_CALL(cuLibraryLoadData, &library, words.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
}

/// Asks for the sizes of the parameters, as far as the driver can tell.
static std::optional<std::vector<size_t>> parameterSizes(const CudaApi &api, void *kernel) {
  std::vector<size_t> sizes;
  size_t offset, size;
  int result = errorInvalidValue;
  while (api.cuKernelGetParamInfo &&
         (result = api.cuKernelGetParamInfo(kernel, sizes.size(), &offset, &size)) == 0)
    sizes.push_back(size);
  if (!api.cuKernelGetParamInfo || result != errorInvalidValue)
    return std::nullopt; // an older driver, or one that knows the function and cannot tell
  return sizes;
}

bool Cuda::checkParameters(const KernelLaunch &launch, const Kernel &kernel) {
  if (!kernel.parameterSizes)
    return true;
  const std::vector<size_t> &sizes = *kernel.parameterSizes;
  size_t given = launch.parameters.size();
  for (size_t i = 0; i != std::max(sizes.size(), given); ++i) {
    if (i < sizes.size() && i < given && sizes[i] == launch.parameters[i].size())
      continue;
    error = "parameter " + std::to_string(i) + " of '" + launch.kernel + "' has " +
            (i < sizes.size() ? std::to_string(sizes[i]) : "no") + " bytes in the image, but " +
            (i < given ? std::to_string(launch.parameters[i].size()) : "no") + " bytes in the manifest";
    return false;
  }
  return true;
}

const Cuda::Kernel *Cuda::findKernel(const KernelLaunch &launch) {
  if (auto known = kernels.find(launch.kernel); known != kernels.end())
    return &known->second;
  Kernel kernel;
  if (!TILEC_CALL(cuLibraryGetKernel, &kernel.handle, library, launch.kernel.c_str())) {
    error += " for '" + launch.kernel + "'";
    return nullptr;
  }
  kernel.parameterSizes = parameterSizes(*api, kernel.handle);
  return &kernels.emplace(launch.kernel, std::move(kernel)).first->second;
}

bool Cuda::launch(const KernelLaunch &launch) {
  const Kernel *found = findKernel(launch);
  if (!found || !checkParameters(launch, *found))
    return false;
  void *kernel = found->handle;
  if (launch.sharedBytes > freeShared && !TILEC_CALL(cuKernelSetAttribute, maxDynamicShared,
                                                     static_cast<int>(launch.sharedBytes), kernel, device))
    return false;
  LaunchConfig config;
  LaunchAttribute attribute;
  for (unsigned i = 0; i != 3; ++i) {
    config.grid[i] = static_cast<unsigned>(launch.grid[i]);
    config.block[i] = i == 0 ? launch.threads : 1;
  }
  config.sharedBytes = launch.sharedBytes;
  if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > 1) {
    attribute.id = launchCluster;
    memcpy(attribute.cluster, launch.cluster.data(), sizeof attribute.cluster);
    config.attributes = &attribute;
    config.attributeCount = 1;
  }
  std::vector<void *> parameters;
  for (const std::string &bytes : launch.parameters)
    parameters.push_back(const_cast<char *>(bytes.data()));
  return TILEC_CALL(cuLaunchKernelEx, &config, kernel, parameters.data(), nullptr);
}

bool Cuda::synchronize() { return TILEC_CALL(cuCtxSynchronize); }

bool Cuda::freeBytes(uint64_t &bytes) {
  size_t available = 0, total = 0;
  if (!TILEC_CALL(cuMemGetInfo_v2, &available, &total))
    return false;
  bytes = available;
  return true;
}

bool Cuda::allocate(DevicePointer &pointer, uint64_t bytes) {
  if (TILEC_CALL(cuMemAlloc_v2, &pointer, bytes))
    return true;
  error += " for " + std::to_string(bytes) + " bytes";
  return false;
}

void Cuda::free(DevicePointer pointer) { (void)api->cuMemFree_v2(pointer); }

bool Cuda::fill(DevicePointer pointer, uint8_t value, uint64_t bytes) {
  return bytes == 0 || TILEC_CALL(cuMemsetD8Async, pointer, value, bytes, nullptr);
}

bool Cuda::copyToDevice(DevicePointer to, const void *from, uint64_t bytes) {
  return bytes == 0 || TILEC_CALL(cuMemcpyHtoD_v2, to, from, bytes);
}

bool Cuda::copyToHost(void *to, DevicePointer from, uint64_t bytes) {
  return bytes == 0 || TILEC_CALL(cuMemcpyDtoH_v2, to, from, bytes);
}

bool Cuda::copyOnDevice(DevicePointer to, DevicePointer from, uint64_t bytes) {
  return bytes == 0 || TILEC_CALL(cuMemcpyDtoDAsync_v2, to, from, bytes, nullptr);
}

bool Cuda::startTimer() { return TILEC_CALL(cuEventRecord, begin, nullptr); }

bool Cuda::stopTimer() { return TILEC_CALL(cuEventRecord, end, nullptr); }

bool Cuda::readTimer(double &milliseconds) {
  float elapsed = 0;
  if (!TILEC_CALL(cuEventSynchronize, end) || !TILEC_CALL(cuEventElapsedTime, &elapsed, begin, end))
    return false;
  milliseconds = elapsed;
  return true;
}
