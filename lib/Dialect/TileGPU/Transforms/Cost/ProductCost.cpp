// A model of a main loop's time. Its form follows measurements on an H200: the
// time of a step combines that of the tensor cores, of the multiprocessor's
// copies, and of the copies of all multiprocessors; the slowest hides most of
// the others. A misaligned row takes two cache lines instead of one; an
// out-of-bounds row, which TMA fills with zeros, takes longer than any other.
#include "Cost/ProductCost.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tilegpt::tilegpu {

using target::GpuModel;

/// Combines times of which the longest hides most of the others: the fourth
/// root of the sum of their fourth powers.
static double together(std::initializer_list<double> cycles) {
  double sum = 0;
  for (double each : cycles)
    sum += each * each * each * each;
  return std::sqrt(std::sqrt(sum));
}

/// Blocks that run at a time if clusters of this size fill the multiprocessors.
static int64_t residentBlocks(int64_t cluster, const GpuModel &model,
                              int64_t multiprocessors) {
  return model.clusters[cluster - 2] * cluster * multiprocessors /
         model.multiprocessors;
}

namespace {
class Estimate {
public:
  Estimate(const TiledProduct &product, const GpuModel &model,
           int64_t multiprocessors)
      : product(product), model(model), rates(model.products),
        multiprocessors(multiprocessors) {}

  ProductCost of(int64_t parts) const {
    int64_t columns = product.tileColumns * parts, slots = getSlots(parts),
            blocks = product.getBlocks(),
            waves = llvm::divideCeil(blocks, slots);
    auto steps = int64_t(llvm::divideCeil(product.steps, parts));
    double main =
        double(steps) * (double(waves - 1) * stepCycles(columns, slots) +
                         stepCycles(columns, blocks - (waves - 1) * slots));
    // Each tile computes the operand of its first step before any dot.
    double cycles = launchCycles(parts > 1 && fillsRing(columns, steps)) +
                    together({main, memoryCycles(/*mayShift=*/parts == 1)}) +
                    storeCycles(waves) + double(waves) * product.operandCycles;
    if (parts > 1)
      cycles += double((parts - 1) * product.tileRows * product.tileColumns) /
                rates.exchangedPerCycle;
    return {parts, Multicast::None, cycles, overlaps(waves, cycles)};
  }

  /// The cost if blocks of a cluster multicast operands. If the cluster does
  /// not divide the grid, its last blocks do useless work.
  ProductCost of(Multicast multicast, int64_t sharing) const {
    int64_t below = sharesRight(multicast) ? sharing : 1,
            beside = sharesLeft(multicast) ? sharing : 1,
            cluster = below * beside,
            blocks = product.batches *
                     llvm::alignTo(product.getRowsOfBatch(), below) *
                     llvm::alignTo(product.gridColumns, beside);
    // A launch has a block for every tile, and then whole clusters.
    int64_t slots =
        std::min<int64_t>(llvm::alignTo(product.getBlocks(), cluster),
                          residentBlocks(cluster, model, multiprocessors));
    ProductCost cost{1, multicast, HUGE_VAL, /*overlaps=*/true};
    cost.sharing = sharing;
    if (slots == 0)
      return cost;
    int64_t waves = llvm::divideCeil(blocks, slots);
    double main = double(product.steps) *
                  (double(waves - 1) * stepCycles(product.tileColumns, slots,
                                                  multicast, sharing) +
                   stepCycles(product.tileColumns, blocks - (waves - 1) * slots,
                              multicast, sharing));
    if (cluster > fewestSharing)
      main += double(waves) * rates.clusterTileCycles;
    cost.cycles = launchCycles() + rates.multicastCycles +
                  together({main, memoryCycles(/*mayShift=*/true)}) +
                  storeCycles(waves);
    // Clusters of four start together wherever they fit: an early start was 2
    // to 6 % faster in all measurements.
    cost.overlaps = cluster > fewestSharing || overlaps(waves, cost.cycles);
    return cost;
  }

