// The greedy driver, told what expansions do not need of it.
#include "TileGPT/Conversion/TileToArith/ExpandGreedily.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Whether an op could be the root of a match.
static bool hasRoot(Operation *function,
                    const FrozenRewritePatternSet &patterns) {
  if (!patterns.getMatchAnyOpNativePatterns().empty())
    return true;
  const auto &byRoot = patterns.getOpSpecificNativePatterns();
  return function
      ->walk([&](Operation *op) {
        return op != function && byRoot.contains(op->getName())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult tilegpt::tile::expandGreedily(Operation *function,
                                            RewritePatternSet patterns) {
  const FrozenRewritePatternSet frozen(std::move(patterns));
  if (!hasRoot(function, frozen))
    return success();
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(function, frozen, config);
}
