//===- Eval.cpp - the reference evaluator ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface: compile on first use, bind arguments, run, describe what went wrong.
//
//===----------------------------------------------------------------------===//

#include "tilec/Eval/Eval.h"
#include "Compiler.h"
#include "ScalarMath.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::eval;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// The FileLineColLocs of a location, the innermost callee first, then its callers.
static void callChain(Location loc, SmallVectorImpl<FileLineColLoc> &chain) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    chain.push_back(file);
  else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    callChain(call.getCallee(), chain);
    callChain(call.getCaller(), chain);
  } else if (auto name = dyn_cast<NameLoc>(loc))
    callChain(name.getChildLoc(), chain);
  else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    if (!fused.getLocations().empty()) // the primary one
      callChain(fused.getLocations().front(), chain);
  }
}

std::string eval::fileAndLine(Location loc) {
  SmallVector<FileLineColLoc> chain;
  callChain(loc, chain);
  if (chain.empty())
    return "?:0";
  return chain.front().getFilename().str() + ":" + std::to_string(chain.front().getLine());
}

std::string EvalResult::describe() const {
  if (kind == ErrorKind::None)
    return "";
  if (kind == ErrorKind::Assertion || kind == ErrorKind::Refused)
    return message;
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<FileLineColLoc> chain;
  if (location)
    callChain(*location, chain);
  auto place = [&](FileLineColLoc loc) {
    os << loc.getFilename().strref() << ':' << loc.getLine() << ':' << loc.getColumn() << ": ";
  };
  if (!chain.empty())
    place(chain.front());
  os << "error: " << message;
  for (FileLineColLoc caller : ArrayRef(chain).drop_front(chain.empty() ? 0 : 1)) {
    os << '\n';
    place(caller);
    os << "note: called from here";
  }
  if (block) {
    os << '\n';
    if (!chain.empty())
      place(chain.front());
    os << "note: in block (" << (*block)[0] << ", " << (*block)[1] << ", " << (*block)[2] << ')';
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Evaluator::Evaluator(ModuleOp module) : module(module) {}
Evaluator::~Evaluator() = default;

const Program *Evaluator::compile(Operation *function, EvalResult &error) {
  for (const auto &[op, program] : programs)
    if (op == function)
      return program.get();
  auto program = std::make_unique<Program>();
  Compiler compiler(*this, *program);
  if (failed(compiler.compile(function))) {
    error.kind = ErrorKind::Unsupported;
    error.message = compiler.error;
    error.location = compiler.errorLocation;
    return nullptr;
  }
  programs.emplace_back(function, std::move(program));
  return programs.back().second.get();
}

/// A number as a slot of a scalar type; floats are rounded to it.
static Slot slotOfArg(const ScalarInfo &info, const Arg &arg) {
  const bool isInt = std::holds_alternative<int64_t>(arg);
  if (info.isFloat) {
    const double value = isInt ? static_cast<double>(std::get<int64_t>(arg)) : std::get<double>(arg);
    return info.isDouble ? slotOfDouble(value) : slotOfFloat(roundDouble(info.kind, value));
  }
  const int64_t value = isInt ? std::get<int64_t>(arg) : static_cast<int64_t>(std::get<double>(arg));
  return slotOfInt(info.width == 1 ? value & 1 : signExtend(value, info.shift()));
}

void eval::bindBuffer(View &pointer, const Buffer &buffer, const EvalOptions &options) {
  pointer.data = static_cast<uint8_t *>(buffer.data);
  pointer.init = options.checkUninitialised ? buffer.init : nullptr;
  pointer.offset =
      static_cast<int64_t>(buffer.address ? buffer.address : reinterpret_cast<uintptr_t>(buffer.data));
  pointer.rank = 1;
  pointer.dims[0].size = buffer.elements;
}

EvalResult Evaluator::run(StringRef symbol, ArrayRef<Arg> args, const EvalOptions &options) {
  EvalResult result;
  auto refuse = [&](const Twine &message) {
    result.kind = ErrorKind::Unsupported;
    result.message = message.str();
    return result;
  };
  Operation *function = SymbolTable::lookupSymbolIn(module, symbol);
  if (!isa_and_nonnull<tile::KernelOp, tile::EntryOp>(function))
    return refuse("there is no kernel or entry point '" + symbol + "'");
  const Program *program = compile(function, result);
  if (!program)
    return result;
  ArrayRef<Type> types = cast<FunctionOpInterface>(function).getArgumentTypes();
  if (types.size() != args.size())
    return refuse("'" + symbol + "' takes " + Twine(types.size()) + " arguments, got " + Twine(args.size()));

  Machine machine(*program, options, result);
  for (unsigned i = 0; i < args.size(); ++i) {
    const unsigned target = program->arguments[i];
    auto pointer = dyn_cast<tile::PtrType>(types[i]);
    const Buffer *buffer = std::get_if<Buffer>(&args[i]);
    if (!pointer != !buffer)
      return refuse("argument " + Twine(i) + " of '" + symbol + "' is a " + (pointer ? "tensor" : "scalar"));
    if (!buffer) {
      machine.slot(target) = slotOfArg(Compiler::scalarInfo(types[i]), args[i]);
      continue;
    }
    View &view = machine.view(target);
    if (buffer->kind != view.kind)
      return refuse("argument " + Twine(i) + " of '" + symbol + "' has elements of type " +
                    elementInfo(view.kind).name + ", got " + elementInfo(buffer->kind).name);
    bindBuffer(view, *buffer, options);
    view.dims[0].lo = i;
  }
  uint32_t pc = 0;
  if (machine.execute(pc) == Outcome::Blocked)
    machine.fail(machine.blockedOn + " never comes", ErrorKind::Deadlock);
  return result;
}
