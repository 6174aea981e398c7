// Models the time of a product fed by a producer, to choose tiles and plans.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_PRODUCTCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COST_PRODUCTCOST_H

#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace tilegpt::tilegpu {

/// Tiles that two teams can work on in turns: wide enough for one team to keep
/// the tensor cores busy, with few enough accumulators for one warp group.
inline constexpr int64_t teamRows = 128, leastTeamColumns = 128,
                         mostTeamColumns = 200;

/// The operand that the blocks of a cluster multicast: the lhs, whose rows
/// blocks side by side share; the rhs, whose columns blocks below each other
/// share; or both, if the cluster is a square of blocks.
enum class Multicast { None, Left, Right, Both };

/// Blocks that multicast an operand to each other: those of a cluster, or of
/// one side of the square.
inline constexpr int64_t fewestSharing = 2, mostSharing = 4;

/// Whether each block copies only a part of the operand.
inline bool sharesLeft(Multicast multicast) {
  return multicast == Multicast::Left || multicast == Multicast::Both;
}
inline bool sharesRight(Multicast multicast) {
  return multicast == Multicast::Right || multicast == Multicast::Both;
}

/// A tiled product. Rows and columns are those of the matrix instructions'
/// result, which may be the transposed product.
struct TiledProduct {
  int64_t tileRows, tileColumns;
  /// Tiles along the rows and columns of the result.
  int64_t gridRows, gridColumns;
  /// Steps along the depth, of 128 bytes.
  int64_t steps;
  /// Alignment of the operands' rows in bytes, a power of two.
  int64_t alignment;
  /// Whether the number of blocks is known at compile time; split-K needs it.
  bool hasKnownGrid = true;
  /// Whether teams may take turns, one storing while the other multiplies.
  bool canTakeTurns = true;
  /// Whether the blocks of a cluster run their loops in lockstep.
  bool canMulticast = false;
  /// Whether it is the transposed product: blocks walk bands of columns.
  bool isTransposed = false;
  /// The granularity of copied rows and columns: an operand whose contiguous
  /// axis is not the depth is copied in panels.
  int64_t rowUnit = 1, columnUnit = 1;
  /// Rows and columns of the last tiles that lie outside the result. Tiles that
  /// may shift inward (`--tile-gpu-shift-tiles`) have some only if the depth is
  /// split.
  int64_t rowsOutside = 0, columnsOutside = 0;
  bool shiftsRows = false, shiftsColumns = false;
  /// Bytes of an element of the result.
  int64_t resultBytes = 2;
  /// Whether blocks of the grid may split the depth through memory, and the
  /// number of splits, if that is decided.
  bool canSplit = false;
  int64_t shares = 1;
  /// The iterations that blocks which split the depth divide evenly, since none
  /// may run past its end; 0 if they may.
  int64_t evenIterations = 0;
  /// Cycles of a step in which warp groups compute or copy operands.
  double computeCycles = 0;
  /// Cycles of a step in which warp groups compute the left operand in
  /// registers from tiles that the producer copies, while dots run; 0 if they
  /// do not.
  double operandCycles = 0;
  /// Rows of 128 bytes that a step copies for each row and column: of all tiles
  /// that an operand is computed from, which may have wider or narrower
  /// elements.
  double rowCopies = 1, columnCopies = 1;
  /// Entries of a batch, whose rows of tiles follow each other in `gridRows`.
  int64_t batches = 1;

  int64_t getBlocks() const { return gridRows * gridColumns; }
  /// Tiles that share columns of the right operand.
  int64_t getRowsOfBatch() const { return gridRows / batches; }
  /// Makes it the transposed product.
  void transpose() {
    isTransposed = !isTransposed;
    std::swap(tileRows, tileColumns);
    std::swap(gridRows, gridColumns);
    gridRows *= batches;
    gridColumns /= batches;
    std::swap(rowUnit, columnUnit);
    std::swap(rowCopies, columnCopies);
    std::swap(rowsOutside, columnsOutside);
    rowsOutside *= batches;
    columnsOutside /= batches;
    std::swap(shiftsRows, shiftsColumns);
  }
  /// Whether teams take turns on this number of multiprocessors.
  bool takesTurns(int64_t multiprocessors) const {
    return canTakeTurns && getBlocks() > multiprocessors &&
           tileRows == teamRows && tileColumns >= leastTeamColumns &&
           tileColumns <= mostTeamColumns;
  }
};

/// Columns of a tile that each block reduces after split-K: the least multiple
/// of 8, the granularity of `wgmma`, with which the blocks cover all columns.
int64_t columnsOfShare(int64_t columns, int64_t blocks);

/// Cycles of a step in which threads round and transpose operands of this tile
/// to tf32, and by which its dot from registers takes longer.
double roundingCycles(int64_t rows, int64_t columns);

/// Cycles of a step of 128 bytes in which threads compute the left operand of
/// these rows from copied tiles.
double computingCycles(int64_t rows);

/// Cycles of a step in which threads copy operands of this tile without a
/// producer.
/// \param alignment  of the operands' rows in bytes: no unit that is copied is
/// wider, and none is narrower than a word; narrower ones pass registers.
double copyingCycles(int64_t rows, int64_t columns, int64_t alignment);

/// How blocks share a product, with an estimate of the cycles.
struct ProductCost {
  /// Blocks of a cluster that split the depth of their tiles.
  int64_t parts = 1;
  Multicast multicast = Multicast::None;
  double cycles = 0;
  /// Whether launching early (programmatic dependent launch) pays off.
  bool overlaps = false;
  /// Whether ptxas may run out of registers, or the model's rates were not
  /// fitted to such ways: tuning measures them, but none is chosen.
  bool isUncertain = false;
  /// Blocks of the grid that split the depth of a tile through memory.
  int64_t shares = 1;
  /// Blocks that multicast an operand to each other.
  int64_t sharing = 1;

  /// Blocks of a cluster that multicast operands.
  int64_t getMulticastBlocks() const {
    return multicast == Multicast::Both ? sharing * sharing : sharing;
  }
};

/// All ways to share a product among the blocks on a number of multiprocessors;
/// the first one shares nothing.
llvm::SmallVector<ProductCost> waysToShare(const TiledProduct &product,
                                           const target::GpuTarget &target,
                                           int64_t multiprocessors);

/// The cycles of one way to share a product with the rates of a model, valid or
/// not; HUGE_VAL if its clusters do not fit the device.
double cyclesOf(const TiledProduct &product, const ProductCost &way,
                const target::GpuModel &model, int64_t multiprocessors);

/// The factor, at least 1, by which waysToShare() raises these cycles because
/// estimates of such ways are too low.
double doubtOf(const TiledProduct &product, const ProductCost &way,
               const target::GpuTarget &target);

/// The cheapest of them, except for uncertain ones; the first must be certain.
ProductCost cheapestOf(llvm::ArrayRef<ProductCost> ways);

/// The cheapest way to compute a product on a number of multiprocessors.
ProductCost costOfProduct(const TiledProduct &product,
                          const target::GpuTarget &target,
                          int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
