// What ranks on GPUs exchange through.
#ifndef TILEGPT_TOOLS_RUN_RANKS_CHOOSECOLLECTIVES_H
#define TILEGPT_TOOLS_RUN_RANKS_CHOOSECOLLECTIVES_H

#include "Flags/Options.h"
#include "TileGPT/Runtime/Cuda/Collectives.h"

namespace tilegpt::run {

/// What --collectives asks for. Where that is auto, what works here, which rank
/// 0 tells on stderr, with the reason if it is not both of NCCL and memory of
/// GPUs. All ranks call it together.
/// \param ranks  must outlive the result.
/// \returns errors of what was asked for; where nothing works, NCCL's.
runtime::Result<std::unique_ptr<cuda::Collectives>>
chooseCollectives(const Options &options, const bundle::Bundle &bundle,
                  const std::shared_ptr<cuda::Device> &gpu,
                  runtime::Communicator &ranks);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_RANKS_CHOOSECOLLECTIVES_H
