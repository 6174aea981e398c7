// The cost model of products fed by a producer: what it must prefer.
#include "Cost/ProductCost.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <gtest/gtest.h>

namespace tilegpt::tilegpu {
namespace {

constexpr int64_t multiprocessors = 132, aligned = 128, unaligned = 16;

ProductCost costOf(const TiledProduct &product) {
  return costOfProduct(product,
                       llvm::cantFail(target::GpuTarget::find("sm_90a")),
                       multiprocessors);
}

/// A product of M x N x K with 16-bit elements per tile.
TiledProduct product(int64_t m, int64_t n, int64_t k, int64_t tileRows,
                     int64_t tileColumns, int64_t alignment) {
  return {tileRows,
          tileColumns,
          int64_t(llvm::divideCeil(m, tileRows)),
          int64_t(llvm::divideCeil(n, tileColumns)),
          int64_t(llvm::divideCeil(k, 64)),
          alignment};
}

double cyclesOf(int64_t m, int64_t n, int64_t k, int64_t tileRows,
                int64_t tileColumns, int64_t alignment = aligned) {
  return costOf(product(m, n, k, tileRows, tileColumns, alignment)).cycles;
}

TEST(ProductCost, CountsWhatSticksOut) {
  // 8880 is a multiple of 80 but not of 192, which is faster nevertheless.
  EXPECT_LT(cyclesOf(7616, 8880, 4160, 128, 192),
            cyclesOf(7616, 8880, 4160, 128, 80));
  // One tile column more than a wave holds.
  EXPECT_GT(cyclesOf(128, 132 * 192 + 8, 4096, 128, 192),
            1.15 * cyclesOf(128, 132 * 192, 4096, 128, 192));
}

TEST(ProductCost, CreditsNoIdleMultiprocessors) {
  // 480 x 9960 x 3360 in 132 tiles, or in 117 larger transposed ones.
  constexpr int64_t halfLine = 64;
  EXPECT_LT(cyclesOf(480, 9960, 3360, 256, 152, halfLine),
            cyclesOf(9960, 480, 3360, 256, 160, halfLine));
}

TEST(ProductCost, WantsLargerTilesWhereRowsAreNotAligned) {
  EXPECT_LT(cyclesOf(4096, 4096, 4096, 128, 192),
            cyclesOf(4096, 4096, 4104, 128, 192, unaligned));
  EXPECT_LT(cyclesOf(4096, 4096, 4104, 256, 192, unaligned),
            cyclesOf(4096, 4096, 4104, 128, 192, unaligned));
}

/// The cheapest variant with multicast between four blocks.
ProductCost costOfFour(TiledProduct product) {
  product.canMulticast = true;
  ProductCost best{1, Multicast::None, HUGE_VAL, false};
  for (const ProductCost &way :
       waysToShare(product, llvm::cantFail(target::GpuTarget::find("sm_90a")),
                   multiprocessors))
    if (way.getMulticastBlocks() == 4 && way.cycles < best.cycles)
      best = way;
  return best;
}

TEST(ProductCost, OffersMulticastsOfAlignedRowsToTuningOnly) {
  constexpr int64_t line = 128, halfLine = 64;
  auto multicasts = [](int64_t alignment) {
    TiledProduct tiled = product(80, 11376, 7424, 80, 128, alignment);
    tiled.canMulticast = true;
    auto ways =
        waysToShare(tiled, llvm::cantFail(target::GpuTarget::find("sm_90a")),
                    multiprocessors);
    llvm::erase_if(ways, [](const ProductCost &way) {
      return way.multicast == Multicast::None;
    });
    return ways;
  };
  for (const ProductCost &way : multicasts(line))
    EXPECT_TRUE(way.isUncertain);
  for (const ProductCost &way : multicasts(halfLine))
    EXPECT_FALSE(way.isUncertain);
  EXPECT_FALSE(multicasts(line).empty());
  EXPECT_EQ(multicasts(line).size(), multicasts(halfLine).size());
}

TEST(ProductCost, DoubtsClustersOfFourWithFewStages) {
  // 256 + 136 rows leave room for four stages, 256 + 96 for five. By compute
  // and copies alone the order would be the reverse.
  TiledProduct few = product(942, 8000, 5384, 256, 136, unaligned),
               more = product(942, 8000, 5384, 128, 136, unaligned);
  EXPECT_GT(costOfFour(few).cycles / costOf(few).cycles,
            costOfFour(more).cycles / costOf(more).cycles);
}

TEST(ProductCost, StartsClustersOfFourEarly) {
  // 108 blocks leave a fifth of the multiprocessors to the next launch.
  EXPECT_TRUE(costOfFour(product(177, 2272, 9744, 64, 64, unaligned)).overlaps);
  EXPECT_FALSE(costOf(product(177, 2272, 9744, 64, 64, unaligned)).overlaps);
}

TEST(ProductCost, SharesTheDepthOfFewTiles) {
  TiledProduct deep = product(64, 768, 6144, 64, 16, aligned);
  EXPECT_GT(costOf(deep).parts, 1);
  deep.hasKnownGrid = false;
  EXPECT_EQ(costOf(deep).parts, 1);
}

TEST(ProductCost, SplitsTheDepthOfFewTilesThroughMemory) {
  TiledProduct deep = product(64, 64, 65536, 64, 16, aligned);
  EXPECT_EQ(costOf(deep).shares, 1);
  double whole = costOf(deep).cycles;
  deep.canSplit = true;
  ProductCost split = costOf(deep);
  EXPECT_GT(split.shares, 8);
  EXPECT_LE(split.shares * deep.getBlocks(), multiprocessors);
  EXPECT_LT(split.cycles, 0.7 * whole);
  // With the number of shares fixed, the estimate stays the same.
  deep.shares = split.shares;
  EXPECT_EQ(costOf(deep).cycles, split.cycles);
}

TEST(ProductCost, SplitsTransposedProducts) {
  // 145 rows are one tile of 160 columns of the transposed product.
  TiledProduct deep = product(145, 2272, 15776, 160, 128, /*alignment=*/64);
  deep.transpose();
  EXPECT_EQ(deep.tileRows, 128);
  EXPECT_EQ(deep.gridColumns, 1);
  double whole = costOf(deep).cycles;
  deep.canSplit = true;
  EXPECT_EQ(costOf(deep).shares, 7);
  EXPECT_LT(costOf(deep).cycles, 0.5 * whole);
}

TEST(ProductCost, MulticastsWithinAnEntryOfABatch) {
  // Three rows of tiles an entry: in every second cluster of two blocks below
  // each other one does nothing, unlike in those of a single matrix.
  TiledProduct one = product(6 * 3 * 128, 448, 3592, 128, 112, unaligned),
               batch = one;
  batch.batches = 6;
  auto costOfPairs = [](TiledProduct product) {
    product.canMulticast = true;
    auto ways =
        waysToShare(product, llvm::cantFail(target::GpuTarget::find("sm_90a")),
                    multiprocessors);
    const auto *found = llvm::find_if(ways, [](const ProductCost &way) {
      return way.multicast == Multicast::Right && way.sharing == 2;
    });
    return found == ways.end() ? 0 : found->cycles;
  };
  EXPECT_GT(costOfPairs(batch), 1.5 * costOfPairs(one));
  // A single row of tiles shares its columns with no other.
  batch.batches = batch.gridRows;
  EXPECT_EQ(costOfPairs(batch), 0);
}

TEST(ProductCost, TransposesEachEntryOfABatch) {
  TiledProduct batch = product(7 * 3 * 104, 448, 3592, 104, 128, unaligned);
  batch.batches = 7;
  batch.rowsOutside = 7 * 20;
  batch.columnsOutside = 64;
  batch.transpose();
  EXPECT_EQ(batch.gridRows, 7 * 4);
  EXPECT_EQ(batch.gridColumns, 3);
  EXPECT_EQ(batch.rowsOutside, 7 * 64);
  EXPECT_EQ(batch.columnsOutside, 20);
}

/// How many blocks copy for each other, of the ways to share a product that
/// `isWanted` selects.
llvm::SmallVector<int64_t>
sharingOf(const TiledProduct &product,
          llvm::function_ref<bool(const ProductCost &)> isWanted) {
  llvm::SmallVector<int64_t> sharing;
  for (const ProductCost &way :
       waysToShare(product, llvm::cantFail(target::GpuTarget::find("sm_90a")),
                   multiprocessors))
    if (isWanted(way))
      sharing.push_back(way.sharing);
  return sharing;
}

/// The same of the ways in which this number of blocks splits the depth of a
/// tile.
llvm::SmallVector<int64_t> sharingOfSplits(TiledProduct product,
                                           int64_t shares) {
  product.canSplit = product.canMulticast = true;
  return sharingOf(
      product, [&](const ProductCost &way) { return way.shares == shares; });
}

TEST(ProductCost, SplitsCopyForEachOtherWhereClustersDivideTheGrid) {
  // Six, five and eight columns of tiles.
  using Sharing = llvm::SmallVector<int64_t>;
  auto tiled = [](int64_t columns) {
    return product(365, 520, 14840, 128, columns, unaligned);
  };
  EXPECT_EQ(sharingOfSplits(tiled(88), 6), (Sharing{1, 2}));
  EXPECT_EQ(sharingOfSplits(tiled(104), 6), (Sharing{1}));
  EXPECT_EQ(sharingOfSplits(tiled(72), 5), (Sharing{1, 2, 4}));
  TiledProduct three = product(365, 520, 14840, 192, 88, unaligned);
  EXPECT_EQ(sharingOfSplits(three, 6), (Sharing{1, 2, 3}));
  // Of the clusters of four 30 are resident, 32 are not.
  TiledProduct wide = product(128, 32 * 96, 14840, 128, 96, unaligned);
  EXPECT_EQ(sharingOfSplits(wide, 4), (Sharing{1, 2}));
  EXPECT_EQ(sharingOfSplits(wide, 3), (Sharing{1, 2, 4}));
  // A fixed number of shares has the same ways.
  wide.shares = 3;
  EXPECT_EQ(sharingOfSplits(wide, 3), (Sharing{1, 2, 4}));
}

TEST(ProductCost, SplitsAnyDepthThatItCanReduce) {
  // Two blocks would reduce 168 columns each, as 84 are no multiple of 8.
  TiledProduct odd = product(128, 27 * 168, 12328, 128, 168, unaligned);
  EXPECT_TRUE(sharingOfSplits(odd, 2).empty());
  EXPECT_FALSE(sharingOfSplits(odd, 3).empty());
}

TEST(ProductCost, DoubtsSplitsOfDepthsFromMemory) {
  const target::GpuTarget &h200 =
      llvm::cantFail(target::GpuTarget::find("sm_90a"));
  ProductCost split{.shares = 3},
      pairs{.multicast = Multicast::Left, .shares = 3, .sharing = 2};
  TiledProduct deep = product(102, 4416, 14224, 128, 112, /*alignment=*/32);
  EXPECT_GT(doubtOf(deep, split, h200), 1);
  EXPECT_EQ(doubtOf(deep, pairs, h200), doubtOf(deep, split, h200));
  // Misaligned rows are bound by requests, which pairs share.
  deep.alignment = unaligned;
  EXPECT_LT(doubtOf(deep, pairs, h200), doubtOf(deep, split, h200));
  EXPECT_GT(doubtOf(deep, pairs, h200), 1);
  // 49 MB of the 60 of the cache.
  TiledProduct fitting = product(120, 4352, 5376, 128, 120, aligned);
  EXPECT_GT(doubtOf(fitting, split, h200), 1);
  fitting.alignment = unaligned;
  EXPECT_EQ(doubtOf(fitting, split, h200), 1);
  TiledProduct small = product(120, 2048, 5376, 128, 120, aligned);
  EXPECT_EQ(doubtOf(small, split, h200), 1);
}

TEST(ProductCost, PrefersLaunchesThatLeaveRoomForTheNext) {
  // 66 blocks leave half of the multiprocessors, 68 do not.
  double half = cyclesOf(64, 66 * 64, 512, 64, 64),
         more = cyclesOf(64, 68 * 64, 512, 64, 64);
  EXPECT_LT(half + 300, more);
}

TEST(ProductCost, SplitsTheDepthOfLaunchesBesideTheNext) {
  // In a sequence, 64 pairs of blocks take 2.9 us, 64 blocks 3.4, and 128 pairs
  // 3.0 (H200).
  EXPECT_EQ(costOf(product(16, 3072, 768, 16, 48, aligned)).parts, 2);
  EXPECT_LT(cyclesOf(16, 3072, 768, 16, 48), cyclesOf(16, 3072, 768, 16, 24));
}

TEST(ProductCost, SplitsNothingThatGainsLessThanTheMeetingTakes) {
  TiledProduct shallow = product(64, 64, 1024, 64, 16, aligned);
  shallow.canSplit = true;
  EXPECT_EQ(costOf(shallow).shares, 1);
  // Every multiprocessor has a tile.
  TiledProduct wide = product(64, 132 * 64, 65536, 64, 64, aligned);
  wide.canSplit = true;
  EXPECT_EQ(costOf(wide).shares, 1);
}

TEST(ProductCost, SharesOutColumnsInStepsOfEight) {
  EXPECT_EQ(columnsOfShare(128, 1), 128);
  EXPECT_EQ(columnsOfShare(128, 2), 64);
  EXPECT_EQ(columnsOfShare(128, 3), 64);
  EXPECT_EQ(columnsOfShare(88, 7), 88);
  EXPECT_EQ(columnsOfShare(96, 7), 16);
  EXPECT_EQ(columnsOfShare(64, 33), 8);
  EXPECT_EQ(columnsOfShare(8, 33), 8);
}

TEST(ProductCost, SharesOnlyWhatFits) {
  // Two blocks of 256 x 104 would exchange more than fits into shared memory
  // next to three stages.
  EXPECT_EQ(costOf(product(412, 6240, 8192, 256, 104, unaligned)).parts, 1);
  // Clusters that do not all run at once are no help.
  EXPECT_EQ(costOf(product(1024, 768, 6144, 64, 64, aligned)).parts, 1);
}

TEST(ProductCost, CopiesForOtherBlocksWhereCopiesBound) {
  TiledProduct unlike = product(4096, 4096, 4104, 128, 128, unaligned);
  double alone = costOf(unlike).cycles;
  EXPECT_EQ(costOf(unlike).multicast, Multicast::None);
  unlike.canMulticast = true;
  EXPECT_NE(costOf(unlike).multicast, Multicast::None);
  EXPECT_LT(costOf(unlike).cycles, alone);
  // With aligned rows the tensor cores are the bottleneck.
  TiledProduct even = product(4096, 4096, 4096, 128, 256, aligned);
  even.canMulticast = true;
  EXPECT_EQ(costOf(even).multicast, Multicast::None);
}

TEST(ProductCost, CopiesForOtherBlocksOnlyInEqualParts) {
  auto waysOf = [](TiledProduct product, Multicast multicast) {
    product.canMulticast = true;
    return sharingOf(product, [&](const ProductCost &way) {
      return way.multicast == multicast;
    });
  };
  using Sharing = llvm::SmallVector<int64_t>;
  // 104 columns have two and four equal parts, 120 also three.
  EXPECT_EQ(
      waysOf(product(4104, 4104, 4104, 128, 104, unaligned), Multicast::Right),
      (Sharing{2, 4}));
  EXPECT_EQ(
      waysOf(product(4104, 4104, 4104, 128, 120, unaligned), Multicast::Right),
      (Sharing{2, 3, 4}));
  // Of an operand that does not run along the depth, each block copies half a
  // step.
  TiledProduct across = product(4104, 4104, 4104, 128, 184, unaligned);
  across.columnUnit = 64;
  EXPECT_EQ(waysOf(across, Multicast::Right), (Sharing{2}));
  // A single tile: no block to share with.
  TiledProduct single = product(128, 128, 4104, 128, 128, unaligned);
  single.canMulticast = true;
  EXPECT_EQ(costOf(single).multicast, Multicast::None);
}

TEST(ProductCost, CopiesBothOperandsForOtherBlocksWhereManyClustersFit) {
  // 106 tiles of a long depth, bound by their copies.
  TiledProduct deep = product(3392, 270, 13064, 64, 144, unaligned);
  deep.canMulticast = true;
  EXPECT_EQ(costOf(deep).multicast, Multicast::Both);
  // With one row of tiles, no block can share the right operand.
  TiledProduct flat = product(64, 8192, 13064, 64, 64, unaligned);
  flat.canMulticast = true;
  EXPECT_FALSE(sharesRight(costOf(flat).multicast));
}

TEST(ProductCost, LetsMoreBlocksCopyForEachOtherWhereTheyAreSideBySide) {
  const target::GpuTarget &h200 =
      llvm::cantFail(target::GpuTarget::find("sm_90a"));
  auto sharingOf = [&](const TiledProduct &product, Multicast multicast) {
    llvm::SmallVector<int64_t> sharing;
    for (const ProductCost &way : waysToShare(product, h200, multiprocessors))
      if (way.multicast == multicast && way.shares == 1)
        sharing.push_back(way.sharing);
    return sharing;
  };
  TiledProduct wide = product(128, 64 * 128, 4104, 128, 64, unaligned);
  wide.canMulticast = true;
  // 128 rows have two and four equal parts; there is no block below.
  EXPECT_EQ(sharingOf(wide, Multicast::Left),
            (llvm::SmallVector<int64_t>{2, 4}));
  EXPECT_TRUE(sharingOf(wide, Multicast::Right).empty());
  // Three tiles side by side; and 48 rows, which also have three equal parts.
  TiledProduct narrow = product(128, 3 * 128, 4104, 128, 128, unaligned);
  narrow.canMulticast = true;
  EXPECT_EQ(sharingOf(narrow, Multicast::Left),
            (llvm::SmallVector<int64_t>{2}));
  TiledProduct odd = product(48, 64 * 128, 4104, 48, 64, unaligned);
  odd.canMulticast = true;
  EXPECT_EQ(sharingOf(odd, Multicast::Left),
            (llvm::SmallVector<int64_t>{2, 3, 4}));
  // Square clusters have two blocks per side.
  TiledProduct tall = product(64 * 128, 64 * 128, 4104, 128, 128, unaligned);
  tall.canMulticast = true;
  EXPECT_EQ(sharingOf(tall, Multicast::Both), (llvm::SmallVector<int64_t>{2}));
}

TEST(ProductCost, AvoidsRowsBehindTheEnd) {
  // 142 rows in two tiles of 128, or of 72.
  TiledProduct large = product(142, 6248, 1944, 128, 112, unaligned),
               fitting = product(6248, 142, 1944, 128, 72, unaligned);
  large.rowsOutside = 2 * 128 - 142;
  fitting.isTransposed = true;
  fitting.columnsOutside = 2 * 72 - 142;
  EXPECT_LT(costOf(fitting).cycles, 0.9 * costOf(large).cycles);
  // Rows that no block has to copy make it cheaper.
  double all = costOf(large).cycles;
  large.rowsOutside = 0;
  EXPECT_LT(costOf(large).cycles, all);
}

TEST(ProductCost, CountsNoRowsBehindTheEndOfShiftedTiles) {
  const target::GpuTarget &h200 =
      llvm::cantFail(target::GpuTarget::find("sm_90a"));
  TiledProduct outside = product(202, 3952, 3384, 128, 80, unaligned);
  outside.rowsOutside = 2 * 128 - 202;
  TiledProduct shifted = outside, inside = outside;
  shifted.shiftsRows = true;
  inside.rowsOutside = 0;
  // Except for memory traffic: rows that are multiplied twice are loaded once.
  double all = waysToShare(inside, h200, multiprocessors).front().cycles;
  EXPECT_LE(waysToShare(shifted, h200, multiprocessors).front().cycles, all);
  EXPECT_GT(waysToShare(shifted, h200, multiprocessors).front().cycles,
            0.99 * all);
  EXPECT_LT(waysToShare(shifted, h200, multiprocessors).front().cycles,
            waysToShare(outside, h200, multiprocessors).front().cycles);
  // Clusters that split the depth do not shift their tiles.
  auto inClusters = [&](const TiledProduct &product) {
    for (const ProductCost &way : waysToShare(product, h200, multiprocessors))
      if (way.parts == 2)
        return way.cycles;
    return 0.0;
  };
  TiledProduct few = product(100, 528, 4096, 64, 24, unaligned);
  few.rowsOutside = 2 * 64 - 100;
  double cycles = inClusters(few);
  few.shiftsRows = true;
  EXPECT_GT(cycles, 0);
  EXPECT_EQ(inClusters(few), cycles);
}

TEST(ProductCost, CountsResults) {
  TiledProduct narrow = product(6726, 12568, 272, 128, 192, unaligned);
  double cycles = costOf(narrow).cycles;
  narrow.resultBytes = 4;
  EXPECT_GT(costOf(narrow).cycles, cycles);
  // Two tiles that overlap store as much as two that do not.
  TiledProduct overlapping = product(195, 14368, 264, 128, 128, unaligned);
  overlapping.rowsOutside = 2 * 128 - 195;
  overlapping.shiftsRows = true;
  EXPECT_EQ(costOf(overlapping).cycles,
            cyclesOf(256, 14368, 264, 128, 128, unaligned));
}

TEST(ProductCost, CountsWholePanels) {
  TiledProduct across = product(4096, 4096, 4096, 64, 80, aligned);
  double cycles = costOf(across).cycles;
  across.columnUnit = 64;
  EXPECT_GT(costOf(across).cycles, cycles);
}

TEST(ProductCost, ComputesTheFirstOperandOfEachTileBeforeItsDots) {
  // i8 weights, 8176 x 6435 x 160: with three steps, larger tiles are faster.
  constexpr int64_t sectorAligned = 32;
  auto cycles = [](int64_t columns) {
    TiledProduct computed =
        product(8176, 6435, 160, 128, columns, sectorAligned);
    computed.hasKnownGrid = computed.canTakeTurns = false;
    computed.rowCopies = 0.5;
    computed.operandCycles = computingCycles(computed.tileRows);
    return costOf(computed).cycles;
  };
  EXPECT_LT(cycles(248), cycles(184));
}

TEST(ProductCost, StartsEarlyUnlessThatScattersALongLaunch) {
  // 96 blocks leave room for part of the next launch: short launches gain
  // nevertheless, long ones do not.
  EXPECT_TRUE(costOf(product(64, 96 * 64, 512, 64, 64, aligned)).overlaps);
  EXPECT_FALSE(costOf(product(64, 96 * 64, 16384, 64, 64, aligned)).overlaps);
  // 40 blocks leave room for all of it, 132 for none, and several waves fill
  // all multiprocessors.
  EXPECT_TRUE(costOf(product(64, 40 * 64, 16384, 64, 64, aligned)).overlaps);
  EXPECT_TRUE(costOf(product(64, 132 * 64, 16384, 64, 64, aligned)).overlaps);
  EXPECT_TRUE(costOf(product(128, 200 * 64, 16384, 64, 64, aligned)).overlaps);
}

TEST(ProductCost, TurnsHideStores) {
  TiledProduct large = product(8192, 4800, 1600, 128, 200, aligned);
  double hidden = costOf(large).cycles;
  large.canTakeTurns = false;
  EXPECT_GT(costOf(large).cycles, hidden);
}

} // namespace
} // namespace tilegpt::tilegpu
