//===- TileMutate.cpp - does the emulator see what is wrong? -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile-mutate [--seed=S] [--count=N] [--mutator=NAME] [--schedules=K] [--jobs=N] [--list] [-v]
//   FILE.tile|FILE.ll …
//
// Compiles programs, changes each in one place drawn by the seed, runs its checks on the emulator and counts
// the changes that are reported: wrong numbers, findings, a launch that fails. Exit status 1 if too few are,
// see docs/emulator-mutation.md.
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

// In percent.
constexpr unsigned leastReported = 95, leastOfMutator = 80, mostEquivalent = 10, leastLocated = 95;

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static void print(const Mutant &mutant, StringRef how) {
  const DebugLoc &location = mutant.place->at->getDebugLoc();
  outs() << how << ": " << mutant.mutator->name << ", " << mutant.subject->name << ", "
         << mutant.place->at->getFunction()->getName() << ", line " << (location ? location.getLine() : 0)
         << ": " << mutant.place->what << "\n";
  if (!mutant.verdict.detail.empty())
    outs() << "    " << mutant.verdict.detail << "\n";
}

static bool isLocated(const Mutant &mutant) { return mutant.place->sides.count(mutant.verdict.line); }

static bool isAtLeast(unsigned part, unsigned whole, unsigned bound) { return part * 100 >= whole * bound; }
static unsigned percent(unsigned part, unsigned whole) { return whole ? part * 100 / whole : 100; }

