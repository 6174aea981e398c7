// Makes the blocks of a kernel stay: each works through the tiles of the grid
// that fall to it, in an order in which neighbours share operands.
#include "Arithmetic.h"
#include "TileGPT/Conversion/TileToGPU/Passes.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_PERSIST
#include "TileGPT/Conversion/TileToGPU/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct Persist : tilegpu::impl::PersistBase<Persist> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    auto plan = kernel->getAttrOfType<PlanAttr>(PlanAttr::attrName);
    if (!plan || !plan.getPersistent())
      return;
    int64_t rank = kernel.getGrid().size();
    if (rank > 2) {
      kernel.emitOpError("has a plan whose blocks stay, but a grid of ")
          << rank << " axes; expected at most 2";
      return signalPassFailure();
    }

    Block *body = kernel.getEntryBlock();
    OpBuilder builder(body->getTerminator());
    Operation *last = body->getTerminator()->getPrevNode();
    Location loc = kernel.getLoc();
    Arithmetic math(builder, loc);
    SmallVector<Value> sizes;
    for (int64_t axis = 0; axis < rank; ++axis)
      sizes.push_back(tile::NumBlocksOp::create(builder, loc, axis));
    while (sizes.size() < 2)
      sizes.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
    Value tiles = rank < 2 ? sizes[0] : math.mul(sizes[0], sizes[1]);
    auto loop = scf::ForOp::create(builder, loc, WorkerOp::create(builder, loc),
                                   tiles, NumWorkersOp::create(builder, loc));
    builder.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    auto [row, column] = rank < 2
                             ? std::pair(number, math.sub(number, number))
                             : placeOf(math, number, sizes, plan.getRaster());
    row = bound(builder, kernel, row, 0);
    column = bound(builder, kernel, column, 1);
    if (last)
      loop.getBody()->getOperations().splice(
          std::prev(loop.getBody()->end()), body->getOperations(),
          body->begin(), std::next(last->getIterator()));
    loop.walk([&, row = row, column = column](tile::BlockIdOp id) {
      id.replaceAllUsesWith(id.getAxis() == 0 ? row : column);
      id.erase();
    });
  }

private:
  /// Says of an index along an axis of the grid that it lies in it, where the
  /// size of the grid is known: accesses inside of their views need no guards.
  static Value bound(OpBuilder &builder, tile::KernelOp kernel, Value index,
                     int64_t axis) {
    if (axis >= int64_t(kernel.getGrid().size()))
      return index;
    auto size = dyn_cast<AffineConstantExpr>(
        cast<tile::ExprAttr>(kernel.getGrid()[axis]).getMap().getResult(0));
    if (!size || size.getValue() < 1)
      return index;
    return tile::AssumeOp::create(
        builder, kernel.getLoc(), index, /*div_by=*/nullptr,
        builder.getDenseI64ArrayAttr({0, size.getValue() - 1}));
  }

  /// The place of a tile in the grid. Bands of `raster` rows are walked column
  /// by column, so that blocks that run together share columns of the one
  /// operand and rows of the other.
  static std::pair<Value, Value>
  placeOf(Arithmetic math, Value tile, ArrayRef<Value> sizes, int64_t raster) {
    Value bandTiles = math.mul(sizes[1], raster);
    Value first = math.mul(math.div(tile, bandTiles), raster);
    Value height = math.min(math.sub(sizes[0], first), raster);
    Value inside = math.rem(tile, bandTiles);
    return {math.add(first, math.rem(inside, height)),
            math.div(inside, height)};
  }
};
} // namespace
