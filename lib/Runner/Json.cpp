//===- Json.cpp - checked reading of JSON ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits, and files.
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace tilec::runner;

static constexpr size_t sizeLimit = size_t(64) << 20;
static constexpr int depthLimit = 64;

/// Nesting, strings skipped. The parser itself keeps its stack on the heap, but its users recurse.
static bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i != text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\' && i + 1 != text.size())
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > depthLimit)
      return true;
    else if (!inString && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

std::optional<nlohmann::json> tilec::runner::parseJson(std::string_view text, std::string &error) {
  if (text.size() > sizeLimit)
    error = "the file has more than 64 MiB";
  else if (isTooDeep(text))
    error = "the file nests deeper than 64 levels";
  if (!error.empty())
    return std::nullopt;
  nlohmann::json value = nlohmann::json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) {
    error = "the file is not JSON";
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> tilec::runner::readFile(const std::string &path, std::string &error) {
  FILE *file = fopen(path.c_str(), "rb");
  if (!file) {
    error = "cannot open '" + path + "': " + strerror(errno);
    return std::nullopt;
  }
  std::string text;
  char buffer[65536];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, got);
  bool failed = ferror(file) != 0;
  int reason = errno;
  fclose(file);
  if (failed) {
    error = "cannot read '" + path + "': " + strerror(reason);
    return std::nullopt;
  }
  return text;
}

void tilec::runner::checkSchema(const JsonCursor &root, const char *schema, int version) {
  if (root["schema"].string() != schema)
    root["schema"].fail(std::string("is not '") + schema + "'");
  int64_t found = root["version"].integer();
  if (found > version)
    root["version"].fail("is " + std::to_string(found) + ", newer than " + std::to_string(version) +
                         ", the newest that this program reads");
}
