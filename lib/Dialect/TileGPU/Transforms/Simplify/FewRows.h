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
/// sums: half a matrix instruction of 16 rows would be wasted at least.
inline bool hasFewRows(tile::DotOp dot) {
  constexpr int64_t few = 8;
  return mlir::cast<mlir::RankedTensorType>(dot.getType()).getRank() == 2 &&
         rowsOf(dot) <= few;
}

} // namespace tilegpt::tilegpu

#endif
