//===- Mutants.h - programs that were changed, and what was reported --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEC_TEST_EMU_MUTATION_MUTANTS_H
#define TILEC_TEST_EMU_MUTATION_MUTANTS_H

#include "Mutators.h"
#include "Subject.h"
#include "Trace.h"
#include <map>

namespace tilec::mutation {

struct Settings {
  uint64_t seed = 1;
  unsigned count = 100, schedules = 2, jobs = 2;
  std::string mutator;
  bool isList = false, isVerbose = false;
  std::vector<std::string> files;
};

/// What was reported of a mutant.
struct Verdict {
  enum Kind { Survived, Numbers, Findings, Launch, Equivalent } kind = Survived;
  std::string detail; ///< the first finding, the wrong number, the rule
  std::set<std::string> findings;
  unsigned line = 0;    ///< of the first finding
  bool isCrash = false; ///< the emulator itself did not survive it
};

struct Mutant {
  const Mutator *mutator = nullptr;
  Subject *subject = nullptr;
  const Place *place = nullptr;
  std::vector<unsigned> checks;    ///< those that reach the place
  std::set<std::string> functions; ///< those that they run
  Verdict verdict;
  /// Of a mutator that lets accesses race: they do, as far as the trace says.
  bool isRace = false;
};

/// A program, the places where it can be changed, and what its checks reach.
struct Candidate {
  std::unique_ptr<Subject> subject;
  std::unique_ptr<Numbering> numbering;
  std::vector<std::set<unsigned>> reached;     ///< by check
  std::map<const Mutator *, Places> places;    ///< those that the checks reach
  std::map<const Mutator *, size_t> numPlaces; ///< all

  bool isReached(const Place &place, size_t check) const;
};

/// Finds the places of a program that its checks reach. False if its checks fail as it is, which is told.
bool prepare(Candidate &candidate, const Settings &settings);
/// Draws settings.count mutants, or all there are.
std::vector<Mutant> draw(std::vector<Candidate> &candidates, const Settings &settings);
/// Runs them, and asks for the second opinion about those that nobody reported. False if the tool failed.
bool runAll(std::vector<Mutant> &mutants, const Settings &settings);

} // namespace tilec::mutation

#endif // TILEC_TEST_EMU_MUTATION_MUTANTS_H
