// What all races of a model share: the standard that challengers are compared
// with, the time, and the rounds.
#ifndef TILEGPT_TOOLS_RUN_TUNE_MODELTUNING_H
#define TILEGPT_TOOLS_RUN_TUNE_MODELTUNING_H

#include "Terminal/Interrupt.h"
#include "TileGPT/Runtime/Tuning/Race.h"
#include "Tune/Trial.h"
#include <chrono>

namespace tilegpt::run {

/// A model compiled with some records, and what tuning may change about it.
struct CompiledTrial {
  std::unique_ptr<Trial> trial;
  runtime::TunableModel tunable;
};

class ModelTuning {
public:
  ModelTuning(const Options &options, const TuneRequest &request,
              Progress &progress)
      : options(options), request(request), progress(progress),
        begin(Clock::now()) {}

  /// Compiles the standard with the choices of the cost models.
  /// \returns OutOfRange if a step does not fit the context.
  runtime::Result<void> start();

  /// Recompiles the standard with these records in addition; challengers have
  /// them as well.
  runtime::Result<void> adopt(const std::vector<runtime::TuningRecord> &more);

  /// Compiles the standard with these records in addition.
  runtime::Result<CompiledTrial>
  compile(const std::vector<runtime::TuningRecord> &more);

  /// The same for a race: compilation errors, and results that differ from the
  /// standard's, are warnings that name `what`; then there is no trial.
  runtime::Result<CompiledTrial>
  challenge(const std::vector<runtime::TuningRecord> &more,
            const std::string &what);

  /// Whether the results of a challenger are those of the standard, except for
  /// the order of summation.
  runtime::Result<bool> computesTheSame(Trial &challenger);

  /// Receives the seconds of each launch of the challenger and of the standard
  /// in a round. \returns whether to run another.
  using OnRound = std::function<bool(const std::vector<double> &challenger,
                                     const std::vector<double> &standard)>;

  /// Runs the steps of a test alternately with both models.
  /// \param rounds  at most.
  /// \param untilShare  of the budget, when it is over.
  runtime::Result<void> alternate(CompiledTrial &challenger,
                                  const BenchTest &test, unsigned rounds,
                                  double untilShare, const std::string &what,
                                  const OnRound &onRound);

  /// The record of an entrant.
  static runtime::TuningRecord recordOf(const std::string &kernel,
                                        const runtime::LaunchKey &key,
                                        const runtime::Entrant &entrant) {
    return runtime::recordOf(kernel, key, entrant, TILEGPT_VERSION);
  }

  /// Whether this share of the budget is used, or a signal arrived.
  bool isOver(double share) const {
    return interrupt.requested() || usedShare() > share;
  }
  double usedShare() const { return seconds() / options.budget; }
  const runtime::TuningDevice &device() const {
    return standard.tunable.device;
  }
  const runtime::TunableModel &tunable() const { return standard.tunable; }
  const std::vector<runtime::TuningRecord> &getAdopted() const {
    return adopted.records;
  }
  size_t countWarnings() const { return warnings; }
  int exitCode() const { return interrupt.exitCode(); }

  const Options &options;
  const TuneRequest &request;
  Progress &progress;

private:
  using Clock = std::chrono::steady_clock;

  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Clock::time_point begin;
  InterruptGuard interrupt;
  CompiledTrial standard;
  runtime::TuningRecords adopted;
  std::vector<int32_t> ids;
  size_t warnings = 0; ///< of challengers
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_TUNE_MODELTUNING_H
