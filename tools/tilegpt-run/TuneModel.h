// tilegpt-run tune: measures what else launches could be given, and writes what
// is faster as records.
#ifndef TILEGPT_TOOLS_RUN_TUNEMODEL_H
#define TILEGPT_TOOLS_RUN_TUNEMODEL_H

#include "LoadModel.h"

namespace tilegpt::run {

/// What a model is tuned with.
struct TuneRequest {
  const compiler::ModelSource &source;
  LoadRequest load;
  runtime::WeightProvider &weights;
  std::shared_ptr<cuda::Device> gpu; ///< null: the CPU
  /// Tells the weights what a compiled model says of them.
  std::function<runtime::Result<void>(const bundle::Bundle &)> resolveWeights;
};

/// Races choices for the launches of options.bench against the model's own, in
/// turns and within their steps, for options.budget seconds; what is decided by
/// then, or when a signal comes, goes to options.records. With options.verify
/// the records of that file are measured again instead.
/// \returns the exit code; Mismatch where less than nine tenths of the records
/// verify.
runtime::Result<int> runTune(const Options &options, const TuneRequest &request,
                             Progress &progress);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_TUNEMODEL_H
