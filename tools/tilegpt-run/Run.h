// One run of the tool, from options to exit code.
#ifndef TILEGPT_TOOLS_RUN_RUN_H
#define TILEGPT_TOOLS_RUN_RUN_H

#include "Flags/Options.h"

namespace tilegpt::run {

/// Compiles or opens the model, loads the weights and does what was asked for;
/// prints timings to stderr at the end.
/// \returns the exit code.
runtime::Result<int> runModel(const Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RUN_H
