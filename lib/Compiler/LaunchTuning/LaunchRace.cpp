// Rounds that alternate between a choice and the default.
#include "LaunchTuning/LaunchRace.h"
#include <utility>

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::Choice;
using runtime::Entrant;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// The default is the first on a bench.
static constexpr size_t standardNumber = 0;

void LaunchRace::enter(Choice choice, bool isUrgent) {
  arrivals.push_back({context.pool.submit(text, choice, isUrgent)});
  race.entrants().push_back({std::move(choice), {}, {}, false});
}

bool LaunchRace::hasEntered(const Choice &choice) const {
  const std::vector<runtime::RankedChoice> &ranked = text.tunable.ranked;
  return (!ranked.empty() && ranked.front().choice == choice) ||
         llvm::any_of(race.entrants(), [&](const Entrant &entrant) {
           return entrant.choice == choice;
         });
}

void LaunchRace::submit(std::vector<Choice> choices) {
  standard = context.pool.submit(text, std::nullopt, /*isUrgent=*/false);
  for (Choice &choice : choices)
    enter(std::move(choice), /*isUrgent=*/false);
}

/// Runs the launch with the compiler's default.
Result<void> LaunchRace::prepare() {
  auto compiled = standard.get();
  if (!compiled)
    return makeError(ErrorCode::Failure, "tune: @", text.tunable.kernel,
                     " does not compile: ", compiled.error().what);
  operands = compiled->operands;
  auto made = context.makeBench(operands);
  if (!made)
    return tl::unexpected(made.error());
  bench = std::move(*made);
  if (auto added = bench->add(std::move(*compiled)); !added)
    return tl::unexpected(added.error());
  auto results = bench->run(standardNumber);
  if (!results)
    return tl::unexpected(results.error());
  expected = std::move(*results);
  return {};
}

/// Loads a choice on the device.
/// \returns whether it may be measured.
Result<bool> LaunchRace::load(Arrival &arrival, Entrant &entrant) {
  auto compiled = arrival.outcome.get();
  if (!compiled) {
    RaceCounts &counts = context.counts;
    switch (compiled.error().why) {
    case Refusal::IsSlow:
      ++counts.slow;
      break;
    case Refusal::DoesNotFit:
      ++counts.misfits;
      break;
    case Refusal::DoesNotCompile:
      ++counts.broken;
      break;
    case Refusal::IsLate:
      ++counts.late;
      break;
    }
    return false;
  }
  const auto number = bench->add(std::move(*compiled));
  if (!number) {
    // A kernel that the driver rejects; a lost device is detected on the next
    // run.
    ++context.counts.broken;
    return false;
  }
  const auto results = bench->run(*number);
  if (!results)
    return tl::unexpected(results.error());
  if (!agree(operands, expected, *results)) {
    ++context.counts.wrong;
    if (!std::exchange(hasWarned, true))
      context.warn(runtime::concat("tune: @", text.tunable.kernel, " with",
                                   runtime::describe(entrant.choice),
                                   " gives different results; it and others "
                                   "of its kind are rejected"));
    return false;
  }
  arrival.number = *number;
  ++context.counts.raced;
  return true;
}

Result<void> LaunchRace::run(Entrant &entrant, unsigned rounds, Time until) {
  const size_t place = size_t(&entrant - race.entrants().data());
  const size_t number = *arrivals[place].number;
  for (unsigned round = 0; round < rounds && !isOver(until); ++round) {
    double seconds[2] = {};
    // The order alternates between rounds.
    for (const bool isChoice : {round % 2 == 0, round % 2 != 0}) {
      const auto took = bench->time(isChoice ? number : standardNumber);
      if (!took)
        return tl::unexpected(took.error());
      seconds[isChoice] = *took;
    }
    if (seconds[0] > 0 && seconds[1] > 0) {
      entrant.defaultSeconds.push_back(seconds[0]);
      entrant.seconds.push_back(seconds[1]);
    }
  }
  return {};
}

/// Loads and measures the variants submitted since the last call.
Result<void> LaunchRace::takeArrivals(Time until) {
  constexpr unsigned rounds = 3;
  constexpr double farBehind = 1.15;
  if (context.compilesApart) {
    const Time now = RaceContext::Clock::now();
    const Time latest =
        until == Time::max() ? until : now + (until - now) * 2 / 3;
    context.pool.waitForAll([&] { return isOver(latest); });
  }
  if (!bench)
    if (auto prepared = prepare(); !prepared)
      return prepared;
  for (; taken < arrivals.size(); ++taken) {
    Arrival &arrival = arrivals[taken];
    Entrant &entrant = race.entrants()[taken];
    if (isOver(until) ||
        arrival.outcome.wait_until(until) != std::future_status::ready) {
      entrant.isRefused = true;
      ++context.counts.late;
      continue;
    }
    const auto mayRace = load(arrival, entrant);
    if (!mayRace)
      return tl::unexpected(mayRace.error());
    entrant.isRefused = !*mayRace;
    // One round suffices for a choice that is far slower.
    auto ran = *mayRace ? run(entrant, 1, until) : Result<void>();
    if (ran && *mayRace && entrant.ratio() < farBehind)
      ran = run(entrant, rounds - 1, until);
    if (!ran)
      return ran;
  }
  context.pool.drop(text);
  return {};
}

