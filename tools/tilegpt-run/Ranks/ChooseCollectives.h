// Selection of the collectives between GPUs.
#ifndef TILEGPT_TOOLS_RUN_RANKS_CHOOSECOLLECTIVES_H
#define TILEGPT_TOOLS_RUN_RANKS_CHOOSECOLLECTIVES_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Cuda/Collectives.h"

namespace tilegpt::run {

/// The implementation that --collectives requests. For auto, the available
/// ones, which rank 0 reports on stderr, with the reason unless both NCCL and
/// peer memory are available. All ranks call it together.
/// \param ranks  must outlive the result.
/// \returns errors of the requested implementation; if none works, NCCL's.
runtime::Result<std::unique_ptr<cuda::Collectives>>
chooseCollectives(const Options &options, const bundle::Bundle &bundle,
                  const std::shared_ptr<cuda::Device> &gpu,
                  runtime::Communicator &ranks);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RANKS_CHOOSECOLLECTIVES_H
