//===- FakeCuda.cpp - a libcuda.so.1 without a GPU ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the driver API that stubs and tile-runner use, over host memory: contexts with a stack a
// thread, streams that belong to contexts, allocations with bounds, libraries, launches. It counts calls,
// checks what the real driver would refuse (a stream or a context that does not exist, loading while a
// capture is on), and fails on demand. A launch runs a function of Kernels.cpp by the kernel's name, in host
// memory, at once.
//
//   FAKE_CUDA_CAPABILITY=90      of every device
//   FAKE_CUDA_PRINT=TEXT         a line that every kernel prints
//   FAKE_CUDA_DEVICES=1          how many there are
//   FAKE_CUDA_FAIL=cuX:700       that function fails always
//   FAKE_CUDA_MEMORY=4294967296  bytes of every device
//   FAKE_CUDA_PARAMETERS=8,8,4   sizes of every kernel's parameters; not set: the driver cannot tell
//   FAKE_CUDA_HIDE=cuX,cuY       functions that cuGetProcAddress does not find
//
// Built twice: libcuda.so.1 as above, and old/libcuda.so.1 (FAKE_CUDA_OLD), a driver before CUDA 12.0 without
// cuGetProcAddress_v2 and cuLibrary*.
//
// Signatures and numbers: CUDA driver API 12.0. Declared here, since the point is to need no CUDA header.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "Kernels.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {
struct Context {
  int device;
};
struct Stream {
  Context *context;
  bool capturing = false;
};
struct Library {
  std::vector<unsigned char> head;
};
struct Kernel {
  std::string name;
  int maxDynamicShared[8] = {};
};
struct Failure {
  int result, skip, times;
};

struct State {
  std::mutex lock;
  std::map<std::string, int> calls;
  std::map<std::string, Failure> failures;
  std::set<std::string> hidden;
  int capabilities[8];
  int deviceCount = 1;
  bool initialised = false;
  std::set<Context *> contexts;
  std::set<Stream *> streams;
  std::map<std::string, Kernel *> kernels;
  std::map<int, Context *> primary;
  std::map<uint64_t, uint64_t> allocations; // start, bytes
  int captures = 0;
  bool busy = false;
  std::vector<unsigned> parameterSizes;
  std::vector<size_t> infoSizes;
  size_t memory = 0, used = 0;
  fake_cuda_launch last = {};

  State() {
    auto env = [](const char *name, const char *other) {
      const char *value = getenv(name);
      return std::string(value ? value : other);
    };
    for (int &capability : capabilities)
      capability = atoi(env("FAKE_CUDA_CAPABILITY", "90").c_str());
    deviceCount = atoi(env("FAKE_CUDA_DEVICES", "1").c_str());
    std::string fail = env("FAKE_CUDA_FAIL", "");
    if (size_t colon = fail.find(':'); colon != std::string::npos)
      failures[fail.substr(0, colon)] = {atoi(fail.c_str() + colon + 1), 0, -1};
    memory = strtoull(env("FAKE_CUDA_MEMORY", "4294967296").c_str(), nullptr, 10);
    std::string sizes = env("FAKE_CUDA_PARAMETERS", "");
    for (const char *at = sizes.c_str(); *at;) {
      char *end;
      infoSizes.push_back(strtoul(at, &end, 10));
      at = *end ? end + 1 : end;
    }
    std::string hide = env("FAKE_CUDA_HIDE", "");
    for (size_t begin = 0; begin < hide.size();) {
      size_t end = std::min(hide.find(',', begin), hide.size());
      hidden.insert(hide.substr(begin, end - begin));
      begin = end + 1;
    }
  }
};

State &state() {
  static State *s = new State; // never destroyed: programs may call during their exit
  return *s;
}

thread_local std::vector<Context *> contextStack;
thread_local int captureMode = 0; // global

