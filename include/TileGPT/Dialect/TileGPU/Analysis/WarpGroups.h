// How warp groups share out what `wgmma` multiplies.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPGROUPS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_WARPGROUPS_H

#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>

namespace tilegpt::tilegpu {

/// Columns of a panel of shared memory, 128 bytes wide: an operand of `wgmma`
/// that does not run along K is made of whole ones.
inline int64_t columnsOfPanel(mlir::Type element) {
  constexpr int64_t panelBits = 1024;
  return panelBits / element.getIntOrFloatBitWidth();
}

/// Whether one warp group or two can share out the rows of a result by `wgmma`:
/// one takes up to 64, garbage behind them included, two multiples of 64 each.
inline bool suitsWarpGroups(int64_t rows) {
  return rows <= groupRows || rows % (2 * groupRows) == 0;
}

/// Whether warp groups share out the columns of a result because they cannot
/// share out its rows, which may then be any multiple of 8: the sum is made
/// transposed.
inline bool isMadeTransposed(int64_t rows, int64_t columns) {
  constexpr int64_t step = 8, most = 256;
  return !suitsWarpGroups(rows) && rows % step == 0 && rows <= most &&
         columns % groupRows == 0 && suitsWarpGroups(columns);
}

/// Whether a tile has the layout of the transposed result of a `wgmma`.
bool isTransposedAccumulator(mlir::RankedTensorType tile, int64_t warps);

} // namespace tilegpt::tilegpu

#endif
