// The shared memory through which warps store unaligned rows
// (`tile_gpu.row_store`): planning and use.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_ROWSTORES_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_ROWSTORES_H

#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"

namespace tilegpt::tilegpu {

/// A warp writes eight rows at a time to shared memory; they are stored in
/// units of this many bytes.
inline constexpr int64_t storedRows = 8, rowUnitBytes = 16;

/// Elements per unit.
constexpr int64_t rowUnit(int64_t elementBytes) {
  return rowUnitBytes / elementBytes;
}

/// Padding elements per row in shared memory: a row may start anywhere in a
/// unit, and an odd number of units keeps the eight rows in different banks.
constexpr int64_t paddingOfRow(int64_t columns, int64_t elementBytes) {
  int64_t unit = rowUnit(elementBytes);
  return columns / unit % 2 == 0 ? unit : 2 * unit;
}

/// The largest number of columns, a multiple of 8 and at most `most`, into
/// which a tile can be cut; 0 if that is less than a few units, which threads
/// store directly.
inline int64_t columnsOfRowStore(int64_t columns, int64_t most) {
  constexpr int64_t step = 8, least = 32;
  for (int64_t width = most / step * step; width >= least; width -= step)
    if (columns % width == 0)
      return width;
  return 0;
}

/// The largest number of columns of elements of this size to reserve memory
/// for.
constexpr int64_t mostStoredColumns(int64_t elementBytes) {
  return 768 / elementBytes;
}

/// Whether a tile of rows is stored to dense, unaligned memory rows.
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