enum {
  invalidValue = 1,
  notInitialised = 3,
  noDevice = 100,
  invalidDevice = 101,
  invalidImage = 200,
  invalidContext = 201,
  noBinary = 209,
  invalidHandle = 400,
  notFound = 500,
  illegalAddress = 700,
  notSupported = 801,
  captureUnsupported = 900
};

/// Opens every function: counts the call and answers a failure that was asked for.
int enter(const char *function) {
  State &s = state();
  ++s.calls[function];
  auto found = s.failures.find(function);
  if (found != s.failures.end()) {
    Failure &failure = found->second;
    if (failure.skip > 0) {
      --failure.skip;
    } else if (failure.times != 0) {
      failure.times -= failure.times > 0;
      return failure.result;
    }
  }
  return s.initialised || !strcmp(function, "cuInit") || !strncmp(function, "cuGetError", 10)
             ? 0
             : notInitialised;
}

#define ENTER(name)                                                                                          \
  std::lock_guard<std::mutex> guard(state().lock);                                                           \
  if (int failure = enter(#name))                                                                            \
  return failure

Context *current() { return contextStack.empty() ? nullptr : contextStack.back(); }

bool isDefault(void *stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

int contextOf(void *stream, Context *&context) {
  context = current();
  if (!isDefault(stream)) {
    if (!state().streams.count(static_cast<Stream *>(stream)))
      return invalidHandle;
    context = static_cast<Stream *>(stream)->context;
  }
  return context ? 0 : invalidContext;
}

/// Calls that the driver refuses while some stream is captured in the global mode.
int refuseWhileCapturing() { return state().captures && captureMode != 2 ? captureUnsupported : 0; }

bool inAllocation(uint64_t address, uint64_t bytes) {
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin())
    return bytes == 0;
  --after;
  return address + bytes <= after->first + after->second;
}
} // namespace

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

extern "C" {

int fake_cuda_calls(const char *function) {
  std::lock_guard<std::mutex> guard(state().lock);
  return state().calls[function];
}

void fake_cuda_fail(const char *function, int result, int skip, int times) {
  std::lock_guard<std::mutex> guard(state().lock);
  state().failures[function] = {result, skip, times};
}

int fake_cuda_is_busy(void) {
  std::lock_guard<std::mutex> guard(state().lock);
  return state().busy;
}

void fake_cuda_set_capability(int device, int capability) {
  std::lock_guard<std::mutex> guard(state().lock);
  state().capabilities[device] = capability;
}

fake_cuda_launch fake_cuda_last_launch(void) {
  std::lock_guard<std::mutex> guard(state().lock);
  return state().last;
}

void fake_cuda_parameters(const unsigned *sizes) {
  std::lock_guard<std::mutex> guard(state().lock);
  state().parameterSizes.clear();
  for (; *sizes; ++sizes)
    state().parameterSizes.push_back(*sizes);
}

//===----------------------------------------------------------------------===//
// Devices, contexts, streams
//===----------------------------------------------------------------------===//

int cuInit(unsigned flags) {
  ENTER(cuInit);
  state().initialised = true;
  return flags ? invalidValue : state().deviceCount ? 0 : noDevice;
}

int cuGetErrorName(int result, const char **name) {
  ENTER(cuGetErrorName);
  static const std::map<int, const char *> names = {{0, "CUDA_SUCCESS"},
                                                    {1, "CUDA_ERROR_INVALID_VALUE"},
                                                    {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                    {100, "CUDA_ERROR_NO_DEVICE"},
                                                    {200, "CUDA_ERROR_INVALID_IMAGE"},
                                                    {201, "CUDA_ERROR_INVALID_CONTEXT"},
                                                    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                                    {400, "CUDA_ERROR_INVALID_HANDLE"},
                                                    {500, "CUDA_ERROR_NOT_FOUND"},
                                                    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"}};
  auto found = names.find(result);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? invalidValue : 0;
}

int cuDriverGetVersion(int *version) {
  ENTER(cuDriverGetVersion);
  *version = 12000;
  return 0;
}

int cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount);
  *count = state().deviceCount;
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  ENTER(cuDeviceGet);
  if (ordinal < 0 || ordinal >= state().deviceCount)
    return invalidDevice;
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char *name, int length, int device) {
  ENTER(cuDeviceGetName);
  snprintf(name, static_cast<size_t>(length), "Fake GPU %d", device);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER(cuDeviceGetAttribute);
  if (device < 0 || device >= state().deviceCount)
    return invalidDevice;
  switch (attribute) {
  case 75:
    *value = state().capabilities[device] / 10;
    return 0; // COMPUTE_CAPABILITY_MAJOR
  case 76:
    *value = state().capabilities[device] % 10;
    return 0; // COMPUTE_CAPABILITY_MINOR
  case 38:
    *value = 1 << 20;
    return 0; // L2_CACHE_SIZE
  case 16:
    *value = 3;
    return 0; // MULTIPROCESSOR_COUNT
  default:
    return invalidValue;
  }
}

int cuDeviceGetPCIBusId(char *id, int length, int device) {
  ENTER(cuDeviceGetPCIBusId);
  snprintf(id, static_cast<size_t>(length), "0000:%02X:00.0", device + 1);
  return 0;
}

static int createContext(Context **context, int device) {
  if (device < 0 || device >= state().deviceCount)
    return invalidDevice;
  *context = new Context{device};
  state().contexts.insert(*context);
  return 0;
}

int cuCtxCreate_v2(Context **context, unsigned, int device) {
  ENTER(cuCtxCreate_v2);
  int result = createContext(context, device);
  if (result == 0)
    contextStack.push_back(*context);
  return result;
}

int cuDevicePrimaryCtxRetain(Context **context, int device) {
  ENTER(cuDevicePrimaryCtxRetain);
  Context *&primary = state().primary[device];
  int result = primary ? 0 : createContext(&primary, device);
  *context = primary;
  return result;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  ENTER(cuDevicePrimaryCtxRelease_v2);
  return 0;
}

int cuCtxGetCurrent(Context **context) {
  ENTER(cuCtxGetCurrent);
  *context = current();
  return 0;
}

int cuCtxSetCurrent(Context *context) {
  ENTER(cuCtxSetCurrent);
  if (!contextStack.empty())
    contextStack.pop_back();
  if (context)
    contextStack.push_back(context);
  return 0;
}

int cuCtxPushCurrent_v2(Context *context) {
  ENTER(cuCtxPushCurrent_v2);
  if (!state().contexts.count(context))
    return invalidContext;
  contextStack.push_back(context);
  return 0;
}

int cuCtxPopCurrent_v2(Context **context) {
  ENTER(cuCtxPopCurrent_v2);
  if (contextStack.empty())
    return invalidContext;
  *context = current();
  contextStack.pop_back();
  return 0;
}

int cuCtxGetDevice(int *device) {
  ENTER(cuCtxGetDevice);
  if (!current())
    return invalidContext;
  *device = current()->device;
  return 0;
}

int cuCtxSynchronize(void) {
  ENTER(cuCtxSynchronize);
  state().busy = false;
  return current() ? 0 : invalidContext;
}

int cuStreamCreate(Stream **stream, unsigned) {
  ENTER(cuStreamCreate);
  if (!current())
    return invalidContext;
  *stream = new Stream{current()};
  state().streams.insert(*stream);
  return 0;
}

int cuStreamGetCtx(void *stream, Context **context) {
  ENTER(cuStreamGetCtx);
  return contextOf(stream, *context);
}

int cuStreamSynchronize(void *stream) {
  ENTER(cuStreamSynchronize);
  Context *context;
  return contextOf(stream, context);
}

int cuStreamDestroy_v2(Stream *stream) {
  ENTER(cuStreamDestroy_v2);
  if (!state().streams.erase(stream))
    return invalidHandle;
  delete stream;
  return 0;
}

int cuStreamBeginCapture_v2(Stream *stream, int mode) {
  ENTER(cuStreamBeginCapture_v2);
  stream->capturing = true;
  state().captures += mode == 0;
  return 0;
}

int cuStreamEndCapture(Stream *stream, void **graph) {
  ENTER(cuStreamEndCapture);
  stream->capturing = false;
  state().captures = 0;
  *graph = nullptr;
  return 0;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  ENTER(cuThreadExchangeStreamCaptureMode);
  std::swap(*mode, captureMode);
  return 0;
}

//===----------------------------------------------------------------------===//
// Memory, events
//===----------------------------------------------------------------------===//

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  ENTER(cuMemAlloc_v2);
  if (!current())
    return invalidContext;
  if (bytes == 0)
    return invalidValue;
  if (bytes > state().memory - state().used)
    return 2;
  void *memory = aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!memory)
    return 2;
  memset(memory, 0xcd, bytes);
  *pointer = reinterpret_cast<uint64_t>(memory);
  state().allocations[*pointer] = bytes;
  state().used += bytes;
  return 0;
}

