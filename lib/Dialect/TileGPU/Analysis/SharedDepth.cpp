// The conditions of split-K in a cluster.
#include "TileGPT/Dialect/TileGPU/Analysis/SharedDepth.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Multicast.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The bounds and the accumulator of a loop of either form.
struct Bounds {
  Value from, to, step, init;
};
} // namespace

static std::optional<SharedDepth> find(Operation *loop, Bounds bounds,
                                       tile::DotOp dot, tile::LoadOp lhs,
                                       tile::LoadOp rhs) {
  std::optional<int64_t> steps = getConstantIntValue(bounds.to);
  bool isSum = isa<tile::KernelOp>(loop->getParentOp()) &&
               isConstantIntValue(bounds.from, 0) &&
               isConstantIntValue(bounds.step, 1) && steps && *steps > 0 &&
               isZeroTile(bounds.init) &&
               dot.getAcc().getType().getElementType().isF32() &&
               !dot.getTransposeA() && dot.getTransposeB();
  if (!isSum || !lhs || !rhs || !lhs->hasOneUse() || !rhs->hasOneUse())
    return std::nullopt;
  // Steps past the end of K read zeros, which a window does not guarantee.
  auto isArgument = [](tile::LoadOp load) {
    Value view = load.getView();
    while (auto select = view.getDefiningOp<tile::SelectOp>())
      view = select.getSource();
    return isa<BlockArgument>(view);
  };
  auto column = rhs.getIndices()[0].getDefiningOp<tile::BlockIdOp>();
  if (!column || !isArgument(lhs) || !isArgument(rhs))
    return std::nullopt;
  // Adjacent blocks load for each other: everything but the columns must be the
  // same for them.
  int64_t axis = column.getAxis();
  SmallVector<Value> alike(lhs.getIndices());
  alike.append({lhs.getView(), rhs.getView()});
  llvm::append_range(alike, rhs.getIndices().drop_front());
  if (llvm::any_of(alike,
                   [&](Value value) { return dependsOnBlock(value, axis); }))
    return std::nullopt;
  return SharedDepth{dot, lhs, rhs, *steps, axis};
}

std::optional<SharedDepth> findSharedDepth(const Mainloop &match) {
  scf::ForOp loop = match.loop;
  if (match.dots.size() != 1 || match.streams.size() != 2 ||
      loop.getNumResults() != 1)
    return std::nullopt;
  tile::DotOp dot = match.dots.front();
  if (dot.getAcc() != loop.getRegionIterArg(0) ||
      dot.getResult() != loop.getYieldedValues().front())
    return std::nullopt;
  return find(loop,
              {loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
               loop.getInitArgs().front()},
              dot, dot.getLhs().getDefiningOp<tile::LoadOp>(),
              dot.getRhs().getDefiningOp<tile::LoadOp>());
}

std::optional<SharedDepth> findSharedDepth(MainloopOp loop) {
  auto dots = loop.getConsumeBlock()->getOps<tile::DotOp>();
  if (std::distance(dots.begin(), dots.end()) != 1 ||
      loop.getStreams().size() != 2 || loop.getNumResults() != 1)
    return std::nullopt;
  tile::DotOp dot = *dots.begin();
  if (dot.getAcc() != loop.getRegionIterArgs().front() ||
      dot.getResult() != loop.getConsumeYield().front())
    return std::nullopt;
  auto loadOf = [&](Value operand) -> tile::LoadOp {
    for (auto [argument, stream] :
         llvm::zip_equal(loop.getStreamArgs(), loop.getStreams()))
      if (argument == operand)
        return stream.getDefiningOp<tile::LoadOp>();
    return {};
  };
  return find(loop,
              {loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
               loop.getInitArgs().front()},
              dot, loadOf(dot.getLhs()), loadOf(dot.getRhs()));
}

} // namespace tilegpt::tilegpu
