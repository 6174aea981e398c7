// Converts layouts where the tiles of an op were decided separately.
#include "Layout/LayoutRelations.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SpreadReduction.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilegpt::tilegpu {

LayoutAttr sourceLayout(tile::BroadcastOp op, LayoutAttr result) {
  return result.undoBroadcast(tileOf(op.getSource()).getShape(),
                              tileOf(op.getResult()).getShape());
}

LayoutAttr shareLayout(RankedTensorType share, PlanAttr plan) {
  return accumulatorLayout(DotKind::Wgmma, share, plan.getWarps());
}

namespace {
class Reconciliation {
public:
  explicit Reconciliation(tile::KernelOp kernel)
      : kernel(kernel), plan(PlanAttr::of(kernel)), builder(kernel) {}

  void run() {
    SmallVector<Operation *> ops;
    kernel.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      reconcile(op);
  }

private:
  void reconcile(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
        constant.setValueAttr(
            dense.reshape(cast<ShapedType>(constant.getType())));
    } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      LayoutAttr source = LayoutAttr::of(reduce.getSources().front().getType());
      if (isSpreadAs(reduce, source,
                     LayoutAttr::of(reduce.getResult(0).getType())))
        return;
      LayoutAttr layout = reducedLayout(reduce, source);
      for (Value result : reduce.getResults())
        makeAs(result, layout);
    } else if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
      makeAs(expand.getResult(), LayoutAttr::of(expand.getSource().getType())
                                     .insertAxis(expand.getAxis()));
    } else if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
      makeAs(permute.getResult(), LayoutAttr::of(permute.getSource().getType())
                                      .permute(permute.getPermutation()));
    } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      takeAs(broadcast.getSourceMutable(),
             sourceLayout(broadcast, LayoutAttr::of(broadcast.getType())));
    } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      takeAs(gather.getIndexMutable(),
             layoutOfIndices(LayoutAttr::of(gather.getType()),
                             tileOf(gather.getResult()).getRank(),
                             gather.getAxis()));
    } else if (auto scatter = dyn_cast<tile::ScatterOp>(op)) {
      takeAs(scatter.getIndexMutable(),
             layoutOfIndices(LayoutAttr::of(scatter.getValue().getType()),
                             tileOf(scatter.getValue()).getRank(),
                             scatter.getAxis()));
    } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
      LayoutAttr layout = accumulatorLayout(dot, plan);
      takeAs(dot.getAccMutable(), layout);
      makeAs(dot.getResult(), layout);
      // Dots take the values that a main loop computes from registers, unless
      // warps write them to shared memory.
      auto loop = dyn_cast<MainloopOp>(dot->getParentOp());
      if (loop && dot.getLhs().getDefiningOp() &&
          !isStaged(dot.getLhsMutable(), *loop.getConsumeBlock(),
                    loop.getRegionIterArgs()))
        takeAs(dot.getLhsMutable(),
               leftOperandLayout(tileOf(dot.getLhs()), plan.getWarps()));
    } else if (isa<SumPartsOp, SumShareOp>(op)) {
      Value share = op->getResult(0);
      makeAs(share, shareLayout(tileOf(share), plan));
    }
  }

  /// Sets the layout that an op produces, and converts to the one that its
  /// users expect.
  void makeAs(Value result, LayoutAttr layout) {
    RankedTensorType promised = tileOf(result);
    if (LayoutAttr::of(promised) == layout)
      return;
    result.setType(promised.cloneWithEncoding(layout));
    builder.setInsertionPointAfterValue(result);
    auto convert =
        ConvertLayoutOp::create(builder, result.getLoc(), promised, result);
    result.replaceAllUsesExcept(convert, convert);
  }

  /// Converts an operand to the layout that an op needs.
  void takeAs(OpOperand &operand, LayoutAttr layout) {
    RankedTensorType given = tileOf(operand.get());
    if (LayoutAttr::of(given) == layout)
      return;
    builder.setInsertionPoint(operand.getOwner());
    operand.set(ConvertLayoutOp::create(builder, operand.getOwner()->getLoc(),
                                        given.cloneWithEncoding(layout),
                                        operand.get()));
  }

  tile::KernelOp kernel;
  PlanAttr plan;
  OpBuilder builder;
};
} // namespace

void reconcileLayouts(tile::KernelOp kernel) { Reconciliation(kernel).run(); }

} // namespace tilegpt::tilegpu
