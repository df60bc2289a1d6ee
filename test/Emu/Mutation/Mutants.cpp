//===- Mutants.cpp - programs that were changed, and what was reported ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutants.h"
#include "Children.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;
using namespace tilec;
using namespace tilec::mutation;

/// Loops of the programs at hand end after far fewer rounds.
constexpr uint64_t maxLoops = 100000;
constexpr double secondsEach = 60;

//===----------------------------------------------------------------------===//
// In a child
//===----------------------------------------------------------------------===//

/// Compiles the module as it is now, and runs checks until one fails.
static json::Object runChecks(Subject &subject, ArrayRef<unsigned> checks, unsigned schedules,
                              function_ref<void(unsigned check)> afterEach = nullptr) {
  std::string error;
  std::shared_ptr<const emu::Program> program =
      emu::compile(std::move(subject.device.module), std::move(subject.device.context), *subject.arch, error);
  if (!program)
    return json::Object{{"broken", error}};
  emu::Machine machine(program, /*jobs=*/1);
  for (emu::Schedule schedule : emu::makeSchedules(schedules, /*seed=*/1)) {
    schedule.loopLimit = maxLoops;
    machine.setSchedule(schedule);
    for (unsigned check : checks) {
      std::string problem = subject.runCheck(machine, check);
      json::Array findings;
      for (const emu::Finding &finding : machine.takeFindings())
        findings.push_back(json::Object{
            {"kind", getFindingName(finding.kind)}, {"text", finding.text}, {"line", finding.place.line}});
      if (!problem.empty() || !findings.empty())
        return json::Object{
            {"problem", problem},
            {"launch", !machine.error.empty() || StringRef(problem).starts_with("the launch is refused")},
            {"findings", std::move(findings)}};
      if (afterEach)
        afterEach(check);
    }
  }
  return {};
}

static std::string printed(json::Object object) { return formatv("{0}", json::Value(std::move(object))); }

/// Kernels that the checks do not launch need not be compiled.
static void dropOthers(Module &module, const std::set<std::string> &functions) {
  for (Function &function : module)
    if (!function.isDeclaration() && !functions.count(function.getName().str()))
      function.deleteBody();
}

static std::string runMutant(const Mutant &mutant, unsigned schedules) {
  Module &module = *mutant.subject->device.module;
  mutant.place->apply();
  std::string error;
  raw_string_ostream stream(error);
  if (verifyModule(module, &stream))
    return printed(json::Object{{"broken", error}});
  dropOthers(module, mutant.functions);
  return printed(runChecks(*mutant.subject, mutant.checks, schedules));
}

