// Products with too few rows for a matrix instruction.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_FEWROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SIMPLIFY_FEWROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// Rows of the result of a dot that is no batch.
inline int64_t rowsOf(tile::DotOp dot) {
  return mlir::cast<mlir::RankedTensorType>(dot.getType()).getDimSize(0);
}

/// True for dots that `--tile-gpu-expand-dots` writes as multiplications and
/// sums: up to eight rows, of which a matrix instruction of 16 wastes half at
/// least. Threads keep every product in a register, unless they form a piece of
/// the depth at a time. So two rows and more in a loop, as the queries of a
/// group that meet a tile of keys, stay a dot, and so does one row where tensor
/// cores multiply the operands and copies can bring the right one ahead.
bool hasFewRows(tile::DotOp dot);

/// Whether `--tile-gpu-cut-dots` multiplies a piece of the depth at a time.
bool isCut(tile::DotOp dot);

} // namespace tilegpt::tilegpu

#endif
