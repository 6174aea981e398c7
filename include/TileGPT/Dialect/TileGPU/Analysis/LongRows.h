// Kernels of long rows, which may be kept in shared memory.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_LONGROWS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_LONGROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Whole rows that a kernel reduces and computes with, one per block or several
/// that begin at the same place of a 16-byte unit, and how they may be kept in
/// shared memory: in such units, at their alignment in memory.
struct LongRows {
  /// Half of the registers of a multiprocessor, minus a thread's other
  /// registers.
  static constexpr int64_t mostInRegisters = 32768;

  /// Maximum number of blocks of a cluster that hold a part of a row each.
  static constexpr int64_t mostParts = 8;

  /// Shorter rows are faster in registers.
  static constexpr int64_t fewestColumns = 2048;

  int64_t columns = 0; ///< of a row
  int64_t unit = 1;    ///< columns that all accesses move at once
  /// Maximum number of columns between the start of a 16-byte unit and the
  /// start of a row.
  int64_t mostBefore = 0;
  /// Row pitch modulo `unit`.
  int64_t pitch = 0;
  llvm::SmallVector<tile::LoadOp> loads;
  llvm::SmallVector<tile::StoreOp> stores;
  /// Number of vectors of row length that all rows share, such as a gain.
  llvm::SmallVector<tile::LoadOp> vectors;
  /// Entries of shorter vectors for each column, such as gains of channels.
  llvm::SmallVector<tile::GatherOp> gathers;
  /// Whether the vectors begin at 16-byte boundaries.
  bool vectorsAreAligned = true;
  /// Whether rows are combined with such vectors, or with column indices.
  bool hasVectors = false;
  llvm::SmallVector<tile::ReduceOp> reductions; ///< of rows
  llvm::SmallVector<tile::ScanOp> scans;        ///< along rows, from the start
  mlir::Value row;                              ///< number of the first one
  int64_t together = 1;                         ///< rows that a block processes
  /// Whether several blocks can process a row together.
  bool canShare = false;
  /// Blocks that hold a part of each row, one in most kernels.
  int64_t parts = 1;
  /// Whether these form no cluster and exchange through global memory.
  bool throughMemory = false;
  /// Whether parts are kept in the registers of their blocks.
  bool inRegisters = false;

  /// Bytes per column of what is loaded and stored of a row.
  int64_t bytesOfRows() const;
  /// Bytes per column of the vectors that all rows share.
  int64_t bytesOfVectors() const;
  /// Bytes per column of the rows and vectors that are loaded.
  int64_t bytesOfLoads() const;
  /// Rows from one to the next that begins at the same place of a unit.
  int64_t getPeriod() const;

  /// Columns of a part of a row, whole units; the last part may have fewer.
  int64_t getColumnsOfPart() const;
  /// Columns of the last part.
  int64_t getColumnsOfLast() const;
  /// Columns of a tile that contains a part for any alignment of the row.
  int64_t getWidth() const;
  /// Pieces in which `warps` process a part in shared memory, and the columns
  /// of each.
  int64_t getPieces(int64_t warps) const;
  int64_t getWidthOfPiece(int64_t warps) const;
  /// Columns that a thread reads at once, of rows and the vectors.
  int64_t getAdjacent() const;
  /// The fewest of up to `warps` whose threads read each piece in as many
  /// steps: more would idle in the last one.
  int64_t getBusyWarps(int64_t warps) const;
  /// Whether the blocks of a cluster keep the parts. Rows in registers, or of a
  /// kernel with vectors or scans, may use clusters of one block.
  bool isInCluster() const {
    return parts > 1 || hasVectors || inRegisters || !scans.empty();
  }
  /// Whether an op stores or updates what all blocks of a row compute alike, so
  /// that one of them does it.
  static bool isUpdate(mlir::Operation *op);
  /// Whether a result is assembled in shared memory: if the units of rows do
  /// not match those of vectors combined with them, so that lanes hold single
  /// elements of less than a word.
  bool leavesThroughShared(tile::StoreOp store) const;
  /// The load whose buffer the blocks of a cluster reuse for the result; null
  /// if the result needs its own.
  tile::LoadOp loadInPlaceOfStore() const;
  /// Whether every part has columns.
  bool fillsParts() const;
  /// Shared memory that a block needs for its part.
  int64_t getSharedBytes() const;
  /// Whether blocks of a device can keep the rows in this many parts.
  bool fitParts(const target::GpuTarget &target) const;
  /// Whether they can in some number of parts.
  bool fit(const target::GpuTarget &target) const;
};

/// How blocks share rows through memory (`tile_gpu.row_blocks`).
struct RowBlocks {
  int64_t blocks = 1;    ///< of each row; one in most kernels
  int64_t residents = 0; ///< that each multiprocessor must have room for
};
RowBlocks rowBlocksOf(tile::KernelOp kernel);

/// The rows of a kernel that only reduces or scans rows of some thousand
/// columns, one per block; nothing for any other kernel.
std::optional<LongRows> findLongRows(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
