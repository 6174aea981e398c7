// Kernels whose rows are too long to be kept in registers.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_LONGROWS_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_LONGROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Kernels and functions that read such rows from shared memory have this.
inline constexpr llvm::StringLiteral stagedRowsName = "tile_gpu.staged_rows";

/// Whole rows, one a block, that a kernel reduces and computes with. They lie
/// in shared memory, in units of 16 bytes, as they do in their arguments.
struct LongRows {
  int64_t columns = 0; ///< of a row
  int64_t unit = 1;    ///< columns that all accesses move at once
  /// Columns between the start of a unit and the start of a row, at most.
  int64_t mostBefore = 0;
  /// Distance of rows modulo `unit`.
  int64_t pitch = 0;
  llvm::SmallVector<tile::LoadOp> loads;
  llvm::SmallVector<tile::StoreOp> stores;
  /// Of vectors as long as a row that all rows share, as a gain.
  llvm::SmallVector<tile::LoadOp> vectors;
  mlir::Value row; ///< its number
  /// Blocks for which a multiprocessor has shared memory at a time, up to two.
  int64_t blocks = 1;
  /// Blocks of a cluster that have a part of each row, one in most kernels.
  int64_t parts = 1;

  /// Columns of a part of a row, whole units; the last part may have less.
  int64_t getColumnsOfPart() const;
  /// Columns of a tile that a part lies in wherever the row begins.
  int64_t getWidth() const;
};

/// Nothing for kernels that do something else, for rows that two blocks have
/// room for in the registers of a multiprocessor, and for those that do not fit
/// in the shared memory of a cluster.
std::optional<LongRows> findLongRows(tile::KernelOp kernel,
                                     const target::GpuTarget &target);

/// Has the blocks of a cluster, or one by itself, keep a part each of the rows
/// of all of them, one row after the other; they meet for each reduction.
void stageRowsInCluster(tile::KernelOp kernel, const LongRows &rows);

} // namespace tilegpt::tilegpu

#endif
