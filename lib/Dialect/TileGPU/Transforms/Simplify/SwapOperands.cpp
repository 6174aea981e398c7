// Matrix instructions take their left operand from registers as well, the right
// one from shared memory only, and rows by the warp group where columns come in
// steps of 8. A sum whose right operand is computed, or whose rows no warp
// groups can share out, is made transposed.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SWAPOPERANDS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// A tile transposed. Of one whose elements are all alike that is another such.
static Value turn(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  RankedTensorType turned =
      type.clone({type.getDimSize(1), type.getDimSize(0)});
  if (auto splat = tile.getDefiningOp<tile::SplatOp>())
    return tile::SplatOp::create(builder, loc, turned, splat.getValue(),
                                 builder.getI64ArrayAttr(turned.getShape()));
  DenseElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)) && elements.isSplat())
    return arith::ConstantOp::create(builder, loc,
                                     elements.resizeSplat(turned));
  return tile::PermuteOp::create(builder, loc, turned, tile,
                                 ArrayRef<int64_t>({1, 0}));
}

namespace {
struct SwapOperands : tilegpu::impl::SwapOperandsBase<SwapOperands> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (tile::DotOp dot = findDot(loop)) {
        swap(loop, dot);
        ++numDots;
      }
  }

private:
  /// The only dot of a loop, which sums up products of a loaded left operand
  /// and a right one that is computed, or loaded for rows that warp groups
  /// cannot share out.
  static tile::DotOp findDot(scf::ForOp loop) {
    auto dots = loop.getBody()->getOps<tile::DotOp>();
    if (dots.empty() || std::next(dots.begin()) != dots.end())
      return {};
    tile::DotOp dot = *dots.begin();
    RankedTensorType acc = dot.getAcc().getType();
    constexpr int64_t groupRows = 64, mostColumns = 256;
    if (acc.getRank() != 2)
      return {};
    bool isLoaded = bool(dot.getRhs().getDefiningOp<tile::LoadOp>());
    bool isComputed =
        !isLoaded && dot.getRhs().getDefiningOp() &&
        dot.getRhs().getDefiningOp()->getBlock() == loop.getBody();
    bool isSum = loop.getNumResults() == 1 &&
                 dot.getAcc() == loop.getRegionIterArg(0) &&
                 dot.getAcc().hasOneUse() && dot->hasOneUse() &&
                 loop.getYieldedValues().front() == dot.getResult();
    int64_t rows = acc.getDimSize(0), columns = acc.getDimSize(1);
    bool fits = isComputed ? columns % groupRows == 0 && rows <= mostColumns
                           : isLoaded && isMadeTransposed(rows, columns);
    return isSum && fits && dot.getLhs().getDefiningOp<tile::LoadOp>()
               ? dot
               : tile::DotOp();
  }

  static void swap(scf::ForOp loop, tile::DotOp dot) {
    Location loc = loop.getLoc();
    OpBuilder builder(loop);
    Value init = turn(builder, loc, loop.getInitArgs().front());
    auto turned =
        scf::ForOp::create(builder, loc, loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), init);
    builder.setInsertionPointToStart(turned.getBody());
    IRMapping known;
    known.map(loop.getInductionVar(), turned.getInductionVar());
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != dot)
        builder.clone(op, known);
    // (x·w)ᵀ = wᵀ·xᵀ: what was turned is not, and the other way round.
    auto product = tile::DotOp::create(
        builder, dot.getLoc(), init.getType(), known.lookup(dot.getRhs()),
        known.lookup(dot.getLhs()), turned.getRegionIterArg(0),
        /*transpose_a=*/!dot.getTransposeB(),
        /*transpose_b=*/!dot.getTransposeA(), dot.getUnsignedRhs(),
        dot.getUnsignedLhs(), dot.getPrecision());
    scf::YieldOp::create(builder, loc, product.getResult());
    builder.setInsertionPointAfter(turned);
    loop.getResult(0).replaceAllUsesWith(
        turn(builder, loc, turned.getResult(0)));
    loop.erase();
  }
};
} // namespace
