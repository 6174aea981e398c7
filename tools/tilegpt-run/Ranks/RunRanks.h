// Runs with several processes: launching, and agreement on inputs.
#ifndef TILEGPT_TOOLS_RUN_RANKS_RUNRANKS_H
#define TILEGPT_TOOLS_RUN_RANKS_RUNRANKS_H

#include "Flags/Options.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "TileGPT/Runtime/Ranks/Group.h"

namespace tilegpt::run {

/// Runs a model: alone, as one of the ranks started by a launcher, or as the
/// launcher of --tp N ranks on this host.
/// \param argv  the command line, with which the ranks are started too.
/// \param runModel  the work of this process; gets the group, or null.
/// \returns the exit code; that of rank 0 if this process starts the ranks.
runtime::Result<int> runRanks(
    Options options, char **argv,
    const std::function<runtime::Result<int>(const Options &, runtime::Group *)>
        &runModel);

/// Broadcasts the prompt and the seed of rank 0. A single rank keeps its own.
/// \param group  null for a single rank.
runtime::Result<void> sharePrompt(runtime::Group *group, Options &options,
                                  std::vector<int32_t> &prompt);

/// Checks that all ranks run the same model on the same checkpoint.
/// \param weights  identifies the checkpoint.
runtime::Result<void> agreeOnModel(runtime::Group *group,
                                   const bundle::Bundle &bundle,
                                   const std::string &weights);

/// Prints the parts of each rank to stderr.
runtime::Result<void> reportMemory(runtime::Group *group,
                                   const runtime::Session &session);

/// "trace.json" of rank 0 is "trace-rank1.json" of rank 1; empty stays empty.
std::filesystem::path fileOfRank(const std::filesystem::path &path,
                                 const runtime::Group *group);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RANKS_RUNRANKS_H
