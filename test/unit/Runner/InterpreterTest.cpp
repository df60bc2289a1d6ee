//===- InterpreterTest.cpp ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch program answers. The arithmetic is tested where it is defined (HostFunctionsTest) and against
// the stub (test/Stub/all-ops.test).
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Interpreter.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace tilec::launch;
using namespace tilec::runner;

namespace {
/// Builds a program line by line.
struct Builder {
  Program program;
  std::vector<Instruction> *body = &program.body.body;

  ValueId argument(ValueType type) {
    program.types.push_back(type);
    program.body.args.push_back(static_cast<ValueId>(program.types.size() - 1));
    return program.body.args.back();
  }
  ValueId add(Opcode op, ValueType type, std::vector<ValueId> args, uint64_t bits = 0) {
    program.types.push_back(type);
    Instruction instruction;
    instruction.op = op;
    instruction.args = std::move(args);
    instruction.results = {static_cast<ValueId>(program.types.size() - 1)};
    instruction.bits = bits;
    body->push_back(std::move(instruction));
    return static_cast<ValueId>(program.types.size() - 1);
  }
  void require(ValueId condition, std::string text, std::vector<ValueId> values) {
    Instruction instruction;
    instruction.op = Opcode::Require;
    instruction.args = {condition};
    instruction.args.insert(instruction.args.end(), values.begin(), values.end());
    instruction.text = std::move(text);
    body->push_back(std::move(instruction));
  }
  void launch(std::vector<ValueId> grid, std::vector<ValueId> args) {
    Instruction instruction;
    instruction.op = Opcode::Launch;
    instruction.gridRank = static_cast<unsigned>(grid.size());
    instruction.args = std::move(grid);
    instruction.args.insert(instruction.args.end(), args.begin(), args.end());
    instruction.text = "kernel";
    instruction.threads = 64;
    body->push_back(std::move(instruction));
  }
};
} // namespace

TEST(Interpreter, Launch) {
  Builder b;
  ValueId pointer = b.argument(ValueType::Pointer), n = b.argument(ValueType::I64),
          h = b.argument(ValueType::F16), flag = b.argument(ValueType::I1);
  ValueId blocks =
      b.add(Opcode::CeilDivSI, ValueType::I64, {n, b.add(Opcode::Constant, ValueType::I64, {}, 128)});
  b.launch({blocks, n}, {pointer, n, h, flag});
  LaunchResult result = interpret(b.program, {{0x1000, 0}, {300, 0}, {0, 1.0}, {1, 0}}, 1);
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.failure, "");
  const KernelLaunch &launch = result.launches[0];
  EXPECT_EQ(launch.kernel, "kernel");
  EXPECT_EQ(launch.grid, (std::array<int64_t, 3>{3, 300, 1}));
  EXPECT_EQ(launch.threads, 64u);
  ASSERT_EQ(launch.parameters.size(), 4u);
  EXPECT_EQ(launch.parameters[0].size(), 8u);
  EXPECT_EQ(launch.parameters[2], std::string("\x00\x3c", 2));
  EXPECT_EQ(launch.parameters[3], std::string("\x01", 1));
}

TEST(Interpreter, EmptyGridsLaunchNothing) {
  Builder b;
  ValueId n = b.argument(ValueType::I64), m = b.argument(ValueType::I64);
  b.launch({n, m}, {});
  for (auto [x, y] : {std::pair<int64_t, int64_t>{0, 5}, {5, 0}, {-1, 5}, {0, int64_t(1) << 40}}) {
    LaunchResult result = interpret(b.program, {{x, 0}, {y, 0}}, 1);
    EXPECT_TRUE(result.launches.empty() && result.failure.empty()) << x << " " << y;
  }
  EXPECT_EQ(interpret(b.program, {{1, 0}, {65536, 0}}, 1).failure,
            "a grid of 1 x 65536 x 1 blocks is larger than 2147483647 x 65535 x 65535, the most a GPU runs");
  EXPECT_EQ(interpret(b.program, {{1, 0}, {65535, 0}}, 1).launches.size(), 1u);
}

TEST(Interpreter, RequirementsStopWithTheirValues) {
  Builder b;
  ValueId n = b.argument(ValueType::I64), x = b.argument(ValueType::F32), flag = b.argument(ValueType::I1);
  ValueId ok = b.add(Opcode::CmpISgt, ValueType::I1, {n, b.add(Opcode::Constant, ValueType::I64, {}, 0)});
  b.require(ok, "n is {0}, x {1}, flag {2}, {0} again, {7} and {a} stay", {n, x, flag});
  b.launch({n}, {});
  LaunchResult result = interpret(b.program, {{-3, 0}, {0, 0.5}, {1, 0}}, 1);
  EXPECT_EQ(result.failure, "n is -3, x 0.5, flag true, -3 again, {7} and {a} stay");
  EXPECT_TRUE(result.launches.empty());
  EXPECT_EQ(interpret(b.program, {{3, 0}, {0, 0.5}, {1, 0}}, 1).failure, "");
}

TEST(Interpreter, NarrowScalarsAreRoundedFirst) {
  Builder b;
  ValueId h = b.argument(ValueType::F16);
  b.require(b.add(Opcode::CmpFOgt, ValueType::I1, {h, b.add(Opcode::Constant, ValueType::F16, {}, 0)}),
            "h is {0}", {h});
  EXPECT_EQ(interpret(b.program, {{0, 1e-9}}, 1).failure, "h is 0");
  EXPECT_EQ(interpret(b.program, {{0, 0.1}}, 1).failure, "");
}

TEST(Interpreter, EndlessLoopsEnd) {
  Builder b;
  ValueId yes = b.add(Opcode::Constant, ValueType::I1, {}, 1);
  Instruction loop, condition, yield;
  loop.op = Opcode::While;
  condition.op = Opcode::Condition;
  condition.args = {yes};
  yield.op = Opcode::Yield;
  loop.regions.resize(2);
  loop.regions[0].body = {condition};
  loop.regions[1].body = {yield};
  b.body->push_back(loop);
  EXPECT_EQ(interpret(b.program, {}, 1).failure, "the launch program does not end");
}

TEST(Interpreter, SmCount) {
  Builder b;
  ValueId sms = b.add(Opcode::SmCount, ValueType::I64, {});
  b.launch({b.add(Opcode::MulI, ValueType::I64, {sms, b.add(Opcode::Constant, ValueType::I64, {}, 2)})},
           {sms});
  LaunchResult result = interpret(b.program, {}, 132);
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches[0].grid[0], 264);
  EXPECT_EQ(result.launches[0].parameters[0], std::string("\x84\0\0\0\0\0\0\0", 8));
}
