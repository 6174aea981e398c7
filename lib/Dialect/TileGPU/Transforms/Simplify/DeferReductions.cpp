// Moves tile reductions out of loops that accumulate them: the loop accumulates
// the tiles elementwise, and they are reduced once after it.
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_DEFERREDUCTIONS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// The reduction that a loop accumulates; null if it carries anything else.
static tile::ReduceOp deferrable(const CarriedReduction &carried) {
  auto reduce = carried.update.getDefiningOp<tile::ReduceOp>();
  if (!reduce || !reduce->hasOneUse() || reduce.getSources().size() != 1 ||
      reduce->getBlock() != carried.combine->getBlock() ||
      reduce.getKind() != carried.kind || reduce.getNanPolicy() != carried.nan)
    return {};
  // Sums of narrow types are computed in wider ones and rounded once.
  Type element = getElementTypeOrSelf(reduce.getSources()[0].getType());
  return tile::accumulatorType(carried.kind, element) == element
             ? reduce
             : tile::ReduceOp();
}

/// Makes the loop carry the tiles that are reduced.
static unsigned defer(scf::ForOp loop) {
  auto carried = findCarriedReductions(loop);
  if (!carried)
    return 0;
  Location loc = loop.getLoc();
  SmallVector<tile::ReduceOp> reductions;
  for (const CarriedReduction &reduction : *carried)
    reductions.push_back(deferrable(reduction));
  unsigned count = llvm::count_if(reductions, [](auto op) { return bool(op); });
  if (count == 0)
    return 0;

  OpBuilder builder(loop);
  SmallVector<Value> inits(loop.getInits());
  for (auto [number, reduce] : llvm::enumerate(reductions))
    if (reduce) {
      auto type = cast<RankedTensorType>(reduce.getSources()[0].getType());
      inits[number] = arith::ConstantOp::create(
          builder, loc,
          SplatElementsAttr::get(type,
                                 tile::identityOf((*carried)[number].kind,
                                                  (*carried)[number].nan,
                                                  type.getElementType())));
    }
  auto wide = scf::ForOp::create(builder, loc, loop.getLowerBound(),
                                 loop.getUpperBound(), loop.getStep(), inits);
  wide.getBody()->getOperations().splice(wide.getBody()->begin(),
                                         loop.getBody()->getOperations());
  for (auto [before, after] : llvm::zip_equal(loop.getBody()->getArguments(),
                                              wide.getBody()->getArguments()))
    before.replaceAllUsesWith(after);
  builder.setInsertionPointAfter(wide);
  for (auto [number, reduce] : llvm::enumerate(reductions)) {
    Value result = wide.getResult(number);
    if (reduce) {
      Operation *combine = (*carried)[number].combine;
      Value tile = reduce.getSources()[0];
      // `inner` adds this iteration's tile, `outer` adds the reduced total to
      // the initial value.
      IRMapping inner, outer;
      inner.map(reduce.getResult(0), tile);
      OpBuilder within(combine);
      Operation *sum = within.clone(*combine, inner);
      sum->getResult(0).setType(tile.getType());
      combine->getResult(0).replaceAllUsesWith(sum->getResult(0));
      IRMapping whole;
      whole.map(tile, result);
      Value reduced = builder.clone(*reduce, whole)->getResult(0);
      outer.map(reduce.getResult(0), reduced);
      outer.map(wide.getRegionIterArg(number), loop.getInits()[number]);
      result = builder.clone(*combine, outer)->getResult(0);
      combine->erase();
      reduce.erase();
    }
    loop.getResult(number).replaceAllUsesWith(result);
  }
  loop.erase();
  return count;
}

namespace {
struct DeferReductions : tilegpu::impl::DeferReductionsBase<DeferReductions> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      numDeferred += defer(loop);
  }
};
} // namespace
