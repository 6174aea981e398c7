// Among how many blocks a loop is split.
#include "TileGPT/Dialect/TileGPU/Analysis/LoopShares.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// A block's part of a result: smaller if all uses reduce it.
static RankedTensorType exchangedType(scf::ForOp loop, unsigned number) {
  Value result = loop.getResult(number);
  if (result.hasOneUse())
    if (auto reduce = dyn_cast<tile::ReduceOp>(*result.user_begin()))
      result = reduce.getResult(0);
  return cast<RankedTensorType>(result.getType());
}

std::optional<LoopShares> LoopShares::of(scf::ForOp loop) {
  std::optional<APInt> iterations = loop.getStaticTripCount();
  if (!iterations || iterations->getActiveBits() > 62)
    return std::nullopt;
  LoopShares shares = {int64_t(iterations->getZExtValue()), countElements(loop),
                       0, 1, 0};
  for (auto load : loop.getBody()->getOps<tile::LoadOp>())
    shares.loadedBytes += tileBytes(load.getType());
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    RankedTensorType type = exchangedType(loop, number);
    shares.resultElements =
        std::max(shares.resultElements, type.getNumElements());
    shares.resultBytes += tileBytes(type);
  }
  return shares;
}

int64_t LoopShares::countElements(scf::ForOp loop) {
  int64_t elements = 0;
  for (auto load : loop.getBody()->getOps<tile::LoadOp>())
    elements += load.getType().getNumElements();
  for (Type type : loop.getResultTypes())
    elements += cast<RankedTensorType>(type).getNumElements();
  return elements;
}

int64_t LoopShares::warpsFor(int64_t elements) {
  constexpr int64_t elementsOfWarp = 2048, fewest = 4, most = 16;
  // A power of two: only such counts deal out the rows of tiles evenly.
  return std::clamp<int64_t>(
      llvm::bit_ceil(uint64_t(llvm::divideCeil(elements, elementsOfWarp))),
      fewest, most);
}

/// Elements of a tile of several parts that a block reads at once.
static constexpr int64_t mostAtOnce = 4096;

int64_t LoopShares::partsAtOnce(int64_t parts, int64_t elements) {
  int64_t most = std::max<int64_t>(1, mostAtOnce / elements),
          steps = llvm::divideCeil(parts, most);
  while (parts % steps != 0)
    ++steps;
  return parts / steps;
}

/// Bytes that a block has under way at least, of several iterations if one
/// loads fewer (see batchIterations).
static constexpr int64_t bytesOfBlock = 16384;

int64_t LoopShares::countMost(int64_t blocks, int64_t multiprocessors) const {
  // A thread needs a register for each of its elements, and for addresses.
  constexpr int64_t registerRows = 65536 / 32, others = 26;
  int64_t warps = warpsFor(tileElements),
          elements = llvm::divideCeil(tileElements, warps * warpLanes);
  int64_t residents =
      std::max<int64_t>(1, registerRows / (others + elements) / warps);
  // More blocks than keep the memory busy only have more to exchange.
  constexpr int64_t bytesUnderWay = 98304;
  residents = std::min(
      residents, int64_t(llvm::divideCeil(
                     bytesUnderWay, std::max(bytesOfBlock, loadedBytes))));
  // Partial results are written and read.
  constexpr int64_t leastRatio = 16;
  int64_t parts =
      std::min({multiprocessors * residents / blocks, iterations,
                iterations * loadedBytes /
                    (leastRatio * std::max<int64_t>(1, resultBytes))});
  if (parts < 2)
    return 1;
  // Enough blocks for the memory without being split, though a tenth slower
  // with fewer bytes under way, only exchange results if the busiest
  // multiprocessor gets no fewer iterations (sums of 35 x 90498 in f32 on an
  // H200: 18 instead of 15).
  constexpr int64_t enoughUnderWay = 40960;
  constexpr double bytesPerCycle = 20, slowdown = 1.1;
  auto iterationsOfBusiest = [&](int64_t each) {
    return double(llvm::divideCeil(blocks * each, multiprocessors) *
                  llvm::divideCeil(iterations, each));
  };
  double saved =
      (slowdown * iterationsOfBusiest(1) - iterationsOfBusiest(parts)) *
      loadedBytes / bytesPerCycle;
  if (blocks * std::max(bytesOfBlock, loadedBytes) >=
          enoughUnderWay * multiprocessors &&
      saved < exchangeCycles(parts))
    return 1;
  return wholeTiles(parts);
}

int64_t LoopShares::wholeTiles(int64_t parts) const {
  int64_t most = std::max<int64_t>(1, mostAtOnce / resultElements),
          steps = llvm::divideCeil(parts, most);
  return parts / steps * steps;
}

int64_t LoopShares::count(int64_t blocks, int64_t multiprocessors) const {
  const int64_t most = countMost(blocks, multiprocessors);
  // An estimated gain of less changes nothing, nor do results that a block
  // reads at once.
  constexpr double leastGain = 0.08;
  constexpr int64_t bytesAtOnce = 16384;
  if (most == 1 || most * resultBytes <= bytesAtOnce)
    return most;
  const int64_t all = llvm::divideCeil(blocks * most, multiprocessors);
  int64_t best = most;
  double least = (1 - leastGain) * cyclesOf(most, blocks, multiprocessors);
  for (int64_t each = all - 1; each > 0; --each) {
    const int64_t parts = each * multiprocessors / blocks;
    if (parts < 2)
      break;
    if (double cycles = cyclesOf(parts, blocks, multiprocessors);
        cycles < least) {
      best = parts;
      least = cycles;
    }
  }
  return wholeTiles(best);
}

/// Fitted to 180 ways to split 36 loops on an H200, with an error of 20 % (root
/// mean square).
double LoopShares::cyclesOf(int64_t parts, int64_t blocks,
                            int64_t multiprocessors) const {
  // Of a launch, and of a read of memory; of a thread and of a multiprocessor
  // for each element; bytes per cycle of a multiprocessor.
  constexpr double launch = 3900, read = 580, ofThread = 12.4,
                   ofElement = 0.053, bytesPerCycle = 16.9;
  const int64_t atOnce = std::max<int64_t>(
                    1, bytesOfBlock / std::max<int64_t>(1, loadedBytes)),
                own = llvm::divideCeil(iterations, parts),
                each = llvm::divideCeil(blocks * parts, multiprocessors);
  const double elements = double(own) * double(tileElements),
               block = double(llvm::divideCeil(own, atOnce)) * read +
                       ofThread * elements /
                           double(warpsFor(tileElements) * warpLanes);
  return launch +
         std::max({double(each * own * loadedBytes) / bytesPerCycle,
                   ofElement * double(each) * elements, block}) +
         exchangeCycles(parts);
}

double LoopShares::exchangeCycles(int64_t parts) const {
  // A write visible to others, an increment, a read; L2 bytes per cycle of a
  // multiprocessor.
  constexpr double latency = 2500, bytesPerCycle = 48;
  return parts == 1 ? 0 : latency + double(parts * resultBytes) / bytesPerCycle;
}

} // namespace tilegpt::tilegpu
