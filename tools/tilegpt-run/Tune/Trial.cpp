// Records go to the compiler by way of a file, as those of a user do.
#include "Tune/Trial.h"
#include "Load/ChooseEngine.h"
#include "Measure/Bench.h"
#include "Measure/TemporaryFile.h"
#include "TileGPT/Runtime/Profile/LaunchTimes.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

Result<std::unique_ptr<Trial>>
Trial::create(const Options &options, const TuneRequest &request,
              Progress &progress, const runtime::TuningRecords *records,
              decltype(LoadRequest::tunable) tunable,
              decltype(LoadRequest::warn) warn) {
  const TemporaryFile file("tilegpt-tune");
  Options compile = options;
  if (records) {
    if (auto written = records->write(file.path()); !written)
      return tl::unexpected(written.error());
    compile.tuning = file.path();
  }
  LoadRequest load = request.load;
  // Measured choices are compared with those of the models.
  load.shippedRecords = false;
  load.tunable = std::move(tunable);
  load.warn = std::move(warn);
  auto image = compileSource(compile, request.source, load, progress);
  if (!image)
    return tl::unexpected(image.error());
  auto bundle = bundle::Bundle::fromBytes(std::move(*image));
  if (!bundle)
    return tl::unexpected(bundle.error());
  std::unique_ptr<Trial> trial(new Trial(std::move(*bundle)));
  if (auto resolved = request.resolveWeights(trial->bundle); !resolved)
    return tl::unexpected(resolved.error());
  auto engine = makeEngine(options, trial->bundle, request.gpu);
  if (!engine)
    return tl::unexpected(engine.error());
  auto session = runtime::Session::create(
      trial->bundle, request.weights, std::move(*engine), sequencesOf(options));
  if (!session)
    return tl::unexpected(session.error());
  trial->session.emplace(std::move(*session));
  return trial;
}

Result<void> Trial::prepare(const BenchTest &test,
                            std::span<const int32_t> ids) {
  auto prepared = prepareTest(test, *session, ids);
  if (!prepared)
    return tl::unexpected(prepared.error());
  step = std::move(*prepared);
  return {};
}

Result<std::vector<float>> Trial::run(const BenchTest &test) {
  const auto logits = runStep(test, *session, step);
  if (!logits)
    return tl::unexpected(logits.error());
  return std::vector<float>(logits->begin(), logits->end());
}

Result<std::vector<double>>
Trial::time(const BenchTest &test,
            const std::vector<runtime::TunableLaunch> &launches) {
  runtime::LaunchTimes times;
  session->setObserver(&times);
  const auto done = run(test);
  session->setObserver(nullptr);
  if (!done)
    return tl::unexpected(done.error());

  std::vector<double> seconds(launches.size());
  for (const bundle::Plan &plan : bundle.plans()) {
    const auto isOfPlan = [&](const runtime::TunableLaunch &launch) {
      return launch.plan == bundle.string(plan.name);
    };
    const auto first = std::ranges::find_if(launches, isOfPlan);
    const auto ran = bundle.launches(plan);
    if (std::ranges::count_if(launches, isOfPlan) != int64_t(ran.size()))
      return makeError(ErrorCode::Failure, "tune: plan '",
                       bundle.string(plan.name),
                       "' does not have the launches it was lowered to");
    for (size_t i = 0; i < ran.size(); ++i)
      seconds[size_t(first - launches.begin()) + i] = times.secondsOf(ran[i]);
  }
  return seconds;
}
