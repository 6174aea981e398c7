// Makes loops count by index.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_COUNTBYINDEX_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_LOOPS_COUNTBYINDEX_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Makes loops that count by an integer, such as i32, count by an index, the
/// form in which passes recognize, split and pipeline loops. Signed loops of up
/// to 32 bits keep their bounds; others count their iterations, since an index
/// of a GPU has 32 bits.
void countByIndex(KernelOp kernel);

} // namespace tilegpt::tile

#endif
