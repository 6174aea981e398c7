// A model compiled with some records and ready to run, to be compared with
// another of the same launches.
#ifndef TILEGPT_TOOLS_RUN_TUNE_TRIAL_H
#define TILEGPT_TOOLS_RUN_TUNE_TRIAL_H

#include "Load/LoadModel.h"
#include "TileGPT/Runtime/Cuda/Device.h"
#include "TileGPT/Runtime/Model/Session.h"

namespace tilegpt::run {

/// The inputs for tuning a model.
struct TuneRequest {
  const compiler::ModelSource &source;
  LoadRequest load;
  runtime::WeightProvider &weights;
  std::shared_ptr<cuda::Device> gpu; ///< null: the CPU
  /// Passes a compiled model's declarations to the weights.
  std::function<runtime::Result<void>(const bundle::Bundle &)> resolveWeights;
};

class Trial {
public:
  /// \param records  to apply; null: none.
  /// \param tunable  as LoadRequest::tunable.
  /// \param warn  as LoadRequest::warn.
  /// \returns what compiling, loading weights and making a session return.
  static runtime::Result<std::unique_ptr<Trial>>
  create(const Options &options, const TuneRequest &request, Progress &progress,
         const runtime::TuningRecords *records,
         decltype(LoadRequest::tunable) tunable = nullptr,
         decltype(LoadRequest::warn) warn = nullptr);

  /// Fills the cache with the tokens before a test's step, the next to run.
  runtime::Result<void> prepare(const BenchTest &test,
                                std::span<const int32_t> ids);

  /// The logits of a test's step; the cache stays as it is.
  runtime::Result<std::vector<float>> run(const BenchTest &test);

  /// Runs the step and returns the time of each of `launches` in seconds; 0 for
  /// those of other plans.
  /// \returns Failure if a plan's launches differ.
  runtime::Result<std::vector<double>>
  time(const BenchTest &test,
       const std::vector<runtime::TunableLaunch> &launches);

  const bundle::ModelInfo &model() const { return bundle.model(); }

private:
  explicit Trial(bundle::Bundle bundle) : bundle(std::move(bundle)) {}

  bundle::Bundle bundle;
  std::optional<runtime::Session> session;
  std::vector<int32_t> step; ///< tokens of the prepared test
};

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_TUNE_TRIAL_H
