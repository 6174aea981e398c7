// Matches loops over unaligned rows whose columns are summed.
#include "Columns/CoveredLoop.h"
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;

namespace tilegpt::tilegpu {

/// The sum along the rows that is the only use of a tile; null if there is
/// none.
static tile::ReduceOp sumOfRows(Value tile) {
  if (!tile.hasOneUse() ||
      !isa<FloatType>(getElementTypeOrSelf(tile.getType())))
    return {};
  auto reduce = dyn_cast<tile::ReduceOp>(*tile.user_begin());
  return reduce && reduce.getNumResults() == 1 &&
                 reduce.getKind() == tile::ReduceKind::Add &&
                 reduce.getAxis() == 0 && !reduce.getKeepdims() &&
                 getElementTypeOrSelf(reduce.getResult(0).getType()) ==
                     getElementTypeOrSelf(tile.getType())
             ? reduce
             : tile::ReduceOp();
}

static bool isSplatConstant(Value tile) {
  SplatElementsAttr splat;
  return matchPattern(tile, m_Constant(&splat));
}

std::optional<CoveredLoop> CoveredLoop::of(scf::ForOp loop) {
  LoopTiles tiles(loop);
  auto carried = findCarriedReductions(loop);
  IndexFacts facts;
  if (!carried || !tiles.areElementwise() ||
      !llvm::all_of(*carried,
                    [](const CarriedReduction &reduction) {
                      return reduction.kind == tile::ReduceKind::Add;
                    }) ||
      !llvm::all_of(tiles.getOutside(), isSplatConstant) ||
      !llvm::all_of(tiles.getLoads(), [&](tile::LoadOp load) {
        return readsMatrix(load) &&
               facts.ofView(load.getView()).alignment % maxAccessBytes == 0;
      }))
    return std::nullopt;
  CoveredLoop covered;
  covered.loop = loop;
  for (Value result : loop.getResults()) {
    covered.sums.push_back(sumOfRows(result));
    if (!covered.sums.back())
      return std::nullopt;
  }
  tile::LoadOp first = tiles.getLoads().front();
  ArrayRef<int64_t> shape = first.getView().getType().getShape();
  covered.rows = shape[0];
  covered.columns = shape[1];
  covered.elementBytes = memoryBytes(first.getType().getElementType());
  covered.unit = maxAccessBytes / covered.elementBytes;
  covered.period = covered.unit / std::gcd(covered.unit, covered.columns);
  const bool haveOneAlignment =
      llvm::all_of(tiles.getLoads(), [&](tile::LoadOp load) {
        return load.getView().getType().getShape() == shape &&
               memoryBytes(load.getType().getElementType()) ==
                   covered.elementBytes;
      });
  // Each alignment has sums of its own to add up, which costs as much as whole
  // units save where rows are read in vectors of several elements.
  constexpr int64_t fewestOfEach = 2;
  if (!haveOneAlignment || covered.unit == 1 ||
      covered.period != covered.unit ||
      covered.rows < fewestOfEach * covered.period)
    return std::nullopt;
  return covered;
}

} // namespace tilegpt::tilegpu
