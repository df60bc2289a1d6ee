//===- Workload.cpp - seeded runs of whatever a module holds --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of an entry point: a dimension that is a name of its own gets a number from a list, a constant one
// its constant, and one that is an expression the number that the launch program's own requirement compares
// it with. Sizes of a kernel on its own: every integer argument gets a number, and a tensor its memory when
// the kernel gives it a shape.
//
//===----------------------------------------------------------------------===//

#include "tilec/Eval/Workload.h"
#include "Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tilec/Check/Compare.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

namespace {
// By size set: sizes of the last two dimensions of a tensor, in order of appearance, and of those before
// them.
constexpr int64_t inner[numSizeSets][6] = {
    {37, 53, 29, 41, 19, 23}, {64, 96, 32, 128, 64, 32}, {1, 1, 1, 1, 1, 1}};
constexpr int64_t outer[numSizeSets][4] = {{2, 3, 1, 2}, {1, 2, 1, 1}, {1, 1, 1, 1}};
// A row stride that nothing else determines: more than any row above.
constexpr int64_t rowStride = 160;
} // namespace

bool eval::parseArgument(StringRef text, WorkloadOptions &options) {
  const auto [name, value] = text.split('=');
  const auto [lo, hi] = value.split(':');
  check::Range range;
  if (!hi.empty() && !lo.getAsInteger(10, range.lo) && !hi.getAsInteger(10, range.hi)) {
    options.ranges[name] = range;
    return true;
  }
  double number;
  if (value.getAsDouble(number))
    return false;
  options.values[name] = number;
  return true;
}

double Workload::valueOf(StringRef dimension, double otherwise) {
  for (const auto &[known, value] : chosen)
    if (dimension == known)
      return value;
  auto it = options.values.find(dimension);
  const double value = it == options.values.end() ? otherwise : it->second;
  chosen.emplace_back(dimension.str(), value);
  return value;
}

std::string Workload::sizes() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[dimension, value] : chosen)
    os << (text.empty() ? "" : ", ") << dimension << " = " << llvm::format("%g", value);
  return text;
}

static Arg scalarArg(Type type, double value) {
  return isa<FloatType>(type) ? Arg(value) : Arg(static_cast<int64_t>(value));
}

