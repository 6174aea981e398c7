// Kernels of long rows, which may be kept in shared memory.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_LONGROWS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_LONGROWS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include <optional>

namespace tilegpt::tilegpu {

/// Whole rows, one a block, that a kernel reduces and computes with, and how
/// they may be kept in shared memory: in units of 16 bytes, as they lie in
/// their arguments.
struct LongRows {
  /// Half of the registers of a multiprocessor, less what else a thread needs.
  static constexpr int64_t mostInRegisters = 32768;

  /// The most blocks of a cluster that have a part of a row each.
  static constexpr int64_t mostParts = 8;

  /// Shorter rows are best in registers.
  static constexpr int64_t fewestColumns = 2048;

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
  /// Whether rows meet such vectors, or the numbers of their columns.
  bool hasVectors = false;
  llvm::SmallVector<tile::ReduceOp> reductions; ///< of rows
  llvm::SmallVector<tile::ScanOp> scans;        ///< along rows, from the start
  mlir::Value row;                              ///< its number
  /// Whether the blocks of a cluster can make a row together.
  bool canShare = false;
  /// Blocks of a cluster that have a part of each row, one in most kernels.
  int64_t parts = 1;
  /// Whether parts are kept in the registers of their blocks.
  bool inRegisters = false;

  /// Columns of a part of a row, whole units; the last part may have less.
  int64_t getColumnsOfPart() const;
  /// Columns of the last part.
  int64_t getColumnsOfLast() const;
  /// Columns of a tile that a part lies in wherever the row begins.
  int64_t getWidth() const;
  /// Whether parts are kept by the blocks of a cluster. Rows in registers, or
  /// of a kernel with vectors or scans, may be those of a cluster of one block.
  bool isInCluster() const {
    return parts > 1 || hasVectors || inRegisters || !scans.empty();
  }
  /// Whether a result is put together in shared memory: where units of rows are
  /// none of the vectors that they meet, and so lanes hold single elements of
  /// less than a word.
  bool leavesThroughShared(tile::StoreOp store) const;
  /// The load whose place in shared memory the blocks of a cluster give to the
  /// result; null where it needs a place of its own.
  tile::LoadOp loadInPlaceOfStore() const;
  /// Whether there are columns for every part.
  bool fillsParts() const;
  /// Shared memory that a block needs for its part.
  int64_t getSharedBytes() const;
  /// Whether blocks of a device can keep the rows in so many parts.
  bool fitParts(const target::GpuTarget &target) const;
  /// Whether they can in some number of parts.
  bool fit(const target::GpuTarget &target) const;
};

/// The rows of a kernel that reduces or scans rows of some thousand columns,
/// one a block, and does nothing else; nothing for any other kernel.
std::optional<LongRows> findLongRows(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
