// Tiles that a block stores and reads again, in registers.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FORWARDTILES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FORWARDTILES_H

#include "Append/MergeTexts.h"

namespace tilegpt::tile {

/// Gives the consumer's ops the tiles that the producer's store to new tensors.
/// A tensor that nothing else reads is not stored.
/// \returns an error where the consumer reads anything else of such a tensor
llvm::Error forwardTiles(MergedText &merged);

} // namespace tilegpt::tile

#endif
