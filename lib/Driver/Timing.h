//===- Timing.h - wall times for --time-passes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEC_LIB_DRIVER_TIMING_H
#define TILEC_LIB_DRIVER_TIMING_H

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace tilec {

/// Wall time by what was worked on and by step, in the order in which steps ended. Thread-safe.
class TimeTable {
public:
  void add(llvm::StringRef what, llvm::StringRef step, double seconds) {
    std::lock_guard<std::mutex> guard(lock);
    for (Row &row : rows)
      if (row.what == what && row.step == step) {
        row.seconds += seconds;
        return;
      }
    rows.push_back({what.str(), step.str(), seconds});
  }
  void print(llvm::raw_ostream &os) const {
    double total = 0;
    os << "wall time, seconds\n";
    for (const Row &row : rows) {
      os << llvm::format("%9.4f  ", row.seconds) << row.what << (row.what.empty() ? "" : ": ") << row.step << "\n";
      total += row.seconds;
    }
    os << llvm::format("%9.4f  ", total) << "sum over all threads\n";
  }

private:
  struct Row {
    std::string what, step;
    double seconds;
  };
  std::vector<Row> rows;
  mutable std::mutex lock;
};

/// Adds its own life time to a table.
class ScopedTime {
public:
  ScopedTime(TimeTable &table, llvm::StringRef what, llvm::StringRef step)
      : table(table), what(what.str()), step(step.str()), start(std::chrono::steady_clock::now()) {}
  ~ScopedTime() {
    table.add(what, step,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  ScopedTime(const ScopedTime &) = delete;
  ScopedTime &operator=(const ScopedTime &) = delete;

private:
  TimeTable &table;
  std::string what, step;
  std::chrono::steady_clock::time_point start;
};

} // namespace tilec

#endif
