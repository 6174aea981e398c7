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

/// The most warp groups that split the rows of a product. Three have 160
/// registers per thread, one or two 240.
inline constexpr int64_t mostGroupsOfProduct = 3;

/// The warp groups that split the rows of a result computed by `wgmma`: one
/// takes up to 64, including padding, two or three take multiples of 64 each; 0
/// if they cannot.
inline int64_t countWarpGroups(int64_t rows) {
  if (rows <= groupRows)
    return 1;
  for (int64_t groups = 2; groups <= mostGroupsOfProduct; ++groups)
    if (rows % (groups * groupRows) == 0)
      return groups;
  return 0;
}

/// The most accumulator registers of a thread if these warp groups split a
/// product.
constexpr int64_t mostSumsOf(int64_t groups) {
  constexpr int64_t few = 104, many = 208;
  return groups < mostGroupsOfProduct ? many : few;
}

/// The `wgmma` instructions that share the columns of a result. The
/// accumulators of one must fit what a thread starts with beside the operands:
/// 168 registers of two groups and a producer, 128 of three (ptxas: C7602).
constexpr int64_t countColumnParts(int64_t columns, int64_t groups) {
  constexpr int64_t mostColumnsOfThree = 200;
  return groups == mostGroupsOfProduct && columns > mostColumnsOfThree ? 2 : 1;
}

/// Whether warp groups split the columns of a result, since one or two can,
/// or since they cannot split its rows, which may then be any multiple of 8:
/// the dot is transposed.
inline bool isMadeTransposed(int64_t rows, int64_t columns) {
  constexpr int64_t step = 8, most = 256;
  int64_t ofRows = countWarpGroups(rows), ofColumns = countWarpGroups(columns);
  return rows % step == 0 && rows <= most && columns % groupRows == 0 &&
         ofColumns != 0 &&
         (ofRows == 0 ||
          (ofRows == mostGroupsOfProduct && ofColumns < mostGroupsOfProduct));
}

/// Whether a tile has the layout of the transposed result of a `wgmma`.
bool isTransposedAccumulator(mlir::RankedTensorType tile, int64_t warps);

} // namespace tilegpt::tilegpu

#endif
