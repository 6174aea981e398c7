// A model of the time of products by fused multiply-adds, fitted to what was
// measured on an H200: 205 times, 10 tiles of 24 products (M = 256 to 4096),
// f32, launches one behind the other. With 2.4 us for a launch it is right to
// 5 % (root mean square), and the tile it chooses 2 % slower than the best.
#include "Plan/MultiplyAddCost.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace tilegpt::tilegpu {

/// Blocks of a multiprocessor for which there is room: three stages of both
/// operands, rows of 32 elements and a padding (paddedBuffer in
/// PlaceOperands.cpp).
static int64_t roomFor(int64_t tileRows, int64_t tileColumns,
                       int64_t sharedBytes) {
  constexpr int64_t depth = 32, padding = 4, stages = 3;
  constexpr int64_t rowBytes = stages * (depth + padding) * 4,
                    bytesOfBlock = 1024;
  return std::max<int64_t>(
      1, sharedBytes / (rowBytes * (tileRows + tileColumns) + bytesOfBlock));
}

/// Cycles of one block for a step.
static int64_t workOfStep(int64_t tileRows, int64_t tileColumns) {
  return tileRows * tileColumns * 36 / 100 + (tileRows + tileColumns) * 17 / 10;
}

MultiplyAddTime timeOfMultiplyAdd(int64_t tileRows, int64_t tileColumns,
                                  int64_t blocks, int64_t steps,
                                  int64_t multiprocessors,
                                  int64_t sharedBytes) {
  // A step begins with a wait, and an eighth of one block's work is latency
  // that no other block hides; apart from that blocks beside each other add up.
  // When a wave ends, those of the next go to the first multiprocessors that
  // are free, as many as there is room for: three blocks for each
  // multiprocessor take as long as four where two have room, and less where but
  // one may be there.
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