  /// Blocks that run at a time: one cluster fewer than fit, since blocks of the
  /// previous launch may still occupy an unknown place.
  int64_t getSlots(int64_t parts) const {
    if (parts == 1)
      return multiprocessors;
    int64_t clusters = model.clusters[parts - 2];
    return clusters <= 1 ? 0
                         : (clusters - 1) * parts * multiprocessors /
                               model.multiprocessors;
  }

private:
  /// Cycles per step along the depth if `blocks` blocks work on tiles of
  /// `columns` columns.
  double stepCycles(int64_t columns, int64_t blocks,
                    Multicast multicast = Multicast::None,
                    int64_t sharing = 1) const {
    // Rows that a block requests, and rows that it receives.
    int64_t ofLeft = sharesLeft(multicast) ? sharing : 1,
            ofRight = sharesRight(multicast) ? sharing : 1;
    auto left = int64_t(llvm::alignTo(product.tileRows, product.rowUnit)),
         right = int64_t(llvm::alignTo(columns, product.columnUnit));
    double ofRows = double(left) * product.rowCopies,
           ofColumns = double(right) * product.columnCopies,
           rows = ofRows + ofColumns,
           asked = double(int64_t(ofRows) / ofLeft) +
                   double(int64_t(ofColumns) / ofRight),
           busy = double(blocks) / double(multiprocessors);
    // The average share of these rows that lies out of bounds.
    bool mayShift = columns == product.tileColumns;
    int64_t rowsOutside =
                mayShift && product.shiftsRows ? 0 : product.rowsOutside,
            columnsOutside =
                mayShift && product.shiftsColumns ? 0 : product.columnsOutside;
    double outside = std::min(
        asked,
        double(rowsOutside) / double(product.gridRows * ofLeft) +
            double(columnsOutside * columns) /
                double(product.tileColumns * product.gridColumns * ofRight));
    double sums = double(std::max(product.tileRows, groupRows) * columns);
    double wait = takesTurns()                   ? 0
                  : product.tileRows > groupRows ? rates.pairWaitCycles
                                                 : rates.singleWaitCycles;
    // Every warp group reads the rhs for its rows. If it computes the lhs,
    // shared memory is the bound: 128 bytes per cycle for the copies, which it
    // writes, what threads read, and the rhs.
    auto groups = int64_t(llvm::divideCeil(product.tileRows, groupRows));
    double read =
        product.operandCycles > 0
            ? rows + ofRows + double(groups * columns)
            : double(groups * (groupRows + columns)) * rates.operandReadCycles;
    double copied =
        std::max(rows, asked * rates.copyCycles.of(product.alignment));
    if (multicast != Multicast::None) {
      wait += (sharesLeft(multicast) + sharesRight(multicast)) *
              rates.multicastWaitCycles;
      copied = std::max(copied, rows * rates.receivedCycles);
    }
    return wait + product.computeCycles +
           together({std::max(sums / rates.sustainedSumsPerCycle, read),
                     product.operandCycles, copied,
                     ((asked - outside) *
                          rates.sharedCopyCycles.of(product.alignment) +
                      outside * rates.outsideCopyCycles) *
                         busy});
  }

