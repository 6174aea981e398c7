// tilegpt-run tune: measures what else launches could be given, and writes what
// is faster as records.
#ifndef TILEGPT_TOOLS_RUN_TUNE_TUNEMODEL_H
#define TILEGPT_TOOLS_RUN_TUNE_TUNEMODEL_H

#include "Tune/Trial.h"

namespace tilegpt::run {

/// Races choices for the launches of options.bench against the model's own,
/// alternately and within their steps, for options.budget seconds: first
/// whether launches are fused, then what launches are given; writes the results
/// until then, or until a signal, to options.records. With options.verify,
/// re-measures the records of that file instead.
/// \returns the exit code; Mismatch if fewer than nine tenths of the records
/// verify.
runtime::Result<int> runTune(const Options &options, const TuneRequest &request,
                             Progress &progress);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_TUNE_TUNEMODEL_H
