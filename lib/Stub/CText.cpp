//===- CText.cpp - functions, kernels and literals of a stub --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a printed program needs round it: the functions of HostFunctions.inc that it calls, a variable for
// each kernel that it launches, and constants as C reads them.
//
//===----------------------------------------------------------------------===//

#include "CProgram.h"
#include "tilec/Check/Element.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace tilec;
using namespace tilec::stub;
using namespace tilec::launch;

static constexpr StringLiteral hostFunctionsText =
#include "HostFunctionsText.inc"
    ;

namespace {
struct HostFunction {
  SmallVector<StringRef> needs;
  StringRef text;
};
} // namespace

/// The file, cut at its `//@` lines.
static const MapVector<StringRef, HostFunction> &allHostFunctions() {
  static const MapVector<StringRef, HostFunction> functions = [] {
    MapVector<StringRef, HostFunction> result;
    StringRef rest = hostFunctionsText.substr(hostFunctionsText.find("//@ "));
    while (rest.consume_front("//@ ")) {
      auto [names, after] = rest.split('\n');
      size_t end = std::min(after.find("//@ "), after.size());
      SmallVector<StringRef> words;
      names.split(words, ' ', -1, /*KeepEmpty=*/false);
      result[words.front()] = {{words.begin() + 1, words.end()}, after.take_front(end)};
      rest = after.drop_front(end);
    }
    return result;
  }();
  return functions;
}

void HostFunctions::use(StringRef name) {
  const auto &all = allHostFunctions();
  auto found = all.find(name);
  if (found == all.end() || !used.insert(found->first))
    return;
  for (StringRef need : found->second.needs)
    use(need);
}

std::string HostFunctions::print() const {
  std::string result;
  for (const auto &[name, function] : allHostFunctions())
    if (used.contains(name))
      result += function.text;
  return result;
}

const KernelUse &KernelTable::get(const Instruction &launch) {
  unsigned namesakes = 0;
  for (const KernelUse &kernel : kernels) {
    if (kernel.symbol != launch.text)
      continue;
    if (kernel.threads == launch.threads && kernel.cluster == launch.cluster &&
        kernel.sharedBytes == launch.sharedBytes)
      return kernel;
    ++namesakes;
  }
  std::string variable = "kernel_" + launch.text + (namesakes ? "_" + std::to_string(namesakes + 1) : "");
  kernels.push_back({variable, launch.text, launch.threads, launch.cluster, launch.sharedBytes});
  return kernels.back();
}

std::string stub::quoteC(StringRef text, bool isFormat) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\' || c == '?') // "??=" would be a trigraph
      result += '\\';
    if (c == '%' && isFormat)
      result += '%';
    if (isPrint(c))
      result += static_cast<char>(c);
    else
      result += formatv("\\{0}{1}{2}", c >> 6, (c >> 3) & 7, c & 7).str();
  }
  return result + "\"";
}

std::string stub::fitMessage(StringRef text, StringRef entry, size_t values) {
  // tilec_error has 256 bytes, Call.c.inc cuts the entry point's name; "{0}" may become 20 digits.
  const size_t room = 255 - std::min<size_t>(entry.size(), 64) - strlen(": ");
  const size_t length = text.size() + values * 17;
  if (length <= room)
    return text.str();
  StringRef longest;
  for (StringRef rest = text; !rest.empty();) {
    StringRef stretch = rest.take_until([](char c) { return c == '{'; });
    if (stretch.size() > longest.size())
      longest = stretch;
    rest = rest.drop_front(std::max<size_t>(stretch.size(), 1));
  }
  const StringRef dots = "...";
  const size_t excess = length + dots.size() - room;
  const size_t kept = std::max<size_t>(longest.size() - std::min(longest.size(), excess), 40);
  if (kept + dots.size() >= longest.size())
    return text.str();
  size_t begin = static_cast<size_t>(longest.data() - text.data());
  return (text.take_front(begin + kept / 2) + dots +
          text.drop_front(begin + longest.size() - (kept - kept / 2)))
      .str();
}

static std::string floatLiteral(double value, bool isDouble) {
  if (std::isnan(value))
    return isDouble ? "(double)NAN" : "NAN";
  if (std::isinf(value))
    return std::string(value < 0 ? "-" : "") + (isDouble ? "(double)INFINITY" : "INFINITY");
  char text[40];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (isDouble ? strtod(text, nullptr) == value : strtof(text, nullptr) == static_cast<float>(value))
      break;
  }
  StringRef number = text;
  return text + std::string(number.find_first_of(".e") == StringRef::npos ? ".0" : "") +
         (isDouble ? "" : "f");
}

std::string stub::constantLiteral(ValueType type, uint64_t bits) {
  auto narrow = static_cast<uint32_t>(bits);
  switch (type) {
  case ValueType::I1:
    return bits ? "true" : "false";
  case ValueType::F16:
    return floatLiteral(decodeF16(static_cast<uint16_t>(bits)), false);
  case ValueType::BF16:
    return floatLiteral(decodeBF16(static_cast<uint16_t>(bits)), false);
  case ValueType::E4M3:
    return floatLiteral(decodeE4M3(static_cast<uint8_t>(bits)), false);
  case ValueType::E5M2:
    return floatLiteral(decodeE5M2(static_cast<uint8_t>(bits)), false);
  case ValueType::TF32:
  case ValueType::F32:
    return floatLiteral(bit_cast<float>(narrow), false);
  case ValueType::F64:
    return floatLiteral(bit_cast<double>(bits), true);
  default:
    break;
  }
  auto value = static_cast<int64_t>(bits);
  if (value == INT64_MIN)
    return "INT64_MIN";
  return isInt<32>(value) && value != INT32_MIN ? std::to_string(value)
                                                : formatv("INT64_C({0})", value).str();
}
