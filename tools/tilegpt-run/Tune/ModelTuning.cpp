// A challenger and the standard run in turns, so that a disturbance of the
// machine affects both.
#include "Tune/ModelTuning.h"
#include "Measure/Bench.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;
using runtime::TuningRecord;

Result<CompiledTrial>
ModelTuning::compile(const std::vector<TuningRecord> &more) {
  runtime::TuningRecords records = adopted;
  records.records.insert(records.records.end(), more.begin(), more.end());
  const bool isFirst = records.records.empty();
  CompiledTrial compiled;
  // Challengers that spill registers are measured all the same; their warnings
  // are only counted.
  auto trial = Trial::create(
      options, request, progress, isFirst ? nullptr : &records,
      [&](const runtime::TunableModel &found) { compiled.tunable = found; },
      isFirst ? std::function<void(std::string_view)>()
              : [this](std::string_view) { ++warnings; });
  if (!trial)
    return tl::unexpected(trial.error());
  compiled.trial = std::move(*trial);
  return compiled;
}

Result<void> ModelTuning::start() {
  auto compiled = compile({});
  if (!compiled)
    return tl::unexpected(compiled.error());
  standard = std::move(*compiled);
  adopted.device = standard.tunable.device;
  const bundle::ModelInfo &model = standard.trial->model();
  ids = benchIds(options, model.vocabulary);
  for (const BenchTest &test : options.bench)
    if (test.tokens + test.depth > model.capacity)
      return makeError(ErrorCode::OutOfRange, "tune: ", test.name(),
                       " does not fit in a context of ", model.capacity);
  return {};
}

Result<void> ModelTuning::adopt(const std::vector<TuningRecord> &more) {
  if (more.empty())
    return {};
  auto compiled = compile(more);
  if (!compiled)
    return tl::unexpected(compiled.error());
  standard = std::move(*compiled);
  adopted.records.insert(adopted.records.end(), more.begin(), more.end());
  return {};
}

Result<CompiledTrial>
ModelTuning::challenge(const std::vector<TuningRecord> &more,
                       const std::string &what) {
  auto compiled = compile(more);
  const auto same = compiled ? computesTheSame(*compiled->trial)
                             : Result<bool>(tl::unexpected(compiled.error()));
  if (same && *same)
    return compiled;
  progress.clear();
  std::fprintf(stderr, "tilegpt-run: warning: tune: %s: %s\n", what.c_str(),
               same ? "the model's results differ"
                    : same.error().message.c_str());
  return CompiledTrial();
}

Result<bool> ModelTuning::computesTheSame(Trial &challenger) {
  const double tolerance =
      options.dtype.value_or(Dtype::F32) == Dtype::F32 ? 1e-3 : 5e-2;
  for (const BenchTest &test : options.bench) {
    std::vector<float> logits[2];
    for (const bool isChallenger : {false, true}) {
      Trial &trial = isChallenger ? challenger : *standard.trial;
      if (auto prepared = trial.prepare(test, ids); !prepared)
        return tl::unexpected(prepared.error());
      auto ran = trial.run(test);
      if (!ran)
        return tl::unexpected(ran.error());
      logits[isChallenger] = std::move(*ran);
    }
    double largest = 0;
    for (const float logit : logits[0])
      largest = std::max(largest, std::abs(double(logit)));
    // A NaN is not within any bound.
    for (size_t i = 0; i < logits[0].size(); ++i)
      if (!(std::abs(double(logits[0][i]) - logits[1][i]) <=
            tolerance * largest))
        return false;
  }
  return true;
}

Result<void> ModelTuning::alternate(CompiledTrial &challenger,
                                    const BenchTest &test, unsigned rounds,
                                    double untilShare, const std::string &what,
                                    const OnRound &onRound) {
  for (CompiledTrial *each : {&standard, &challenger})
    if (auto prepared = each->trial->prepare(test, ids); !prepared)
      return prepared;
  for (unsigned round = 0; round < rounds && !isOver(untilShare); ++round) {
    char line[160];
    std::snprintf(line, sizeof(line), "tuning: %s, %.0f of %.0f s",
                  what.c_str(), seconds(), options.budget);
    progress.show(line);
    std::vector<double> times[2];
    // The order alternates between rounds.
    for (const bool isChallenger : {round % 2 == 0, round % 2 != 0}) {
      CompiledTrial &each = isChallenger ? challenger : standard;
      auto ran = each.trial->time(test, each.tunable.launches);
      if (!ran)
        return tl::unexpected(ran.error());
      times[isChallenger] = std::move(*ran);
    }
    if (!onRound(times[1], times[0]))
      break;
  }
  return {};
}
