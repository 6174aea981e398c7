// TMA descriptors of views: encodes a kernel's tensor map (the boxes) and the
// words of a view (the memory) for the hardware.
#ifndef TILEGPT_RUNTIME_CUDA_TENSORMAP_H
#define TILEGPT_RUNTIME_CUDA_TENSORMAP_H

#include "TileGPT/Bundle/Format.h"
#include "TileGPT/Runtime/Cuda/Driver.h"

namespace tilegpt::cuda {

/// \param view the words of a view of map.rank: address, sizes, strides in
/// elements. A view without elements gets a descriptor of one element.
/// \returns Failure, as the rest of a sentence, for a view TMA cannot describe:
/// an inner stride other than 1, an address or a stride that is not a multiple
/// of 16 bytes, a size beyond 2^32.
runtime::Result<CUtensorMap> encodeTensorMap(const Driver &driver,
                                             const bundle::TensorMap &map,
                                             const uint64_t *view);

} // namespace tilegpt::cuda

#endif // TILEGPT_RUNTIME_CUDA_TENSORMAP_H
