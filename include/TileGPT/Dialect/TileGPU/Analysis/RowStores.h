// The shared memory through which warps store rows that begin anywhere
// (`tile_gpu.row_store`): what is planned for it and what becomes of the plan.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_ROWSTORES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_ROWSTORES_H

#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"

namespace tilegpt::tilegpu {

/// A warp brings eight rows at a time to shared memory; they leave by units of
/// so many bytes.
inline constexpr int64_t storedRows = 8, rowUnitBytes = 16;

/// Elements of a unit.
constexpr int64_t rowUnit(int64_t elementBytes) {
  return rowUnitBytes / elementBytes;
}

/// Elements behind a row of shared memory: it begins anywhere in a unit, and an
/// odd number of units keeps the eight rows in different banks.
constexpr int64_t paddingOfRow(int64_t columns, int64_t elementBytes) {
  int64_t unit = rowUnit(elementBytes);
  return columns / unit % 2 == 0 ? unit : 2 * unit;
}

/// The most columns, a multiple of 8 and at most `most`, that a tile can be cut
/// into; 0 where that is less than a few units, which threads better store for
/// themselves.
inline int64_t columnsOfRowStore(int64_t columns, int64_t most) {
  constexpr int64_t step = 8, least = 32;
  for (int64_t width = most / step * step; width >= least; width -= step)
    if (columns % width == 0)
      return width;
  return 0;
}

/// The most columns of elements of so many bytes that there should be room for.
constexpr int64_t mostStoredColumns(int64_t elementBytes) {
  return 768 / elementBytes;
}

/// Whether a tile of rows goes to memory where they are dense and begin
/// anywhere in a sector.
inline bool hasCutRows(tile::StoreOp store, IndexFacts &facts) {
  constexpr int64_t sectorBytes = 32;
  ViewFacts view = facts.ofView(store.getView());
  tile::Interval columns = view.strides.back().range;
  auto tile = mlir::cast<mlir::RankedTensorType>(store.getValue().getType());
  int64_t sector = sectorBytes / memoryBytes(tile.getElementType());
  return columns.lo == 1 && columns.hi == 1 &&
         (view.alignment % sectorBytes != 0 ||
          !view.strides.front().isMultipleOf(sector));
}

} // namespace tilegpt::tilegpu

#endif
