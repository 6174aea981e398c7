// The kernel level of the tool: --function runs one kernel or function of a
// `.mlir` file on tensors from the command line, and tune measures the launches
// of a file without a model.
#ifndef TILEGPT_TOOLS_RUN_RUNKERNEL_H
#define TILEGPT_TOOLS_RUN_RUNKERNEL_H

#include "Flags/Options.h"

namespace tilegpt::run {

/// Runs the kernel or function of --function and prints its results to stdout.
/// \returns the exit code; a runtime-only build reports that it has no
/// compiler.
runtime::Result<int> runKernel(const Options &options);

/// Whether tune has launches by themselves to measure, not a model.
runtime::Result<bool> tunesLaunches(const Options &options);

/// Tunes the launches of the `.mlir` file of options.model (docs/Tuning.md).
/// \returns the exit code; Mismatch where less than nine tenths of the records
/// of options.verify are still faster.
runtime::Result<int> tuneLaunches(const Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RUNKERNEL_H
