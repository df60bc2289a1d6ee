//===- HostText.cpp - texts of the device, made on the host --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostText.h"
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {
/// The arguments, one by one.
class Arguments {
public:
  explicit Arguments(const char *begin) : at(begin), begin(begin) {}
  template <typename T> T next() {
    at = begin + (static_cast<size_t>(at - begin) + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  }

private:
  const char *at, *begin;
};
} // namespace

template <typename T> static std::string print(const std::string &format, T value) {
  char text[512];
  int size = snprintf(text, sizeof text, format.c_str(), value);
  return size < 0 ? "" : std::string(text, std::min<size_t>(static_cast<size_t>(size), sizeof text - 1));
}

std::string tilec::emu::formatDevice(const char *format, const char *argumentBytes) {
  Arguments arguments(argumentBytes);
  std::string result;
  for (const char *at = format; *at; ++at) {
    if (*at != '%') {
      result += *at;
      continue;
    }
    if (at[1] == '%') {
      result += *++at;
      continue;
    }
    const char *end = at + 1;
    end += strspn(end, "-+ #0123456789.");
    std::string flags(at, end);
    size_t lengths = strspn(end, "hlzjt");
    bool isLong = lengths && strchr("lzjt", end[0]);
    end += lengths;
    if (!*end) // an unfinished conversion prints as it is
      return result + at;
    if (strchr("di", *end))
      result += print(flags + "lld", isLong ? static_cast<long long>(arguments.next<int64_t>())
                                            : static_cast<long long>(arguments.next<int32_t>()));
    else if (strchr("uoxX", *end))
      result +=
          print(flags + "ll" + *end, isLong ? static_cast<unsigned long long>(arguments.next<uint64_t>())
                                            : static_cast<unsigned long long>(arguments.next<uint32_t>()));
    else if (strchr("aAeEfFgG", *end))
      result += print(flags + *end, arguments.next<double>());
    else if (*end == 'c')
      result += print(flags + 'c', arguments.next<int32_t>());
    else if (*end == 's')
      result += print(flags + 's', arguments.next<const char *>());
    else if (*end == 'p')
      result += print(flags + 'p', arguments.next<const void *>());
    else
      result.append(at, end + 1);
    at = end;
  }
  return result;
}
