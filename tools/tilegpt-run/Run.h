// One run of the tool, from options to exit code.
#ifndef TILEGPT_TOOLS_RUN_RUN_H
#define TILEGPT_TOOLS_RUN_RUN_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Ranks/Group.h"

namespace tilegpt::run {

/// Compiles or opens the model, loads the weights and runs the requested
/// command; prints timings to stderr at the end.
/// \param group  the ranks that run it together; null: this process alone.
/// \returns the exit code.
runtime::Result<int> runModel(const Options &options, runtime::Group *group);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RUN_H