/// Prints the table; false if too little was reported.
static bool summarise(ArrayRef<Mutant> mutants, ArrayRef<Candidate> candidates) {
  struct Row {
    size_t numPlaces = 0, numReached = 0;
    unsigned counts[5] = {};
    std::map<std::string, unsigned> kinds;
    unsigned all() const { return counts[0] + counts[1] + counts[2] + counts[3] + counts[4]; }
    unsigned real() const { return all() - counts[Verdict::Equivalent]; }
    unsigned reported() const { return real() - counts[Verdict::Survived]; }
  };
  std::map<const Mutator *, Row> rows;
  Row total;
  unsigned races = 0, located = 0;
  for (const Mutant &mutant : mutants) {
    for (Row *row : {&rows[mutant.mutator], &total}) {
      ++row->counts[mutant.verdict.kind];
      for (const std::string &kind : mutant.verdict.findings)
        ++row->kinds[kind];
    }
    if (mutant.isRace && mutant.verdict.kind != Verdict::Survived &&
        mutant.verdict.kind != Verdict::Equivalent) {
      ++races;
      located += isLocated(mutant);
    }
  }
  for (const Candidate &candidate : candidates)
    for (auto &[mutator, places] : candidate.places)
      for (Row *row : {&rows[mutator], &total}) {
        row->numPlaces += candidate.numPlaces.at(mutator);
        row->numReached += places.size();
      }
  outs() << "\nmutator           places  reached  mutants  equivalent  numbers  findings  launch  survived  "
            "kinds\n";
  bool isGood = true;
  auto printRow = [&](StringRef name, const Row &row) {
    outs() << formatv("{0,-17} {1,6}  {2,7}  {3,7}  {4,10}  {5,7}  {6,8}  {7,6}  {8,8} ", name, row.numPlaces,
                      row.numReached, row.all(), row.counts[Verdict::Equivalent],
                      row.counts[Verdict::Numbers], row.counts[Verdict::Findings],
                      row.counts[Verdict::Launch], row.counts[Verdict::Survived]);
    for (auto &[kind, count] : row.kinds)
      outs() << " " << kind << " " << count;
    outs() << "\n";
  };
  for (const Mutator &mutator : getMutators()) {
    if (!rows.count(&mutator))
      continue;
    const Row &row = rows[&mutator];
    printRow(mutator.name, row);
    isGood &= isAtLeast(row.reported(), row.real(), leastOfMutator);
  }
  printRow("all", total);
  unsigned reported = percent(total.reported(), total.real()),
           equivalent = percent(total.counts[Verdict::Equivalent], total.all());
  outs() << formatv(
      "\n{0} of {1} that are no equivalents reported ({2} %, at least {3}); {4} % equivalent (at most {5})\n",
      total.reported(), total.real(), reported, leastReported, equivalent, mostEquivalent);
  outs() << formatv("{0} of {1} races at the line of one of the two accesses ({2} %, at least {3})\n",
                    located, races, percent(located, races), leastLocated);
  isGood &= isAtLeast(total.reported(), total.real(), leastReported) &&
            none_of(mutants, [](const Mutant &mutant) { return mutant.verdict.isCrash; }) &&
            isAtLeast(total.real(), total.all(), 100 - mostEquivalent) &&
            isAtLeast(located, races, leastLocated);
  outs() << (isGood ? "good" : "not good enough") << "\n";
  return isGood;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static bool parseCommandLine(int argc, char **argv, Settings &settings) {
  for (StringRef argument : ArrayRef(argv + 1, static_cast<size_t>(argc - 1))) {
    auto number = [&](StringRef name, auto &value) {
      return argument.consume_front(name) && !argument.getAsInteger(10, value);
    };
    if (argument == "--list")
      settings.isList = true;
    else if (argument == "-v")
      settings.isVerbose = true;
    else if (argument.consume_front("--mutator="))
      settings.mutator = argument.str();
    else if (number("--seed=", settings.seed) || number("--count=", settings.count) ||
             number("--schedules=", settings.schedules) || number("--jobs=", settings.jobs))
      continue;
    else if (argument.starts_with("-"))
      return false;
    else
      settings.files.push_back(argument.str());
  }
  bool isKnown = settings.mutator.empty() || any_of(getMutators(), [&](const Mutator &mutator) {
                   return settings.mutator == mutator.name;
                 });
  return isKnown && settings.jobs && settings.schedules && (settings.isList || !settings.files.empty());
}

int main(int argc, char **argv) {
  Settings settings;
  if (!parseCommandLine(argc, argv, settings)) {
    errs() << "usage: tile-mutate [--seed=S] [--count=N] [--mutator=NAME] [--schedules=K] [--jobs=N] "
              "[--list] [-v] "
              "FILE.tile|FILE.ll …\n";
    return 2;
  }
  if (settings.isList) {
    for (const Mutator &mutator : getMutators())
      outs() << left_justify(mutator.name, 17) << " " << mutator.description << "\n";
    return 0;
  }
  std::vector<Candidate> candidates;
  for (const std::string &file : settings.files) {
    auto add = [&](std::unique_ptr<Subject> subject) {
      if (!subject)
        return false;
      candidates.emplace_back().subject = std::move(subject);
      return prepare(candidates.back(), settings);
    };
    if (StringRef(file).ends_with(".ll") ? !add(makeHandWrittenSubject(file, *ArchInfo::find("sm_80")))
                                         : !add(makeTileSubject(file, *ArchInfo::find("sm_80"))) ||
                                               !add(makeTileSubject(file, *ArchInfo::find("sm_90a"))))
      return 1;
  }
  std::vector<Mutant> mutants = draw(candidates, settings);
  if (!runAll(mutants, settings))
    return 1;
  for (const Mutant &mutant : mutants) {
    bool isHidden = mutant.isRace && mutant.verdict.kind != Verdict::Equivalent && !isLocated(mutant);
    if (mutant.verdict.kind == Verdict::Survived)
      print(mutant, "survived");
    else if (mutant.verdict.isCrash)
      print(mutant, "crashed");
    else if (isHidden)
      print(mutant, "reported elsewhere");
    else if (settings.isVerbose)
      print(mutant, mutant.verdict.kind == Verdict::Equivalent ? "equivalent" : "reported");
  }
  return summarise(mutants, candidates) ? 0 : 1;
}
