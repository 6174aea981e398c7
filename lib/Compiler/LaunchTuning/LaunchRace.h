// The measurement of one launch: compiled choices against the compiler's
// default.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHRACE_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHRACE_H

#include "LaunchTuning/CompilePool.h"
#include "LaunchTuning/LaunchBench.h"
#include "TileGPT/Runtime/Tuning/Race.h"
#include <chrono>

namespace tilegpt::compiler {

/// How many choices were measured, and why others were not.
struct RaceCounts {
  size_t raced = 0, slow = 0, misfits = 0, broken = 0, wrong = 0;
  size_t late = 0; ///< the time of their launch was over
};

/// State shared by all measurements of a call.
struct RaceContext {
  using Clock = std::chrono::steady_clock;

  CompilePool &pool;
  std::function<runtime::Result<std::unique_ptr<LaunchBench>>(
      const std::vector<LaunchOperand> &)>
      makeBench;
  /// Whether compilation would disturb the measurements: on a CPU, where plans
  /// have no warps.
  bool compilesApart = false;
  std::function<void(std::string_view)> warn;
  std::function<bool()> interrupted;
  RaceCounts counts = {};
};

class LaunchRace {
public:
  using Time = RaceContext::Clock::time_point;

  LaunchRace(const LaunchText &text, RaceContext &context)
      : text(text), context(context) {}

  /// Submits the launch with the default and with these choices.
  void submit(std::vector<runtime::Choice> choices);
  /// Measures choices in order as they arrive, three rounds each, and further
  /// ranked ones, until all have run or time is up. If compilation would
  /// disturb measurements, two thirds of the time are for compilation.
  runtime::Result<void> tryAll(Time until);
  /// Submits variants of the best two with other values that any plan may have,
  /// and choices next to them that the first trials left out.
  void submitVariants();
  /// Measures these too and, while a new choice leads, its variants; then the
  /// best six in seven more rounds and the best two in twenty more. Frees the
  /// device memory of the launch afterwards.
  runtime::Result<void> finish(Time until);
  /// Runs this many rounds of the only submitted choice.
  runtime::Result<void> verify(unsigned rounds, Time until);

  const runtime::Entrant *winner() const { return race.winner(); }
  const std::vector<runtime::Entrant> &entrants() const {
    return race.entrants();
  }
  const runtime::TunableLaunch &launch() const { return text.tunable; }

private:
  /// A choice that is not yet loaded.
  struct Arrival {
    std::future<CompilePool::Outcome> outcome;
    std::optional<size_t> number = {}; ///< on the bench
  };

  runtime::Result<void> prepare();
  runtime::Result<void> takeArrivals(Time until);
  runtime::Result<bool> load(Arrival &arrival, runtime::Entrant &entrant);
  runtime::Result<void> run(runtime::Entrant &entrant, unsigned rounds,
                            Time until);
  void enter(runtime::Choice choice, bool isUrgent);
  bool hasEntered(const runtime::Choice &choice) const;
  std::vector<runtime::Choice> neighboursOf(const runtime::Choice &choice,
                                            size_t most) const;
  std::optional<runtime::Choice> leadingChoice();
  bool hasNewLeader() {
    const std::optional<runtime::Choice> leading = leadingChoice();
    return leading && leading != varied;
  }
  bool isOver(Time until) const {
    return context.interrupted() || RaceContext::Clock::now() >= until;
  }

  const LaunchText &text;
  RaceContext &context;
  std::future<CompilePool::Outcome> standard;
  std::vector<Arrival> arrivals;         ///< by entrant
  size_t taken = 0;                      ///< of the arrivals, by now
  std::optional<runtime::Choice> varied; ///< the leader that was varied last
  runtime::Race race{{}};
  std::unique_ptr<LaunchBench> bench; ///< null until the standard has run
  std::vector<LaunchOperand> operands;
  Results expected;
  bool hasWarned = false; ///< of a choice that computes something else
};

} // namespace tilegpt::compiler

#endif
