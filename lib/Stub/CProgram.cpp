//===- CProgram.cpp - a launch program as C -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value becomes an expression. A value that is used once, or that is as short as a name, is put where
// it is used; any other gets a variable. All operations are total and free of effects (HostFunctions.inc), so
// moving one to its use changes nothing; only what depends on a variable of a loop must stay before that
// variable changes.
//
//===----------------------------------------------------------------------===//

#include "CProgram.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::stub;
using namespace tilec::launch;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {
/// C text; `atom` if it binds tighter than any operator round it.
struct Expr {
  std::string text;
  bool atom = true;
  bool changes = false;      ///< depends on a variable of a loop
  bool isConstant = false;   ///< a literal
  uint64_t bits = 0;         ///< of the literal
  StringRef element = {};    ///< the declared type of a scalar argument
  std::string negation = {}; ///< of a truth value, if there is better than a '!' in front
  std::string field = {};    ///< of an argument that is converted first: the field of the structure

  std::string inner() const { return atom ? text : "(" + text + ")"; }
  std::string negated() const { return negation.empty() ? "!" + inner() : negation; }
};

class ProgramPrinter {
public:
  ProgramPrinter(const Entry &entry, const Program &program, HostFunctions &functions, KernelTable &kernels)
      : entry(entry), program(program), functions(functions), kernels(kernels), os(text) {
    exprs.resize(program.types.size());
    uses.resize(program.types.size());
    launchUses.resize(program.types.size());
    countUses(program.body);
  }

  std::string run() {
    nameArguments();
    bool hasSmCount = false;
    for (const Instruction &op : program.body.body) {
      if (!hasSmCount && asksSmCount(op)) {
        printSmCount();
        hasSmCount = true;
      }
      printOp(op, 1);
    }
    os << "  return TILEC_OK;\n";
    return text;
  }

private:
  /// From the end, so that what only dead values use is dead too.
  void countUses(const launch::Region &region) {
    for (const Instruction &op : reverse(region.body)) {
      for (const launch::Region &inner : reverse(op.regions))
        countUses(inner);
      bool isPure = op.regions.empty() && !op.results.empty();
      if (isPure && none_of(op.results, [&](ValueId id) { return uses[id] != 0; }))
        continue;
      for (ValueId arg : op.args)
        ++uses[arg];
      if (op.op == Opcode::Launch)
        for (ValueId arg : op.args)
          ++launchUses[arg];
    }
  }

  void nameArguments() {
    const std::vector<ValueId> &args = program.body.args;
    size_t next = 0;
    for (auto [param, name] : zip(entry.params, fieldNames(entry.params))) {
      std::string field = "args->" + name;
      if (!param.isTensor) {
        exprs[args[next]].text = field;
        exprs[args[next++]].element = param.element->name;
        continue;
      }
      exprs[args[next++]].text = field + ".data";
      for (size_t i = 0; i != param.extents.size(); ++i)
        exprs[args[next++]].text = formatv("{0}.extents[{1}]", field, i);
      for (size_t i = 0; i != param.strides.size(); ++i)
        exprs[args[next++]].text = formatv("{0}.strides[{1}]", field, i);
    }
    for (ValueId arg : args)
      convertArgument(arg);
  }

  /// A field has the type of the language, a value that of the launch program.
  void convertArgument(ValueId arg) {
    Expr &value = exprs[arg];
    StringRef suffix = getInfo(typeOf(arg)).roundings;
    std::string field = value.text;
    if (value.element.starts_with("u")) {
      value.text = cast(getInfo(typeOf(arg)).cType, value);
      value.atom = false;
    } else if (!suffix.empty() && uses[arg] != launchUses[arg]) {
      // Any float may arrive; the program itself must see the value that the kernel will see. The kernel's
      // argument is made of the field, by one conversion.
      value.text = callFunction(("round_" + suffix).str(), {field}).text;
    }
    value.field = field;
  }

  ValueType typeOf(ValueId id) const { return program.types[id]; }

  Expr callFunction(const std::string &name, ArrayRef<std::string> args) {
    functions.use(name);
    return {name + "(" + join(args, ", ") + ")"};
  }

  static std::string cast(StringRef type, const Expr &value) {
    return formatv("({0}){1}", type, value.inner());
  }

  static std::string unsignedType(ValueType type) { return "u" + std::string(getInfo(type).cType); }

  /// A value as a 64-bit argument. A bool is 0 or 1; as a signed integer of one bit it is 0 or -1.
  std::string extended(ValueId id, bool isSigned) const {
    const Expr &value = exprs[id];
    if (typeOf(id) == ValueType::I1)
      return isSigned ? "-(int64_t)" + value.inner() : value.text;
    return isSigned ? value.text : formatv("({0}){1}", unsignedType(typeOf(id)), value.inner()).str();
  }

  /// A 64-bit result cut to its type.
  Expr wrapped(ValueType type, const Expr &value) const {
    if (type == ValueType::I64)
      return value;
    if (type == ValueType::I1)
      return {"(" + value.inner() + " & 1) != 0", false};
    return {cast(getInfo(type).cType, value), false};
  }

  Expr binary(const Expr &a, StringRef op, const Expr &b) {
    return {formatv("{0} {1} {2}", a.inner(), op, b.inner()), false};
  }

  /// On truth values the bitwise functions are the logical operators.
  std::optional<Expr> logicalFunction(const Instruction &op, StringRef function) {
    StringRef spelling = StringSwitch<StringRef>(function)
                             .Case("bits_and", "&&")
                             .Case("bits_or", "||")
                             .Case("bits_xor", "!=")
                             .Default("");
    if (spelling.empty() || typeOf(op.results[0]) != ValueType::I1)
      return std::nullopt;
    const Expr &a = exprs[op.args[0]], &b = exprs[op.args[1]];
    if (spelling == "!=" && b.isConstant && b.bits) {
      Expr result{a.negated(), a.negation.empty()};
      result.negation = a.inner();
      return result;
    }
    Expr result = binary(a, spelling, b);
    if (spelling == "||")
      result.negation = a.negated() + " && " + b.negated();
    return result;
  }

  Expr intFunction(const Instruction &op, bool isSigned, StringRef function) {
    ValueType type = typeOf(op.results[0]);
    if (std::optional<Expr> result = logicalFunction(op, function))
      return *result;
    const Expr &a = exprs[op.args[0]];
    if (isSigned && op.args.size() == 2 && (function == "safe_div" || function == "safe_rem")) {
      const Expr &b = exprs[op.args[1]];
      if (b.isConstant && b.bits != 0 && b.bits != ~uint64_t(0) && type == ValueType::I64)
        return binary(a, function == "safe_div" ? "/" : "%", b);
    }
    SmallVector<std::string> args;
    for (ValueId arg : op.args)
      args.push_back(extended(arg, isSigned));
    Expr call = callFunction(function.str(), args);
    if (!isSigned && type == ValueType::I64)
      return {cast("int64_t", call), false};
    return wrapped(type, call);
  }

  Expr compareInts(const Instruction &op, StringRef spelling) {
    bool ordersBools =
        typeOf(op.args[0]) == ValueType::I1 && spelling.front() != '=' && spelling.front() != '!';
    if (ordersBools) // of one bit, so that true is -1
      return {formatv("{0} {1} {2}", extended(op.args[0], true), spelling, extended(op.args[1], true)),
              false};
    Expr result = binary(exprs[op.args[0]], spelling, exprs[op.args[1]]);
    StringRef opposite = StringSwitch<StringRef>(spelling)
                             .Case("==", "!=")
                             .Case("!=", "==")
                             .Case("<", ">=")
                             .Case(">=", "<")
                             .Case(">", "<=")
                             .Case("<=", ">");
    result.negation = binary(exprs[op.args[0]], opposite, exprs[op.args[1]]).text;
    return result;
  }

  Expr floatTest(const Instruction &op, StringRef function) {
    SmallVector<std::string> args;
    for (ValueId arg : op.args)
      args.push_back(exprs[arg].text);
    return callFunction(function.str(), args);
  }

  Expr roundedTo(ValueType type, const Expr &value) {
    StringRef suffix = getInfo(type).roundings;
    return suffix.empty() ? value : callFunction(("round_" + suffix).str(), {value.text});
  }

  Expr floatFunction(const Instruction &op, StringRef single, StringRef twice) {
    ValueType type = typeOf(op.results[0]);
    StringRef name = type == ValueType::F64 ? twice : single;
    SmallVector<std::string> args;
    for (ValueId arg : op.args)
      args.push_back(exprs[arg].text);
    return roundedTo(type, callFunction(name.str(), args));
  }

  /// Integer to float, rounded once.
  Expr intToFloat(const Instruction &op, bool isSigned) {
    ValueType type = typeOf(op.results[0]);
    std::string value = extended(op.args[0], isSigned);
    if (type == ValueType::F32 || type == ValueType::F64)
      return {formatv("({0})({1})", getInfo(type).cType, value), false};
    return roundedTo(type, callFunction(isSigned ? "odd_from_i64" : "odd_from_u64", {value}));
  }

  /// Float to a float no wider.
  Expr narrowed(const Instruction &op) {
    const Expr &value = exprs[op.args[0]];
    ValueType to = typeOf(op.results[0]);
    if (typeOf(op.args[0]) != ValueType::F64)
      return roundedTo(to, value);
    if (to == ValueType::F32)
      return {cast("float", value), false};
    return roundedTo(to, callFunction("odd_from_f64", {value.text}));
  }

  Expr bitcastExpr(const Instruction &op) {
    ValueType from = typeOf(op.args[0]), to = typeOf(op.results[0]);
    const Expr &value = exprs[op.args[0]];
    auto suffix = [](ValueType type) {
      StringRef narrow = getInfo(type).roundings;
      return narrow.empty() ? std::string(getInfo(type).name) : narrow.str();
    };
    Expr bits = isFloat(from) ? callFunction(suffix(from) + "_bits", {value.text})
                              : Expr{formatv("(uint{0}_t){1}", getInfo(from).bits, value.inner()), false};
    if (isFloat(to))
      return callFunction(suffix(to) + "_value", {bits.text});
    return {cast(getInfo(to).cType, bits), false};
  }

  Expr castExpr(const Instruction &op) {
    const Expr &value = exprs[op.args[0]];
    ValueType from = typeOf(op.args[0]), to = typeOf(op.results[0]);
    switch (op.op) {
    case Opcode::ExtSI:
      return {from == ValueType::I1 ? extended(op.args[0], true) : cast(getInfo(to).cType, value), false};
    case Opcode::ExtUI:
      return {formatv("({0}){1}", getInfo(to).cType,
                      from == ValueType::I1 ? value.inner() : extended(op.args[0], false)),
              false};
    case Opcode::TruncI:
      return wrapped(to, value);
    case Opcode::SIToFP:
      return intToFloat(op, true);
    case Opcode::UIToFP:
      return intToFloat(op, false);
    case Opcode::ExtF:
      return to == ValueType::F64 ? Expr{cast("double", value), false} : value;
    case Opcode::TruncF:
      return narrowed(op);
    case Opcode::Bitcast:
      return bitcastExpr(op);
    default:
      break;
    }
    if (isFloat(to))
      return narrowed(op);
    std::string bits = std::to_string(getInfo(to).bits);
    return {
        cast(getInfo(to).cType, callFunction(op.op == Opcode::CastSigned ? "float_to_int" : "float_to_uint",
                                             {value.text, bits})),
        false};
  }

  /// The expression of an operation that is only a value.
  Expr pureExpr(const Instruction &op) {
    switch (op.op) {
#define TILEC_LAUNCH_INT(Enum, name, args, extend, function)                                                 \
  case Opcode::Enum:                                                                                         \
    return intFunction(op, StringRef(#extend) == "Sign", #function);
#define TILEC_LAUNCH_INT_COMPARE(Enum, name, operator_)                                                      \
  case Opcode::Enum:                                                                                         \
    return compareInts(op, #operator_);
#define TILEC_LAUNCH_INT_TEST(Enum, name, function)                                                          \
  case Opcode::Enum:                                                                                         \
    return callFunction(#function, {extended(op.args[0], false), extended(op.args[1], false)});
#define TILEC_LAUNCH_FLOAT_COMPARE(Enum, name, operator_)                                                    \
  case Opcode::Enum:                                                                                         \
    return binary(exprs[op.args[0]], #operator_, exprs[op.args[1]]);
#define TILEC_LAUNCH_FLOAT_TEST(Enum, name, args, function)                                                  \
  case Opcode::Enum:                                                                                         \
    return floatTest(op, #function);
#define TILEC_LAUNCH_FLOAT_OPERATOR(Enum, name, operator_)                                                   \
  case Opcode::Enum:                                                                                         \
    return roundedTo(typeOf(op.results[0]), binary(exprs[op.args[0]], #operator_, exprs[op.args[1]]));
#define TILEC_LAUNCH_FLOAT(Enum, name, args, f32, f64)                                                       \
  case Opcode::Enum:                                                                                         \
    return floatFunction(op, #f32, #f64);
#define TILEC_LAUNCH_CAST(Enum, name)                                                                        \
  case Opcode::Enum:                                                                                         \
    return castExpr(op);
#define TILEC_LAUNCH_SPECIAL(Enum, name)
#include "tilec/Runner/LaunchOps.def"
    case Opcode::Constant: {
      Expr literal{constantLiteral(typeOf(op.results[0]), op.bits)};
      literal.atom = literal.text.front() != '-' && literal.text.front() != '(';
      literal.isConstant = true;
      literal.bits = op.bits;
      return literal;
    }
    case Opcode::NegF:
      return {"-" + exprs[op.args[0]].inner(), false};
    case Opcode::Select:
      return {formatv("{0} ? {1} : {2}", exprs[op.args[0]].inner(), exprs[op.args[1]].inner(),
                      exprs[op.args[2]].inner()),
              false};
    case Opcode::PtrAligned:
      return callFunction("is_aligned", {exprs[op.args[0]].text, std::to_string(op.bits)});
    case Opcode::PtrNull: {
      Expr isNull{exprs[op.args[0]].inner() + " == NULL", false};
      isNull.negation = exprs[op.args[0]].inner() + " != NULL";
      return isNull;
    }
    case Opcode::Overlap: {
      SmallVector<std::string> args;
      for (ValueId arg : op.args)
        args.push_back(exprs[arg].text);
      return callFunction("overlaps", args);
    }
    default:
      llvm_unreachable("an operation with effects or regions");
    }
  }

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  static std::string declaration(ValueType type, StringRef name, bool isConst) {
    StringRef c = getInfo(type).cType;
    if (c.ends_with("*")) // the pointer itself
      return (c + (isConst ? "const " : "") + name).str();
    return ((isConst ? "const " : "") + c + " " + name).str();
  }

  std::string variable(ValueId id) { return "v" + std::to_string(id); }

  void define(ValueId id, Expr value, unsigned depth) {
    bool isName = value.isConstant || value.text.size() <= 4;
    bool inlined = !value.changes && (isName || (uses[id] == 1 && value.text.size() <= 90));
    if (!inlined) {
      os.indent(2 * depth) << declaration(typeOf(id), variable(id), true) << " = " << value.text << ";\n";
      value = {variable(id)}; // a copy, which does not change
    }
    exprs[id] = std::move(value);
  }

  void printRegion(const launch::Region &region, unsigned depth) {
    for (const Instruction &op : region.body)
      printOp(op, depth);
  }

  bool asksSmCount(const Instruction &op) const {
    auto asks = [&](const Instruction &inner) { return asksSmCount(inner); };
    return (op.op == Opcode::SmCount && uses[op.results[0]]) ||
           any_of(op.regions, [&](const launch::Region &region) { return any_of(region.body, asks); });
  }

  /// Once a launch, and not before the requirements that precede the first use.
  void printSmCount() {
    functions.useSmCount();
    os << "  int64_t sm_count;\n  const tilec_status sm_count_status = get_sm_count(call, &sm_count);\n"
          "  if (sm_count_status != TILEC_OK)\n    return sm_count_status;\n";
  }

  void printOp(const Instruction &op, unsigned depth) {
    switch (op.op) {
    case Opcode::SmCount:
      exprs[op.results[0]] = {"sm_count"};
      return;
    case Opcode::If:
      return printIf(op, depth);
    case Opcode::For:
      return printFor(op, depth);
    case Opcode::While:
      return printWhile(op, depth);
    case Opcode::Require:
      return printRequire(op, depth);
    case Opcode::Launch:
      return printLaunch(op, depth);
    case Opcode::Yield:
    case Opcode::Condition:
      return printYield(op, depth);
    case Opcode::MulSIExtended: {
      SmallVector<std::string> args = {exprs[op.args[0]].text, exprs[op.args[1]].text};
      StringRef names[] = {"wrap_mul", "mul_high"};
      for (unsigned i = 0; i != 2; ++i)
        if (uses[op.results[i]])
          define(op.results[i], withChanges(op, callFunction(names[i].str(), args)), depth);
      return;
    }
    default:
      if (uses[op.results[0]])
        define(op.results[0], withChanges(op, pureExpr(op)), depth);
    }
  }

  Expr withChanges(const Instruction &op, Expr value) {
    for (ValueId arg : op.args)
      value.changes |= exprs[arg].changes;
    return value;
  }

  /// Declares variables for the results of an operation with regions, and makes them what its yields assign.
  std::vector<std::string> declareResults(const Instruction &op, unsigned depth) {
    std::vector<std::string> names;
    for (ValueId id : op.results) {
      names.push_back(variable(id));
      os.indent(2 * depth) << declaration(typeOf(id), names.back(), false) << ";\n";
      exprs[id] = {names.back()};
    }
    return names;
  }

  void printIf(const Instruction &op, unsigned depth) {
    std::vector<std::string> names = declareResults(op, depth);
    os.indent(2 * depth) << "if (" << exprs[op.args[0]].text << ") {\n";
    targets.push_back({names, {}});
    printRegion(op.regions[0], depth + 1);
    if (op.regions.size() > 1 && !op.regions[1].body.empty() &&
        !(names.empty() && op.regions[1].body.front().op == Opcode::Yield)) {
      os.indent(2 * depth) << "} else {\n";
      printRegion(op.regions[1], depth + 1);
    }
    targets.pop_back();
    os.indent(2 * depth) << "}\n";
    silenceUnused(op, names, depth);
  }

  /// Variables that carry values round a loop, with their first values.
  std::vector<std::string> declareCarried(ArrayRef<ValueId> carried, ArrayRef<ValueId> inits,
                                          unsigned depth) {
    std::vector<std::string> names;
    for (auto [id, init] : zip(carried, inits)) {
      names.push_back(variable(id));
      os.indent(2 * depth) << declaration(typeOf(id), names.back(), false) << " = " << exprs[init].text
                           << ";\n";
      exprs[id] = {names.back()};
      exprs[id].changes = true;
    }
    return names;
  }

  void printFor(const Instruction &op, unsigned depth) {
    const launch::Region &body = op.regions[0];
    ArrayRef<ValueId> carried = ArrayRef(body.args).drop_front();
    std::vector<std::string> names = declareCarried(carried, ArrayRef(op.args).drop_front(3), depth);
    std::string index = variable(body.args[0]);
    exprs[body.args[0]] = {index};
    exprs[body.args[0]].changes = true;
    // A trip count, as the IR has it: the index cannot overflow, and a step that is not positive runs
    // nothing.
    std::string trips = "trips_" + index;
    functions.use("trip_count");
    functions.use("wrap_add");
    os.indent(2 * depth) << declaration(typeOf(body.args[0]), index, false) << " = " << exprs[op.args[0]].text
                         << ";\n";
    os.indent(2 * depth) << formatv("uint64_t {0} = trip_count({1}, {2}, {3});\n", trips,
                                    exprs[op.args[0]].text, exprs[op.args[1]].text, exprs[op.args[2]].text);
    os.indent(2 * depth) << formatv("for (; {0} != 0; --{0}, {1} = wrap_add({1}, {2})) {{\n", trips, index,
                                    exprs[op.args[2]].text);
    targets.push_back({names, {}});
    printRegion(body, depth + 1);
    targets.pop_back();
    os.indent(2 * depth) << "}\n";
    for (auto [id, name] : zip(op.results, names))
      exprs[id] = {name};
    silenceUnused(op, names, depth);
  }

  /// Compilers warn about variables that are set and never read.
  void silenceUnused(const Instruction &op, ArrayRef<std::string> names, unsigned depth) {
    for (auto [id, name] : zip(op.results, names))
      if (uses[id] == 0)
        os.indent(2 * depth) << "(void)" << name << ";\n";
  }

  void printWhile(const Instruction &op, unsigned depth) {
    const launch::Region &before = op.regions[0], &after = op.regions[1];
    std::vector<std::string> names = declareCarried(before.args, op.args, depth);
    std::vector<std::string> passed;
    for (auto [id, arg] : zip(op.results, after.args)) {
      passed.push_back(variable(id));
      os.indent(2 * depth) << declaration(typeOf(id), passed.back(), false) << ";\n";
      exprs[id] = {passed.back()};
      exprs[arg] = {passed.back()};
      exprs[arg].changes = true;
    }
    os.indent(2 * depth) << "for (;;) {\n";
    targets.push_back({passed, "break"});
    printRegion(before, depth + 1);
    targets.back() = {names, {}};
    printRegion(after, depth + 1);
    targets.pop_back();
    os.indent(2 * depth) << "}\n";
    silenceUnused(op, passed, depth);
  }

  /// Assigns what leaves a region to the variables that wait for it. Several at once go through temporaries,
  /// since one may be another's old value.
  void printYield(const Instruction &op, unsigned depth) {
    ArrayRef<ValueId> values = op.args;
    if (op.op == Opcode::Condition)
      values = values.drop_front();
    const auto &[names, exit] = targets.back();
    std::vector<std::string> texts;
    for (auto [name, id] : zip(names, values)) {
      texts.push_back(exprs[id].text);
      if (names.size() > 1 && exprs[id].changes) {
        texts.back() = "next_" + name;
        os.indent(2 * depth) << declaration(typeOf(id), texts.back(), true) << " = " << exprs[id].text
                             << ";\n";
      }
    }
    for (auto [name, value] : zip(names, texts))
      if (name != value)
        os.indent(2 * depth) << name << " = " << value << ";\n";
    if (op.op == Opcode::Condition)
      os.indent(2 * depth) << "if (" << exprs[op.args[0]].negated() << ")\n"
                           << std::string(2 * depth + 2, ' ') << exit << ";\n";
  }

  /// A value for "%…" of printf: the conversion and the argument.
  std::pair<std::string, std::string> formatted(ValueId id) {
    const Expr &value = exprs[id];
    switch (typeOf(id)) {
    case ValueType::I1:
      return {"%s", value.inner() + " ? \"true\" : \"false\""};
    case ValueType::F64:
      return {"%.17g", value.text};
    case ValueType::Pointer:
      return {"%p", value.text};
    default:
      break;
    }
    if (isFloat(typeOf(id)))
      return {"%.9g", cast("double", value)};
    if (value.element.starts_with("u"))
      return {"%llu", "(unsigned long long)" + value.field};
    return {"%lld", cast("long long", value)};
  }

  void printRequire(const Instruction &op, unsigned depth) {
    std::string format, values;
    const std::string text = fitMessage(op.text, entry.name, op.args.size() - 1);
    StringRef rest = text;
    while (!rest.empty()) {
      size_t brace = rest.find('{');
      format += rest.take_front(brace).str();
      rest = rest.drop_front(std::min(brace, rest.size()));
      unsigned index;
      StringRef after = rest.drop_front(rest.empty() ? 0 : 1);
      if (!rest.empty() && !after.consumeInteger(10, index) && after.consume_front("}") &&
          index + 1 < op.args.size()) {
        auto [conversion, value] = formatted(op.args[index + 1]);
        format += "\1" + conversion.substr(1); // '%' of its own, not one of the text
        values += ",\n" + std::string(2 * depth + 16, ' ') + value;
        rest = after;
      } else if (!rest.empty()) {
        format += '{';
        rest = rest.drop_front();
      }
    }
    std::string quoted = quoteC(format, /*isFormat=*/true);
    for (size_t at; (at = quoted.find("\\001")) != std::string::npos;)
      quoted.replace(at, 4, "%");
    os.indent(2 * depth) << "if (checks && " << exprs[op.args[0]].negated() << ")\n";
    os.indent(2 * depth + 2) << "return fail(call, TILEC_INVALID_ARGUMENT, 0, " << quoted << values << ");\n";
  }

  /// A kernel argument in the type that the kernel has it.
  std::pair<std::string, std::string> kernelArgument(ValueId id) {
    ValueType type = typeOf(id);
    StringRef suffix = getInfo(type).roundings;
    if (!suffix.empty()) {
      const Expr &value = exprs[id];
      return {formatv("uint{0}_t", getInfo(type).bits),
              callFunction((suffix + "_bits").str(), {value.field.empty() ? value.text : value.field}).text};
    }
    if (type == ValueType::I1)
      return {"uint8_t", exprs[id].text};
    return {std::string(getInfo(type).cType), exprs[id].text};
  }

  void printLaunch(const Instruction &op, unsigned depth) {
    const KernelUse &kernel = kernels.get(op);
    std::string extents[3] = {"1", "1", "1"};
    for (unsigned i = 0; i != op.gridRank; ++i)
      extents[i] = exprs[op.args[i]].text;
    ArrayRef<ValueId> args = ArrayRef(op.args).drop_front(op.gridRank);
    os.indent(2 * depth) << "{\n";
    for (auto [i, id] : enumerate(args)) {
      auto [type, value] = kernelArgument(id);
      bool isPointer = StringRef(type).ends_with("*");
      os.indent(2 * depth + 2) << type << (isPointer ? "" : " ") << "p" << i << " = " << value << ";\n";
    }
    os.indent(2 * depth + 2) << formatv("void *parameters[{0}] = {{", std::max<size_t>(args.size(), 1));
    for (size_t i = 0; i != args.size(); ++i)
      os << (i ? ", " : "") << "(void *)&p" << i;
    os << (args.empty() ? "NULL" : "") << "};\n";
    os.indent(2 * depth + 2) << "const int64_t grid[3] = {" << extents[0] << ", " << extents[1] << ", "
                             << extents[2] << "};\n";
    os.indent(2 * depth + 2) << formatv(
        "tilec_status status = launch_kernel(call, &{0}, grid, parameters);\n", kernel.variable);
    os.indent(2 * depth + 2) << "if (status != TILEC_OK)\n";
    os.indent(2 * depth + 4) << "return status;\n";
    os.indent(2 * depth) << "}\n";
  }

  struct YieldTarget {
    std::vector<std::string> names;
    std::string exit; ///< statement that leaves the loop when a condition fails
  };

  const Entry &entry;
  const Program &program;
  HostFunctions &functions;
  KernelTable &kernels;
  std::vector<Expr> exprs;
  std::vector<unsigned> uses, launchUses;
  std::vector<YieldTarget> targets;
  std::string text;
  raw_string_ostream os;
};
} // namespace

std::string stub::printProgramBody(const Entry &entry, const Program &program, HostFunctions &functions,
                                   KernelTable &kernels) {
  return ProgramPrinter(entry, program, functions, kernels).run();
}
