// tilegpt-run profile: the time of each kernel in a step, and advice.
#ifndef TILEGPT_TOOLS_RUN_MEASURE_PROFILEMODEL_H
#define TILEGPT_TOOLS_RUN_MEASURE_PROFILEMODEL_H

#include "Flags/Options.h"
#include "Measure/ProfileFacts.h"
#include "TileGPT/Runtime/Model/Session.h"
#include "TileGPT/Runtime/Ranks/Group.h"

namespace tilegpt::run {

/// Measures the steps of options.bench launch by launch, prints a table for
/// each to stdout and writes --json.
/// \param ids   repeated as often as a step needs.
/// \param next  observes the launches as well; may be null.
/// \param group  null, or the ranks, the first of which prints the tables of
/// all.
/// \returns the exit code.
runtime::Result<int>
runProfile(const Options &options, runtime::Session &session,
           const bundle::Bundle &bundle, const ProfileFacts &facts,
           std::span<const int32_t> ids, runtime::LaunchObserver *next,
           runtime::Group *group);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_MEASURE_PROFILEMODEL_H
