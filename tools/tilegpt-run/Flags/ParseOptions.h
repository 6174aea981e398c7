// The command line of tilegpt-run.
#ifndef TILEGPT_TOOLS_RUN_PARSEOPTIONS_H
#define TILEGPT_TOOLS_RUN_PARSEOPTIONS_H

#include "Flags/Options.h"
#include <optional>

namespace tilegpt::run {

/// Parses the command line. `_` and `-` are interchangeable in long flags, and
/// the last occurrence of a flag takes precedence.
/// \returns nothing after --help or --version, which print to stdout; Usage
/// naming the invalid argument.
runtime::Result<std::optional<Options>> parseOptions(int argc,
                                                     const char *const *argv);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_PARSEOPTIONS_H