Result<void> LaunchRace::tryAll(Time until) {
  auto done = takeArrivals(until);
  constexpr size_t more = 48;
  while (done && !isOver(until)) {
    const size_t before = arrivals.size();
    for (const runtime::RankedChoice &each : text.tunable.ranked)
      if (arrivals.size() < before + more && !hasEntered(each.choice))
        enter(each.choice, /*isUrgent=*/true);
    if (arrivals.size() == before)
      break;
    done = takeArrivals(until);
  }
  return done;
}

/// The same choice with other orders of tiles, and with and without overlap.
static std::vector<Choice> variantsOf(const runtime::RankedChoice &ranked) {
  std::vector<Choice> variants;
  const auto overlap = ranked.choice.plan.find("overlap");
  if (overlap == ranked.choice.plan.end())
    return variants;
  for (const bool isToggled : {true, false}) {
    Choice choice = ranked.choice;
    if (isToggled) {
      choice.plan["overlap"] = 1 - overlap->second;
      variants.push_back(choice);
    }
    for (const int64_t raster : ranked.rasters) {
      choice.plan["raster"] = raster;
      variants.push_back(choice);
    }
  }
  return variants;
}

/// Whether two choices differ in one tile size at most.
static bool areNeighbours(const Choice &lhs, const Choice &rhs) {
  size_t same = 0;
  for (const auto &[parameter, size] : lhs.parameters) {
    const auto other = rhs.parameters.find(parameter);
    same += other != rhs.parameters.end() && other->second == size;
  }
  return same + 1 >= std::max(lhs.parameters.size(), rhs.parameters.size());
}

/// The cheapest choices next to this one that did not enter the race yet.
std::vector<Choice> LaunchRace::neighboursOf(const Choice &choice,
                                             size_t most) const {
  std::vector<Choice> found;
  for (const runtime::RankedChoice &each : text.tunable.ranked)
    if (found.size() < most && areNeighbours(each.choice, choice) &&
        !hasEntered(each.choice))
      found.push_back(each.choice);
  return found;
}

/// The best choice so far, unless the default is at least as fast.
std::optional<Choice> LaunchRace::leadingChoice() {
  for (const Entrant *leader : race.leaders(1))
    if (leader->ratio() < 1)
      return leader->choice;
  return std::nullopt;
}

void LaunchRace::submitVariants() {
  constexpr size_t mostVaried = 2, mostNeighbours = 12;
  const std::vector<runtime::RankedChoice> &ranked = text.tunable.ranked;
  std::vector<Choice> variants;
  auto vary = [&](const runtime::RankedChoice &each) {
    for (Choice &variant : variantsOf(each))
      variants.push_back(std::move(variant));
  };
  varied = leadingChoice();
  for (const Entrant *leader : race.leaders(mostVaried)) {
    if (ranked.empty() && !context.compilesApart &&
        !leader->choice.parameters.empty())
      for (Choice &other : runtime::withOtherWarps(leader->choice))
        variants.push_back(std::move(other));
    for (const runtime::RankedChoice &each : ranked)
      if (each.choice == leader->choice)
        vary(each);
    for (Choice &neighbour : neighboursOf(leader->choice, mostNeighbours))
      variants.push_back(std::move(neighbour));
  }
  // The compiler's default.
  if (!ranked.empty())
    vary(ranked.front());
  for (Choice &variant : variants)
    if (!hasEntered(variant))
      enter(std::move(variant), /*isUrgent=*/true);
}

Result<void> LaunchRace::finish(Time until) {
  struct Heat {
    unsigned rounds;
    size_t choices;
  };
  constexpr Heat heats[] = {{7, 6}, {20, 2}};
  auto done = takeArrivals(until);
  // A new leader has neighbours of its own.
  constexpr unsigned mostMoves = 4;
  for (unsigned move = 0; done && move < mostMoves && hasNewLeader(); ++move) {
    const Time now = RaceContext::Clock::now();
    submitVariants();
    done = takeArrivals(until == Time::max() ? until : now + (until - now) / 2);
  }
  for (const Heat &heat : heats)
    for (Entrant *entrant : race.leaders(heat.choices))
      if (done)
        done = run(*entrant, heat.rounds, until);
  bench.reset();
  return done;
}

Result<void> LaunchRace::verify(unsigned rounds, Time until) {
  auto done = takeArrivals(until);
  for (Entrant *entrant : race.leaders(1))
    if (done)
      done = run(*entrant, rounds, until);
  bench.reset();
  return done;
}
