// Keeps a loop-carried row sum as one partial sum per lane that shares the row,
// and adds these up once, after the loop.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
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
/// Adjacent columns that a lane holds of a row, and lanes that share a row, in
/// a wgmma accumulator.
constexpr int64_t laneColumns = 2, rowLanes = 4;

/// `l' = l·a + Σ e` or `l' = l + Σ e`, where l is a carried column and the sum
/// runs along the rows of e.
struct CarriedSum {
  unsigned number;
  arith::AddFOp sum;
  arith::MulFOp shrunk; ///< null without a
  Value factor;         ///< a
  tile::ReduceOp reduce;

  /// The tile whose rows are summed.
  RankedTensorType getRows() {
    return cast<RankedTensorType>(reduce.getSources().front().getType());
  }
};

struct SplitSums : tilegpu::impl::SplitSumsBase<SplitSums> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    PlanAttr plan = PlanAttr::of(getOperation());
    getOperation().walk([&](LoopLikeOpInterface loop) {
      if (auto mainloop = dyn_cast<MainloopOp>(loop.getOperation()))
        splitAll(loop, *mainloop.getConsumeBlock(), [](RankedTensorType) {
          return 1; // a warp has whole rows of wgmma
        });
      else if (auto plain = dyn_cast<scf::ForOp>(loop.getOperation());
               plain && plan && !plan.getProducer())
        splitAll(loop, *plain.getBody(), [&](RankedTensorType rows) {
          int64_t warps = countRowWarps(*plain.getBody(), rows, plan);
          return warps > 1 ? warps : 0;
        });
    });
  }

