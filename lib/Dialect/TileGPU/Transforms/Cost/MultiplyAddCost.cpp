// A model of the time of products by fused multiply-adds, fitted to 205
// measurements on an H200: 10 tiles of 24 f32 products (M = 256 to 4096),
// back-to-back launches. With 2.4 us per launch the error is 5 % (root mean
// square), and the chosen tile is 2 % slower than the best one.
#include "Cost/MultiplyAddCost.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace tilegpt::tilegpu {

/// Blocks that fit a multiprocessor's shared memory: three stages of both
/// operands, rows of 32 elements plus padding (see paddedBuffer in
/// PlaceOperands.cpp).
static int64_t roomFor(int64_t tileRows, int64_t tileColumns,
                       int64_t sharedBytes) {
  constexpr int64_t depth = 32, padding = 4, stages = 3;
  constexpr int64_t rowBytes = stages * (depth + padding) * 4,
                    bytesOfBlock = 1024;
  return std::max<int64_t>(
      1, sharedBytes / (rowBytes * (tileRows + tileColumns) + bytesOfBlock));
}

/// Cycles per step of one block.
static int64_t workOfStep(int64_t tileRows, int64_t tileColumns) {
  return tileRows * tileColumns * 36 / 100 + (tileRows + tileColumns) * 17 / 10;
}

MultiplyAddTime timeOfMultiplyAdd(int64_t tileRows, int64_t tileColumns,
                                  int64_t blocks, int64_t steps,
                                  int64_t multiprocessors,
                                  int64_t sharedBytes) {
  // A step begins with a wait, and an eighth of a block's work is latency that
  // no other block hides; otherwise the cycles of resident blocks add up. When
  // a wave ends, the blocks of the next go to the first free multiprocessors,
  // as many as fit: with room for two, three blocks per multiprocessor take as
  // long as four, and less if only one may be resident.
  constexpr int64_t wait = 140, hidden = 8;
  int64_t work = workOfStep(tileRows, tileColumns);
  int64_t most = std::min(roomFor(tileRows, tileColumns, sharedBytes),
                          int64_t(llvm::divideCeil(blocks, multiprocessors)));
  MultiplyAddTime best = {INT64_MAX, 1};
  for (int64_t residents = 1; residents <= most; ++residents) {
    int64_t waves = llvm::divideCeil(blocks, multiprocessors * residents);
    int64_t cycles = steps * waves * (wait + residents * work + work / hidden);
    if (cycles < best.cycles)
      best = {cycles, residents};
  }
  return best;
}

} // namespace tilegpt::tilegpu
