//===- vector_add_test.cpp - a stub against the fake driver ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with the generated source of vector_add.mlir and run with the fake libcuda.so.1. Each function is
// one behaviour; argv[1] names it, since what happens on a first call can be seen once a process.
//
//===----------------------------------------------------------------------===//

#include "../FakeCuda/FakeCuda.h"
#include "vector_add.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <vector>

static int failures = 0;
#define EXPECT(condition)                                                                                    \
  ((condition) ? void()                                                                                      \
               : (std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition), void(++failures)))

static void expectText(const tilec_result &result, tilec_status status, const char *text) {
  if (result.status() != status || std::strcmp(result.message(), text) != 0) {
    std::printf("got %d '%s'\nwant %d '%s'\n", result.status(), result.message(), status, text);
    ++failures;
  }
}

namespace {
/// The driver's functions that the tests call themselves.
struct Driver {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  template <typename F> F *get(const char *name) const { return reinterpret_cast<F *>(dlsym(library, name)); }

  int calls(const char *name) const { return get<decltype(fake_cuda_calls)>("fake_cuda_calls")(name); }
  void fail(const char *name, int result, int skip = 0, int times = -1) const {
    get<decltype(fake_cuda_fail)>("fake_cuda_fail")(name, result, skip, times);
  }
  fake_cuda_launch last() const { return get<decltype(fake_cuda_last_launch)>("fake_cuda_last_launch")(); }
  void *createContext(int device) const {
    void *context = nullptr;
    EXPECT(get<int(unsigned)>("cuInit")(0) == 0);
    EXPECT((get<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, device) == 0));
    return context;
  }
  void *current() const {
    void *context = nullptr;
    EXPECT(get<int(void **)>("cuCtxGetCurrent")(&context) == 0);
    return context;
  }
  void setCurrent(void *context) const { EXPECT(get<int(void *)>("cuCtxSetCurrent")(context) == 0); }
  tilec_stream createStream() const {
    tilec_stream stream = nullptr;
    EXPECT((get<int(tilec_stream *, unsigned)>("cuStreamCreate")(&stream, 0) == 0));
    return stream;
  }
};
} // namespace

static std::vector<float> a(5000), b(5000), c(5000);

static vector_add_f32_args arguments(int64_t n = 5000) {
  vector_add_f32_args args = {};
  args.A = {a.data(), {n}};
  args.B = {b.data(), {n}};
  args.C = {c.data(), {n}};
  return args;
}

static void launches(const Driver &driver) {
  void *context = driver.createContext(0);
  for (size_t i = 0; i != a.size(); ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 1;
  }
  EXPECT(bool(vector_add_f32_launch(arguments(), nullptr)));
  fake_cuda_launch launch = driver.last();
  EXPECT(launch.grid[0] == 2 && launch.grid[1] == 1 && launch.grid[2] == 1);
  EXPECT(launch.block[0] == 256 && launch.block[1] == 1 && launch.block[2] == 1);
  EXPECT(launch.shared_bytes == 0 && launch.cluster[0] == 0);
  EXPECT(!std::strcmp(launch.kernel, "vector_add_f32_kernel"));
  EXPECT(c[4999] == 5000);
  // Everything is looked up once.
  int launched = driver.calls("cuLaunchKernelEx");
  for (int i = 0; i != 10; ++i)
    EXPECT(bool(vector_add_f32_launch(arguments(), nullptr)));
  EXPECT(driver.calls("cuLibraryLoadData") == 1);
  EXPECT(driver.calls("cuLibraryGetKernel") == 1);
  EXPECT(driver.calls("cuLaunchKernelEx") == launched + 10);
  EXPECT(driver.current() == context);
  // The C functions.
  tilec_error error;
  vector_add_f32_args args = arguments();
  uint64_t bytes = 1;
  EXPECT(vector_add_f32_workspace_size(&args, nullptr, &bytes, &error) == TILEC_OK && bytes == 0);
  EXPECT(vector_add_f32_launch(&args, nullptr, 0, nullptr, nullptr) == TILEC_OK);
  EXPECT(vector_add_f32_launch(nullptr, nullptr, 0, nullptr, &error) == TILEC_INVALID_ARGUMENT);
  EXPECT(!std::strcmp(error.message, "vector_add_f32: the arguments are null"));
  EXPECT(!std::strcmp(vector_add_f32_targets, "sm_80 sm_90a compute_80 (PTX)"));
}