private:
  /// \param countWarps  the number of warps that share the rows of a summed
  /// tile; 0 to leave its sum as it is.
  void splitAll(LoopLikeOpInterface loop, Block &body,
                llvm::function_ref<int64_t(RankedTensorType)> countWarps) {
    for (unsigned number = 0; number < loop->getNumResults(); ++number) {
      std::optional<CarriedSum> match = matchSum(loop, body, number);
      int64_t warps = match ? countWarps(match->getRows()) : 0;
      if (warps == 0 ||
          match->getRows().getDimSize(1) % (warps * laneColumns * rowLanes) !=
              0)
        continue;
      split(loop, body, *match, warps);
      ++numSums;
    }
  }

  /// The number of warps over which `mma.sync` distributes the columns of a dot
  /// of this shape, each a contiguous range; 0 if there is no such dot.
  static int64_t countRowWarps(Block &body, RankedTensorType rows,
                               PlanAttr plan) {
    for (auto dot : body.getOps<tile::DotOp>()) {
      if (dot.getType() != rows || chooseDot(dot, plan) != DotKind::MmaSync)
        continue;
      for (const LayoutMode &mode : accumulatorLayout(dot, plan).getWarps())
        if (mode.axis == 1 && mode.stride * mode.extent == rows.getDimSize(1))
          return mode.extent;
    }
    return 0;
  }

  /// Whether a dot of the body makes tiles of this type, whose layout
  /// elementwise results share.
  static bool isProduct(Block &body, RankedTensorType type) {
    return llvm::any_of(body.getOps<tile::DotOp>(),
                        [&](tile::DotOp dot) { return dot.getType() == type; });
  }

  static std::optional<CarriedSum> matchSum(LoopLikeOpInterface loop,
                                            Block &body, unsigned number) {
    auto sum =
        body.getTerminator()->getOperand(number).getDefiningOp<arith::AddFOp>();
    Value older = loop.getRegionIterArgs()[number];
    if (!sum || !sum->hasOneUse() || !older.hasOneUse())
      return std::nullopt;
    for (auto [left, right] : {std::pair(sum.getLhs(), sum.getRhs()),
                               std::pair(sum.getRhs(), sum.getLhs())}) {
      auto shrunk = left.getDefiningOp<arith::MulFOp>();
      auto reduce = right.getDefiningOp<tile::ReduceOp>();
      if (!reduce || !reduce->hasOneUse() ||
          reduce.getKind() != tile::ReduceKind::Add || reduce.getAxis() != 1 ||
          !reduce.getKeepdims())
        continue;
      auto rows = cast<RankedTensorType>(reduce.getSources().front().getType());
      if (rows.getRank() != 2 || !rows.getElementType().isF32())
        continue;
      if (left == older && isProduct(body, rows))
        return CarriedSum{number, sum, {}, {}, reduce};
      if (!shrunk || !shrunk->hasOneUse())
        continue;
      if (shrunk.getLhs() == older)
        return CarriedSum{number, sum, shrunk, shrunk.getRhs(), reduce};
      if (shrunk.getRhs() == older)
        return CarriedSum{number, sum, shrunk, shrunk.getLhs(), reduce};
    }
    return std::nullopt;
  }

  /// Carries one partial sum for each lane, and for each warp if several share
  /// a row.
  static void split(LoopLikeOpInterface loop, Block &body, CarriedSum match,
                    int64_t warps) {
    Location loc = match.sum.getLoc();
    RankedTensorType rows = match.getRows();
    SmallVector<int64_t> shape = {rows.getDimSize(0), rowLanes};
    if (warps > 1)
      shape.insert(shape.begin() + 1, warps);
    RankedTensorType parts = rows.clone(shape);
    OpBuilder builder(loop);
    OpOperand &init = loop.getInitsMutable()[match.number];
    init.set(partsOf(builder, loc, init.get(), parts));
    Value older = loop.getRegionIterArgs()[match.number];
    older.setType(parts);

    builder.setInsertionPoint(match.sum);
    Value shrunk = older;
    if (match.shrunk)
      shrunk = arith::MulFOp::create(builder, loc, older,
                                     spread(builder, loc, match.factor, parts));
    Value newer =
        sumOfLanes(builder, loc, match.reduce.getSources().front(), warps);
    Value sum = arith::AddFOp::create(builder, loc, shrunk, newer);
    body.getTerminator()->setOperand(match.number, sum);
    match.sum.erase();
    if (match.shrunk)
      match.shrunk.erase();
    match.reduce.erase();

    Value result = loop->getResult(match.number);
    Type whole = result.getType();
    result.setType(parts);
    builder.setInsertionPointAfter(loop);
    Value first = result;
    if (warps > 1)
      first = reduce(builder, loc, rows.clone({shape[0], warps}), result,
                     /*axis=*/2, /*keepdims=*/false);
    Value total = reduce(builder, loc, whole, first, /*axis=*/1,
                         /*keepdims=*/true);
    result.replaceAllUsesExcept(total,
                                (warps > 1 ? first : total).getDefiningOp());
  }

  /// Broadcasts a column to all parts.
  static Value spread(OpBuilder &builder, Location loc, Value column,
                      RankedTensorType parts) {
    if (parts.getRank() > 2) {
      SmallVector<int64_t> sizes = {parts.getDimSize(0), 1, 1};
      column = tile::ReshapeOp::create(builder, loc, parts.clone(sizes), column,
                                       builder.getI64ArrayAttr(sizes));
    }
    return tile::BroadcastOp::create(builder, loc, parts, column,
                                     builder.getI64ArrayAttr(parts.getShape()));
  }

  /// Splits the initial sum into equal parts.
  static Value partsOf(OpBuilder &builder, Location loc, Value whole,
                       RankedTensorType parts) {
    if (isZeroTile(whole))
      return arith::ConstantOp::create(
          builder, loc, cast<TypedAttr>(builder.getZeroAttr(parts)));
    auto type = cast<RankedTensorType>(whole.getType());
    int64_t count = parts.getNumElements() / type.getNumElements();
    Value share = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, 1.0f / float(count)));
    return spread(builder, loc,
                  arith::MulFOp::create(builder, loc, whole, share), parts);
  }

  /// Each lane's partial sums of the rows of a tile, with the lanes of a warp
  /// next to each other.
  static Value sumOfLanes(OpBuilder &builder, Location loc, Value tile,
                          int64_t warps) {
    auto type = cast<RankedTensorType>(tile.getType());
    int64_t height = type.getDimSize(0),
            blocks = type.getDimSize(1) / (warps * laneColumns * rowLanes);
    SmallVector<int64_t> shape = {height, blocks, rowLanes, laneColumns};
    if (warps > 1)
      shape.insert(shape.begin() + 1, warps);
    Value sum = tile::ReshapeOp::create(builder, loc, type.clone(shape), tile,
                                        builder.getI64ArrayAttr(shape));
    // Reduce a lane's adjacent columns, then its blocks.
    for (int64_t axis :
         {int64_t(shape.size()) - 1, int64_t(shape.size()) - 3}) {
      shape.erase(shape.begin() + axis);
      sum = reduce(builder, loc, type.clone(shape), sum, axis,
                   /*keepdims=*/false);
    }
    return sum;
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
