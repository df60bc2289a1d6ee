//===- Passes.cpp - the evaluator in tile-opt -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that runs a module, and the instrumentation that compares a module with itself.
//
//===----------------------------------------------------------------------===//

#include "tilec/Eval/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Eval/Workload.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

/// The launch programs of a module, or its kernels if it has none.
static SmallVector<Operation *> functionsOf(ModuleOp module) {
  SmallVector<Operation *> functions(module.getOps<tile::EntryOp>());
  if (functions.empty())
    llvm::append_range(functions, module.getOps<tile::KernelOp>());
  return functions;
}

//===----------------------------------------------------------------------===//
// tile-eval-run
//===----------------------------------------------------------------------===//

static void printTensor(raw_ostream &os, const WorkloadTensor &tensor) {
  os << tensor.name << ": " << elementInfo(tensor.kind).name << '[';
  if (tensor.extents.empty())
    os << tensor.elements;
  llvm::interleaveComma(tensor.extents, os);
  os << ']';
  for (int64_t i = 0; i < tensor.elements; ++i) {
    os << ' ';
    if (!tensor.init.empty() && !tensor.init[static_cast<size_t>(i)])
      os << '_'; // nobody wrote it
    else if (elementInfo(tensor.kind).isFloat)
      os << llvm::format("%.9g", loadFloat(tensor.kind, tensor.data.data(), i));
    else if (tensor.kind == ElementKind::U64)
      os << static_cast<uint64_t>(loadInteger(tensor.kind, tensor.data.data(), i));
    else
      os << loadInteger(tensor.kind, tensor.data.data(), i);
  }
  os << '\n';
}

namespace {
struct EvalRunPass : PassWrapper<EvalRunPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EvalRunPass)

  EvalRunPass() = default;
  EvalRunPass(const EvalRunPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "tile-eval-run"; }
  StringRef getDescription() const override {
    return "Run launch programs or kernels and print what they write";
  }

  Option<std::string> function{*this, "function",
                               llvm::cl::desc("Only the kernel or entry point of this name")};
  ListOption<std::string> dims{*this, "dims",
                               llvm::cl::desc("Values of dimensions, strides and scalars, 'M=17,scale=0.5'")};
  Option<unsigned> seed{*this, "seed", llvm::cl::desc("Seed of the inputs"), llvm::cl::init(1)};
  Option<int64_t> sms{*this, "sms", llvm::cl::desc("Number of multiprocessors"), llvm::cl::init(1)};
  Option<DataSource> data{*this, "data", llvm::cl::desc("What inputs hold"), llvm::cl::init(DataSource::Iota),
                          llvm::cl::values(clEnumValN(DataSource::Iota, "iota", "element i is i"),
                                           clEnumValN(DataSource::Seeded, "seeded", "the inputs of a check"),
                                           clEnumValN(DataSource::Indices, "indices",
                                                      "the same, integers being indices of every tensor"),
                                           clEnumValN(DataSource::Zero, "zero", "zeros"),
                                           clEnumValN(DataSource::One, "one", "ones"))};
  Option<EvalOptions::Order> order{
      *this, "order", llvm::cl::desc("Order of iterations, blocks and roles"),
      llvm::cl::init(EvalOptions::Order::Forward),
      llvm::cl::values(clEnumValN(EvalOptions::Order::Forward, "forward", "ascending"),
                       clEnumValN(EvalOptions::Order::Reverse, "reverse", "descending"))};

  void runOnOperation() override {
    markAllAnalysesPreserved();
    WorkloadOptions options;
    options.seed = seed;
    options.data = data;
    for (StringRef pair : dims)
      if (!parseArgument(pair, options)) {
        getOperation().emitError("'") << pair << "' is not a name and a number";
        return signalPassFailure();
      }
    SmallVector<Operation *> functions;
    if (function.empty())
      functions = functionsOf(getOperation());
    else if (Operation *named = SymbolTable::lookupSymbolIn(getOperation(), function);
             isa_and_nonnull<tile::EntryOp, tile::KernelOp>(named))
      functions.push_back(named);
    if (functions.empty()) {
      getOperation().emitError("there is no kernel or entry point to run");
      return signalPassFailure();
    }
    for (Operation *op : functions)
      if (failed(runFunction(op, options)))
        signalPassFailure();
  }

  LogicalResult runFunction(Operation *op, const WorkloadOptions &options) {
    std::string error;
    std::optional<Workload> workload = Workload::make(op, options, error);
    if (!workload)
      return op->emitError(error);
    EvalOptions evalOptions;
    evalOptions.order = order;
    evalOptions.numSms = sms;
    Evaluator evaluator(getOperation());
    WorkloadOutputs outputs = workload->run(evaluator, evalOptions);
    llvm::outs() << '@' << workload->symbol() << (workload->sizes().empty() ? "" : " ") << workload->sizes()
                 << '\n'
                 << outputs.result.printed;
    llvm::outs().flush();
    if (!outputs.result.succeeded())
      return emitError(outputs.result.location.value_or(op->getLoc())) << outputs.result.message;
    for (const WorkloadTensor &tensor : outputs.tensors)
      if (tensor.use != TensorUse::In)
        printTensor(llvm::outs(), tensor);
    llvm::outs().flush();
    return success();
  }
};

//===----------------------------------------------------------------------===//
// --tile-eval
//===----------------------------------------------------------------------===//

