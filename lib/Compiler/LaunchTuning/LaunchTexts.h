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

/// Reads a file up to Phase::Launches. Launches that have a key in common are
/// there once.
/// \returns BadInput for a file that does not parse, has no launches or leaves
/// a size of one open.
runtime::Result<std::vector<LaunchText>>
readLaunches(const std::string &path, const PhaseOptions &phases);

} // namespace tilegpt::compiler

#endif
