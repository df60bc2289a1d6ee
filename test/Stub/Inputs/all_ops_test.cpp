//===- all_ops_test.cpp - the stub and the interpreter agree --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches all_ops.mlir with ordinary and extreme arguments through the stub, and interprets its manifest
// with the same: every kernel argument must have the same bits. argv[1] is the manifest.
//
//===----------------------------------------------------------------------===//

#include "../FakeCuda/FakeCuda.h"
#include "all_ops.h"
#include "tilec/Runner/Interpreter.h"
#include "tilec/Runner/Manifest.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <random>
#include <sstream>

using namespace tilec;

static void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
template <typename F> static F *get(const char *name) { return reinterpret_cast<F *>(dlsym(cuda, name)); }

static std::mt19937_64 random64(1);

static int64_t anyInteger() {
  static const int64_t special[] = {0,
                                    1,
                                    -1,
                                    2,
                                    7,
                                    -3,
                                    63,
                                    64,
                                    127,
                                    128,
                                    255,
                                    -128,
                                    32767,
                                    -32768,
                                    65535,
                                    INT32_MAX,
                                    INT32_MIN,
                                    UINT32_MAX,
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MIN + 1,
                                    (int64_t(1) << 53) + 1,
                                    (int64_t(1) << 24) + 1,
                                    (int64_t(257) << 32) + 1,
                                    -((int64_t(257) << 32) + 1)};
  uint64_t r = random64();
  return r % 3 ? special[r / 3 % std::size(special)] : static_cast<int64_t>(random64()) >> (r / 3 % 64);
}

static double anyFloat() {
  static const double special[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   0.5,
                                   1.5,
                                   2.5,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   65504,
                                   65519.9,
                                   65520,
                                   448,
                                   464,
                                   465,
                                   57344,
                                   61440,
                                   61441,
                                   1e-8,
                                   5.9e-8,
                                   2.98e-8,
                                   6e-5,
                                   0x1p-9,
                                   0x1.8p-10,
                                   0x1p-17,
                                   3.4e38,
                                   1e39,
                                   1e-45,
                                   7e-46,
                                   1e308,
                                   5e-324,
                                   127.5,
                                   -128.5,
                                   255.5,
                                   2147483647.5,
                                   9.3e18,
                                   -9.3e18,
                                   1.85e19,
                                   0x1.0040000000001p0,
                                   0x1.00a000000000001p0,
                                   0x1.002p0};
  uint64_t r = random64();
  if (r % 3)
    return special[r / 3 % std::size(special)];
  return std::ldexp(static_cast<double>(static_cast<int64_t>(random64())),
                    static_cast<int>(r / 3 % 120) - 120);
}

static uint64_t bitsOf(const std::string &bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

/// Whether both are NaN: their bits depend on the compiler and the mathematical library.
static bool bothNaN(launch::ValueType type, uint64_t a, uint64_t b) {
  auto magnitude = [&](uint64_t bits, int width) { return bits & ((uint64_t(1) << (width - 1)) - 1); };
  auto both = [&](int width, uint64_t infinity) {
    return magnitude(a, width) > infinity && magnitude(b, width) > infinity;
  };
  switch (type) {
  case launch::ValueType::F16:
    return both(16, 0x7c00);
  case launch::ValueType::BF16:
    return both(16, 0x7f80);
  case launch::ValueType::TF32:
  case launch::ValueType::F32:
    return both(32, 0x7f800000);
  case launch::ValueType::F64:
    return both(64, 0x7ff0000000000000);
  case launch::ValueType::E4M3:
    return both(8, 0x7e);
  case launch::ValueType::E5M2:
    return both(8, 0x7c);
  default:
    return false;
  }
}

int main(int, char **argv) {
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  std::string error;
  std::optional<runner::Manifest> manifest = runner::parseManifest(text.str(), error);
  if (!manifest) {
    std::printf("%s\n", error.c_str());
    return 1;
  }
  const launch::Program &program = manifest->entries[0].programs[0].program;
  const launch::Instruction &last = program.body.body.back();
  void *context;
  get<int(unsigned)>("cuInit")(0);
  get<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, 0);
  int sms = 0;
  get<int(int *, int, int)>("cuDeviceGetAttribute")(&sms, 16, 0); // MULTIPROCESSOR_COUNT

  std::vector<unsigned> sizes;
  for (size_t i = last.gridRank; i != last.args.size(); ++i)
    sizes.push_back(launch::getInfo(program.types[last.args[i]]).kernelBytes);
  sizes.push_back(0);
  get<decltype(fake_cuda_parameters)>("fake_cuda_parameters")(sizes.data());

  int differences = 0;
  for (int round = 0; round != 3000; ++round) {
    all_args args;
    args.a = anyInteger();
    args.b = anyInteger();
    args.c = static_cast<int32_t>(anyInteger());
    args.d = static_cast<uint32_t>(anyInteger());
    args.e = static_cast<int8_t>(anyInteger());
    args.s = static_cast<int16_t>(anyInteger());
    args.f = static_cast<float>(anyFloat());
    args.g = anyFloat();
    args.h = static_cast<float>(anyFloat());
    args.k = static_cast<float>(anyFloat());
    args.t = static_cast<float>(anyFloat());
    args.q = static_cast<float>(anyFloat());
    args.r = static_cast<float>(anyFloat());
    args.p = random64() & 1;
    args.f2 = static_cast<float>(anyFloat());
    args.g2 = anyFloat();
    args.h2 = static_cast<float>(anyFloat());
    tilec_result result = all_launch(args, nullptr);
    if (!result) {
      std::printf("%s\n", result.message());
      return 1;
    }
    auto integer = [](int64_t value) { return runner::Value{value, 0}; };
    auto real = [](double value) { return runner::Value{0, value}; };
    runner::LaunchResult wanted =
        runner::interpret(program,
                          {integer(args.a), integer(args.b), integer(args.c),
                           integer(static_cast<int32_t>(args.d)), integer(args.e), integer(args.s),
                           real(args.f), real(args.g), real(args.h), real(args.k), real(args.t), real(args.q),
                           real(args.r), integer(args.p), real(args.f2), real(args.g2), real(args.h2)},
                          sms);
    if (!wanted.failure.empty() || wanted.launches.size() != 1) {
      std::printf("interpreter: %s\n", wanted.failure.c_str());
      return 1;
    }
    fake_cuda_launch got = get<decltype(fake_cuda_last_launch)>("fake_cuda_last_launch")();
    const std::vector<std::string> &parameters = wanted.launches[0].parameters;
    for (size_t i = 0; i != parameters.size(); ++i) {
      launch::ValueType type = program.types[last.args[i + last.gridRank]];
      uint64_t want = bitsOf(parameters[i]);
      if (got.parameters[i] != want && !bothNaN(type, got.parameters[i], want) && differences++ < 20)
        std::printf("argument %zu (%s): stub 0x%llx, interpreter 0x%llx; a=%lld b=%lld f=%a g=%a h=%a\n", i,
                    std::string(launch::getInfo(type).name).c_str(), got.parameters[i],
                    static_cast<unsigned long long>(want), static_cast<long long>(args.a),
                    static_cast<long long>(args.b), static_cast<double>(args.f), args.g,
                    static_cast<double>(args.h));
    }
  }
  std::printf("%zu arguments, %d differences\n", last.args.size() - last.gridRank, differences);
  return differences != 0;
}
