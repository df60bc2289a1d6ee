//===- Interpreter.cpp - running a launch program -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over the instructions with one slot a value. Programs are short (a hundred instructions) and run
// once a check, so nothing here is made fast; a step limit ends loops that do not.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Interpreter.h"
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

using namespace tilec::launch;
using namespace tilec::runner;

namespace host {
using std::isinf;
using std::isnan;
using std::signbit;
#include "tilec/Runner/HostFunctions.inc"
} // namespace host

namespace {
constexpr uint64_t stepLimit = 10'000'000;

class Interpreter {
public:
  Interpreter(const Program &program, unsigned smCount)
      : program(program), smCount(smCount), values(program.types.size()) {}

  LaunchResult run(std::vector<Value> args) {
    for (size_t i = 0; i != program.body.args.size() && i != args.size(); ++i) {
      ValueId id = program.body.args[i];
      values[id] = args[i];
      if (isFloat(program.types[id]))
        values[id].real = rounded(program.types[id], args[i].real);
    }
    runRegion(program.body);
    return std::move(result);
  }

private:
  enum class Flow { Go, Stop };

  /// Where the values of the region's yield go, and what its condition said.
  struct Exit {
    std::vector<Value> values;
    bool condition = false;
  };

  Flow runRegion(const Region &region, Exit *exit = nullptr) {
    for (const Instruction &op : region.body) {
      if (++steps > stepLimit) {
        result.failure = "the launch program does not end";
        return Flow::Stop;
      }
      if (step(op, exit) == Flow::Stop)
        return Flow::Stop;
    }
    return Flow::Go;
  }

  ValueType typeOf(ValueId id) const { return program.types[id]; }

  /// An integer argument in 64 bits.
  int64_t extended(ValueId id, bool isSigned) const {
    int64_t value = values[id].integer;
    unsigned bits = getInfo(typeOf(id)).bits;
    if (bits == 1)
      return isSigned ? -value : value;
    return isSigned || bits == 64
               ? value
               : static_cast<int64_t>(static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1));
  }