static std::string traceMutant(const Mutant &mutant, bool isMutated) {
  Module &module = *mutant.subject->device.module;
  if (isMutated)
    mutant.place->apply();
  dropOthers(module, mutant.functions);
  addTrace(module);
  runChecks(*mutant.subject, mutant.checks, 1);
  Trace trace = takeTrace();
  return printed(json::Object{{"writes", std::to_string(trace.writes)},
                              {"tensors", std::to_string(trace.tensors)},
                              {"conflicts", trace.conflicts || !trace.isSimple}});
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

static json::Object parse(const Answer &answer) {
  Expected<json::Value> value = json::parse(answer.text);
  if (!value) {
    consumeError(value.takeError());
    return {};
  }
  return *value->getAsObject();
}

/// Empty if the tool itself failed, which is told.
static std::optional<Verdict> judge(const Answer &answer) {
  Verdict verdict;
  if (!answer.failure.empty()) {
    verdict.kind = Verdict::Launch;
    verdict.detail = "the emulator " + answer.failure;
    verdict.isCrash = true;
    return verdict;
  }
  json::Object object = parse(answer);
  if (std::optional<StringRef> broken = object.getString("broken")) {
    errs() << "tile-mutate: a mutant that is no module: " << *broken << "\n";
    return std::nullopt;
  }
  std::string problem = object.getString("problem").value_or("").str();
  if (const json::Array *findings = object.getArray("findings"); findings && !findings->empty()) {
    verdict.kind = Verdict::Findings;
    for (const json::Value &value : *findings) {
      const json::Object &finding = *value.getAsObject();
      verdict.findings.insert(finding.getString("kind")->str());
      if (verdict.findings.size() == 1 && !verdict.line)
        verdict.line = static_cast<unsigned>(*finding.getInteger("line"));
      if (verdict.detail.empty())
        verdict.detail = (*finding.getString("kind") + ": " + *finding.getString("text")).str();
    }
    return verdict;
  }
  verdict.detail = problem;
  if (!problem.empty())
    verdict.kind = object.getBoolean("launch") == true ? Verdict::Launch : Verdict::Numbers;
  return verdict;
}

/// The rules by which a mutant that nobody reported is the same program. Empty: it is not.
static std::string equivalence(const Mutant &mutant, const json::Object &before, const json::Object &after) {
  if (before.getString("writes") == after.getString("writes"))
    return "the same values are written to the same places between the same barriers";
  if (mutant.mutator->isRace && after.getBoolean("conflicts") == false)
    return "no two threads touch a byte that one of them writes between two of the barriers that are left";
  if (mutant.mutator->isIdle && before.getString("tensors") == after.getString("tensors"))
    return "the same elements of tensors are read, and the same values written to them";
  return "";
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

/// Whether a check executes the place in the way that matters; an access with a predicate: where that holds.
bool Candidate::isReached(const Place &place, size_t check) const {
  const std::set<unsigned> &met = reached[check];
  std::vector<unsigned> outcomes = place.outcomes;
  if (outcomes.empty() && accessOf(*place.at) && conditionOf(*place.at))
    outcomes.push_back(Held);
  if (outcomes.empty())
    return met.count(numbering->numberOf(*place.at->getParent()));
  return any_of(outcomes,
                [&](unsigned outcome) { return met.count(numbering->numberOf(*place.at, outcome)); });
}

bool mutation::prepare(Candidate &candidate, const Settings &settings) {
  Subject &subject = *candidate.subject;
  candidate.numbering = std::make_unique<Numbering>(*subject.device.module);
  std::vector<unsigned> checks;
  for (unsigned i = 0; i != subject.numChecks(); ++i)
    checks.push_back(i);
  // The program as it is: nothing may be reported, and the places that no check reaches are left alone.
  Answer answer = runInChildren(1, 1, secondsEach, [&](size_t) {
    addVisits(*subject.device.module, *candidate.numbering);
    json::Array reached;
    json::Object result = runChecks(subject, checks, settings.schedules,
                                    [&](unsigned) { reached.push_back(json::Array(takeVisits())); });
    result["reached"] = std::move(reached);
    return printed(std::move(result));
  })[0];
  std::optional<Verdict> verdict = judge(answer);
  if (!verdict || verdict->kind != Verdict::Survived) {
    errs() << "tile-mutate: " << subject.name << " is wrong already: " << (verdict ? verdict->detail : "")
           << "\n";
    return false;
  }
  candidate.reached.resize(checks.size());
  json::Object object = parse(answer);
  for (auto [i, blocks] : enumerate(*object.getArray("reached")))
    for (const json::Value &block : *blocks.getAsArray())
      candidate.reached[i % checks.size()].insert(static_cast<unsigned>(*block.getAsInteger()));
  for (const Mutator &mutator : getMutators()) {
    if (!settings.mutator.empty() && settings.mutator != mutator.name)
      continue;
    Places &places = candidate.places[&mutator];
    for (Function &function : *subject.device.module)
      if (!function.isDeclaration())
        mutator.collect(function, places);
    candidate.numPlaces[&mutator] = places.size();
    erase_if(places, [&](const Place &place) {
      return none_of(checks, [&](unsigned check) { return candidate.isReached(place, check); });
    });
  }
  return true;
}

std::vector<Mutant> mutation::draw(std::vector<Candidate> &candidates, const Settings &settings) {
  std::mt19937_64 random(settings.seed);
  std::vector<Mutant> mutants;
  // What is left to be drawn: programs take turns whatever their size, and so do mutators.
  std::map<std::pair<const Mutator *, Candidate *>, std::vector<const Place *>> left;
  for (Candidate &candidate : candidates)
    for (auto &[mutator, places] : candidate.places)
      for (const Place &place : places)
        left[{mutator, &candidate}].push_back(&place);
  for (bool isProgress = true; isProgress && mutants.size() < settings.count;) {
    isProgress = false;
    for (const Mutator &mutator : getMutators()) {
      std::vector<Candidate *> having;
      for (Candidate &candidate : candidates)
        if (auto place = left.find({&mutator, &candidate}); place != left.end() && !place->second.empty())
          having.push_back(&candidate);
      if (having.empty() || mutants.size() == settings.count)
        continue;
      isProgress = true;
      Candidate &candidate = *having[random() % having.size()];
      std::vector<const Place *> &places = left[{&mutator, &candidate}];
      size_t index = random() % places.size();
      Mutant mutant{&mutator, candidate.subject.get(), places[index], {}, {}, {}};
      places.erase(places.begin() + static_cast<ptrdiff_t>(index));
      for (auto [check, reached] : enumerate(candidate.reached)) {
        if (!candidate.isReached(*mutant.place, check))
          continue;
        mutant.checks.push_back(static_cast<unsigned>(check));
        for (Function &function : *candidate.subject->device.module)
          if (!function.isDeclaration() &&
              reached.count(candidate.numbering->numberOf(function.getEntryBlock())))
            mutant.functions.insert(function.getName().str());
      }
      mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

bool mutation::runAll(std::vector<Mutant> &mutants, const Settings &settings) {
  outs().flush(); // children have a copy of what is not
  std::vector<Answer> answers = runInChildren(mutants.size(), settings.jobs, secondsEach, [&](size_t i) {
    return runMutant(mutants[i], settings.schedules);
  });
  // The second opinion: of those that nobody reported, and of races whose accesses were not named.
  std::vector<Mutant *> doubtful;
  for (auto [mutant, answer] : zip(mutants, answers)) {
    std::optional<Verdict> verdict = judge(answer);
    if (!verdict) {
      errs() << "tile-mutate: " << mutant.mutator->name << ": " << mutant.place->what << "\n";
      return false;
    }
    mutant.verdict = *verdict;
    mutant.isRace = mutant.mutator->isRace && !mutant.place->sides.empty();
    if (verdict->kind == Verdict::Survived || (mutant.isRace && verdict->kind == Verdict::Numbers))
      doubtful.push_back(&mutant);
  }
  std::vector<Answer> traces = runInChildren(2 * doubtful.size(), settings.jobs, secondsEach, [&](size_t i) {
    return traceMutant(*doubtful[i / 2], /*isMutated=*/i % 2);
  });
  for (auto [i, mutant] : enumerate(doubtful)) {
    json::Object before = parse(traces[2 * i]), after = parse(traces[2 * i + 1]);
    if (after.getBoolean("conflicts") == false)
      mutant->isRace = false; // atomics on both sides: wrong, and no race
    if (mutant->verdict.kind != Verdict::Survived)
      continue;
    mutant->verdict.detail = equivalence(*mutant, before, after);
    if (!mutant->verdict.detail.empty())
      mutant->verdict.kind = Verdict::Equivalent;
  }
  return true;
}
