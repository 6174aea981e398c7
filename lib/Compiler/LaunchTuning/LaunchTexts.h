// The launches of a file, each in a module of its own.
#ifndef TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHTEXTS_H
#define TILEGPT_LIB_COMPILER_LAUNCHTUNING_LAUNCHTEXTS_H

#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Runtime/Tuning/Candidates.h"

namespace tilegpt::compiler {

struct LaunchText {
  std::string module; ///< a function that launches once, and its kernel
  runtime::TunableLaunch tunable;
};

/// Reads a file up to Phase::Launches. Launches with the same key appear once.
/// Launches of plans whose operands have separate sequences are omitted.
/// \returns BadInput for a file that does not parse, has no launches or has a
/// launch with dynamic sizes outside of plans.
runtime::Result<std::vector<LaunchText>>
readLaunches(const std::string &path, const PhaseOptions &phases);

} // namespace tilegpt::compiler

#endif