int cuMemFree_v2(uint64_t pointer) {
  ENTER(cuMemFree_v2);
  auto found = state().allocations.find(pointer);
  if (found == state().allocations.end())
    return invalidValue;
  state().used -= found->second;
  state().allocations.erase(found);
  free(reinterpret_cast<void *>(pointer));
  return 0;
}

int cuMemGetInfo_v2(size_t *available, size_t *total) {
  ENTER(cuMemGetInfo_v2);
  *total = state().memory;
  *available = state().memory - state().used;
  return 0;
}

static int copy(uint64_t to, uint64_t from, size_t bytes) {
  memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  ENTER(cuMemcpyHtoD_v2);
  return inAllocation(to, bytes) ? copy(to, reinterpret_cast<uint64_t>(from), bytes) : invalidValue;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  ENTER(cuMemcpyDtoH_v2);
  return inAllocation(from, bytes) ? copy(reinterpret_cast<uint64_t>(to), from, bytes) : invalidValue;
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  ENTER(cuMemcpyDtoDAsync_v2);
  state().busy = true;
  if (!inAllocation(to, bytes) || !inAllocation(from, bytes))
    return invalidValue;
  // Constant bytes cost a GPU less power than data: whoever measures by them measures the wrong thing.
  auto *data = reinterpret_cast<const char *>(from);
  if (bytes > 1 && !memcmp(data, data + 1, bytes - 1))
    return invalidValue;
  return copy(to, from, bytes);
}

