//===- Json.h - checked reading of JSON -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cursor on a JSON value that remembers where it is. Asking for what is not there answers an empty value
// and records the first mistake with its path, so that readers need no check after every field.
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_LIB_RUNNER_JSON_H
#define TILEC_LIB_RUNNER_JSON_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilec::runner {

class JsonCursor {
public:
  JsonCursor(const nlohmann::json &value, std::string path, std::string &error)
      : value(&value), path(std::move(path)), error(&error) {}

  bool ok() const { return error->empty(); }

  void fail(const std::string &what) const {
    if (error->empty())
      *error = (path.empty() ? std::string("the file") : path) + " " + what;
  }

  bool has(const char *key) const { return value->is_object() && value->contains(key); }

  JsonCursor operator[](const char *key) const {
    static const nlohmann::json missing;
    JsonCursor member(missing, path.empty() ? key : path + "." + key, *error);
    if (has(key))
      member.value = &*value->find(key);
    else
      member.fail("is missing");
    return member;
  }

  std::vector<JsonCursor> elements() const {
    std::vector<JsonCursor> result;
    if (!value->is_array()) {
      fail("is not an array");
      return result;
    }
    for (size_t i = 0; i != value->size(); ++i)
      result.emplace_back((*value)[i], path + "[" + std::to_string(i) + "]", *error);
    return result;
  }

  std::string string() const {
    if (value->is_string())
      return value->get<std::string>();
    fail("is not a string");
    return {};
  }

  int64_t integer(int64_t least = INT64_MIN, int64_t most = INT64_MAX) const {
    if (value->is_boolean())
      return value->get<bool>();
    if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX)) {
      fail("is not an integer of 64 bits");
      return 0;
    }
    int64_t result = value->get<int64_t>();
    if (result < least || result > most)
      fail("is out of range");
    return result;
  }

  /// A number; JSON has no others, so "inf", "-inf" and "nan" are strings.
  double number() const {
    if (value->is_number())
      return value->get<double>();
    if (value->is_string()) {
      std::string text = value->get<std::string>();
      if (text == "inf" || text == "-inf" || text == "nan")
        return text == "nan" ? NAN : text == "inf" ? INFINITY : -INFINITY;
    }
    fail("is not a number");
    return 0;
  }

  bool isInteger() const { return value->is_number_integer() || value->is_boolean(); }

  std::vector<int64_t> integers(int64_t least = INT64_MIN, int64_t most = INT64_MAX) const {
    std::vector<int64_t> result;
    for (const JsonCursor &element : elements())
      result.push_back(element.integer(least, most));
    return result;
  }

  std::vector<std::string> strings() const {
    std::vector<std::string> result;
    for (const JsonCursor &element : elements())
      result.push_back(element.string());
    return result;
  }

private:
  const nlohmann::json *value;
  std::string path;
  std::string *error;
};

/// Parses `text`; on failure answers nothing and sets `error`. Larger or deeper texts than any that tilec
/// writes are refused.
std::optional<nlohmann::json> parseJson(std::string_view text, std::string &error);

/// The whole of a file, or nothing and `error`.
std::optional<std::string> readFile(const std::string &path, std::string &error);

/// Fails unless the value names that schema in a version that this program reads.
void checkSchema(const JsonCursor &root, const char *schema, int version);

} // namespace tilec::runner

#endif // TILEC_LIB_RUNNER_JSON_H
