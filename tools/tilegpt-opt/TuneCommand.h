// tilegpt-opt tune: operations on tuning records that need no measurement.
#ifndef TILEGPT_TOOLS_TILEGPT_OPT_TUNECOMMAND_H
#define TILEGPT_TOOLS_TILEGPT_OPT_TUNECOMMAND_H

#include "TileGPT/Runtime/Error.h"

namespace tilegpt::opt {

/// `tune --merge A B … [-o FILE]` merges the records of several files; `tune
/// --offline LAUNCHES [--arch NAME] [--kernels DIR]` prints the candidates of
/// tuning, in order of predicted time; `tune --fit TIMES… [LAUNCHES…] [--check
/// TIMES] [--arch NAME] [--kernels DIR]` fits the cost model of a GPU.
/// \param argv  from "tune" on.
/// \returns Usage for a syntax error and for files for different devices,
/// BadInput for an unreadable file.
runtime::Result<void> runTuneCommand(int argc, const char *const *argv);

} // namespace tilegpt::opt

#endif // TILEGPT_TOOLS_TILEGPT_OPT_TUNECOMMAND_H
