// tilegpt-run tune: measures what else launches could be given, and writes what
// is faster as records.
#ifndef TILEGPT_TOOLS_RUN_TUNEMODEL_H
#define TILEGPT_TOOLS_RUN_TUNEMODEL_H

#include "Trial.h"

namespace tilegpt::run {

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