int cuMemsetD8Async(uint64_t pointer, unsigned char value, size_t bytes, void *) {
  ENTER(cuMemsetD8Async);
  if (!inAllocation(pointer, bytes))
    return invalidValue;
  memset(reinterpret_cast<void *>(pointer), value, bytes);
  return 0;
}

// An event is the microsecond at which it was recorded. Launches and copies take ten.
int cuEventCreate(uint64_t **event, unsigned) {
  ENTER(cuEventCreate);
  *event = new uint64_t(0);
  return 0;
}

int cuEventRecord(uint64_t *event, void *) {
  ENTER(cuEventRecord);
  *event =
      10 * static_cast<uint64_t>(state().calls["cuLaunchKernelEx"] + state().calls["cuMemcpyDtoDAsync_v2"]);
  return 0;
}

int cuEventSynchronize(uint64_t *) {
  ENTER(cuEventSynchronize);
  state().busy = false;
  return 0;
}

int cuEventElapsedTime(float *milliseconds, uint64_t *begin, uint64_t *end) {
  ENTER(cuEventElapsedTime);
  *milliseconds = static_cast<float>(*end - *begin) * 1e-3f;
  return 0;
}

int cuEventDestroy_v2(uint64_t *event) {
  ENTER(cuEventDestroy_v2);
  delete event;
  return 0;
}

//===----------------------------------------------------------------------===//
// Libraries, launches
//===----------------------------------------------------------------------===//

