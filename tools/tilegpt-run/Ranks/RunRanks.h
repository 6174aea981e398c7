// Runs that several processes share: starting them, and what they agree on
// before they begin.
#ifndef TILEGPT_TOOLS_RUN_RANKS_RUNRANKS_H
#define TILEGPT_TOOLS_RUN_RANKS_RUNRANKS_H

#include "Flags/Options.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "TileGPT/Runtime/Ranks/Group.h"

namespace tilegpt::run {

/// Runs a model: alone, as one of the ranks a launcher has started, or as the
/// launcher of --tp N ranks of its own on this host.
/// \param argv  the command line, which the ranks are started with, too.
/// \param runModel  what this process does; told the others, or null.
/// \returns the exit code, that of rank 0 where this starts the ranks.
runtime::Result<int> runRanks(
    Options options, char **argv,
    const std::function<runtime::Result<int>(const Options &, runtime::Group *)>
        &runModel);

/// Gives all ranks the prompt and the seed of rank 0. One rank alone keeps its
/// own.
/// \param group  null: one rank alone.
runtime::Result<void> sharePrompt(runtime::Group *group, Options &options,
                                  std::vector<int32_t> &prompt);

/// That all ranks are to run the same model on the same checkpoint.
/// \param weights  what tells checkpoints apart.
runtime::Result<void> agreeOnModel(runtime::Group *group,
                                   const bundle::Bundle &bundle,
                                   const std::string &weights);

/// Tells on stderr what each rank holds.
runtime::Result<void> reportMemory(runtime::Group *group,
                                   const runtime::Session &session);

/// "trace.json" of rank 0 is "trace-rank1.json" of rank 1; empty stays empty.
std::filesystem::path fileOfRank(const std::filesystem::path &path,
                                 const runtime::Group *group);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RANKS_RUNRANKS_H
