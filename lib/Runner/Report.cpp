//===- Report.cpp - results as tables and JSON ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns are as wide as their widest entry; JSON has one object a result.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Runner.h"
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace tilec::runner;
using nlohmann::ordered_json;

using Row = std::vector<std::string>;

static std::string format(const char *pattern, double value) {
  char text[64];
  snprintf(text, sizeof text, pattern, value);
  return text;
}

/// The last column is not padded.
static std::string table(const std::vector<Row> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (size_t i = 0; i != row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row &row : rows) {
    std::string line;
    for (size_t i = 0; i != row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

static std::string deviceLine(const DeviceInfo &device) {
  return device.name + ", compute capability " + std::to_string(device.capability / 10) + "." +
         std::to_string(device.capability % 10) + ", driver for CUDA " +
         std::to_string(device.driverVersion / 1000) + "." +
         std::to_string(device.driverVersion % 1000 / 10) + "\n";
}

static ordered_json deviceJson(const DeviceInfo &device) {
  return {{"name", device.name}, {"capability", device.capability}, {"driver", device.driverVersion}};
}

static ordered_json realJson(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(value > 0 ? "inf" : "nan");
}

static std::string dump(const ordered_json &json) {
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string tilec::runner::checkTable(const std::vector<CheckResult> &results, const DeviceInfo &device) {
  std::vector<Row> rows = {{"check", "target", "result", "relative error", ""}};
  size_t passed = 0;
  for (const CheckResult &result : results) {
    passed += result.passed;
    rows.push_back({result.name, result.target, result.passed ? "ok" : "FAILED",
                    format("%.3g", result.relativeError), result.detail});
  }
  std::string text = device.name.empty() ? "" : deviceLine(device);
  return text + table(rows) + std::to_string(passed) + " of " + std::to_string(results.size()) +
         " checks passed\n";
}

std::string tilec::runner::checkJson(const std::vector<CheckResult> &results, const DeviceInfo &device) {
  ordered_json list = ordered_json::array();
  for (const CheckResult &result : results)
    list.push_back({{"name", result.name},
                    {"entry", result.entry},
                    {"target", result.target},
                    {"passed", result.passed},
                    {"relative_error", realJson(result.relativeError)},
                    {"detail", result.detail}});
  return dump(
      {{"schema", "tilec.check_results"}, {"version", 1}, {"device", deviceJson(device)}, {"checks", list}});
}

std::string tilec::runner::benchTable(const std::vector<BenchResult> &results, const DeviceInfo &device) {
  std::vector<Row> rows = {{"bench", "target", "ms", "GB/s", "TFLOP/s", "copy ms", "of copy", "SM MHz", "min",
                            "L2", "verified", ""}};
  for (const BenchResult &result : results) {
    double perSecond = result.milliseconds > 0 ? 1e3 / result.milliseconds : 0;
    rows.push_back({result.name, result.target, format("%.4f", result.milliseconds),
                    result.bytes > 0 ? format("%.0f", result.bytes * perSecond * 1e-9) : "-",
                    result.flops > 0 ? format("%.1f", result.flops * perSecond * 1e-12) : "-",
                    format("%.4f", result.copyMilliseconds), format("%.3f", result.ofCopy()),
                    result.smClock ? std::to_string(*result.smClock) : "-",
                    result.smClockMin ? std::to_string(*result.smClockMin) : "-",
                    result.l2Cold ? "cold" : "warm",
                    result.passed ? (result.verified ? "yes" : "not asked") : "FAILED", result.detail});
  }
  return (device.name.empty() ? "" : deviceLine(device)) + table(rows);
}

std::string tilec::runner::benchJson(const std::vector<BenchResult> &results, const DeviceInfo &device) {
  ordered_json list = ordered_json::array();
  for (const BenchResult &result : results) {
    ordered_json json = {{"name", result.name},
                         {"entry", result.entry},
                         {"target", result.target},
                         {"passed", result.passed},
                         {"verified", result.verified},
                         {"milliseconds", result.milliseconds},
                         {"copy_milliseconds", result.copyMilliseconds},
                         {"of_copy", result.ofCopy()},
                         {"bytes", result.bytes},
                         {"flops", result.flops},
                         {"rounds", result.rounds},
                         {"launches_per_round", result.launchesPerRound},
                         {"buffer_sets", result.bufferSets},
                         {"l2_cold", result.l2Cold},
                         {"detail", result.detail}};
    json["sm_mhz"] = result.smClock ? ordered_json(*result.smClock) : ordered_json(nullptr);
    json["sm_mhz_min"] = result.smClockMin ? ordered_json(*result.smClockMin) : ordered_json(nullptr);
    list.push_back(std::move(json));
  }
  return dump(
      {{"schema", "tilec.bench_results"}, {"version", 1}, {"device", deviceJson(device)}, {"benches", list}});
}
