// Checks for inconsistent flags.
#ifndef TILEGPT_TOOLS_RUN_CHECKOPTIONS_H
#define TILEGPT_TOOLS_RUN_CHECKOPTIONS_H

#include "Flags/Options.h"
#include <CLI/CLI.hpp>
#include <span>

namespace tilegpt::run {

/// Rejects flags that have no effect on a standalone kernel: all but its own
/// and those that select the device.
/// \param words  of the command line.
runtime::Result<void> checkFunctionFlags(const CLI::App &app,
                                         std::span<const char *const> words,
                                         const Options &options);

/// Checks the flags of `profile` and `tune`, rejects tests that they do not
/// support, and adds default steps.
runtime::Result<void> checkVerb(const CLI::App &app,
                                std::span<const char *const> words,
                                Options &options);

/// Rejects flags that are valid individually but not together.
runtime::Result<void> checkTogether(const Options &options);

/// Rejects flags without effect in the requested mode.
runtime::Result<void> checkEffects(const CLI::App &app,
                                   std::span<const char *const> words,
                                   const Options &options);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_CHECKOPTIONS_H