static void checks(const Driver &driver) {
  // No check needs the driver, and no failed check reaches it.
  vector_add_f32_args args = arguments();
  args.B.extents[0] = 7;
  expectText(vector_add_f32_launch(args, nullptr), TILEC_INVALID_ARGUMENT,
             "vector_add_f32: N is 5000 in A.extents[0] but 7 in B.extents[0]");
  args = arguments();
  args.C.data = nullptr;
  expectText(vector_add_f32_launch(args, nullptr), TILEC_INVALID_ARGUMENT, "vector_add_f32: C.data is null");
  args = arguments();
  args.A.data = reinterpret_cast<const float *>(reinterpret_cast<const char *>(a.data()) + 2);
  expectText(vector_add_f32_launch(args, nullptr), TILEC_INVALID_ARGUMENT,
             "vector_add_f32: A.data is not aligned to 4 bytes");
  args = arguments(10);
  args.A.data = c.data() + 9;
  expectText(vector_add_f32_launch(args, nullptr), TILEC_INVALID_ARGUMENT, "vector_add_f32: C and A overlap");
  expectText(vector_add_f32_launch(arguments(-1), nullptr), TILEC_INVALID_ARGUMENT,
             "vector_add_f32: A.extents[0] is -1, less than 0");
  expectText(vector_add_f32_launch(arguments(INT64_MAX), nullptr), TILEC_INVALID_ARGUMENT,
             "vector_add_f32: N is 9223372036854775807: a tensor has more than 2^63 bytes");
  EXPECT(driver.calls("cuInit") == 0);
}

static void empty(const Driver &driver) {
  vector_add_f32_args args = {};
  EXPECT(bool(vector_add_f32_launch(args, nullptr)));
  EXPECT(driver.calls("cuInit") == 0 && driver.calls("cuLaunchKernelEx") == 0);
}

static void grid(const Driver &driver) {
  driver.createContext(0);
  vector_add_f32_args args = arguments(int64_t(1) << 44);
  args.A.data = reinterpret_cast<const float *>(int64_t(1) << 48);
  args.C.data = reinterpret_cast<float *>(int64_t(1) << 50);
  expectText(vector_add_f32_launch(args, nullptr), TILEC_INVALID_ARGUMENT,
             "vector_add_f32: a grid of 4294967296 x 1 x 1 blocks is larger than 2147483647 x 65535 x 65535, "
             "the most "
             "a GPU runs");
  EXPECT(driver.calls("cuLaunchKernelEx") == 0);
}

static void contexts(const Driver &driver) {
  void *first = driver.createContext(0);
  tilec_stream stream = driver.createStream();
  void *second = driver.createContext(1);
  // The stream's context is used, the current one stays.
  EXPECT(bool(vector_add_f32_preload(stream)));
  EXPECT(driver.current() == second);
  EXPECT(bool(vector_add_f32_launch(arguments(), stream)));
  EXPECT(driver.last().device == 0 && driver.current() == second);
  EXPECT(bool(vector_add_f32_launch(arguments(), nullptr)));
  EXPECT(driver.last().device == 1 && driver.current() == second);
  // On failure too.
  driver.fail("cuKernelGetFunction", 2, 0, 1);
  expectText(vector_add_f32_preload(stream), TILEC_DRIVER_ERROR,
             "vector_add_f32: cuKernelGetFunction failed: CUDA_ERROR_OUT_OF_MEMORY (2)");
  EXPECT(driver.current() == second);
  // A thread without a context of its own can launch on a stream, but not on the default stream.
  std::thread([&] {
    EXPECT(driver.current() == nullptr);
    EXPECT(bool(vector_add_f32_launch(arguments(), stream)));
    EXPECT(driver.current() == nullptr);
    tilec_result result = vector_add_f32_launch(arguments(), nullptr);
    EXPECT(result.status() == TILEC_DRIVER_ERROR && result.error.cu_result == 201);
    EXPECT(std::strstr(result.message(),
                       "CUDA_ERROR_INVALID_CONTEXT (201): no CUDA context is current on this thread"));
  }).join();
  driver.setCurrent(first);
}