  /// Cycles of DRAM traffic: reads the lhs once, and the rhs once or, if it
  /// does not stay in the cache, once per band of tiles; writes the results,
  /// twice where shifted tiles overlap.
  double memoryCycles(bool mayShift) const {
    constexpr int64_t rowBytes = 128, bandRows = 8;
    int64_t stepBytes = product.steps * rowBytes, gridRows = product.gridRows,
            rows = gridRows * product.tileRows,
            columns = product.gridColumns * product.tileColumns;
    double rowCopies = product.rowCopies, columnCopies = product.columnCopies;
    if (product.isTransposed) {
      std::swap(rows, columns);
      std::swap(rowCopies, columnCopies);
      gridRows = product.gridColumns;
    }
    int64_t bands =
        double(columns * stepBytes) * columnCopies > double(model.l2Bytes / 2)
            ? llvm::divideCeil(gridRows, bandRows)
            : 1;
    double results = double(
        (product.gridRows * product.tileRows -
         (mayShift && product.shiftsRows ? 0 : product.rowsOutside)) *
        (product.gridColumns * product.tileColumns -
         (mayShift && product.shiftsColumns ? 0 : product.columnsOutside)) *
        product.resultBytes / product.shares);
    return (double(rows) * rowCopies + double(columns * bands) * columnCopies) *
               double(stepBytes) / model.memoryBytesPerCycle +
           results / rates.resultBytesPerCycle;
  }

  bool takesTurns() const { return product.takesTurns(multiprocessors); }

  /// The share of the multiprocessors that a launch leaves to the next one.
  double getShareLeft() const {
    return 1 - double(product.getBlocks()) / double(multiprocessors);
  }

  /// With this share of the multiprocessors free, a whole launch fits.
  static constexpr double half = 0.5;

  /// \param isInOneRound  whether blocks that split the depth copy all weights
  /// in front of their wait for the previous launch.
  double launchCycles(bool isInOneRound = false) const {
    double beside =
        rates.besideCycles + (isInOneRound ? rates.besidePartsCycles : 0);
    return rates.launchCycles - (getShareLeft() >= half ? beside : 0);
  }

  /// Whether the stages of a ring hold all steps of a block, and the producer
  /// fills them before it waits for the previous launch (`FirstStages.cpp`).
  bool fillsRing(int64_t columns, int64_t steps) const {
    constexpr int64_t mostRows = 48, mostStages = 12, rowBytes = 128,
                      ringBytes = 217 << 10;
    return product.tileRows <= mostRows && steps <= mostStages &&
           steps * (product.tileRows + columns) * rowBytes <= ringBytes;
  }

  /// An early launch hides its prologue. But if the previous launch leaves room
  /// for only some of its blocks, these start far from the blocks that share
  /// their operands, and the whole main loop takes longer. With a tenth of the
  /// multiprocessors free hardly any block fits.
  bool overlaps(int64_t waves, double cycles) const {
    constexpr double tenth = 0.1;
    double left = getShareLeft();
    return waves > 1 || left >= half || left < tenth ||
           rates.scatteredLoss * left * cycles < rates.earlyStartCycles;
  }

  /// Stores overlap with the tensor cores' work on the next tile only if two
  /// teams take turns.
  double storeCycles(int64_t waves) const {
    int64_t columns = columnsOfShare(product.tileColumns, product.shares);
    return double((takesTurns() ? 1 : waves) * product.tileRows * columns) /
           rates.storedPerCycle;
  }

  const TiledProduct &product;
  const GpuModel &model;
  const target::ProductRates &rates;
  int64_t multiprocessors;
};
} // namespace

/// Warp groups that split the rows of a tile, if any can.
static int64_t groupsOf(const TiledProduct &product) {
  return std::max<int64_t>(1, countWarpGroups(product.tileRows));
}

/// Whether blocks of a cluster can split the depth: each has several steps, a
/// tile of its own to reduce, registers for the accumulators of all tiles, and
/// shared memory for some stages and for the exchange.
static bool canShare(const TiledProduct &product, int64_t parts,
                     const target::GpuTarget &target) {
  constexpr int64_t mostColumns = 256, leastSteps = 4, leastStages = 3;
  constexpr int64_t rowBytes = 128, sumBytes = 4, resultBytes = 16384;
  int64_t columns = product.tileColumns * parts, groups = groupsOf(product);
  int64_t bytes =
      leastStages * rowBytes * (product.tileRows + columns) +
      (parts - 1) * product.tileRows * product.tileColumns * sumBytes +
      groups * resultBytes;
  return product.hasKnownGrid && product.gridColumns % parts == 0 &&
         columns <= mostColumns && product.steps >= leastSteps * parts &&
         std::max(product.tileRows, groupRows) * columns <=
             mostSumsOf(groups) * groups * groupThreads &&
         bytes <= int64_t(target.sharedBytesPerBlock);
}

