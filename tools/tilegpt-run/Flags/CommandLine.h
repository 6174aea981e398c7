// CLI11 with the conventions of the tools: `_` for `-`, one-line errors that
// name the argument, and suggestions for unknown flags.
#ifndef TILEGPT_TOOLS_RUN_COMMANDLINE_H
#define TILEGPT_TOOLS_RUN_COMMANDLINE_H

#include "TileGPT/Runtime/Error.h"
#include <functional>
#include <span>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tilegpt::run {

/// Parses the command line into the variables of `app`.
/// \param beforeHelp  called before the help is printed.
/// \returns false after --help or --version, which print to stdout; Usage for
/// an invalid command line.
runtime::Result<bool>
parseCommandLine(CLI::App &app, int argc, const char *const *argv,
                 const std::function<void()> &beforeHelp = nullptr);

/// Whether a flag is on the command line rather than only in a file of
/// defaults.
bool isWritten(const CLI::Option &option, std::span<const char *const> words);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_COMMANDLINE_H
