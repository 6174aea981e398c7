// The help of `tilegpt-run tune` and `tilegpt-run profile`.
#ifndef TILEGPT_TOOLS_RUN_VERBHELP_H
#define TILEGPT_TOOLS_RUN_VERBHELP_H

#include "Flags/Options.h"
#include <CLI/CLI.hpp>

namespace tilegpt::run {

/// Replaces the description and the footer by those of the verb, if there is one,
/// and hides the flags that have no effect on it.
void describeVerb(CLI::App &app, const Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_VERBHELP_H