/// Whether multicasts may be chosen by their estimate. Line-aligned rows take
/// one request each anyway, so that waiting for other blocks mostly costs time;
/// the rates of multicasts were not fitted to them.
static bool hasMulticastRates(const TiledProduct &product) {
  constexpr int64_t lineBytes = 128;
  return product.alignment < lineBytes;
}

/// Whether blocks can multicast an operand: its rows have equal parts, as a
/// step has two halves if the depth is not contiguous.
static bool canMulticast(const TiledProduct &product, Multicast multicast,
                         int64_t sharing) {
  if (multicast == Multicast::Both)
    return sharing == fewestSharing &&
           canMulticast(product, Multicast::Left, sharing) &&
           canMulticast(product, Multicast::Right, sharing);
  bool isRight = multicast == Multicast::Right;
  int64_t rows = isRight ? product.tileColumns : product.tileRows,
          blocks = isRight ? product.getRowsOfBatch() : product.gridColumns;
  bool runsAcross = (isRight ? product.columnUnit : product.rowUnit) > 1;
  return product.canMulticast && blocks >= sharing &&
         (runsAcross ? sharing == fewestSharing : rows % sharing == 0);
}

/// Whether so few stages fit that blocks of a cluster of four often wait for
/// each other, since all must have read a stage before it is refilled.
static bool hasFewStages(const TiledProduct &product,
                         const target::GpuTarget &target) {
  constexpr int64_t rowBytes = 128, resultBytes = 16384, fewStages = 4;
  return (fewStages + 1) * rowBytes * (product.tileRows + product.tileColumns) +
             resultBytes >
         int64_t(target.sharedBytesPerBlock);
}

/// The part of a product that each block computes after split-K. Blocks divide
/// the longer side of the tile between them for the reduction.
static TiledProduct splitInto(const TiledProduct &product, int64_t shares) {
  TiledProduct part = product;
  part.steps = int64_t(llvm::divideCeil(product.steps, shares));
  bool areColumns = product.tileColumns > product.tileRows;
  (areColumns ? part.gridColumns : part.gridRows) *= shares;
  (areColumns ? part.columnsOutside : part.rowsOutside) *= shares;
  part.shares = shares;
  part.canTakeTurns = part.shiftsRows = part.shiftsColumns = false;
  return part;
}

// Right to a tenth for tiles of 64 x 32 to 128 x 256 (H200).
double roundingCycles(int64_t rows, int64_t columns) {
  constexpr double waitCycles = 300, cyclesOfSum = 0.011;
  return waitCycles + cyclesOfSum * double(rows * columns);
}

// From timings of sums, ReLU and conversions in 64 x 64 to 128 x 256 tiles
// (H200).
double computingCycles(int64_t rows) {
  constexpr double cyclesOfGroup = 400, cyclesOfPair = 600;
  return rows > groupRows ? cyclesOfPair : cyclesOfGroup;
}

// Right to a quarter for tiles of 64 x 32 to 128 x 128 (H200).
double copyingCycles(int64_t rows, int64_t columns, int64_t alignment) {
  constexpr int64_t unitBytes = 16, wordBytes = 4;
  constexpr double waitCycles = 300, cyclesOfUnits = 3, cyclesOfWords = 6.5,
                   cyclesOfRegisters = 15;
  double cyclesOfRow = alignment >= unitBytes   ? cyclesOfUnits
                       : alignment >= wordBytes ? cyclesOfWords
                                                : cyclesOfRegisters;
  return waitCycles + cyclesOfRow * double(rows + columns);
}

