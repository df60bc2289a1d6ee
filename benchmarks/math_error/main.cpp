//===- main.cpp - measured errors of the math functions on a GPU -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs math_error.tile over many arguments and prints, for every function, the largest error in units of the last place
// of the exact result and the arguments where it was. f32 is compared with double, f64 with long double.
//
//   math_error [--all]
//
// Without --all every 16th float of [-128, 128] is tried instead of all; the rest of the range is sampled alike.
//
//===----------------------------------------------------------------------===//

#include "math_error.h" // written by tilec

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

namespace {

void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *name = "unknown error";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what, name);
  std::exit(1);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// A function in a type that is much wider than the tested one.
template <typename Wide> struct Function {
  const char *name;
  Wide (*reference)(Wide x, Wide y);
};

template <typename Wide> Wide sigmoid(Wide x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

/// In the order of the rows in math_error.tile.
template <typename Wide>
constexpr Function<Wide> functions[] = {
    {"exp", [](Wide x, Wide) { return std::exp(x); }},
    {"exp2", [](Wide x, Wide) { return std::exp2(x); }},
    {"log", [](Wide x, Wide) { return std::log(x); }},
    {"log2", [](Wide x, Wide) { return std::log2(x); }},
    {"sqrt", [](Wide x, Wide) { return std::sqrt(x); }},
    {"rsqrt", [](Wide x, Wide) { return 1 / std::sqrt(x); }},
    {"rcp", [](Wide x, Wide) { return 1 / x; }},
    {"tanh", [](Wide x, Wide) { return std::tanh(x); }},
    {"sigmoid", [](Wide x, Wide) { return sigmoid(x); }},
    {"erf", [](Wide x, Wide) { return std::erf(x); }},
    {"sin", [](Wide x, Wide) { return std::sin(x); }},
    {"cos", [](Wide x, Wide) { return std::cos(x); }},
    {"/", [](Wide x, Wide y) { return x / y; }},
};
template <typename Wide>
constexpr Function<Wide> powers[] = {{"pow", [](Wide x, Wide y) { return std::pow(x, y); }}};

/// What the largest error is compared in. A NaN, infinity or finite number in the place of another kind is infinitely
/// wrong, but for a result so close to the largest number that it may round either way.
template <typename T, typename Wide> double errorInUlps(T got, Wide want) {
  using Limits = std::numeric_limits<T>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  T rounded = static_cast<T>(want);
  if (got == rounded && std::isinf(got))
    return 0;
  Wide largest = Limits::max(), lastPlace = std::ldexp(Wide(1), Limits::max_exponent - Limits::digits);
  if (std::isinf(want) || (std::isinf(got) && !(std::fabs(want) > largest - 2 * lastPlace)))
    return wrong;
  Wide value = std::isinf(got) ? std::copysign(largest + lastPlace, Wide(got)) : Wide(got);
  int exponent = want == 0 ? Limits::min_exponent - 1 : std::max(std::ilogb(want), Limits::min_exponent - 1);
  return static_cast<double>(std::fabs(value - want) / std::ldexp(Wide(1), exponent - (Limits::digits - 1)));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A number for a number, without a pattern (Steele, Lea, Flood: SplitMix64).
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <typename T, typename Bits> T fromBits(Bits bits) {
  static_assert(sizeof(T) == sizeof(Bits), "");
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

constexpr uint64_t wideSamples = uint64_t(1) << 22;

/// The arguments of f32: first the whole range in equal steps of the bit pattern, then [-128, 128].
struct Floats {
  using T = float;
  using Wide = double;
  uint32_t step;
  static constexpr uint64_t upTo128 = 0x43000001; // patterns of 0 to 128
  uint64_t count() const { return wideSamples + 2 * ((upTo128 + step - 1) / step); }
  T get(uint64_t n) const {
    if (n < wideSamples) // all patterns of the upper bits, any lower ones
      return fromBits<T>(static_cast<uint32_t>(n << 10 | mix(n) >> 54));
    n -= wideSamples;
    return fromBits<T>(static_cast<uint32_t>(n / 2 * step | (n % 2) << 31));
  }
  T any(uint64_t n) const { return fromBits<T>(static_cast<uint32_t>(mix(~n))); }
};

/// The arguments of f64: any pattern, then numbers of [-128, 128].
struct Doubles {
  using T = double;
  using Wide = long double;
  uint64_t count() const { return 4 * wideSamples; }
  T get(uint64_t n) const {
    return n < wideSamples ? any(n) : static_cast<T>(static_cast<int64_t>(mix(n))) * 0x1p-56;
  }
  T any(uint64_t n) const { return fromBits<T>(mix(~n)); }
};

/// An exponent that lets x^y be any number of the type, or a small integer, which x may be negative for.
template <typename T> T exponentFor(T x, uint64_t n) {
  double unit = static_cast<double>(static_cast<int64_t>(mix(n ^ 0x5bd1e995))) * 0x1p-63;
  if (n % 4 == 0)
    return static_cast<T>(std::trunc(unit * 20));
  double power = std::log2(std::fabs(static_cast<double>(x)));
  double limit = std::numeric_limits<T>::max_exponent + std::numeric_limits<T>::digits;
  return static_cast<T>(std::isfinite(power) && power != 0 ? unit * limit / power : unit * limit);
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

template <typename T> struct Worst {
  double error = 0;
  T x = 0, y = 0, got = 0;
  uint64_t count = 0; // of arguments with more than 2 ulp
  void take(const Worst &other) {
    count += other.count;
    if (other.error > error) {
      uint64_t all = count;
      *this = other;
      count = all;
    }
  }
};

constexpr size_t chunk = size_t(1) << 22;

/// Gives `work` equal shares of `size` numbers, each on a thread of its own.
void share(size_t size, const std::function<void(size_t begin, size_t end)> &work) {
  size_t count = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (size_t k = 0; k < count; ++k)
    threads.emplace_back(work, size * k / count, size * (k + 1) / count);
  for (std::thread &thread : threads)
    thread.join();
}

/// Prints a line for each of the functions that `launch` computes.
template <typename Arguments, typename Launch, size_t size>
void measure(const char *type, const Arguments &arguments, bool forPowers,
             const Function<typename Arguments::Wide> (&tested)[size], const Launch &launch) {
  using T = typename Arguments::T;
  using Wide = typename Arguments::Wide;
  CUdeviceptr deviceX, deviceY, deviceC;
  check(cuMemAlloc(&deviceX, chunk * sizeof(T)), "cuMemAlloc");
  check(cuMemAlloc(&deviceY, chunk * sizeof(T)), "cuMemAlloc");
  check(cuMemAlloc(&deviceC, size * chunk * sizeof(T)), "cuMemAlloc");
  std::vector<T> x(chunk), y(chunk), c(size * chunk);
  std::vector<Worst<T>> worst(size);
  std::vector<std::vector<Worst<T>>> parts;
  for (uint64_t first = 0; first < arguments.count(); first += chunk) {
    size_t n = static_cast<size_t>(std::min<uint64_t>(chunk, arguments.count() - first));
    share(n, [&](size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k) {
        x[k] = arguments.get(first + k);
        y[k] = forPowers ? exponentFor(x[k], first + k) : arguments.any(first + k);
      }
    });
    check(cuMemcpyHtoD(deviceX, x.data(), n * sizeof(T)), "cuMemcpyHtoD");
    check(cuMemcpyHtoD(deviceY, y.data(), n * sizeof(T)), "cuMemcpyHtoD");
    launch(reinterpret_cast<const T *>(deviceX), reinterpret_cast<const T *>(deviceY),
           reinterpret_cast<T *>(deviceC), static_cast<int64_t>(n));
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    check(cuMemcpyDtoH(c.data(), deviceC, size * n * sizeof(T)), "cuMemcpyDtoH");
    // A slot for each slice of a row, so that the threads share nothing.
    constexpr size_t slices = 256;
    parts.assign(slices, std::vector<Worst<T>>(size));
    share(slices, [&](size_t begin, size_t end) {
      for (size_t slice = begin; slice < end; ++slice)
        for (size_t row = 0; row < size; ++row)
          for (size_t k = n * slice / slices; k < n * (slice + 1) / slices; ++k) {
            T got = c[row * n + k];
            double error = errorInUlps<T, Wide>(got, tested[row].reference(x[k], y[k]));
            parts[slice][row].take({error, x[k], y[k], got, error > 2});
          }
    });
    for (const std::vector<Worst<T>> &part : parts)
      for (size_t row = 0; row < size; ++row)
        worst[row].take(part[row]);
  }
  check(cuMemFree(deviceX), "cuMemFree");
  check(cuMemFree(deviceY), "cuMemFree");
  check(cuMemFree(deviceC), "cuMemFree");
  for (size_t row = 0; row < size; ++row) {
    const Worst<T> &at = worst[row];
    bool isBinary = forPowers || std::strcmp(tested[row].name, "/") == 0;
    std::printf("| `%s` | %s | %.3f | `%a%s", tested[row].name, type, at.error, static_cast<double>(at.x),
                isBinary ? ", " : "");
    if (isBinary)
      std::printf("%a", static_cast<double>(at.y));
    std::printf("` | `%a` | %llu |\n", static_cast<double>(at.got), static_cast<unsigned long long>(at.count));
  }
  std::fflush(stdout);
}

/// A launch of `kernel`, whose result is C[N] or C[rows, N].
template <typename Args, typename Kernel> auto launcher(Kernel kernel, int64_t rows) {
  return [=](auto *x, auto *y, auto *c, int64_t n) {
    Args args = {};
    args.X = {x, {n}};
    args.Y = {y, {n}};
    args.C.data = c;
    args.C.extents[0] = rows;
    args.C.extents[sizeof args.C.extents / sizeof(int64_t) - 1] = n;
    if (tilec_result result = kernel(args, nullptr); !result) {
      std::fprintf(stderr, "%s\n", result.message());
      std::exit(1);
    }
  };
}

} // namespace

int main(int argc, char **argv) {
  bool all = argc == 2 && std::strcmp(argv[1], "--all") == 0;
  if (argc > 1 && !all) {
    std::fprintf(stderr, "usage: math_error [--all]\n");
    return 2;
  }
  CUdevice device;
  CUcontext context;
  char name[256] = {};
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");

  Floats floats{all ? 1u : 16u};
  Doubles doubles;
  std::printf("%s; %llu arguments of f32, %llu of f64\n\n", name, static_cast<unsigned long long>(floats.count()),
              static_cast<unsigned long long>(doubles.count()));
  std::printf("| function | type | largest error, ulp | at | result | above 2 ulp |\n|---|---|---|---|---|---|\n");
  constexpr int64_t rows = sizeof functions<double> / sizeof functions<double>[0];
  measure("f32", floats, false, functions<double>,
          launcher<math_error_f32_args>([](auto &args, auto stream) { return math_error_f32_launch(args, stream); },
                                        rows));
  measure("f32", floats, true, powers<double>,
          launcher<math_error_pow_f32_args>(
              [](auto &args, auto stream) { return math_error_pow_f32_launch(args, stream); }, 1));
  measure("f64", doubles, false, functions<long double>,
          launcher<math_error_f64_args>([](auto &args, auto stream) { return math_error_f64_launch(args, stream); },
                                        rows));
  measure("f64", doubles, true, powers<long double>,
          launcher<math_error_pow_f64_args>(
              [](auto &args, auto stream) { return math_error_pow_f64_launch(args, stream); }, 1));
  return 0;
}
