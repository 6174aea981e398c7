// Pairs of launches that were not fused.
#ifndef TILEGPT_TOOLS_RUN_MEASURE_LAUNCHPAIRS_H
#define TILEGPT_TOOLS_RUN_MEASURE_LAUNCHPAIRS_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Profile/Advice.h"

namespace tilegpt::run {

/// Pairs of launches of a plan whose intermediate tensor is read only by the
/// second one, and for which the compiler gave a reason not to fuse them.
/// \param remarks  ProfileFacts::remarks.
std::vector<runtime::LaunchPair>
findPairs(const bundle::Bundle &bundle, const bundle::Plan &plan, int64_t rows,
          int64_t sequences, const std::vector<runtime::KernelRemark> &remarks);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_MEASURE_LAUNCHPAIRS_H
