// Makes the blocks of a kernel stay: each works through the tiles of the grid
// that fall to it, in an order in which neighbours share operands.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PERSIST
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct Persist : tilegpu::impl::PersistBase<Persist> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    auto plan = kernel->getAttrOfType<PlanAttr>(PlanAttr::attrName);
    if (!plan || !plan.getPersistent())
      return;
    Block *body = kernel.getEntryBlock();
    OpBuilder builder(body->getTerminator());
    Operation *last = body->getTerminator()->getPrevNode();
    Location loc = kernel.getLoc();
    SmallVector<Value> sizes;
    for (size_t axis = 0; axis < kernel.getGridRank(); ++axis)
      sizes.push_back(sizeOf(builder, kernel, axis));
    bool isDynamic = kernel
                         .walk([](MainloopOp loop) {
                           return alternates(loop) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                         })
                         .wasInterrupted();
    GridOrder order = findGridOrder(kernel);
    bool hasBands = !order.slow && sizes.size() <= 2;
    if (plan.getMulticast() > 1 && (isDynamic || !hasBands)) {
      kernel.emitOpError("has a plan with copies for ")
          << plan.getMulticast()
          << " blocks; expected blocks that walk a grid of up to two axes in "
             "step";
      return signalPassFailure();
    }
    GridWalk walk = hasBands ? walkBands(builder, loc, sizes, plan)
                             : makeGridWalk(builder, loc, sizes, order);
    // What the producer draws, consumers hear of from it.
    if (isDynamic)
      walk.loop->setAttr(dynamicScheduleName, builder.getUnitAttr());
    scf::ForOp loop = walk.loop;
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    for (auto [axis, index] : llvm::enumerate(walk.place))
      index = bound(builder, kernel, index, axis,
                    blocksOfCluster(plan, int64_t(axis)));
    if (last)
      loop.getBody()->getOperations().splice(
          std::prev(loop.getBody()->end()), body->getOperations(),
          body->begin(), std::next(last->getIterator()));
    loop.walk([&](tile::BlockIdOp id) {
      id.replaceAllUsesWith(walk.place[id.getAxis()]);
      id.erase();
    });
    if (plan.getMulticast() > 1)
      // Blocks are numbered along one axis.
      kernel->setAttr(clusterName, builder.getDenseI32ArrayAttr(
                                       {int32_t(plan.getMulticast()), 1, 1}));
  }

private:
  /// Blocks of a cluster that lie side by side along an axis of the grid.
  static int64_t blocksOfCluster(PlanAttr plan, int64_t axis) {
    return axis == plan.getMulticastAxis() ? plan.getMulticast() : 1;
  }

  /// The blocks along an axis: a constant where it can be one, as places are
  /// found by division.
  static Value sizeOf(OpBuilder &builder, tile::KernelOp kernel, int64_t axis) {
    Location loc = kernel.getLoc();
    if (std::optional<int64_t> size = knownBlocks(kernel, axis))
      return arith::ConstantIndexOp::create(builder, loc, *size);
    return tile::NumBlocksOp::create(builder, loc, axis);
  }

  /// Says of an index along an axis of the grid that it lies in it, where the
  /// size of the grid is known: accesses inside of their views need no guards.
  /// \param blocks  of a cluster, all of which go along, where the last of
  ///                them find no place in the grid.
  static Value bound(OpBuilder &builder, tile::KernelOp kernel, Value index,
                     int64_t axis, int64_t blocks) {
    std::optional<int64_t> size = knownBlocks(kernel, axis);
    if (!size)
      return index;
    return tile::AssumeOp::create(
        builder, kernel.getLoc(), index,
        /*div_by=*/nullptr,
        builder.getDenseI64ArrayAttr(
            {0, int64_t(llvm::alignTo(*size, blocks)) - 1}));
  }

  /// Bands of rows are walked column by column, so that blocks that run
  /// together share columns of the one operand and rows of the other. Clusters
  /// walk as one, over tiles of all of their blocks.
  static GridWalk walkBands(OpBuilder &builder, Location loc,
                            ArrayRef<Value> grid, PlanAttr plan) {
    Arithmetic math(builder, loc);
    SmallVector<Value> sizes(grid);
    while (sizes.size() < 2)
      sizes.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
    const int64_t blocks = plan.getMulticast(), axis = plan.getMulticastAxis();
    int64_t raster = std::max<int64_t>(
        1, plan.getRaster() / blocksOfCluster(plan, /*axis=*/0));
    Value worker = WorkerOp::create(builder, loc),
          workers = NumWorkersOp::create(builder, loc);
    if (blocks > 1) {
      sizes[axis] = math.div(math.add(sizes[axis], blocks - 1), blocks);
      worker = math.div(worker, blocks);
      workers = math.div(workers, blocks);
    }
    Value tiles = math.mul(sizes[0], sizes[1]);
    GridWalk walk;
    walk.loop = scf::ForOp::create(builder, loc, worker, tiles, workers);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(walk.loop.getBody());
    Value tile = walk.loop.getInductionVar();
    Value bandTiles = math.mul(sizes[1], raster);
    Value first = math.mul(math.div(tile, bandTiles), raster);
    Value height = math.min(math.sub(sizes[0], first), raster);
    Value inside = math.rem(tile, bandTiles);
    walk.place = {math.add(first, math.rem(inside, height)),
                  math.div(inside, height)};
    if (blocks > 1) {
      Value rank = ClusterRankOp::create(builder, loc);
      walk.place[axis] = math.add(math.mul(walk.place[axis], blocks), rank);
    }
    walk.place.resize(grid.size());
    return walk;
  }
};
} // namespace
