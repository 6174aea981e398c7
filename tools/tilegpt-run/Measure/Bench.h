// Measures steps of a session, with machine-readable output.
#ifndef TILEGPT_TOOLS_RUN_MEASURE_BENCH_H
#define TILEGPT_TOOLS_RUN_MEASURE_BENCH_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "TileGPT/Runtime/Ranks/Group.h"

namespace tilegpt::run {

/// The number of sequences in the cache that the measured steps need; at least
/// 1.
int64_t sequencesOf(const Options &options);

/// The ids of the steps: the given ones, or ids spread over the vocabulary.
std::vector<int32_t> benchIds(const Options &options, int64_t vocabulary);

/// The keys of measured steps or launches, without the braces around them.
/// \param tokens  of a step, whose rate is among them then.
std::string timesAsJson(std::span<const runtime::StepTime> times,
                        std::optional<double> tokens);

/// Leaves each sequence of a test with as many tokens as it has before.
/// \param ids repeated as often as a step needs.
/// \returns those of the step.
runtime::Result<std::vector<int32_t>> prepareTest(const BenchTest &test,
                                                  runtime::Session &session,
                                                  std::span<const int32_t> ids);

/// Runs a test's step; the sequences stay as they were.
/// \param step  the tokens that prepareTest() returned.
/// \returns the logits, valid until the next step.
runtime::Result<std::span<const float>> runStep(const BenchTest &test,
                                                runtime::Session &session,
                                                std::span<const int32_t> step);

/// The tokens of a step and how long it took, once for each repetition.
struct MeasuredStep {
  std::vector<int32_t> tokens;
  std::vector<runtime::StepTime> times;
};

/// Prepares a test and measures its step, without instrumentation.
/// \param ids  as for prepareTest().
runtime::Result<MeasuredStep> measureTest(const BenchTest &test,
                                          runtime::Session &session,
                                          std::span<const int32_t> ids,
                                          unsigned repetitions);

/// Gathers the output of all ranks, in their order.
/// \param group  null for a single rank.
runtime::Result<std::string> textOfRanks(std::string text,
                                         runtime::Group *group);

/// Runs options.bench, each from an empty cache, and writes a line of JSON to
/// stdout for each. With --dump-logits, its logits go to a file of its own.
/// \param ids repeated as often as a step needs.
/// \returns the exit code.
runtime::Result<int> runBench(const Options &options, runtime::Session &session,
                              std::span<const int32_t> ids,
                              runtime::Group *group);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_MEASURE_BENCH_H
