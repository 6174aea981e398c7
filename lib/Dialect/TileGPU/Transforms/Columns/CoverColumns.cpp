// Reads unaligned rows in whole units where their columns are summed.
#include "Columns/CoveredLoop.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/LeastResidents.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_COVERCOLUMNS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Replaces the loads of one loop.
class Cover {
public:
  explicit Cover(const CoveredLoop &covered)
      : covered(covered), tiles(covered.loop), builder(covered.loop),
        loc(covered.loop->getLoc()), tileRows(tiles.getShape()[0]),
        tileColumns(tiles.getShape()[1]), width(tileColumns + covered.unit) {}

  /// Whether the tiles are sized for it: every tile starts at a unit, with a
  /// row of the first alignment.
  bool isPossible() const {
    return tileRows % covered.period == 0 && tileColumns % covered.unit == 0 &&
           llvm::all_of(tiles.getLoads(), [](tile::LoadOp load) {
             return load->hasAttr(coveredName);
           });
  }

  void run() {
    tiles.reshape(
        {tileRows, width}, [&](Value tile) { return resized(tile); },
        [&](tile::LoadOp load) { return loadUnits(load); });
    for (tile::ReduceOp sum : covered.sums)
      addUp(sum);
  }

private:
  RankedTensorType typeOf(ArrayRef<int64_t> shape, Value like) const {
    return RankedTensorType::get(shape, getElementTypeOrSelf(like.getType()));
  }

  Value resized(Value tile) {
    auto constant = tile.getDefiningOp<arith::ConstantOp>();
    builder.setInsertionPoint(covered.loop);
    return arith::ConstantOp::create(
        builder, loc,
        cast<SplatElementsAttr>(constant.getValue())
            .resizeSplat(typeOf({tileRows, width}, tile)));
  }

  Value loadUnits(tile::LoadOp load) {
    builder.setInsertionPoint(load);
    auto start = [&](Value number, int64_t size) {
      return builder.createOrFold<arith::MulIOp>(
          loc, number, arith::ConstantIndexOp::create(builder, loc, size));
    };
    return LoadCoveringOp::create(builder, loc, typeOf({tileRows, width}, load),
                                  load.getView(),
                                  start(load.getIndices()[0], tileRows),
                                  start(load.getIndices()[1], tileColumns));
  }

  /// Sums the rows of each alignment before all of them.
  void addUp(tile::ReduceOp sum) {
    builder.setInsertionPoint(sum);
    const int64_t period = covered.period;
    Value rows = sum.getSources()[0];
    if (tileRows > period) {
      int64_t groups[] = {tileRows / period, period, width};
      rows = tile::ReshapeOp::create(builder, loc, typeOf(groups, rows), rows,
                                     builder.getI64ArrayAttr(groups));
      rows = tile::ReduceOp::create(
                 builder, loc, TypeRange{typeOf({period, width}, rows)},
                 ValueRange{rows}, /*axis=*/0, sum.getKindAttr(),
                 /*identities=*/ArrayAttr(), /*keepdims=*/false,
                 sum.getNanPolicy())
                 .getResult(0);
    }
    Value all =
        SumShiftedOp::create(builder, loc, sum.getResult(0).getType(), rows,
                             covered.columns % covered.unit, covered.unit);
    sum.getResult(0).replaceAllUsesWith(all);
    sum.erase();
  }

  const CoveredLoop &covered;
  LoopTiles tiles;
  OpBuilder builder;
  Location loc;
  int64_t tileRows, tileColumns;
  int64_t width; ///< columns of the units that cover a tile
};

struct CoverColumns : tilegpu::impl::CoverColumnsBase<CoverColumns> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    PlanAttr plan = PlanAttr::of(kernel);
    if (!plan || plan.getProducer())
      return;
    for (scf::ForOp loop :
         llvm::to_vector(kernel.getBody().getOps<scf::ForOp>())) {
      std::optional<CoveredLoop> covered = CoveredLoop::of(loop);
      if (!covered)
        continue;
      Cover cover(*covered);
      if (!cover.isPossible())
        continue;
      explainPassed(loop, "load")
          << remark::add("unaligned rows are read in units of 16 bytes; the "
                         "sums of {0} alignments are shifted after the loop",
                         covered->period);
      cover.run();
      keepRegisters(kernel, plan);
      ++numCovered;
    }
  }

private:
  /// Leaves threads the registers for the loads of an iteration.
  static void keepRegisters(tile::KernelOp kernel, PlanAttr plan) {
    constexpr int64_t warpsOfMultiprocessor = 24;
    kernel->setAttr(leastResidentsName,
                    Builder(kernel.getContext())
                        .getI64IntegerAttr(std::max<int64_t>(
                            1, warpsOfMultiprocessor / plan.getWarps())));
  }
};
} // namespace
