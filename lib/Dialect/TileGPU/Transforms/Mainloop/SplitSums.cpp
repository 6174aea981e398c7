// A sum along rows that a main loop brings along is kept in as many parts as
// lanes share a row: they are added up once, behind the loop.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SPLITSUMS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Neighbours that a lane holds of a row, and lanes that share it, as in the
/// accumulator of a wgmma.
constexpr int64_t laneColumns = 2, rowLanes = 4;

/// `l' = l·a + Σ e` of a carried column l, along the rows of e.
struct CarriedSum {
  unsigned number;
  arith::AddFOp sum;
  arith::MulFOp shrunk;
  Value factor; ///< a
  tile::ReduceOp reduce;
};

struct SplitSums : tilegpu::impl::SplitSumsBase<SplitSums> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    getOperation().walk([&](MainloopOp loop) {
      for (unsigned number = 0; number < loop.getNumResults(); ++number)
        if (std::optional<CarriedSum> match = matchSum(loop, number)) {
          split(loop, *match);
          ++numSums;
        }
    });
  }

private:
  static std::optional<CarriedSum> matchSum(MainloopOp loop, unsigned number) {
    auto sum = loop.getConsumeYield()[number].getDefiningOp<arith::AddFOp>();
    Value older = loop.getRegionIterArgs()[number];
    if (!sum || !sum->hasOneUse() || !older.hasOneUse())
      return std::nullopt;
    for (auto [left, right] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())}) {
      auto shrunk = left.getDefiningOp<arith::MulFOp>();
      auto reduce = right.getDefiningOp<tile::ReduceOp>();
      if (!shrunk || !reduce || !shrunk->hasOneUse() || !reduce->hasOneUse() ||
          reduce.getKind() != tile::ReduceKind::Add || reduce.getAxis() != 1 ||
          !reduce.getKeepdims())
        continue;
      auto rows = cast<RankedTensorType>(reduce.getSources().front().getType());
      if (rows.getRank() != 2 || !rows.getElementType().isF32() ||
          rows.getDimSize(1) % (laneColumns * rowLanes) != 0)
        continue;
      if (shrunk.getLhs() == older)
        return CarriedSum{number, sum, shrunk, shrunk.getRhs(), reduce};
      if (shrunk.getRhs() == older)
        return CarriedSum{number, sum, shrunk, shrunk.getLhs(), reduce};
    }
    return std::nullopt;
  }

  /// Carries the sum in parts.
  static void split(MainloopOp loop, CarriedSum match) {
    Location loc = match.sum.getLoc();
    auto rows =
        cast<RankedTensorType>(match.reduce.getSources().front().getType());
    auto parts = rows.clone({rows.getDimSize(0), rowLanes});
    OpBuilder builder(loop);
    OpOperand &init = loop.getInitArgsMutable()[match.number];
    init.set(partsOf(builder, loc, init.get(), parts));
    Value older = loop.getRegionIterArgs()[match.number];
    older.setType(parts);

    builder.setInsertionPoint(match.sum);
    Value factor =
        tile::BroadcastOp::create(builder, loc, parts, match.factor,
                                  builder.getI64ArrayAttr(parts.getShape()));
    Value shrunk = arith::MulFOp::create(builder, loc, older, factor);
    Value newer = sumOfLanes(builder, loc, match.reduce.getSources().front());
    Value sum = arith::AddFOp::create(builder, loc, shrunk, newer);
    loop.getConsumeBlock()->getTerminator()->setOperand(match.number, sum);
    for (Operation *op : {match.sum.getOperation(), match.shrunk.getOperation(),
                          match.reduce.getOperation()})
      op->erase();

    Value result = loop.getResult(match.number);
    Type whole = result.getType();
    result.setType(parts);
    builder.setInsertionPointAfter(loop);
    Value total = reduce(builder, loc, whole, result, /*axis=*/1,
                         /*keepdims=*/true);
    result.replaceAllUsesExcept(total, total.getDefiningOp());
  }

  /// Parts of what a sum begins with: a power of two of it each.
  static Value partsOf(OpBuilder &builder, Location loc, Value whole,
                       RankedTensorType parts) {
    if (isZeroTile(whole))
      return arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(builder.getZeroAttr(parts)));
    Value share = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<RankedTensorType>(whole.getType()),
                               1.0f / rowLanes));
    return tile::BroadcastOp::create(
        builder, loc, parts, arith::MulFOp::create(builder, loc, whole, share),
        builder.getI64ArrayAttr(parts.getShape()));
  }

  /// What each lane has of the rows of a tile.
  static Value sumOfLanes(OpBuilder &builder, Location loc, Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    int64_t height = type.getDimSize(0),
            blocks = type.getDimSize(1) / (laneColumns * rowLanes);
    SmallVector<int64_t> shape = {height, blocks, rowLanes, laneColumns};
    Value cut = tile::ReshapeOp::create(builder, loc, type.clone(shape), tile,
                                        builder.getI64ArrayAttr(shape));
    Value pairs = reduce(builder, loc, type.clone({height, blocks, rowLanes}),
                         cut, /*axis=*/3, /*keepdims=*/false);
    return reduce(builder, loc, type.clone({height, rowLanes}), pairs,
                  /*axis=*/1, /*keepdims=*/false);
  }

  static Value reduce(OpBuilder &builder, Location loc, Type type, Value tile,
                      int64_t axis, bool keepdims) {
    return tile::ReduceOp::create(
               builder, loc, TypeRange{type}, ValueRange{tile}, axis,
               tile::ReduceKindAttr::get(builder.getContext(),
                                         tile::ReduceKind::Add),
               /*identities=*/ArrayAttr(), keepdims)
        .getResult(0);
  }
};
} // namespace
