// Tensors that are handed over beside the one of an edge.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FINDBESIDE_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FINDBESIDE_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Finds what else the producer of an epilogue makes and its consumer reads:
/// tensors of the same sizes and type, in the same tiles.
/// \param store  of the edge's tensor by the host
/// \returns an error where there is one in other tiles
llvm::Error findBeside(Fusion &fusion, const TileFootprint &host,
                       const TileFootprint &guest,
                       const AccessFootprint &store);

} // namespace tilegpt::tile

#endif
