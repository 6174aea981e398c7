// Makes a kernel persistent: each block processes its share of the grid's
// tiles, in an order in which concurrent blocks share operands.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/GridWalk.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "mlir/Analysis/SliceAnalysis.h"
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
    PlanAttr plan = PlanAttr::of(kernel);
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
                           return alternates(loop) || endsByData(loop)
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
    GridOrder order = findGridOrder(kernel);
    bool hasBands =
        !order.slow && (sizes.size() <= 2 || plan.getMulticast() > 1);
    if (plan.getMulticast() > 1 && (isDynamic || !hasBands)) {
      kernel.emitOpError("has a plan with copies for ")
          << plan.getMulticast()
          << " blocks; expected blocks that walk tiles of equal work in step";
      return signalPassFailure();
    }
    if (hasMeeting(kernel) && !dividesGrid(kernel, plan)) {
      kernel.emitOpError("has a plan with copies for ")
          << plan.getMulticast()
          << " blocks; expected clusters that divide the grid, as its blocks "
             "write their sums for others";
      return signalPassFailure();
    }
    GridWalk walk = hasBands ? walkBands(builder, loc, sizes, plan)
                             : makeGridWalk(builder, loc, sizes, order);
    // The producer draws tiles and broadcasts them to the consumers.
    if (isDynamic)
      walk.loop->setAttr(dynamicScheduleName, builder.getUnitAttr());
    scf::ForOp loop = walk.loop;
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    for (auto [axis, index] : llvm::enumerate(walk.place))
      index = bound(builder, kernel, index, axis,
                    plan.getMulticastAlong(int64_t(axis)));
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
  /// Whether the number of a loop's iterations depends on what is in memory,
  /// such as the rows of a group.
  static bool endsByData(MainloopOp loop) {
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    return succeeded(getBackwardSlice(loop.getUpperBound(), &slice, options)) &&
           llvm::any_of(slice, llvm::IsaPred<tile::LoadOp>);
  }

  static bool hasMeeting(tile::KernelOp kernel) {
    return kernel.walk([](AwaitBlocksOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  /// Whether no block of a cluster lies outside the grid.
  static bool dividesGrid(tile::KernelOp kernel, PlanAttr plan) {
    return llvm::all_of(
        llvm::seq<int64_t>(0, kernel.getGridRank()), [&](int64_t axis) {
          int64_t along = plan.getMulticastAlong(axis);
          std::optional<int64_t> size = knownBlocks(kernel, axis);
          return along <= 1 || (size && *size % along == 0);
        });
  }

  /// The clusters of this size that run at a time; nullopt if unknown.
  static std::optional<int64_t> residentClusters(PlanAttr plan) {
    const target::GpuTarget *target = target::lookUpTarget(plan.getTarget());
    if (!target)
      return std::nullopt;
    int64_t clusters =
        target::GpuModel::of(*target).clusters[plan.getMulticast() - 2];
    return clusters ? std::optional(clusters) : std::nullopt;
  }

  /// The number of blocks along an axis: a constant if possible, since grid
  /// points are computed by division.
  static Value sizeOf(OpBuilder &builder, tile::KernelOp kernel, int64_t axis) {
    Location loc = kernel.getLoc();
    if (std::optional<int64_t> size = knownBlocks(kernel, axis))
      return arith::ConstantIndexOp::create(builder, loc, *size);
    return tile::NumBlocksOp::create(builder, loc, axis);
  }

  /// Asserts that an index lies in its grid axis if the size of the grid is
  /// known, so that in-bounds accesses need no guards.
  /// \param blocks  of a cluster; the last of them may lie outside the grid.
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

  /// Walks bands of rows column by column, so that concurrent blocks share
  /// columns of one operand and rows of the other, for one entry of a batch
  /// after the other. A cluster walks as one block, over tiles of all its
  /// blocks.
  static GridWalk walkBands(OpBuilder &builder, Location loc,
                            ArrayRef<Value> grid, PlanAttr plan) {
    Arithmetic math(builder, loc);
    SmallVector<Value> sizes(grid);
    while (sizes.size() < 2)
      sizes.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
    const int64_t blocks = plan.getMulticast();
    int64_t raster = std::max<int64_t>(
        1, plan.getRaster() / plan.getMulticastAlong(/*axis=*/0));
    Value worker = WorkerOp::create(builder, loc),
          workers = NumWorkersOp::create(builder, loc);
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (int64_t along = plan.getMulticastAlong(axis); along > 1)
        size = math.div(math.add(size, along - 1), along);
    const Value ofEntry = math.mul(sizes[0], sizes[1]);
    Value tiles = ofEntry;
    for (Value entries : ArrayRef(sizes).drop_front(2))
      tiles = math.mul(tiles, entries);
    if (blocks > 1) {
      worker = math.div(worker, blocks);
      workers = math.div(workers, blocks);
    }
    // Clusters that would start only when others have ended have nothing to do;
    // pairs always fit.
    if (std::optional<int64_t> clusters =
            blocks > 2 ? residentClusters(plan) : std::nullopt) {
      Value most = arith::ConstantIndexOp::create(builder, loc, *clusters);
      Value isLate = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::uge, worker, most);
      worker = arith::SelectOp::create(builder, loc, isLate, tiles, worker);
      workers = math.min(workers, most);
    }
    GridWalk walk;
    walk.loop = scf::ForOp::create(builder, loc, worker, tiles, workers);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(walk.loop.getBody());
    Value tile = walk.loop.getInductionVar();
    SmallVector<Value> entry;
    if (grid.size() > 2) {
      Value rest = math.div(tile, ofEntry);
      tile = math.rem(tile, ofEntry);
      for (Value entries : ArrayRef(sizes).drop_front(2).drop_back()) {
        entry.push_back(math.rem(rest, entries));
        rest = math.div(rest, entries);
      }
      entry.push_back(rest);
    }
    Value bandTiles = math.mul(sizes[1], raster);
    Value first = math.mul(math.div(tile, bandTiles), raster);
    Value height = math.min(math.sub(sizes[0], first), raster);
    Value inside = math.rem(tile, bandTiles);
    walk.place = {math.add(first, math.rem(inside, height)),
                  math.div(inside, height)};
    for (auto [axis, index] : llvm::enumerate(walk.place))
      if (int64_t along = plan.getMulticastAlong(axis); along > 1) {
        Value rank = ClusterRankOp::create(builder, loc,
                                           builder.getI64IntegerAttr(axis));
        index = math.add(math.mul(index, along), rank);
      }
    walk.place.resize(std::min<size_t>(grid.size(), 2));
    llvm::append_range(walk.place, entry);
    return walk;
  }
};
} // namespace
