// Tensors that are passed along with that of an edge.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FINDBESIDE_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_FINDBESIDE_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Finds further tensors that the producer of an epilogue computes and its
/// consumer reads, of the same sizes and type, and in the same tiles.
/// \param store  the host's store of the edge's tensor
/// \returns an error if one of them has other tiles
llvm::Error findBeside(Fusion &fusion, const TileFootprint &host,
                       const TileFootprint &guest,
                       const AccessFootprint &store);

} // namespace tilegpt::tile

#endif