class EvalInstrumentation : public PassInstrumentation {
public:
  EvalInstrumentation(const WorkloadOptions &given, std::atomic<bool> *failed)
      : given(given), failed(failed) {}

  void runBeforePass(Pass *, Operation *op) override {
    if (auto module = moduleOf(op); module && !started) {
      started = true;
      start(module);
    }
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto module = moduleOf(op);
    if (!module || finished || pass->getArgument() == "tile-eval-run")
      return;
    // Behind the last stage of the evaluator there is nothing to compare.
    if (module.getOps<tile::KernelOp>().empty()) {
      finished = true;
      return;
    }
    Evaluator evaluator(module);
    for (const Baseline &baseline : baselines)
      for (const Run &run : baseline.runs) {
        const std::string difference =
            compareOutputs(baseline.workload.run(evaluator, run.options), run.outputs);
        if (difference.empty())
          continue;
        Operation *function = SymbolTable::lookupSymbolIn(module, baseline.workload.symbol());
        const StringRef name = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
        InFlightDiagnostic error = mlir::emitError(function ? function->getLoc() : module.getLoc())
                                   << "after pass '" << name << "' '" << baseline.workload.symbol()
                                   << "' computes something else";
        error.attachNote() << difference;
        error.attachNote() << "with " << baseline.workload.sizes()
                           << (run.options.order == EvalOptions::Order::Reverse ? ", in reverse order" : "");
        *failed = true;
        finished = true; // only the first wrong pass is known to be wrong
        return;
      }
  }

private:
  struct Run {
    EvalOptions options;
    WorkloadOutputs outputs;
  };
  struct Baseline {
    Workload workload;
    std::vector<Run> runs;
  };

  /// The module to evaluate, or null if `op` may change under other threads' hands.
  static ModuleOp moduleOf(Operation *op) {
    if (auto module = dyn_cast<ModuleOp>(op); module && !module->getParentOp())
      return module;
    return op->getContext()->isMultithreadingEnabled() ? ModuleOp() : op->getParentOfType<ModuleOp>();
  }

  void start(ModuleOp module) {
    Evaluator evaluator(module);
    for (Operation *function : functionsOf(module)) {
      bool refused = true; // at all sizes
      const unsigned sets = given.values.empty() && given.ranges.empty() ? numSizeSets : 1;
      for (unsigned sizeSet = 0; sizeSet < sets; ++sizeSet)
        refused &= addBaseline(function, sizeSet, evaluator) == Tried::Refused;
      if (refused)
        function->emitRemark("not evaluated: the launch program refuses every size that was tried");
    }
  }

  enum class Tried { Refused, Wrong, Done };

  /// Runs a function as it is before the first pass. A program that is wrong from the start says nothing
  /// about passes; one that takes indices from memory is only with data that are none.
  Tried addBaseline(Operation *function, unsigned sizeSet, Evaluator &evaluator) {
    std::string error;
    for (DataSource data : {DataSource::Seeded, DataSource::Indices}) {
      std::string other;
      Tried tried = addBaseline(function, sizeSet, data, evaluator, other);
      if (tried != Tried::Wrong)
        return tried;
      if (error.empty())
        error = other;
    }
    function->emitRemark("not evaluated") << error;
    return Tried::Wrong;
  }

  Tried addBaseline(Operation *function, unsigned sizeSet, DataSource data, Evaluator &evaluator,
                    std::string &why) {
    WorkloadOptions options = given;
    options.sizeSet = sizeSet;
    options.data = data;
    std::string error;
    std::optional<Workload> workload = Workload::make(function, options, error);
    if (!workload) {
      why = ": " + error;
      return Tried::Wrong;
    }
    Baseline baseline{*workload, {}};
    for (auto order : {EvalOptions::Order::Forward, EvalOptions::Order::Reverse}) {
      EvalOptions evalOptions;
      evalOptions.order = order;
      evalOptions.numSms = order == EvalOptions::Order::Forward ? 3 : 1;
      evalOptions.maxSteps = 100'000'000;
      WorkloadOutputs outputs = workload->run(evaluator, evalOptions);
      if (outputs.result.kind == ErrorKind::Refused)
        return Tried::Refused;
      if (!outputs.result.succeeded()) {
        why = " with " + (workload->sizes().empty() ? "constant sizes" : workload->sizes()) + ": " +
              outputs.result.describe();
        return Tried::Wrong;
      }
      if (!baseline.runs.empty() && !compareOutputs(outputs, baseline.runs.front().outputs).empty()) {
        function->emitRemark("evaluated in ascending order only: iterations or blocks conflict");
        break;
      }
      baseline.runs.push_back({evalOptions, std::move(outputs)});
    }
    baselines.push_back(std::move(baseline));
    return Tried::Done;
  }

  WorkloadOptions given;
  std::atomic<bool> *failed;
  std::vector<Baseline> baselines;
  bool started = false, finished = false;
};
} // namespace

void eval::registerEvalPasses() { PassRegistration<EvalRunPass>(); }

std::unique_ptr<PassInstrumentation> eval::createEvalInstrumentation(ArrayRef<std::string> arguments,
                                                                     std::atomic<bool> *failed) {
  WorkloadOptions options;
  for (StringRef argument : arguments)
    if (!parseArgument(argument, options)) {
      llvm::errs() << "'" << argument << "' is not a name and a number, or a range\n";
      *failed = true;
    }
  return std::make_unique<EvalInstrumentation>(options, failed);
}