  static int64_t wrapped(ValueType type, int64_t value) {
    unsigned bits = getInfo(type).bits;
    if (bits == 1)
      return value & 1;
    return bits == 64 ? value
                      : static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - bits)) >> (64 - bits);
  }

  static double rounded(ValueType type, double value) {
    switch (type) {
    case ValueType::F16:
      return host::round_f16(host::odd_from_f64(value));
    case ValueType::BF16:
      return host::round_bf16(host::odd_from_f64(value));
    case ValueType::TF32:
      return host::round_tf32(host::odd_from_f64(value));
    case ValueType::E4M3:
      return host::round_e4m3(host::odd_from_f64(value));
    case ValueType::E5M2:
      return host::round_e5m2(host::odd_from_f64(value));
    case ValueType::F32:
      return static_cast<float>(value);
    default:
      return value;
    }
  }

  static uint64_t bitsOf(ValueType type, const Value &value) {
    auto narrow = static_cast<float>(value.real);
    switch (type) {
    case ValueType::F16:
      return host::f16_bits(narrow);
    case ValueType::BF16:
      return host::bf16_bits(narrow);
    case ValueType::TF32:
      return host::tf32_bits(narrow);
    case ValueType::E4M3:
      return host::e4m3_bits(narrow);
    case ValueType::E5M2:
      return host::e5m2_bits(narrow);
    case ValueType::F32:
      return host::f32_bits(narrow);
    case ValueType::F64:
      return host::f64_bits(value.real);
    default:
      return static_cast<uint64_t>(value.integer);
    }
  }

  static Value fromBits(ValueType type, uint64_t bits) {
    switch (type) {
    case ValueType::F16:
      return {0, host::f16_value(static_cast<uint16_t>(bits))};
    case ValueType::BF16:
      return {0, host::bf16_value(static_cast<uint16_t>(bits))};
    case ValueType::TF32:
      return {0, host::tf32_value(static_cast<uint32_t>(bits))};
    case ValueType::E4M3:
      return {0, host::e4m3_value(static_cast<uint8_t>(bits))};
    case ValueType::E5M2:
      return {0, host::e5m2_value(static_cast<uint8_t>(bits))};
    case ValueType::F32:
      return {0, host::f32_value(static_cast<uint32_t>(bits))};
    case ValueType::F64:
      return {0, host::f64_value(bits)};
    default:
      return {wrapped(type, static_cast<int64_t>(bits)), 0};
    }
  }

  // The functions of the table, called with arguments of their own types.
  template <typename R, typename A> static R call(R (*function)(A), const int64_t *args) {
    return function(static_cast<A>(args[0]));
  }
  template <typename R, typename A> static R call(R (*function)(A, A), const int64_t *args) {
    return function(static_cast<A>(args[0]), static_cast<A>(args[1]));
  }
  template <typename T> static double call(T (*function)(T), const double *args) {
    return function(static_cast<T>(args[0]));
  }
  template <typename T> static double call(T (*function)(T, T), const double *args) {
    return function(static_cast<T>(args[0]), static_cast<T>(args[1]));
  }
  template <typename T> static double call(T (*function)(T, T, T), const double *args) {
    return function(static_cast<T>(args[0]), static_cast<T>(args[1]), static_cast<T>(args[2]));
  }

  Value castValue(const Instruction &op) const {
    ValueId arg = op.args[0];
    ValueType to = typeOf(op.results[0]);
    bool narrow = to != ValueType::F32 && to != ValueType::F64;
    switch (op.op) {
    case Opcode::ExtSI:
      return {wrapped(to, extended(arg, true)), 0};
    case Opcode::ExtUI:
    case Opcode::TruncI:
      return {wrapped(to, extended(arg, false)), 0};
    case Opcode::SIToFP: {
      int64_t value = extended(arg, true);
      return {0, to == ValueType::F64 ? static_cast<double>(value)
                 : narrow             ? rounded(to, host::odd_from_i64(value))
                                      : static_cast<float>(value)};
    }
    case Opcode::UIToFP: {
      auto value = static_cast<uint64_t>(extended(arg, false));
      return {0, to == ValueType::F64 ? static_cast<double>(value)
                 : narrow             ? rounded(to, host::odd_from_u64(value))
                                      : static_cast<float>(value)};
    }
    case Opcode::ExtF:
      return values[arg];
    case Opcode::TruncF:
      return {0, rounded(to, values[arg].real)};
    case Opcode::Bitcast:
      return fromBits(to, bitsOf(typeOf(arg), values[arg]));
    default:
      break;
    }
    if (isFloat(to))
      return {0, rounded(to, values[arg].real)};
    int bits = static_cast<int>(getInfo(to).bits);
    int64_t integer = op.op == Opcode::CastSigned
                          ? host::float_to_int(values[arg].real, bits)
                          : static_cast<int64_t>(host::float_to_uint(values[arg].real, bits));
    return {wrapped(to, integer), 0};
  }

  Flow step(const Instruction &op, Exit *exit) {
    int64_t ints[3] = {};
    double reals[3] = {};
    auto set = [&](int64_t integer, double real) {
      values[op.results[0]] = {integer, real};
      return Flow::Go;
    };
    auto loadInts = [&](bool isSigned) {
      for (size_t i = 0; i != op.args.size() && i != 3; ++i)
        ints[i] = extended(op.args[i], isSigned);
    };
    auto loadReals = [&] {
      for (size_t i = 0; i != op.args.size() && i != 3; ++i)
        reals[i] = values[op.args[i]].real;
    };
    using namespace host;
    constexpr bool Sign = true, Zero = false;
    switch (op.op) {
#define TILEC_LAUNCH_INT(Enum, name, args, extend, function)                                                 \
  case Opcode::Enum:                                                                                         \
    loadInts(extend);                                                                                        \
    return set(wrapped(typeOf(op.results[0]), static_cast<int64_t>(call(host::function, ints))), 0);
#define TILEC_LAUNCH_INT_COMPARE(Enum, name, operator_)                                                      \
  case Opcode::Enum:                                                                                         \
    loadInts(Sign);                                                                                          \
    return set(ints[0] operator_ ints[1], 0);
#define TILEC_LAUNCH_INT_TEST(Enum, name, function)                                                          \
  case Opcode::Enum:                                                                                         \
    loadInts(Zero);                                                                                          \
    return set(call(host::function, ints), 0);
#define TILEC_LAUNCH_FLOAT_COMPARE(Enum, name, operator_)                                                    \
  case Opcode::Enum:                                                                                         \
    loadReals();                                                                                             \
    return set(reals[0] operator_ reals[1], 0);
#define TILEC_LAUNCH_FLOAT_TEST(Enum, name, args, function)                                                  \
  case Opcode::Enum:                                                                                         \
    loadReals();                                                                                             \
    return set(test(host::function, reals), 0);
#define TILEC_LAUNCH_FLOAT_OPERATOR(Enum, name, operator_)                                                   \
  case Opcode::Enum:                                                                                         \
    loadReals();                                                                                             \
    return set(0, typeOf(op.results[0]) == ValueType::F64                                                    \
                      ? reals[0] operator_ reals[1]                                                          \
                      : rounded(typeOf(op.results[0]),                                                       \
                                static_cast<float>(reals[0]) operator_ static_cast<float>(reals[1])));
#define TILEC_LAUNCH_FLOAT(Enum, name, args, f32, f64)                                                       \
  case Opcode::Enum:                                                                                         \
    loadReals();                                                                                             \
    return set(0, rounded(typeOf(op.results[0]), typeOf(op.results[0]) == ValueType::F64                     \
                                                     ? call<double>(f64, reals)                              \
                                                     : call<float>(f32, reals)));
#define TILEC_LAUNCH_CAST(Enum, name)                                                                        \
  case Opcode::Enum:                                                                                         \
    values[op.results[0]] = castValue(op);                                                                   \
    return Flow::Go;
#define TILEC_LAUNCH_SPECIAL(Enum, name)
#include "tilec/Runner/LaunchOps.def"
    case Opcode::Constant:
      values[op.results[0]] = fromBits(typeOf(op.results[0]), op.bits);
      return Flow::Go;
    case Opcode::MulSIExtended:
      loadInts(Sign);
      values[op.results[0]] = {wrap_mul(ints[0], ints[1]), 0};
      values[op.results[1]] = {mul_high(ints[0], ints[1]), 0};
      return Flow::Go;
    case Opcode::NegF:
      return set(0, -values[op.args[0]].real);
    case Opcode::Select:
      values[op.results[0]] = values[op.args[values[op.args[0]].integer ? 1 : 2]];
      return Flow::Go;
    case Opcode::PtrAligned:
      return set(static_cast<uint64_t>(values[op.args[0]].integer) % op.bits == 0, 0);
    case Opcode::PtrNull:
      return set(values[op.args[0]].integer == 0, 0);
    case Opcode::Overlap:
      return set(overlaps(pointer(op.args[0]), values[op.args[1]].integer, pointer(op.args[2]),
                          values[op.args[3]].integer),
                 0);
    case Opcode::If:
      return stepIf(op);
    case Opcode::For:
      return stepFor(op);
    case Opcode::While:
      return stepWhile(op);
    case Opcode::Yield:
      leave(op.args, 0, exit);
      return Flow::Go;
    case Opcode::Condition:
      leave(op.args, 1, exit);
      exit->condition = values[op.args[0]].integer != 0;
      return Flow::Go;
    case Opcode::Require:
      if (!values[op.args[0]].integer)
        result.failure = messageOf(op);
      return values[op.args[0]].integer ? Flow::Go : Flow::Stop;
    case Opcode::SmCount:
      return set(smCount, 0);
    case Opcode::Launch:
      return stepLaunch(op);
    }
    return Flow::Go;
  }

  template <typename... A> static bool test(bool (*function)(A...), const double *args) {
    if constexpr (sizeof...(A) == 1)
      return function(args[0]);
    else
      return function(args[0], args[1]);
  }

  const void *pointer(ValueId id) const {
    return reinterpret_cast<const void *>(static_cast<uintptr_t>(values[id].integer));
  }

  //===--------------------------------------------------------------------===//
  // Regions
  //===--------------------------------------------------------------------===//

  void leave(const std::vector<ValueId> &args, size_t first, Exit *exit) {
    exit->values.clear();
    for (size_t i = first; i < args.size(); ++i)
      exit->values.push_back(values[args[i]]);
  }

  void assign(const std::vector<ValueId> &ids, size_t first, const std::vector<Value> &from) {
    for (size_t i = 0; i + first < ids.size() && i < from.size(); ++i)
      values[ids[i + first]] = from[i];
  }

  Flow stepIf(const Instruction &op) {
    Exit exit;
    size_t branch = values[op.args[0]].integer ? 0 : 1;
    if (branch < op.regions.size() && runRegion(op.regions[branch], &exit) == Flow::Stop)
      return Flow::Stop;
    assign(op.results, 0, exit.values);
    return Flow::Go;
  }

  Flow stepFor(const Instruction &op) {
    const Region &body = op.regions[0];
    Exit exit;
    leave(op.args, 3, &exit);
    int64_t index = values[op.args[0]].integer, step = values[op.args[2]].integer;
    for (uint64_t trips = host::trip_count(index, values[op.args[1]].integer, step); trips; --trips) {
      values[body.args[0]] = {index, 0};
      assign(body.args, 1, exit.values);
      if (runRegion(body, &exit) == Flow::Stop)
        return Flow::Stop;
      index = host::wrap_add(index, step);
    }
    assign(op.results, 0, exit.values);
    return Flow::Go;
  }

  Flow stepWhile(const Instruction &op) {
    Exit exit;
    leave(op.args, 0, &exit);
    for (;;) {
      assign(op.regions[0].args, 0, exit.values);
      if (runRegion(op.regions[0], &exit) == Flow::Stop)
        return Flow::Stop;
      if (!exit.condition)
        break;
      assign(op.regions[1].args, 0, exit.values);
      if (runRegion(op.regions[1], &exit) == Flow::Stop)
        return Flow::Stop;
    }
    assign(op.results, 0, exit.values);
    return Flow::Go;
  }

  //===--------------------------------------------------------------------===//
  // Effects
  //===--------------------------------------------------------------------===//

  std::string formatted(ValueId id) const {
    char text[64];
    const Value &value = values[id];
    if (typeOf(id) == ValueType::I1)
      return value.integer ? "true" : "false";
    if (isFloat(typeOf(id)))
      snprintf(text, sizeof text, typeOf(id) == ValueType::F64 ? "%.17g" : "%.9g", value.real);
    else
      snprintf(text, sizeof text, "%" PRId64, value.integer);
    return text;
  }

  /// The text with `{0}`, `{1}`… replaced by the values.
  std::string messageOf(const Instruction &op) const {
    std::string message;
    const std::string &text = op.text;
    for (size_t i = 0; i < text.size();) {
      size_t end = i + 1, index = 0;
      while (text[i] == '{' && end < text.size() && text[end] >= '0' && text[end] <= '9' && end - i < 8)
        index = 10 * index + static_cast<size_t>(text[end++] - '0');
      if (end > i + 1 && end < text.size() && text[end] == '}' && index + 1 < op.args.size()) {
        message += formatted(op.args[index + 1]);
        i = end + 1;
      } else {
        message += text[i++];
      }
    }
    return message;
  }

  Flow stepLaunch(const Instruction &op) {
    constexpr int64_t limits[] = {2147483647, 65535, 65535};
    KernelLaunch launch;
    launch.kernel = op.text;
    launch.threads = op.threads;
    launch.cluster = op.cluster;
    launch.sharedBytes = op.sharedBytes;
    bool isEmpty = false;
    for (unsigned i = 0; i != op.gridRank; ++i) {
      launch.grid[i] = values[op.args[i]].integer;
      isEmpty |= launch.grid[i] <= 0;
    }
    if (isEmpty)
      return Flow::Go;
    for (unsigned i = 0; i != 3; ++i)
      if (launch.grid[i] > limits[i]) {
        result.failure = "a grid of " + std::to_string(launch.grid[0]) + " x " +
                         std::to_string(launch.grid[1]) + " x " + std::to_string(launch.grid[2]) +
                         " blocks is larger than 2147483647 x 65535 x 65535, the most a GPU runs";
        return Flow::Stop;
      }
    for (size_t i = op.gridRank; i < op.args.size(); ++i) {
      uint64_t bits = bitsOf(typeOf(op.args[i]), values[op.args[i]]);
      launch.parameters.emplace_back(reinterpret_cast<const char *>(&bits),
                                     getInfo(typeOf(op.args[i])).kernelBytes);
    }
    result.launches.push_back(std::move(launch));
    return Flow::Go;
  }

  const Program &program;
  const unsigned smCount;
  std::vector<Value> values;
  LaunchResult result;
  uint64_t steps = 0;
};
} // namespace

LaunchResult tilec::runner::interpret(const Program &program, std::vector<Value> args, unsigned smCount) {
  return Interpreter(program, smCount).run(std::move(args));
}
