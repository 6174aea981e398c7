// tilegpt-opt tune: what can be done with records of tuning without measuring.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_TUNECOMMAND_H
#define TILEGPT_TOOLS_TILEGPT_OPT_TUNECOMMAND_H

#include "TileGPT/Runtime/Error.h"

namespace tilegpt::opt {

/// `tune --merge A B … [-o FILE]` writes the records of several files as one;
/// `tune --offline LAUNCHES [--arch NAME] [--kernels DIR]` prints what tuning
/// would try for them, best expected first.
/// \param argv  from "tune" on.
/// \returns Usage for anything else and for files for different devices,
/// BadInput for one that cannot be read.
runtime::Result<void> runTuneCommand(int argc, const char *const *argv);

} // namespace tilegpt::opt

#endif // TILEGPT_TOOLS_TILEGPT_OPT_TUNECOMMAND_H
