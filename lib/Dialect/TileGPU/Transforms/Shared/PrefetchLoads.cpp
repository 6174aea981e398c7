// Loads of a loop one iteration ahead of their use, so that they are under way
// while the iteration before computes.
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/AsyncCopy.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PREFETCHLOADS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// The loads of a loop whose tile depends on nothing of the iteration but its
/// number, but for those that `--tile-gpu-pipeline-copies` makes copies of.
static SmallVector<tile::LoadOp> loadsAhead(scf::ForOp loop, PlanAttr plan) {
  SmallVector<tile::LoadOp> loads;
  IndexFacts facts;
  bool hasRings = plan && plan.getStages() > 1;
  for (tile::LoadOp load : loop.getBody()->getOps<tile::LoadOp>()) {
    bool isPlain = llvm::all_of(load->getOperands(), [&](Value operand) {
      return operand == loop.getInductionVar() ||
             loop.isDefinedOutsideOfLoop(operand);
    });
    bool moves = llvm::is_contained(load.getIndices(), loop.getInductionVar());
    bool isCopy =
        hasRings && isWorthCopying(load, facts) && readsWhatStays(load, facts);
    if (isPlain && moves && !isCopy)
      loads.push_back(load);
  }
  return loads;
}

/// What the loop carries for a load: the tile, or what it is cut into where
/// that is all that is read, so that layouts see what it is for.
static Operation *carriedFor(tile::LoadOp load) {
  Value tile = load.getResult();
  if (tile.hasOneUse())
    if (auto reshape = dyn_cast<tile::ReshapeOp>(*tile.getUsers().begin()))
      return reshape;
  return load;
}

/// The loop with what it loads carried from one iteration to the next. The last
/// iteration loads once more: beyond the end of the loop, which costs a read
/// and harms nothing, as loads are bounded by their view.
static void rotate(scf::ForOp loop, ArrayRef<tile::LoadOp> loads) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  auto clone = [](OpBuilder &builder, tile::LoadOp load, Value from, Value to) {
    IRMapping mapping;
    mapping.map(from, to);
    Operation *copy = builder.clone(*load, mapping);
    if (Operation *used = carriedFor(load); used != load)
      copy = builder.clone(*used, mapping);
    return copy->getResult(0);
  };
  SmallVector<Value> first;
  for (tile::LoadOp load : loads)
    first.push_back(
        clone(rewriter, load, loop.getInductionVar(), loop.getLowerBound()));
  Value next;
  auto makeNext = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument>) {
    next = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                 loop.getStep());
    SmallVector<Value> tiles;
    for (tile::LoadOp load : loads)
      tiles.push_back(clone(builder, load, loop.getInductionVar(), next));
    return tiles;
  };
  FailureOr<LoopLikeOpInterface> rotated = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false, makeNext);
  auto result = cast<scf::ForOp>(rotated->getOperation());
  auto carried = result.getRegionIterArgs().take_back(loads.size());
  // The body moved into the new loop: its loads are the old ones.
  for (auto [load, tile] : llvm::zip_equal(loads, carried)) {
    Operation *carriedOp = carriedFor(load);
    rewriter.replaceAllUsesWith(carriedOp->getResult(0), tile);
    rewriter.eraseOp(carriedOp);
    if (carriedOp != load)
      rewriter.eraseOp(load);
  }
  // The next tiles are loaded first, before anything waits for this one's: the
  // ops made by makeNext are the last of the body.
  Block *body = result.getBody();
  SmallVector<Operation *> ahead;
  for (Operation *op = next.getDefiningOp(); op != body->getTerminator();
       op = op->getNextNode())
    ahead.push_back(op);
  for (Operation *op : llvm::reverse(ahead))
    op->moveBefore(body, body->begin());
}

namespace {
struct PrefetchLoads : tilegpu::impl::PrefetchLoadsBase<PrefetchLoads> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    bool writes = false;
    getOperation().walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      // Products are fed through shared memory, and a store in the loop may
      // write what a load ahead of it would read.
      writes = false;
      loop->walk([&](Operation *op) {
        writes |= isa<tile::DotOp, tile::StoreOp, tile::ScatterOp>(op) ||
                  isOffsetAccess(op);
      });
      if (writes)
        continue;
      SmallVector<tile::LoadOp> loads =
          loadsAhead(loop, PlanAttr::of(getOperation()));
      if (!loads.empty())
        rotate(loop, loads);
    }
  }
};
} // namespace