int64_t columnsOfShare(int64_t columns, int64_t blocks) {
  constexpr int64_t step = 8;
  if (blocks > 1)
    for (int64_t share = step; share < columns; share += step)
      if (columns % share == 0 && columns / share <= blocks)
        return share;
  return columns;
}

/// The most blocks that can split the depth of each tile: all are resident at a
/// time, and each has several steps.
static int64_t mostShares(const TiledProduct &product,
                          int64_t multiprocessors) {
  constexpr int64_t leastSteps = 4;
  return std::min(product.steps / leastSteps,
                  multiprocessors / product.getBlocks());
}

/// Whether blocks that split the depth have registers for their reduction
/// beside the loads in flight.
static bool canReduce(const TiledProduct &product, int64_t shares) {
  constexpr int64_t mostSums = 64;
  return std::max(product.tileRows, groupRows) *
             columnsOfShare(product.tileColumns, shares) /
             (groupsOf(product) * groupThreads) <=
         mostSums;
}

/// Cycles in which blocks that split a depth through memory exchange sums: each
/// writes all of its accumulators, and reads its share of everyone's.
static double meetCycles(const TiledProduct &product, int64_t shares,
                         const GpuModel &model) {
  constexpr int64_t sumBytes = 4;
  int64_t columns = product.tileColumns +
                    shares * columnsOfShare(product.tileColumns, shares);
  auto bytes =
      double(std::max(product.tileRows, groupRows) * columns * sumBytes);
  return model.products.meetCycles + bytes / model.products.sharedBytesPerCycle;
}

/// Estimates a way to share a product, which may be infinitely slow.
static ProductCost estimateOf(const TiledProduct &product,
                              const ProductCost &way, const GpuModel &model,
                              int64_t multiprocessors) {
  TiledProduct part = way.shares > 1 ? splitInto(product, way.shares) : product;
  Estimate estimate(part, model, multiprocessors);
  ProductCost cost{way.parts, way.multicast, HUGE_VAL, /*overlaps=*/true};
  if (way.multicast != Multicast::None)
    cost = estimate.of(way.multicast, way.sharing);
  else if (estimate.getSlots(way.parts) > 0)
    cost = estimate.of(way.parts);
  if (way.shares > 1)
    cost.cycles += meetCycles(product, way.shares, model);
  cost.shares = way.shares;
  return cost;
}

double cyclesOf(const TiledProduct &product, const ProductCost &way,
                const GpuModel &model, int64_t multiprocessors) {
  return estimateOf(product, way, model, multiprocessors).cycles;
}

/// Whether blocks read operands from memory rather than the L2 cache, of which
/// whole lines fill two thirds at most.
static bool exceedsCache(const TiledProduct &product, const GpuModel &model) {
  constexpr int64_t rowBytes = 128, halfLine = 64;
  int64_t rows = product.gridRows * product.tileRows +
                 product.batches * product.gridColumns * product.tileColumns;
  return rows * product.steps * rowBytes >
         (product.alignment < halfLine ? model.l2Bytes : model.l2Bytes * 2 / 3);
}

double doubtOf(const TiledProduct &product, const ProductCost &way,
               const target::GpuTarget &target) {
  // If several blocks divide a depth and the operands exceed the L2 cache, the
  // estimate is up to 28 % too low, if they copy rows at odd multiples of 16
  // bytes for each other up to 17 %; if they are clusters over several rows of
  // tiles, each of two warp groups, 5 to 14 %; for clusters of four with few
  // stages it is 3 to 9 % too low on average, and for those with several tiles
  // a block 2 to 5 %. If more than two blocks divide the depth of a product
  // that computes an operand, it is up to 28 % too low.
  constexpr double ofComputedParts = 1.15, ofDepthFromMemory = 1.2,
                   ofSharedDepth = 1.1, ofPartsOfPairs = 1.1, ofFewStages = 1.1,
                   ofSeveralTiles = 1.04;
  constexpr int64_t sectorBytes = 32;
  const GpuModel &model = GpuModel::of(target);
  if ((way.shares > 1 || way.parts > 1) && exceedsCache(product, model))
    return way.multicast != Multicast::None && product.alignment < sectorBytes
               ? ofSharedDepth
               : ofDepthFromMemory;
  if (product.operandCycles > 0 && way.shares > fewestSharing)
    return ofComputedParts;
  if (way.parts > 1 && product.gridRows > 1 && product.tileRows > groupRows)
    return ofPartsOfPairs;
  if (way.getMulticastBlocks() <= fewestSharing)
    return 1;
  if (hasFewStages(product, target))
    return ofFewStages;
  return product.getBlocks() > model.multiprocessors ? ofSeveralTiles : 1;
}

