// Keeps tiles that a block stores and reloads in registers.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FORWARDTILES_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FORWARDTILES_H

#include "Append/MergeTexts.h"

namespace tilegpt::tile {

/// Forwards tiles that the producer stores to new tensors to the consumer's
/// loads. Drops the store if the tensor has no other readers.
/// \returns an error if the consumer reads other elements of such a tensor
llvm::Error forwardTiles(MergedText &merged);

} // namespace tilegpt::tile

#endif
