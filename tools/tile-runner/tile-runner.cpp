//===- tile-runner.cpp - runs bundles on a GPU host -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program without LLVM for the machine that has the GPU: runs the checks or the benchmarks of a bundle,
// prints a table, and JSON if asked to. Exit status: 0 all passed, 1 something failed, 2 bad command line or
// bundle, 3 no GPU.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Runner.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tilec::runner;

namespace {
enum ExitCode { ExitOk = 0, ExitFailed = 1, ExitUsage = 2, ExitNoGpu = 3 };

struct CommandLine {
  bool bench = false, json = false, help = false;
  std::string folder, jsonFile;
  RunOptions run;
};
} // namespace

static constexpr const char *helpText = R"(usage: tile-runner [check|bench] [options] BUNDLE

Runs the checks (the default) or the benchmarks of a bundle, a folder that 'tilec check --bundle' wrote.

  --device=N      the GPU to use (default 0)
  --filter=TEXT   only those whose name contains TEXT
  --timeout=S     seconds that one check or benchmark may take (default 120)
  --rounds=N      rounds of a benchmark, whose median counts (default 11, at least 5)
  --json          JSON instead of the table
  --json=FILE     JSON into FILE, beside the table

exit status: 0 all passed, 1 something failed, 2 bad command line or bundle, 3 no GPU
)";

/// "--name=value" for a value; false if the argument is not that option.
static bool option(const char *argument, const char *name, const char *&value) {
  size_t length = strlen(name);
  if (strncmp(argument, name, length) != 0 || argument[length] != '=')
    return false;
  value = argument + length + 1;
  return true;
}

static bool number(const char *text, double least, double most, double &result) {
  char *end = nullptr;
  result = strtod(text, &end);
  return *text && !*end && result >= least && result <= most;
}

/// False after a message.
static bool parse(int argc, char **argv, CommandLine &line) {
  for (int i = 1; i != argc; ++i) {
    const char *argument = argv[i], *value = nullptr;
    double parsed = 0;
    bool isGood = true;
    if (!strcmp(argument, "--help") || !strcmp(argument, "-h"))
      line.help = true;
    else if (!strcmp(argument, "--json"))
      line.json = line.run.printsToStderr = true;
    else if (option(argument, "--json", value))
      line.jsonFile = value;
    else if (option(argument, "--filter", value))
      line.run.filter = value;
    else if (option(argument, "--device", value)) {
      isGood = number(value, 0, 1023, parsed);
      line.run.device = static_cast<int>(parsed);
    } else if (option(argument, "--timeout", value)) {
      isGood = number(value, 0.001, 86400, line.run.timeoutSeconds);
    } else if (option(argument, "--rounds", value)) {
      isGood = number(value, 5, 100000, parsed);
      line.run.rounds = static_cast<unsigned>(parsed);
    } else if (argument[0] == '-') {
      fprintf(stderr, "tile-runner: error: unknown option '%s'; try --help\n", argument);
      return false;
    } else if (line.folder.empty() && i == 1 && (!strcmp(argument, "check") || !strcmp(argument, "bench"))) {
      line.bench = argument[0] == 'b';
    } else if (line.folder.empty()) {
      line.folder = argument;
    } else {
      fprintf(stderr, "tile-runner: error: more than one bundle: '%s' and '%s'\n", line.folder.c_str(),
              argument);
      return false;
    }
    if (!isGood) {
      fprintf(stderr, "tile-runner: error: bad value in '%s'; try --help\n", argument);
      return false;
    }
  }
  if (line.folder.empty() && !line.help) {
    fprintf(stderr, "tile-runner: error: no bundle given; try --help\n");
    return false;
  }
  return true;
}

static bool report(const CommandLine &line, const std::string &table, const std::string &json) {
  fputs(line.json ? json.c_str() : table.c_str(), stdout);
  if (line.jsonFile.empty())
    return true;
  FILE *file = fopen(line.jsonFile.c_str(), "w");
  bool ok = file && fputs(json.c_str(), file) >= 0;
  ok = file && fclose(file) == 0 && ok;
  if (!ok)
    fprintf(stderr, "tile-runner: error: cannot write '%s'\n", line.jsonFile.c_str());
  return ok;
}

static int noGpu(const std::string &error) {
  fprintf(stderr, "tile-runner: error: no GPU to run on: %s\n", error.c_str());
  return ExitNoGpu;
}

template <typename Result> static bool allPassed(const std::vector<Result> &results) {
  for (const Result &result : results)
    if (!result.passed)
      return false;
  return true;
}

int main(int argc, char **argv) {
  CommandLine line;
  if (!parse(argc, argv, line))
    return ExitUsage;
  if (line.help) {
    fputs(helpText, stdout);
    return ExitOk;
  }
  std::string error;
  std::optional<Bundle> bundle = readBundle(line.folder, error);
  if (!bundle) {
    fprintf(stderr, "tile-runner: error: %s\n", error.c_str());
    return ExitUsage;
  }
  DeviceInfo device;
  auto finish = [&](const auto &results, const std::string &table, const std::string &json) -> int {
    if (results->empty()) {
      fprintf(stderr, "tile-runner: error: nothing to run: no %s has '%s' in its name\n",
              line.bench ? "benchmark" : "check", line.run.filter.c_str());
      return ExitUsage;
    }
    return report(line, table, json) && allPassed(*results) ? ExitOk : ExitFailed;
  };
  if (line.bench) {
    auto results = runBenches(*bundle, line.run, device, error);
    return results ? finish(results, benchTable(*results, device), benchJson(*results, device))
                   : noGpu(error);
  }
  auto results = runChecks(*bundle, line.run, device, error);
  return results ? finish(results, checkTable(*results, device), checkJson(*results, device)) : noGpu(error);
}
