// One line of JSON per step, with llama-bench's keys where they apply.
#include "Measure/Bench.h"
#include "Terminal/Console.h"
#include "TileGPT/Runtime/Data/Npy.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Result;

int64_t run::sequencesOf(const Options &options) {
  int64_t most = 1;
  for (const BenchTest &test : options.bench)
    most = std::max(most, test.sequences);
  return most;
}

std::vector<int32_t> run::benchIds(const Options &options, int64_t vocabulary) {
  if (options.tokens)
    return *options.tokens;
  constexpr int64_t prime = 7919, count = 4096;
  std::vector<int32_t> ids(count);
  for (int64_t i = 0; i < count; ++i)
    ids[size_t(i)] = int32_t(i * prime % vocabulary);
  return ids;
}

/// `count` ids from the `first` on of `ids` repeated.
static std::vector<int32_t> repeated(std::span<const int32_t> ids,
                                     int64_t first, int64_t count) {
  std::vector<int32_t> result;
  for (int64_t i = first; i < first + count; ++i)
    result.push_back(ids[size_t(i) % ids.size()]);
  return result;
}

static std::string jsonList(std::span<const double> values) {
  std::string text = "[";
  for (const double value : values)
    text += runtime::concat(text.size() > 1 ? ", " : "", int64_t(value));
  return text + "]";
}

static double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / double(values.size());
}

static double deviation(std::span<const double> values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - middle) * (value - middle);
  return values.size() > 1 ? std::sqrt(sum / double(values.size() - 1)) : 0;
}

std::string run::timesAsJson(std::span<const runtime::StepTime> times,
                             std::optional<double> tokens) {
  std::vector<double> host, device, speed;
  for (const runtime::StepTime &time : times) {
    using Nanoseconds = std::chrono::duration<double, std::nano>;
    host.push_back(Nanoseconds(time.host).count());
    speed.push_back(tokens.value_or(0) * 1e9 / host.back());
    if (time.device)
      device.push_back(Nanoseconds(*time.device).count());
  }
  char numbers[256];
  std::snprintf(numbers, sizeof(numbers),
                "\"avg_ns\": %.0f, \"stddev_ns\": %.0f", mean(host),
                deviation(host));
  std::string text = numbers;
  if (tokens) {
    std::snprintf(numbers, sizeof(numbers),
                  ", \"avg_ts\": %.2f, \"stddev_ts\": %.2f", mean(speed),
                  deviation(speed));
    text += numbers;
  }
  text += ", \"samples_ns\": " + jsonList(host);
  if (!device.empty())
    text += ", \"device_samples_ns\": " + jsonList(device);
  return text;
}

static std::string lineOf(const BenchTest &test,
                          std::span<const runtime::StepTime> times) {
  const bool decodes = test.kind == bundle::PlanKind::Decode;
  return runtime::concat(
      "{\"test\": \"", test.name(),
      "\", \"n_prompt\": ", decodes ? 0 : test.tokens,
      ", \"n_gen\": ", decodes ? 1 : 0, ", \"n_parallel\": ", test.sequences,
      ", \"n_depth\": ", test.depth, ", ",
      timesAsJson(times, double(test.tokens * test.sequences)), "}\n");
}

Result<std::string> run::textOfRanks(std::string text, runtime::Group *group) {
  if (!group)
    return text;
  const auto texts = group->gather(text);
  if (!texts)
    return tl::unexpected(texts.error());
  std::string all;
  for (const std::string &one : *texts)
    all += one;
  return all;
}

/// The line of this process, or those of all ranks.
static Result<std::string> linesOf(const BenchTest &test,
                                   std::span<const runtime::StepTime> times,
                                   runtime::Group *group) {
  std::string line = lineOf(test, times);
  if (group)
    line.insert(1, runtime::concat("\"rank\": ", group->rank().number, ", "));
  return textOfRanks(std::move(line), group);
}

/// "logits.npy" becomes "logits-score:64x4@0.npy".
static std::filesystem::path fileOf(const BenchTest &test,
                                    const std::filesystem::path &path) {
  std::filesystem::path file = path.stem();
  file += "-" + test.name() + path.extension().string();
  return path.parent_path() / file;
}

static Result<void> saveLogits(const BenchTest &test, runtime::Session &session,
                               const runtime::Batch &batch,
                               const std::filesystem::path &path) {
  const auto logits = session.append(batch);
  if (!logits)
    return tl::unexpected(logits.error());
  const int64_t shape[] = {int64_t(logits->size()) / session.vocabulary(),
                           session.vocabulary()};
  return runtime::writeNpy(fileOf(test, path), runtime::StoredType::F32, shape,
                           std::as_bytes(*logits));
}

Result<std::vector<int32_t>> run::prepareTest(const BenchTest &test,
                                              runtime::Session &session,
                                              std::span<const int32_t> ids) {
  for (int64_t b = 0; b < test.sequences; ++b) {
    session.truncate(b, 0);
    if (test.depth == 0)
      continue;
    const auto before = repeated(ids, b * test.depth, test.depth);
    if (const auto logits = session.prefill(b, before); !logits)
      return tl::unexpected(logits.error());
  }
  return repeated(ids, test.sequences * test.depth,
                  test.sequences * test.tokens);
}

Result<std::span<const float>> run::runStep(const BenchTest &test,
                                            runtime::Session &session,
                                            std::span<const int32_t> step) {
  auto logits = session.append({test.kind, test.sequences, step});
  if (logits)
    for (int64_t b = 0; b < test.sequences; ++b)
      session.truncate(b, test.depth);
  return logits;
}

Result<MeasuredStep> run::measureTest(const BenchTest &test,
                                      runtime::Session &session,
                                      std::span<const int32_t> ids,
                                      unsigned repetitions) {
  auto step = prepareTest(test, session, ids);
  if (!step)
    return tl::unexpected(step.error());
  auto times = session.measure({test.kind, test.sequences, *step}, repetitions);
  if (!times)
    return tl::unexpected(times.error());
  return MeasuredStep{std::move(*step), std::move(*times)};
}

static Result<void> runTest(const BenchTest &test, const Options &options,
                            runtime::Session &session,
                            std::span<const int32_t> ids,
                            runtime::Group *group) {
  const auto measured = measureTest(test, session, ids, options.repetitions);
  if (!measured)
    return tl::unexpected(measured.error());
  const auto lines = linesOf(test, measured->times, group);
  if (!lines)
    return tl::unexpected(lines.error());
  if (auto written = writeOutput(*lines); !written)
    return tl::unexpected(written.error());
  if (options.dumpLogits.empty())
    return {};
  return saveLogits(test, session,
                    {test.kind, test.sequences, measured->tokens},
                    options.dumpLogits);
}

Result<int> run::runBench(const Options &options, runtime::Session &session,
                          std::span<const int32_t> ids, runtime::Group *group) {
  for (const BenchTest &test : options.bench)
    if (auto done = runTest(test, options, session, ids, group); !done)
      return tl::unexpected(done.error());
  return 0;
}
