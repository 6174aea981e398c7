// A column of 64 numbers gives half of a block's threads one element each;
// tiles with more rows give all threads whole accesses.
#include "Grid/GrowIterations.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/KeepsZero.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/Analysis/LiveTiles.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Whether a larger last tile, which extends past the end of the data, leaves
/// all reductions unchanged.
static bool isNeutralBehind(const StreamedAxis &axis, int64_t size) {
  return axis.extent.value_or(0) % size == 0 ||
         llvm::all_of(axis.reductions, [](tile::ReduceOp reduce) {
           return reduce.getKind() == tile::ReduceKind::Add &&
                  keepsZero(reduce.getSources().front());
         });
}

/// Merges every `times` iterations into one.
static void grow(scf::ForOp loop, int64_t iterations, int64_t times,
                 const StreamedAxis &axis) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  loop.setUpperBound(index(llvm::divideCeil(iterations, times)));
  // Tile indices count the merged iterations, all other uses the original ones.
  builder.setInsertionPointToStart(loop.getBody());
  Value factor = index(times);
  auto first =
      arith::MulIOp::create(builder, loc, loop.getInductionVar(), factor);
  loop.getInductionVar().replaceUsesWithIf(first, [&](OpOperand &use) {
    return use.getOwner() != first && !isa<tile::LoadOp>(use.getOwner());
  });
  if (first->use_empty()) {
    first.erase();
    factor.getDefiningOp()->erase();
  }
  resizeTiles(axis, times * axis.size);
}

int64_t growIterations(tile::KernelOp kernel, int64_t multiprocessors,
                       int64_t mostLive) {
  constexpr int64_t bytesOfIteration = 4096, fewestIterations = 4;
  scf::ForOp loop = findSharedLoop(kernel);
  std::optional<int64_t> blocks = knownBlocks(kernel);
  if (!loop || !blocks || !isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1))
    return 1;
  std::optional<StreamedAxis> axis = findLoopedAxis(kernel, {loop});
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!axis || !axis->extent || !trips || !axis->scans.empty())
    return 1;
  int64_t bytes = 0, iterations = trips->getSExtValue();
  for (auto load : loop.getBody()->getOps<tile::LoadOp>()) {
    if (!axis->axes.contains(load.getResult()))
      return 1;
    bytes = std::max(bytes, tileBytes(load.getType()));
  }
  if (bytes == 0 || iterations * axis->size < *axis->extent)
    return 1;
  int64_t live = std::max<int64_t>(1, tile::mostLiveElements(kernel));
  int64_t most = std::min(
              {bytesOfIteration / bytes, mostLive / live,
               iterations * *blocks / (fewestIterations * multiprocessors)}),
          times = most < 2 ? 1 : int64_t(llvm::bit_floor(uint64_t(most)));
  if (times == 1 || !isNeutralBehind(*axis, times * axis->size))
    return 1;
  grow(loop, iterations, times, *axis);
  return times;
}

} // namespace tilegpt::tilegpu
