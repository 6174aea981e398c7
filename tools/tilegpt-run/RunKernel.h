// The kernel level of the tool: --function runs one kernel or function of a
// `.mlir` file on tensors from the command line.
#ifndef TILEGPT_TOOLS_RUN_RUNKERNEL_H
#define TILEGPT_TOOLS_RUN_RUNKERNEL_H

#include "Flags/Options.h"

namespace tilegpt::run {

/// Runs what --function names and prints its results to stdout.
/// \returns the exit code; a runtime-only build has no compiler and says so.
runtime::Result<int> runKernel(const Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RUNKERNEL_H
