// Packs small blocks: each becomes a warp of a larger block of the launch.
#include "Grid/TileWarps.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PACKBLOCKS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// An op whose blocks cannot share a block of the launch; null if there is
/// none.
static Operation *findUnpackable(tile::KernelOp kernel) {
  Operation *obstacle = nullptr;
  kernel.getBody().walk([&](Operation *op) {
    if (!isa<tile::DotOp, tile::ScratchOp>(op) &&
        !isa<TileGPUDialect>(op->getDialect()))
      return WalkResult::advance();
    obstacle = op;
    return WalkResult::interrupt();
  });
  return obstacle;
}

/// Elements that a block computes. Loops of unknown length count as one
/// iteration.
static int64_t countComputed(Region &region) {
  int64_t elements = 0;
  for (Operation &op : region.getOps()) {
    for (Type type : op.getResultTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type))
        elements += tile.getNumElements();
    auto loop = dyn_cast<scf::ForOp>(op);
    std::optional<APInt> trips =
        loop ? loop.getStaticTripCount() : std::nullopt;
    for (Region &inner : op.getRegions())
      elements +=
          countComputed(inner) * (trips ? trips->getSExtValue() : int64_t(1));
  }
  return elements;
}

/// Whether a warp takes longer to compute a block than the GPU takes to start
/// it: 1.2 ns, or 290 cycles of each multiprocessor, in which it executes some
/// thousand instructions.
static bool computesMuch(tile::KernelOp kernel) {
  constexpr int64_t mostElements = 512 * warpLanes;
  return countComputed(kernel.getBody()) > mostElements;
}

namespace {
/// A way to pack blocks.
struct Packing {
  int64_t axis = 0, warps = 1;
  int64_t idle = 0; ///< warps past the end of the axis, in the whole grid
};

struct PackBlocks : tilegpu::impl::PackBlocksBase<PackBlocks> {
  using PackBlocksBase::PackBlocksBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    // A wanted plan says how many warps a block has.
    if (kernel->hasAttr(tile::wantedPlanAttr) || kernel->hasAttr(clusterName))
      return;
    std::optional<Packing> packing = choose();
    constexpr int64_t mostWarps = 2;
    if (!packing ||
        mostWarpsForTile(kernel, mostTileElements(kernel)) > mostWarps)
      return;
    if (computesMuch(kernel))
      return;
    if (Operation *obstacle = findUnpackable(kernel)) {
      explainMissed(obstacle, "grid")
          << "small blocks are not packed: the op needs a block of its own";
      return;
    }
    explainPassed(kernel, "grid")
        << remark::add("{0} small blocks, adjacent along axis {1}, are packed "
                       "into one, a warp each",
                       packing->warps, packing->axis);
    pack(*packing);
    ++numPacked;
  }

private:
  /// The axis and the number of blocks to pack: as many as leave every
  /// multiprocessor enough blocks, along an axis that leaves the fewest warps
  /// idle.
  std::optional<Packing> choose() {
    constexpr int64_t mostPacked = 8, fewestBlocks = 8;
    tile::KernelOp kernel = getOperation();
    std::optional<int64_t> all = knownBlocks(kernel);
    if (!all)
      return std::nullopt;
    for (int64_t warps = mostPacked; warps > 1; warps /= 2) {
      std::optional<Packing> best;
      for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis) {
        int64_t size = *knownBlocks(kernel, axis),
                packed = llvm::divideCeil(size, warps);
        Packing packing{axis, warps, (packed * warps - size) * (*all / size)};
        bool isWorth =
            packed * (*all / size) >= fewestBlocks * multiprocessors &&
            packing.idle * warps <= *all;
        if (isWorth && (!best || packing.idle < best->idle))
          best = packing;
      }
      if (best)
        return best;
    }
    return std::nullopt;
  }

  void pack(const Packing &packing) {
    tile::KernelOp kernel = getOperation();
    auto [axis, warps, idle] = packing;
    int64_t size = *knownBlocks(kernel, axis);
    OpBuilder builder(&getContext());
    Location loc = kernel.getLoc();
    Block *body = kernel.getEntryBlock();
    Operation *first = &body->front(), *last = body->getTerminator();
    builder.setInsertionPointToStart(body);
    Arithmetic math(builder, loc);
    Value id = tile::BlockIdOp::create(builder, loc, axis);
    Operation *own = id.getDefiningOp();
    id =
        math.add(math.mul(id, warps), TeamOp::create(builder, loc).getResult());
    if (idle != 0) {
      Value exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, id,
          arith::ConstantIndexOp::create(builder, loc, size));
      auto guard = scf::IfOp::create(builder, loc, exists);
      guard.thenBlock()->getOperations().splice(
          guard.thenBlock()->begin(), body->getOperations(),
          first->getIterator(), last->getIterator());
      builder.setInsertionPointToStart(guard.thenBlock());
    }
    id = tile::AssumeOp::create(builder, loc, id, IntegerAttr(),
                                builder.getDenseI64ArrayAttr({0, size - 1}));
    kernel.walk([&](Operation *op) {
      auto block = dyn_cast<tile::BlockIdOp>(op);
      auto count = dyn_cast<tile::NumBlocksOp>(op);
      if (block && op != own && int64_t(block.getAxis()) == axis)
        op->getResult(0).replaceAllUsesWith(id);
      if (count && int64_t(count.getAxis()) == axis) {
        OpBuilder before(op);
        op->getResult(0).replaceAllUsesWith(
            arith::ConstantIndexOp::create(before, op->getLoc(), size));
      }
    });
    SmallVector<Attribute> grid(kernel.getGrid().getValue());
    grid[axis] = tile::ExprAttr::get(
        &getContext(),
        AffineMap::get(0, 0,
                       getAffineConstantExpr(llvm::divideCeil(size, warps),
                                             &getContext())),
        builder.getArrayAttr({}));
    kernel.setGridAttr(builder.getArrayAttr(grid));
    kernel->setAttr(packedBlocksName, builder.getI64IntegerAttr(warps));
  }
};
} // namespace