static void threads(const Driver &driver) {
  void *context = driver.createContext(0);
  std::vector<std::thread> threads;
  std::vector<std::vector<float>> results(32, std::vector<float>(100, -1));
  for (int i = 0; i != 32; ++i)
    threads.emplace_back([&, i] {
      driver.setCurrent(context);
      vector_add_f32_args args = arguments(100);
      args.C.data = results[static_cast<size_t>(i)].data();
      for (int k = 0; k != 50; ++k)
        EXPECT(bool(vector_add_f32_launch(args, nullptr)));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT(driver.calls("cuLibraryLoadData") == 1);
  EXPECT(driver.calls("cuLaunchKernelEx") == 32 * 50);
  EXPECT(results[31][99] == a[99] + b[99]);
}

static void retries(const Driver &driver) {
  driver.createContext(0);
  driver.fail("cuLibraryLoadData", 2, 0, 1);
  expectText(vector_add_f32_launch(arguments(), nullptr), TILEC_DRIVER_ERROR,
             "vector_add_f32: cuLibraryLoadData failed: CUDA_ERROR_OUT_OF_MEMORY (2)");
  EXPECT(bool(vector_add_f32_launch(arguments(), nullptr)));
  driver.fail("cuLaunchKernelEx", 209, 0, 1);
  expectText(
      vector_add_f32_launch(arguments(), nullptr), TILEC_NO_IMAGE,
      "vector_add_f32: nothing in this library runs on the device; it holds sm_80 sm_90a compute_80 (PTX)");
  driver.fail("cuLaunchKernelEx", 12345, 0, 1);
  tilec_result result = vector_add_f32_launch(arguments(), nullptr);
  EXPECT(result.error.cu_result == 12345);
  expectText(result, TILEC_DRIVER_ERROR, "vector_add_f32: cuLaunchKernelEx failed: unknown error (12345)");
  result = vector_add_f32_launch(arguments(), nullptr);
  EXPECT(result && result.error.cu_result == 0 && result.message()[0] == 0);
}

static void capture(const Driver &driver) {
  driver.createContext(0);
  tilec_stream stream = driver.createStream();
  EXPECT((driver.get<int(tilec_stream, int)>("cuStreamBeginCapture_v2")(stream, 0) == 0));
  EXPECT(bool(vector_add_f32_preload(stream)));
  EXPECT(bool(vector_add_f32_launch(arguments(), stream)));
  // The thread's capture mode is as it was: global.
  int mode = 0;
  EXPECT(driver.get<int(int *)>("cuThreadExchangeStreamCaptureMode")(&mode) == 0);
  EXPECT(mode == 0);
}

static void broken(const Driver &) {
  // What the environment broke: print the answer for FileCheck.
  tilec_result result = vector_add_f32_launch(arguments(), nullptr);
  std::printf("%d %d %s\n", result.status(), result.error.cu_result, result.message());
}

int main(int argc, char **argv) {
  Driver driver;
  struct {
    const char *name;
    void (*run)(const Driver &);
  } tests[] = {{"launches", launches}, {"checks", checks},     {"empty", empty},
               {"grid", grid},         {"contexts", contexts}, {"threads", threads},
               {"retries", retries},   {"capture", capture},   {"broken", broken}};
  for (auto &test : tests)
    if (argc > 1 && !std::strcmp(argv[1], test.name)) {
      test.run(driver);
      return failures ? 1 : 0;
    }
  std::printf("no such test\n");
  return 1;
}
