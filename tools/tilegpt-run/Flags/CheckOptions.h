// What of a command line makes no sense together.
#ifndef TILEGPT_TOOLS_RUN_CHECKOPTIONS_H
#define TILEGPT_TOOLS_RUN_CHECKOPTIONS_H

#include "Flags/Options.h"
#include <CLI/CLI.hpp>
#include <span>

namespace tilegpt::run {

/// Refuses flags that change nothing where one kernel runs: all but its own and
/// those that choose the device.
/// \param words  of the command line.
runtime::Result<void> checkFunctionFlags(const CLI::App &app,
                                         std::span<const char *const> words,
                                         const Options &options);

/// Flags of `profile` and `tune`, and what these do not measure; gives them
/// steps to measure where none are asked for.
runtime::Result<void> checkVerb(const CLI::App &app,
                                std::span<const char *const> words,
                                Options &options);

/// What makes sense flag by flag but not together.
runtime::Result<void> checkTogether(const Options &options);

/// Refuses flags that change nothing in what a model is to do.
runtime::Result<void> checkEffects(const CLI::App &app,
                                   std::span<const char *const> words,
                                   const Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CHECKOPTIONS_H
