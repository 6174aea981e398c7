// How many warps share the largest tile of a kernel.
#include "Grid/TileWarps.h"
#include "TileGPT/Dialect/Tile/Analysis/LiveTiles.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

int64_t mostTileElements(tile::KernelOp kernel) {
  int64_t elements = 0;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        elements = std::max(elements, tile.getNumElements());
  });
  return elements;
}

/// Whether a kernel reduces or scans in a loop, so that warps synchronize in
/// every iteration.
static bool exchangesInLoop(tile::KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<tile::ReduceOp, tile::ScanOp>(op) &&
                       op->getParentOfType<LoopLikeOpInterface>()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether iterations of a loop load a tile, reduce it and store a result, such
/// as those of a block that walks over rows.
static bool walksRows(tile::KernelOp kernel) {
  auto holds = [](scf::ForOp loop, function_ref<bool(Operation *)> isSuch) {
    return llvm::any_of(*loop.getBody(),
                        [&](Operation &op) { return isSuch(&op); });
  };
  auto loadsTile = [](Operation *op) {
    return isa<tile::LoadOp, tile::LoadAtOp>(op) &&
           cast<RankedTensorType>(op->getResult(0).getType()).getNumElements() >
               1;
  };
  return kernel
      .walk([&](scf::ForOp loop) {
        return holds(loop, llvm::IsaPred<tile::ReduceOp, tile::ScanOp>) &&
                       holds(loop, loadsTile) &&
                       holds(loop,
                             llvm::IsaPred<tile::StoreOp, tile::StoreAtOp>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a loop loads tiles that are prefetched into shared memory.
static bool copiesInLoop(tile::KernelOp kernel) {
  IndexFacts facts;
  return kernel
      .walk([&](tile::LoadOp load) {
        return load->getParentOfType<scf::ForOp>() &&
                       isWorthCopying(load, facts)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

int64_t mostWarpsForTile(tile::KernelOp kernel, int64_t elements) {
  constexpr int64_t elementsOfAccess = 4, elementsOfRow = 8,
                    elementsOfExchange = 16, liveElements = 96;
  if (copiesInLoop(kernel))
    return INT64_MAX;
  auto warpsWith = [](int64_t elements, int64_t ofThread) {
    return int64_t(llvm::bit_ceil(
        uint64_t(llvm::divideCeil(elements, warpLanes * ofThread))));
  };
  const int64_t ofThread = !exchangesInLoop(kernel) ? elementsOfAccess
                           : walksRows(kernel)      ? elementsOfRow
                                                    : elementsOfExchange;
  return std::max(warpsWith(elements, ofThread),
                  warpsWith(tile::mostLiveElements(kernel), liveElements));
}

} // namespace tilegpt::tilegpu
