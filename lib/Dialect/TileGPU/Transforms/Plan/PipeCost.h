// How long a kernel takes that a producer feeds: what tiles and plans are
// chosen by.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PIPECOST_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_PLAN_PIPECOST_H

#include <cstdint>

namespace tilegpt::tilegpu {

/// Tiles that two teams work on in turns: wide enough to keep the tensor cores
/// busy alone, few enough accumulators for one warp group.
inline constexpr int64_t teamRows = 128, leastTeamColumns = 128,
                         mostTeamColumns = 200;

/// A product cut into tiles.
struct TiledProduct {
  int64_t tileRows, tileColumns;
  /// Tiles along the rows and columns of the result.
  int64_t gridRows, gridColumns;
  /// Steps along the depth, of 128 bytes.
  int64_t steps;

  int64_t getBlocks() const { return gridRows * gridColumns; }
};

/// How blocks share a product, and about how many cycles that takes.
struct PipeCost {
  /// Blocks that share out the depth of their tiles.
  int64_t parts;
  int64_t cycles;
};

/// The cheapest way to compute a product on so many multiprocessors.
PipeCost costOfPipe(const TiledProduct &product, int64_t multiprocessors);

} // namespace tilegpt::tilegpu

#endif
