// A model of a pipe's time, with what was measured on an H200: 80 tiles of 24
// products of GPT-2 (M = 64, 512, 1024), bf16. It is right to 14 % (root mean
// square), and the tile it chooses 1 % slower than the best on average.
#include "Plan/PipeCost.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace tilegpt::tilegpu {

/// Rows that a warp group multiplies at a time.
static constexpr int64_t groupRows = 64;

/// Cycles of a step along the depth. Copies bring rows of 128 bytes, nine in
/// sixteen cycles. Tensor cores make 32 sums of 64 products a cycle; those of
/// one warp group wait for each other, a fixed time a step, those of two
/// overlap, but for an eighth each of the products and of the copies.
static int64_t stepCycles(int64_t rows, int64_t columns) {
  constexpr int64_t sumsPerCycle = 32, latency = 120;
  int64_t copies = (rows + columns) * 16 / 9;
  int64_t products = std::max(rows, groupRows) * columns / sumsPerCycle;
  return std::max(copies, rows > groupRows ? products + (products + copies) / 8
                                           : products + latency);
}

/// Cycles in which a tile leaves.
static int64_t storeCycles(const TiledProduct &product) {
  constexpr int64_t elementsPerCycle = 24;
  return product.tileRows * product.tileColumns / elementsPerCycle;
}

/// Cycles of a product's steps: as long as the blocks take, but not less than
/// memory takes to bring the operands once. An eighth of the former counts in
/// any case, as neither is hidden all of the time.
static int64_t mainCycles(const TiledProduct &product, int64_t blockCycles) {
  constexpr int64_t rowBytes = 128, bytesPerCycle = 2400;
  int64_t rows = product.gridRows * product.tileRows +
                 product.gridColumns * product.tileColumns;
  int64_t memory = rows * product.steps * rowBytes / bytesPerCycle;
  return std::max(blockCycles, memory) + blockCycles / 8;
}

/// A tile a block or several, each by itself. Results leave while the tensor
/// cores work on the next tile only where two teams take turns.
static int64_t cyclesOfWaves(const TiledProduct &product,
                             int64_t multiprocessors) {
  int64_t waves = llvm::divideCeil(product.getBlocks(), multiprocessors);
  bool takesTurns = product.tileRows == teamRows &&
                    product.tileColumns >= leastTeamColumns &&
                    product.tileColumns <= mostTeamColumns;
  return mainCycles(product,
                    waves * product.steps *
                        stepCycles(product.tileRows, product.tileColumns)) +
         (takesTurns ? 1 : waves) * storeCycles(product);
}

/// Blocks of a cluster make their tiles together, each a part of the depth, and
/// exchange them.
static int64_t cyclesOfParts(const TiledProduct &product, int64_t parts) {
  constexpr int64_t exchange = 1300, exchangedPerCycle = 8;
  return mainCycles(product, llvm::divideCeil(product.steps, parts) *
                                 stepCycles(product.tileRows,
                                            product.tileColumns * parts)) +
         exchange +
         (parts - 1) * product.tileRows * product.tileColumns /
             exchangedPerCycle +
         storeCycles(product);
}

PipeCost costOfPipe(const TiledProduct &product, int64_t multiprocessors) {
  // Every part has a few steps to do; blocks have one tile each. Several rows
  // of tiles share what they read anyhow, and clusters leave multiprocessors
  // idle: 512 x 768 x 3072 took 13.6 us in four parts instead of 7.8.
  constexpr int64_t mostParts = 8, mostColumns = 256, leastSteps = 4;
  PipeCost best = {1, cyclesOfWaves(product, multiprocessors)};
  if (product.gridRows > 1 || product.getBlocks() > multiprocessors)
    return best;
  for (int64_t parts = 2; parts <= mostParts; ++parts) {
    if (product.gridColumns % parts != 0 ||
        product.tileColumns * parts > mostColumns ||
        product.steps < leastSteps * parts)
      continue;
    if (int64_t cycles = cyclesOfParts(product, parts); cycles < best.cycles)
      best = {parts, cycles};
  }
  return best;
}

} // namespace tilegpt::tilegpu
