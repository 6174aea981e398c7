// How warp groups split the result of `wgmma`.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPGROUPS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPGROUPS_H

#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>

namespace tilegpt::tilegpu {

/// Columns of a shared memory panel, 128 bytes wide: an MN-major operand of
/// `wgmma` consists of whole panels.
inline int64_t columnsOfPanel(mlir::Type element) {
  constexpr int64_t panelBits = 1024;
  return panelBits / element.getIntOrFloatBitWidth();
}

/// Whether one or two warp groups can split the rows of a result computed by
/// `wgmma`: one takes up to 64, including padding, two take multiples of 64
/// each.
inline bool suitsWarpGroups(int64_t rows) {
  return rows <= groupRows || rows % (2 * groupRows) == 0;
}

/// Whether warp groups split the columns of a result because they cannot split
/// its rows, which may then be any multiple of 8: the dot is transposed.
inline bool isMadeTransposed(int64_t rows, int64_t columns) {
  constexpr int64_t step = 8, most = 256;
  return !suitsWarpGroups(rows) && rows % step == 0 && rows <= most &&
         columns % groupRows == 0 && suitsWarpGroups(columns);
}

/// Whether a tile has the layout of the transposed result of a `wgmma`.
bool isTransposedAccumulator(mlir::RankedTensorType tile, int64_t warps);

} // namespace tilegpt::tilegpu

#endif