void Workload::fill(WorkloadTensor &tensor, int64_t elements) const {
  tensor.elements = elements;
  tensor.data.assign(static_cast<size_t>(storageBytes(tensor.kind, elements)), 0);
  if (tensor.use == TensorUse::Out) {
    check::poison(tensor.kind, tensor.data.data(), elements);
    tensor.init.assign(static_cast<size_t>(elements), 0);
    return;
  }
  if (auto it = options.ranges.find(tensor.name); it != options.ranges.end()) {
    check::generate(tensor.kind, tensor.data.data(), 0, elements, options.seed, tensor.argument, &it->second);
    return;
  }
  auto set = [&](int64_t i, int64_t value) {
    if (elementInfo(tensor.kind).isFloat)
      storeFloat(tensor.kind, tensor.data.data(), i, static_cast<double>(value));
    else
      storeInteger(tensor.kind, tensor.data.data(), i, value);
  };
  switch (options.data) {
  case DataSource::Seeded:
    check::generate(tensor.kind, tensor.data.data(), 0, elements, options.seed, tensor.argument);
    return;
  case DataSource::Zero:
  case DataSource::One:
    for (int64_t i = 0; i < elements; ++i)
      set(i, options.data == DataSource::One);
    return;
  case DataSource::Indices: {
    const check::Range indices{0, smallestExtent};
    const bool isIndex = !elementInfo(tensor.kind).isFloat && tensor.kind != ElementKind::Bool;
    check::generate(tensor.kind, tensor.data.data(), 0, elements, options.seed, tensor.argument,
                    isIndex ? &indices : nullptr);
    return;
  }
  case DataSource::Iota:
    for (int64_t i = 0; i < elements; ++i)
      set(i, i);
    return;
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void Workload::makeKernel(Operation *function) {
  auto kernel = cast<tile::KernelOp>(function);
  unsigned dimensions = 0;
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    const unsigned index = static_cast<unsigned>(number);
    std::string argument = kernel.getArgName(index).str();
    if (argument.empty())
      argument = "arg" + std::to_string(index);
    auto pointer = dyn_cast<tile::PtrType>(type);
    if (!pointer) {
      const bool isDimension = type.isInteger(64);
      const double otherwise = isDimension ? static_cast<double>(inner[options.sizeSet][dimensions++ % 6])
                               : isa<FloatType>(type) ? 0.5
                                                      : 1;
      args.push_back(scalarArg(type, valueOf(argument, otherwise)));
      continue;
    }
    WorkloadTensor tensor;
    tensor.name = argument;
    tensor.argument = index;
    tensor.kind = *elementKindOf(pointer.getElementType());
    auto access = kernel.getArgAttrOfType<tile::AccessModeAttr>(index, tile::kAccessAttr);
    tensor.use = !access                                      ? TensorUse::InOut
                 : access.getValue() == tile::AccessMode::In  ? TensorUse::In
                 : access.getValue() == tile::AccessMode::Out ? TensorUse::Out
                                                              : TensorUse::InOut;
    tensors.push_back(std::move(tensor));
    args.push_back(Buffer());
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

namespace {
/// The integers of a launch program that follow from the arguments known so far, by folding.
class KnownValues {
public:
  void set(Value value, int64_t number) { attributes[value] = IntegerAttr::get(value.getType(), number); }
  std::optional<int64_t> get(Value value) {
    auto attribute = dyn_cast_or_null<IntegerAttr>(evaluate(value));
    return attribute ? std::optional(attribute.getInt()) : std::nullopt;
  }

private:
  Attribute evaluate(Value value) {
    if (auto it = attributes.find(value); it != attributes.end())
      return it->second;
    Operation *definition = value.getDefiningOp();
    if (!definition || definition->getNumRegions())
      return {};
    SmallVector<Attribute> operands;
    for (Value operand : definition->getOperands())
      operands.push_back(evaluate(operand));
    SmallVector<OpFoldResult> results;
    if (failed(definition->fold(operands, results)) || results.empty())
      return {};
    OpFoldResult folded = results[cast<OpResult>(value).getResultNumber()];
    return isa<Attribute>(folded) ? cast<Attribute>(folded) : evaluate(cast<Value>(folded));
  }
  DenseMap<Value, Attribute> attributes;
};
} // namespace

bool Workload::makeEntry(Operation *function, std::string &error) {
  auto entry = cast<tile::EntryOp>(function);
  const auto values = entry.getBody().getArguments();
  args.resize(values.size());
  KnownValues known;
  llvm::DenseSet<unsigned> open; // extents and strides that are expressions

  // Names of extents, so that a stride that is one of them gets the same number.
  llvm::StringSet<> extentNames;
  for (Attribute param : entry.getParams())
    if (auto tensor = dyn_cast<tile::TensorParamAttr>(param))
      for (Attribute extent : tensor.getExtents())
        extentNames.insert(cast<StringAttr>(extent).getValue());

  auto isName = [](StringRef text) {
    return !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_') &&
           llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  };
  unsigned next = 0, innerNames = 0, outerNames = 0;
  auto take = [&](StringRef text, bool isInner, bool isStride) {
    const unsigned index = next++;
    int64_t number;
    if (!text.getAsInteger(10, number)) {
    } else if (isName(text)) {
      const bool fresh = llvm::none_of(chosen, [&](const auto &pair) { return pair.first == text; });
      int64_t otherwise = rowStride;
      if (fresh && (!isStride || extentNames.contains(text)))
        otherwise =
            isInner ? inner[options.sizeSet][innerNames++ % 6] : outer[options.sizeSet][outerNames++ % 4];
      number = static_cast<int64_t>(valueOf(text, static_cast<double>(otherwise)));
    } else {
      open.insert(index);
      return;
    }
    known.set(values[index], number);
    args[index] = number;
  };
  for (Attribute param : entry.getParams()) {
    if (auto scalar = dyn_cast<tile::ScalarParamAttr>(param)) {
      Type type = values[next].getType();
      args[next] = scalarArg(type, valueOf(scalar.getName(), isa<FloatType>(type) ? 0.5 : 1));
      if (const int64_t *number = std::get_if<int64_t>(&args[next]))
        known.set(values[next], *number);
      ++next;
      continue;
    }
    auto declared = cast<tile::TensorParamAttr>(param);
    WorkloadTensor tensor;
    tensor.name = declared.getName().str();
    tensor.argument = next++;
    tensor.kind = *elementKindOf(declared.getElement());
    tensor.use = declared.getAccess() == tile::AccessMode::In    ? TensorUse::In
                 : declared.getAccess() == tile::AccessMode::Out ? TensorUse::Out
                                                                 : TensorUse::InOut;
    const size_t rank = declared.getExtents().size();
    for (auto [d, extent] : llvm::enumerate(declared.getExtents()))
      take(cast<StringAttr>(extent).getValue(), d + 2 >= rank, false);
    if (declared.getStrides())
      for (Attribute stride : declared.getStrides())
        take(cast<StringAttr>(stride).getValue(), false, true);
    tensors.push_back(std::move(tensor));
  }

  // An expression is what the launch program requires it to equal.
  for (bool changed = true; changed && !open.empty();) {
    changed = false;
    entry.walk([&](tile::RequireOp require) {
      auto compare = require.getCondition().getDefiningOp<arith::CmpIOp>();
      if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
        return;
      for (auto [side, other] :
           {std::pair(compare.getLhs(), compare.getRhs()), std::pair(compare.getRhs(), compare.getLhs())}) {
        auto argument = dyn_cast<BlockArgument>(side);
        std::optional<int64_t> number = known.get(other);
        if (!argument || !number || !open.erase(argument.getArgNumber()))
          continue;
        known.set(argument, *number);
        args[argument.getArgNumber()] = *number;
        changed = true;
      }
    });
  }
  if (!open.empty()) {
    error = "no size could be found for argument " + std::to_string(*open.begin());
    return false;
  }

  std::optional<int64_t> smallest;
  for (auto [tensor, param] :
       llvm::zip_equal(tensors, llvm::make_filter_range(entry.getParams(), [](Attribute a) {
                         return isa<tile::TensorParamAttr>(a);
                       }))) {
    auto declared = cast<tile::TensorParamAttr>(param);
    const size_t rank = declared.getExtents().size();
    const bool strided = declared.getStrides() && !declared.getStrides().empty();
    int64_t reach = 0, dense = 1;
    tensor.extents.resize(rank);
    tensor.strides.resize(rank);
    for (size_t d = rank; d-- > 0;) {
      tensor.extents[d] = std::get<int64_t>(args[tensor.argument + 1 + d]);
      tensor.strides[d] = strided ? std::get<int64_t>(args[tensor.argument + 1 + rank + d]) : dense;
      dense *= tensor.extents[d];
      reach += (tensor.extents[d] - 1) * tensor.strides[d];
      smallest = std::min(smallest.value_or(tensor.extents[d]), tensor.extents[d]);
    }
    tensor.elements = llvm::any_of(tensor.extents, [](int64_t e) { return e <= 0; }) ? 0 : reach + 1;
  }
  smallestExtent = std::max<int64_t>(smallest.value_or(1), 1);
  for (WorkloadTensor &tensor : tensors)
    fill(tensor, tensor.elements);
  return true;
}

std::optional<Workload> Workload::make(Operation *function, const WorkloadOptions &options,
                                       std::string &error) {
  Workload workload;
  workload.name = SymbolTable::getSymbolName(function).str();
  workload.options = options;
  if (isa<tile::EntryOp>(function)) {
    if (!workload.makeEntry(function, error))
      return std::nullopt;
  } else {
    workload.makeKernel(function);
  }
  return workload;
}

WorkloadOutputs Workload::run(Evaluator &evaluator, const EvalOptions &given) const {
  auto buffer = [](WorkloadTensor &tensor) {
    Buffer result{tensor.data.data(), tensor.kind, tensor.elements,
                  tensor.init.empty() ? nullptr : tensor.init.data()};
    // Tensors are far apart and aligned for the launch program, whatever the host's allocator does.
    result.address = uint64_t(tensor.argument + 1) << 40;
    return result;
  };
  // A kernel that gives one pointer a second, larger shape is run again with that much memory from the start:
  // memory in use cannot move.
  std::vector<int64_t> needed(args.size(), 0);
  for (bool again = true;;) {
    again = false;
    WorkloadOutputs outputs;
    outputs.tensors = tensors;
    std::vector<Arg> bound = args;
    for (WorkloadTensor &tensor : outputs.tensors) {
      if (needed[tensor.argument])
        fill(tensor, needed[tensor.argument]);
      bound[tensor.argument] = buffer(tensor);
    }
    EvalOptions options = given;
    options.allocate = [&](unsigned argument, int64_t elements) {
      WorkloadTensor &tensor =
          *llvm::find_if(outputs.tensors, [&](const WorkloadTensor &t) { return t.argument == argument; });
      needed[argument] = std::max(needed[argument], elements);
      if (tensor.elements)
        again = true;
      else
        fill(tensor, elements);
      return buffer(tensor);
    };
    outputs.result = evaluator.run(name, bound, options);
    if (!again)
      return outputs;
  }
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

double eval::toleranceOf(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return 1e-11;
  case ElementKind::F32:
    return 1e-4;
  case ElementKind::TF32:
  case ElementKind::F16:
    return 2e-3;
  case ElementKind::BF16:
    return 1e-2;
  case ElementKind::E4M3:
    return 6e-2;
  case ElementKind::E5M2:
    return 1.2e-1;
  default:
    return 0; // integers and bools are exact
  }
}

static std::vector<std::string> sortedLines(StringRef text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line.str());
    text = rest;
  }
  llvm::sort(lines);
  return lines;
}

std::string eval::compareOutputs(const WorkloadOutputs &got, const WorkloadOutputs &want) {
  if (got.result.kind != want.result.kind)
    return got.result.succeeded() ? "it succeeds, and did not before: " + want.result.describe()
                                  : got.result.describe();
  for (const auto &[g, w] : llvm::zip_equal(got.tensors, want.tensors)) {
    const std::string tensor = "'" + w.name + "'";
    if (g.elements != w.elements)
      return tensor + " has " + std::to_string(g.elements) + " elements, and had " +
             std::to_string(w.elements);
    const check::Comparison c =
        check::compare(w.kind, g.data.data(), w.data.data(), w.elements, toleranceOf(w.kind));
    if (!c.passed)
      return tensor + ": " + check::describe(c, toleranceOf(w.kind));
    for (size_t i = 0; i < w.init.size(); ++i)
      if (g.init[i] != w.init[i])
        return "element " + std::to_string(i) + " of " + tensor +
               (w.init[i] ? " is not written any more" : " is written now");
  }
  if (sortedLines(got.result.printed) != sortedLines(want.result.printed))
    return "it prints other lines";
  return "";
}
