// Dots with too few rows for a matrix instruction.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_FEWROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_FEWROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Rows of the result of a dot without batch axis.
inline int64_t rowsOf(tile::DotOp dot) {
  return mlir::cast<mlir::RankedTensorType>(dot.getType()).getDimSize(0);
}

/// Whether `--tile-gpu-expand-dots` expands a dot to multiplications and sums:
/// with up to eight rows, of which a matrix instruction of 16 rows would waste
/// at least half. Threads keep every product in a register, unless they split
/// the depth into pieces. So two or more rows in a loop, such as grouped
/// queries and a tile of keys, stay a dot, as does one row if tensor cores
/// multiply the operands and the rhs can be prefetched.
bool hasFewRows(tile::DotOp dot);

/// Whether `--tile-gpu-cut-dots` splits the depth of a dot into pieces.
bool isCut(tile::DotOp dot);

} // namespace tilegpt::tilegpu

#endif