llvm::SmallVector<ProductCost> waysToShare(const TiledProduct &product,
                                           const target::GpuTarget &target,
                                           int64_t multiprocessors) {
  constexpr int64_t mostParts = 8;
  const GpuModel &model = GpuModel::of(target);
  llvm::SmallVector<ProductCost> ways;
  auto estimate = [&](const ProductCost &way) {
    ProductCost cost = estimateOf(product, way, model, multiprocessors);
    cost.cycles *= doubtOf(product, cost, target);
    cost.isUncertain =
        way.multicast != Multicast::None && !hasMulticastRates(product);
    return cost;
  };
  // Blocks along the other axis have no depth in common. Blocks outside the
  // grid would have no room for their accumulators in memory.
  auto addSplits = [&](int64_t shares) {
    ways.push_back(estimate({.parts = 1, .shares = shares}));
    bool isRight = product.tileColumns > product.tileRows;
    Multicast multicast = isRight ? Multicast::Right : Multicast::Left;
    int64_t blocks = isRight ? product.getRowsOfBatch() : product.gridColumns;
    TiledProduct part = splitInto(product, shares);
    for (int64_t sharing = fewestSharing; sharing <= mostSharing; ++sharing)
      if (product.batches == 1 && blocks % sharing == 0 &&
          canMulticast(part, multicast, sharing) &&
          part.getBlocks() <= residentBlocks(sharing, model, multiprocessors))
        ways.push_back(estimate({.parts = 1,
                                 .multicast = multicast,
                                 .shares = shares,
                                 .sharing = sharing}));
  };
  if (product.shares > 1) {
    addSplits(product.shares);
    return ways;
  }
  ways.push_back(estimate({.parts = 1}));
  for (int64_t parts = 2; parts <= mostParts; ++parts)
    if (canShare(product, parts, target) &&
        product.getBlocks() <=
            Estimate(product, model, multiprocessors).getSlots(parts))
      ways.push_back(estimate({.parts = parts}));
  for (Multicast multicast :
       {Multicast::Left, Multicast::Right, Multicast::Both})
    for (int64_t sharing = fewestSharing; sharing <= mostSharing; ++sharing) {
      if (!canMulticast(product, multicast, sharing))
        continue;
      ProductCost way =
          estimate({.parts = 1, .multicast = multicast, .sharing = sharing});
      if (way.cycles != HUGE_VAL)
        ways.push_back(way);
    }
  if (product.canSplit)
    for (int64_t shares = 2; shares <= mostShares(product, multiprocessors);
         ++shares)
      if (product.evenIterations % shares == 0 && canReduce(product, shares))
        addSplits(shares);
  return ways;
}

ProductCost cheapestOf(llvm::ArrayRef<ProductCost> ways) {
  ProductCost best = ways.front();
  for (const ProductCost &way : ways)
    if (!way.isUncertain && way.cycles < best.cycles)
      best = way;
  return best;
}

ProductCost costOfProduct(const TiledProduct &product,
                          const target::GpuTarget &target,
                          int64_t multiprocessors) {
  return cheapestOf(waysToShare(product, target, multiprocessors));
}

} // namespace tilegpt::tilegpu
