// The table of flags.
#ifndef TILEGPT_TOOLS_RUN_ADDFLAGS_H
#define TILEGPT_TOOLS_RUN_ADDFLAGS_H

#include "Flags/Options.h"
#include <CLI/CLI.hpp>

namespace tilegpt::run {

/// The group of flags of one kernel, without a model.
inline constexpr char kernelGroup[] = "One kernel";

/// Adds all flags, which are parsed into `options`.
void addFlags(CLI::App &app, Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_ADDFLAGS_H
