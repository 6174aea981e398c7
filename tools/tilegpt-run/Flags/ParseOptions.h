// The command line of tilegpt-run.
#ifndef TILEGPT_TOOLS_RUN_PARSEOPTIONS_H
#define TILEGPT_TOOLS_RUN_PARSEOPTIONS_H

#include "Flags/Options.h"
#include <optional>

namespace tilegpt::run {

/// Reads the command line. `_` and `-` are interchangeable in long flags, and
/// of a flag given twice the last counts.
/// \returns nothing if the user asked for --help or --version, which are
/// answered on stdout; Usage naming the argument that makes no sense.
runtime::Result<std::optional<Options>> parseOptions(int argc,
                                                     const char *const *argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_PARSEOPTIONS_H
