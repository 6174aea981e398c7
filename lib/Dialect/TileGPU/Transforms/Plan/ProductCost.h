// How long a product takes that a producer feeds: what tiles and plans are
// chosen by.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTCOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PRODUCTCOST_H

#include "TileGPT/Target/NVVM/GpuModel.h"
#include <cstdint>

namespace tilegpt::tilegpu {

/// Tiles that two teams work on in turns: wide enough to keep the tensor cores
/// busy alone, few enough accumulators for one warp group.
inline constexpr int64_t teamRows = 128, leastTeamColumns = 128,
                         mostTeamColumns = 200;

/// Which operand two blocks of a cluster copy for each other: the left one,
/// whose rows blocks side by side share, or the right one, whose columns blocks
/// below each other share.
enum class Multicast { None, Left, Right };

inline constexpr int64_t multicastBlocks = 2;

/// A product cut into tiles.
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

  int64_t getBlocks() const { return gridRows * gridColumns; }
};

/// How blocks share a product, and about how many cycles that takes.
struct ProductCost {
  /// Blocks of a cluster that share out the depth of their tiles.
  int64_t parts;
  Multicast multicast;
  double cycles;
};

/// The cheapest way to compute a product on so many multiprocessors of a
/// device.
ProductCost costOfProduct(const TiledProduct &product,
                          const target::GpuTarget &target,
                          int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
