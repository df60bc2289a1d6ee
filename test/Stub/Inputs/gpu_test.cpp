//===- gpu_test.cpp - a stub on a real driver -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fake driver can only pretend: capture of a first launch, many threads and streams, contexts, and
// the time of a call. Built with the stub of kernels/vector_add.tile and the CUDA driver API, run by hand on
// a GPU host: `gpu_test` prints a line a behaviour and ends with status 0 if all are as promised.
//
//===----------------------------------------------------------------------===//

#include "vector_add.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <thread>
#include <vector>

static int failures = 0;

static void expect(bool ok, const char *what, const char *detail = "") {
  std::printf("%-60s %s %s\n", what, ok ? "ok" : "FAILED", ok ? "" : detail);
  failures += !ok;
}

static void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("%s: %s\n", what, name ? name : "?");
  std::exit(3);
}
#define CHECK(call) check(call, #call)

static constexpr int64_t n = 1 << 20;
static CUcontext context;

namespace {
struct Buffers {
  CUdeviceptr a = 0, b = 0, c = 0;
  Buffers() {
    for (CUdeviceptr *p : {&a, &b, &c})
      CHECK(cuMemAlloc(p, n * sizeof(float)));
    std::vector<float> values(n);
    for (size_t i = 0; i != values.size(); ++i)
      values[i] = static_cast<float>(i % 4096);
    CHECK(cuMemcpyHtoD(a, values.data(), n * sizeof(float)));
    CHECK(cuMemcpyHtoD(b, values.data(), n * sizeof(float)));
    clear();
  }
  void clear() { CHECK(cuMemsetD32(c, 0xffffffff, n)); }
  vector_add_f32_args args() const {
    vector_add_f32_args result = {};
    result.A = {reinterpret_cast<const float *>(a), {n}};
    result.B = {reinterpret_cast<const float *>(b), {n}};
    result.C = {reinterpret_cast<float *>(c), {n}};
    return result;
  }
  bool right() const {
    std::vector<float> values(n);
    CHECK(cuMemcpyDtoH(values.data(), c, n * sizeof(float)));
    for (size_t i = 0; i != values.size(); ++i)
      if (values[i] != 2 * static_cast<float>(i % 4096))
        return false;
    return true;
  }
};
} // namespace

/// A first launch of the process inside a capture, in the mode in which the driver refuses loading.
static void firstLaunchInCapture(bool preload) {
  Buffers buffers;
  CUstream stream;
  CUgraph graph;
  CUgraphExec executable;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  if (preload) {
    tilec_result result = vector_add_f32_preload(stream);
    expect(bool(result), "preload", result.message());
  }
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  tilec_result result = vector_add_f32_launch(buffers.args(), stream);
  expect(bool(result),
         preload ? "launch in a capture after preload" : "first launch of the process in a capture",
         result.message());
  CUresult ended = cuStreamEndCapture(stream, &graph);
  expect(ended == CUDA_SUCCESS, "the capture is whole");
  if (ended != CUDA_SUCCESS)
    return;
  buffers.clear();
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  expect(buffers.right(), "the graph computes the sum");
}

static void threadsAndStreams() {
  std::vector<std::thread> threads;
  std::vector<int> right(16);
  for (size_t i = 0; i != right.size(); ++i)
    threads.emplace_back([&right, i] {
      CHECK(cuCtxSetCurrent(context));
      Buffers buffers;
      CUstream stream;
      CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
      for (int k = 0; k != 100; ++k)
        if (!vector_add_f32_launch(buffers.args(), stream))
          return;
      CHECK(cuStreamSynchronize(stream));
      right[i] = buffers.right();
    });
  for (std::thread &thread : threads)
    thread.join();
  expect(std::count(right.begin(), right.end(), 1) == 16, "16 threads, each with a stream of its own");
}

static void contexts() {
  Buffers buffers;
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  vector_add_f32_args args = buffers.args();
  std::thread([&] {
    CUcontext current = nullptr;
    tilec_result result = vector_add_f32_launch(args, stream);
    expect(bool(result), "a thread without a context launches on a stream", result.message());
    result = vector_add_f32_preload(stream);
    expect(bool(result), "and preloads", result.message());
    CHECK(cuCtxGetCurrent(&current));
    expect(current == nullptr, "and still has no context");
    result = vector_add_f32_launch(args, nullptr);
    expect(result.status() == TILEC_DRIVER_ERROR, "on the null stream it is told so");
    std::printf("  %s\n", result.message());
  }).join();
  CHECK(cuStreamSynchronize(stream));
  expect(buffers.right(), "the sum is right");
  CUcontext current = nullptr;
  CHECK(cuCtxGetCurrent(&current));
  expect(current == context, "the current context is as it was");
  vector_add_f32_args empty = {};
  expect(bool(vector_add_f32_launch(empty, stream)), "an empty launch succeeds");
  args.A.data += 1; // off 16 bytes: the variant for any alignment
  args.A.extents[0] = args.B.extents[0] = args.C.extents[0] = n - 1;
  expect(bool(vector_add_f32_launch(args, stream)), "a launch with a pointer off 16 bytes");
  CHECK(cuStreamSynchronize(stream));
}

// A kernel that does nothing with parameters like ours, to see what the driver itself takes for a launch.
static const char nothing[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 n)\n"
    "{ ret; }\n";

/// Microseconds on the host of one of 200 calls, which the queue takes without waiting; the median of 51
/// times.
template <typename F> static double hostTime(CUstream stream, F launch) {
  std::vector<double> rounds;
  for (int round = 0; round != 51; ++round) {
    CHECK(cuStreamSynchronize(stream));
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i != 200; ++i)
      launch();
    rounds.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / 200);
  }
  CHECK(cuStreamSynchronize(stream));
  std::sort(rounds.begin(), rounds.end());
  return rounds[rounds.size() / 2];
}

static void callTime() {
  Buffers buffers;
  vector_add_f32_args args = buffers.args();
  args.A.extents[0] = args.B.extents[0] = args.C.extents[0] = 128;
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  CHECK(cuLibraryLoadData(&library, nothing, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cuLibraryGetKernel(&kernel, library, "nothing"));
  CHECK(cuKernelGetFunction(&function, kernel));
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 256;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  uint64_t value = 0;
  void *parameters[] = {&value, &value, &value, &value};
  int refused = 0;
  auto stub = [&] { refused += !vector_add_f32_launch(args, stream); };
  auto byKernel = [&] {
    CHECK(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), parameters, nullptr));
  };
  auto byFunction = [&] { CHECK(cuLaunchKernelEx(&config, function, parameters, nullptr)); };
  for (int i = 0; i != 3; ++i)
    std::printf("a launch on the host: the stub %.2f us, the driver alone by CUkernel %.2f us, by CUfunction "
                "%.2f us\n",
                hostTime(stream, stub), hostTime(stream, byKernel), hostTime(stream, byFunction));
  double added = hostTime(stream, stub) - hostTime(stream, byKernel);
  // All the checks and no driver: an empty launch.
  args.A.extents[0] = args.B.extents[0] = args.C.extents[0] = 0;
  std::printf("the checks: %.0f ns\n", 1000 * hostTime(stream, stub));
  expect(refused == 0, "none was refused");
  expect(added < 0.5, "the stub adds less than 0.5 us to the driver's call");
}

int main(int argc, char **argv) {
  CUdevice device;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  firstLaunchInCapture(argc > 1 && !std::strcmp(argv[1], "preload"));
  threadsAndStreams();
  contexts();
  callTime();
  return failures != 0;
}
