// How long a product takes that a producer feeds: what tiles and plans are
// chosen by.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTCOST_H

#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace tilegpt::tilegpu {

/// Tiles that two teams work on in turns: wide enough to keep the tensor cores
/// busy alone, few enough accumulators for one warp group.
inline constexpr int64_t teamRows = 128, leastTeamColumns = 128,
                         mostTeamColumns = 200;

/// Which operand blocks of a cluster copy for each other: the left one, whose
/// rows blocks side by side share, or the right one, whose columns blocks below
/// each other share; or both, where the blocks of a cluster are a square.
enum class Multicast { None, Left, Right, Both };

/// Blocks that copy an operand for each other: those of a cluster, or of a side
/// of the square.
inline constexpr int64_t fewestSharing = 2, mostSharing = 4;

/// Of which operand each block copies a part.
inline bool sharesLeft(Multicast multicast) {
  return multicast == Multicast::Left || multicast == Multicast::Both;
}
inline bool sharesRight(Multicast multicast) {
  return multicast == Multicast::Right || multicast == Multicast::Both;
}

/// A product cut into tiles. Rows and columns are those of what the matrix
/// instructions make, which may be the transposed result.
struct TiledProduct {
  int64_t tileRows, tileColumns;
  /// Tiles along the rows and columns of the result.
  int64_t gridRows, gridColumns;
  /// Steps along the depth, of 128 bytes.
  int64_t steps;
  /// Bytes, a power of two, that rows of the operands begin at multiples of.
  int64_t alignment;
  /// Whether the plan will know how many blocks there are: otherwise they do
  /// not share out the depth.
  bool hasKnownGrid = true;
  /// Whether teams may take turns, one storing while the other multiplies.
  bool canTakeTurns = true;
  /// Whether blocks of a cluster go through their loops in step.
  bool canMulticast = false;
  /// Whether it is the transposed result: blocks walk bands of columns.
  bool isTransposed = false;
  /// What rows and columns are copied in multiples of: an operand that does not
  /// run along the depth comes in panels.
  int64_t rowUnit = 1, columnUnit = 1;
  /// Rows and columns of the tiles that stick out of the result, which tiles
  /// that may begin earlier (`--tile-gpu-shift-tiles`) do only where blocks
  /// share out the depth.
  int64_t rowsOutside = 0, columnsOutside = 0;
  bool shiftsRows = false, shiftsColumns = false;
  /// Of an element of the result.
  int64_t resultBytes = 2;
  /// Whether blocks of the grid may share out the depth through memory; and how
  /// many of them do, where that is decided.
  bool canSplit = false;
  int64_t shares = 1;

  int64_t getBlocks() const { return gridRows * gridColumns; }
  /// Whether teams do take turns, on so many multiprocessors.
  bool takesTurns(int64_t multiprocessors) const {
    return canTakeTurns && getBlocks() > multiprocessors &&
           tileRows == teamRows && tileColumns >= leastTeamColumns &&
           tileColumns <= mostTeamColumns;
  }
};

/// Columns of a tile that each of the first blocks adds up of those that share
/// out its depth: as few as have all columns done, in the steps of 8 that
/// `wgmma` has them in.
int64_t columnsOfShare(int64_t columns, int64_t blocks);

/// How blocks share a product, and about how many cycles that takes.
struct ProductCost {
  /// Blocks of a cluster that share out the depth of their tiles.
  int64_t parts;
  Multicast multicast;
  double cycles;
  /// Whether the launch gains by starting before the one in front has ended.
  bool overlaps;
  /// Whether ptxas may find too few registers for it: it is never the
  /// cheapest.
  bool isUncertain = false;
  /// Blocks of the grid that share out the depth of a tile through memory.
  int64_t shares = 1;
  /// Blocks that copy an operand for each other.
  int64_t sharing = 1;

  /// Blocks of a cluster that copy operands for each other.
  int64_t getMulticastBlocks() const {
    return multicast == Multicast::Both ? sharing * sharing : sharing;
  }
};

/// All ways in which blocks can share a product on so many multiprocessors of a
/// device; the first shares nothing.
llvm::SmallVector<ProductCost> waysToShare(const TiledProduct &product,
                                           const target::GpuTarget &target,
                                           int64_t multiprocessors);

/// The one of them that takes the least time, but for uncertain ones; the first
/// must not be one.
ProductCost cheapestOf(llvm::ArrayRef<ProductCost> ways);

/// The cheapest way to compute a product on so many multiprocessors of a
/// device.
ProductCost costOfProduct(const TiledProduct &product,
                          const target::GpuTarget &target,
                          int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