#ifndef FAKE_CUDA_OLD
int cuLibraryLoadData(Library **library, const void *image, void *, void **, unsigned, void *, void **,
                      unsigned) {
  ENTER(cuLibraryLoadData);
  if (int refused = refuseWhileCapturing())
    return refused;
  if (!image)
    return invalidImage;
  *library = new Library;
  return 0;
}

int cuLibraryUnload(Library *library) {
  ENTER(cuLibraryUnload);
  delete library;
  return 0;
}

int cuLibraryGetKernel(Kernel **kernel, Library *library, const char *name) {
  ENTER(cuLibraryGetKernel);
  if (!library)
    return invalidHandle;
  if (!strncmp(name, "missing", 7))
    return notFound;
  Kernel *&known = state().kernels[name];
  if (!known)
    known = new Kernel{name};
  *kernel = known;
  return 0;
}

#endif // FAKE_CUDA_OLD

int cuKernelGetFunction(void **function, Kernel *kernel) {
  ENTER(cuKernelGetFunction);
  if (int refused = refuseWhileCapturing())
    return refused;
  if (!current())
    return invalidContext;
  *function = kernel;
  return 0;
}

int cuKernelGetParamInfo(Kernel *, size_t index, size_t *offset, size_t *size) {
  ENTER(cuKernelGetParamInfo);
  if (state().infoSizes.empty())
    return notSupported;
  if (index >= state().infoSizes.size())
    return invalidValue;
  *offset = 8 * index;
  *size = state().infoSizes[index];
  return 0;
}

int cuKernelSetAttribute(int attribute, int value, Kernel *kernel, int device) {
  ENTER(cuKernelSetAttribute);
  if (attribute != 8 || value > 232448)
    return invalidValue;
  kernel->maxDynamicShared[device] = value;
  return 0;
}

struct LaunchAttribute {
  int id, reserved;
  union {
    unsigned cluster[3];
    uint64_t words[8];
  };
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

int cuLaunchKernelEx(const LaunchConfig *config, Kernel *kernel, void **parameters, void **) {
  ENTER(cuLaunchKernelEx);
  State &s = state();
  s.busy = true;
  Context *context;
  if (int result = contextOf(config->stream, context))
    return result;
  for (int i = 0; i != 3; ++i)
    if (config->grid[i] == 0 || config->block[i] == 0)
      return invalidValue;
  if (config->sharedBytes > 49152 &&
      config->sharedBytes > unsigned(kernel->maxDynamicShared[context->device]))
    return invalidValue;
  s.last = {};
  memcpy(s.last.grid, config->grid, sizeof s.last.grid);
  memcpy(s.last.block, config->block, sizeof s.last.block);
  s.last.shared_bytes = config->sharedBytes;
  s.last.device = context->device;
  s.last.stream = config->stream;
  snprintf(s.last.kernel, sizeof s.last.kernel, "%s", kernel->name.c_str());
  for (unsigned i = 0; i != config->attributeCount; ++i)
    if (config->attributes[i].id == 4)
      memcpy(s.last.cluster, config->attributes[i].cluster, sizeof s.last.cluster);
  for (size_t i = 0; i != s.parameterSizes.size() && i != 512; ++i)
    memcpy(&s.last.parameters[i], parameters[i], s.parameterSizes[i]);
  if (const char *text = getenv("FAKE_CUDA_PRINT"))
    puts(text);
  bool capturing = !isDefault(config->stream) && static_cast<Stream *>(config->stream)->capturing;
  return capturing || runFakeKernel(kernel->name, parameters) ? 0 : illegalAddress;
}

#ifndef FAKE_CUDA_OLD
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t, int *) {
  *function = nullptr;
  if (version < 12000 || state().hidden.count(name))
    return notFound;
  // As the driver does, the newest version of the function that this one knows.
  void *self = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  for (const char *suffix : {"_v2", ""})
    if ((*function = dlsym(self, (std::string(name) + suffix).c_str())))
      break;
  return *function ? 0 : notFound;
}
#endif

} // extern "C"
