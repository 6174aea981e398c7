// CLI11 with the manners of our tools: `_` for `-`, one-line errors that name
// the argument, and the nearest flag for one that does not exist.
#ifndef TILEGPT_TOOLS_RUN_COMMANDLINE_H
#define TILEGPT_TOOLS_RUN_COMMANDLINE_H

#include "TileGPT/Runtime/Error.h"
#include <span>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tilegpt::run {

/// Parses the command line into what `app` was told to fill.
/// \returns false if the user asked for --help or --version, which are answered
/// on stdout; Usage for anything the app does not accept.
runtime::Result<bool> parseCommandLine(CLI::App &app, int argc,
                                       const char *const *argv);

/// Whether a flag stands on the command line, not in a file of defaults only.
bool isWritten(const CLI::Option &option, std::span<const char *const> words);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_COMMANDLINE_H
