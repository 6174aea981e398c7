// Shifts the last tile along an axis back into bounds if a producer copies
// tiles: TMA fills out-of-bounds rows with zeros more slowly than it copies
// others.
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ShiftedTiles.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "llvm/ADT/bit.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_SHIFTTILES
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
struct ShiftTiles : tilegpu::impl::ShiftTilesBase<ShiftTiles> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    tile::KernelOp kernel = getOperation();
    PlanAttr plan = PlanAttr::of(kernel);
    // Blocks that split the depth load adjacent tiles for each other.
    if (!plan || !plan.getProducer() || plan.getParts() > 1)
      return;
    SmallVector<FreeAxis> axes;
    for (int64_t axis = 0; axis < int64_t(kernel.getGridRank()); ++axis)
      if (std::optional<FreeAxis> shifted = findShiftedAxis(kernel, axis))
        axes.push_back(std::move(*shifted));
    for (const FreeAxis &axis : axes)
      shift(kernel, axis);
  }

private:
  void shift(tile::KernelOp kernel, const FreeAxis &axis) {
    OpBuilder builder = OpBuilder::atBlockBegin(kernel.getEntryBlock());
    Location loc = kernel.getLoc();
    Arithmetic math(builder, loc);
    Value id = tile::BlockIdOp::create(builder, loc, axis.gridAxis),
          last = arith::ConstantIndexOp::create(builder, loc,
                                                *axis.extent - axis.size);
    Value begin = tile::AssumeOp::create(
        builder, loc, math.min(math.mul(id, axis.size), last),
        builder.getI64IntegerAttr(int64_t(1) << llvm::countr_zero(
                                      uint64_t(axis.size | *axis.extent))),
        builder.getDenseI64ArrayAttr({0, *axis.extent - axis.size}));
    for (Operation *op : axis.accesses)
      shift(op, axis, begin);
    explainPassed(kernel, "grid")
        << remark::add("the last tile of {0} is shifted to end at {1}",
                       axis.size, *axis.extent);
    ++numShifted;
  }

  /// Makes an access use a window of its tile's size, which it covers.
  static void shift(Operation *op, const FreeAxis &axis, Value begin) {
    AccessOperands access(op);
    int64_t along = axis.axes.lookup(access.value);
    OpBuilder builder(op);
    Operation *made = access.view.getDefiningOp();
    // Insert before the loop that contains the access.
    if (Operation *own = made ? made : begin.getDefiningOp();
        own->getBlock() == begin.getParentBlock())
      builder.setInsertionPointAfter(own->isBeforeInBlock(begin.getDefiningOp())
                                         ? begin.getDefiningOp()
                                         : own);
    auto view = cast<tile::ViewType>(access.view.getType());
    SmallVector<int64_t> offsets(view.getRank(), 0), sizes(view.getShape());
    SmallVector<Value> freeSizes;
    for (auto [number, size] : llvm::enumerate(sizes))
      if (ShapedType::isDynamic(size))
        freeSizes.push_back(
            tile::DimOp::create(builder, op->getLoc(), access.view, number));
    offsets[along] = ShapedType::kDynamic;
    sizes[along] = axis.size;
    auto type =
        tile::ViewType::get(view.getContext(), sizes, view.getElementType(),
                            view.getKnownStrides());
    Value window =
        tile::SubviewOp::create(builder, op->getLoc(), type, access.view, begin,
                                freeSizes, offsets, sizes);
    builder.setInsertionPoint(op);
    Value first = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
    auto redirect = [&](auto access) {
      access.getViewMutable().assign(window);
      access.getIndicesMutable()[along].set(first);
    };
    if (auto load = dyn_cast<tile::LoadOp>(op))
      redirect(load);
    else
      redirect(cast<tile::StoreOp>(op));
  }
};
} // namespace
