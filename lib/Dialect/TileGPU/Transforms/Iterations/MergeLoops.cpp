// Merges nested loops that reduce what they load, such as those over the images
// of a batch and the tiles of each: blocks can share the iterations of one
// loop.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_MERGELOOPS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Two nested loops, of which the outer one only runs the inner one and
/// combines its results with those of other iterations.
class LoopNest {
public:
  explicit LoopNest(scf::ForOp outer) : outer(outer) {}

  /// Finds the inner loop; false if there is none, or if the loops do more.
  bool match() {
    auto loops = outer.getBody()->getOps<scf::ForOp>();
    if (!llvm::hasSingleElement(loops))
      return false;
    inner = *loops.begin();
    iterations = countIterations(inner);
    auto reductions = findCarriedReductions(inner);
    if (iterations == 0 || countIterations(outer) == 0 || !reductions ||
        inner.getNumResults() != outer.getNumResults())
      return false;
    SmallPtrSet<Operation *, 4> expected = {inner,
                                            outer.getBody()->getTerminator()};
    for (auto [number, reduction] : llvm::enumerate(*reductions))
      if (!continuesSum(number) && !addsSum(number, reduction, expected))
        return false;
    return llvm::all_of(*outer.getBody(), [&](Operation &op) {
      return expected.contains(&op) || op.hasTrait<OpTrait::ConstantLike>();
    });
  }

  scf::ForOp merge() {
    OpBuilder builder(outer);
    Location loc = outer.getLoc();
    auto merged = scf::ForOp::create(
        builder, loc, outer.getLowerBound(),
        arith::ConstantIndexOp::create(builder, loc,
                                       countIterations(outer) * iterations),
        outer.getStep(), outer.getInits());
    Block *body = merged.getBody();
    body->getOperations().splice(body->end(), inner.getBody()->getOperations());
    for (Operation &op :
         llvm::make_early_inc_range(outer.getBody()->without_terminator()))
      if (op.hasTrait<OpTrait::ConstantLike>())
        op.moveBefore(merged);
    builder.setInsertionPointToStart(body);
    Arithmetic math(builder, loc);
    Value number = merged.getInductionVar();
    outer.getInductionVar().replaceAllUsesWith(math.div(number, iterations));
    inner.getInductionVar().replaceAllUsesWith(math.rem(number, iterations));
    for (auto [before, after] :
         llvm::zip_equal(inner.getRegionIterArgs(), merged.getRegionIterArgs()))
      before.replaceAllUsesWith(after);
    outer.replaceAllUsesWith(merged.getResults());
    outer.erase();
    return merged;
  }

private:
  /// The trip count of a loop from 0 in steps of 1; 0 if it is another one.
  static int64_t countIterations(scf::ForOp loop) {
    std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
    return upper && *upper > 0 && isConstantIntValue(loop.getLowerBound(), 0) &&
                   isConstantIntValue(loop.getStep(), 1)
               ? *upper
               : 0;
  }

  /// Whether the inner loop starts with what the outer one carries, which
  /// continues with its result.
  bool continuesSum(int64_t number) {
    BlockArgument carried = outer.getRegionIterArg(number);
    return carried.hasOneUse() && inner.getInits()[number] == carried &&
           outer.getYieldedValues()[number] == inner.getResult(number);
  }

  /// Whether the inner loop starts with nothing, and the outer one adds its
  /// result to what it carries.
  bool addsSum(int64_t number, const CarriedReduction &reduction,
               SmallPtrSetImpl<Operation *> &expected) {
    BlockArgument carried = outer.getRegionIterArg(number);
    Operation *combine = outer.getYieldedValues()[number].getDefiningOp();
    if (!combine || combine->getBlock() != outer.getBody() ||
        combine == inner || !carried.hasOneUse() ||
        *carried.user_begin() != combine ||
        !inner.getResult(number).hasOneUse() ||
        *inner.getResult(number).user_begin() != combine ||
        !combine->hasOneUse() ||
        reductionOf(combine) != std::pair(reduction.kind, reduction.nan))
      return false;
    SplatElementsAttr init;
    auto element = getElementTypeOrSelf(carried.getType());
    if (!matchPattern(inner.getInits()[number], m_Constant(&init)) ||
        init.getSplatValue<Attribute>() !=
            tile::identityOf(reduction.kind, reduction.nan, element))
      return false;
    expected.insert(combine);
    return true;
  }

  scf::ForOp outer, inner;
  int64_t iterations = 0; ///< of the inner loop
};

struct MergeLoops : tilegpu::impl::MergeLoopsBase<MergeLoops> {
  using MergeLoopsBase::MergeLoopsBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    // More blocks have nothing to share.
    constexpr int64_t mostResidents = 2;
    std::optional<int64_t> blocks = knownBlocks(kernel);
    if (kernel.isRaw() || !blocks || *blocks >= mostResidents * multiprocessors)
      return;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    // From the innermost outwards.
    for (scf::ForOp loop : loops) {
      LoopNest nest(loop);
      if (!nest.match())
        continue;
      scf::ForOp merged = nest.merge();
      explainPassed(merged, "loop")
          << remark::add("nested loops become one of {0} iterations",
                         merged.getStaticTripCount()->getSExtValue());
      ++numMerged;
    }
  }
};
} // namespace
