// Writes argmax and argmin of long rows as reductions of pairs of an element
// and its column, which blocks can reduce in parts.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/TileGPU/Analysis/LongRows.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/IndexedExtreme.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_EXPANDARGMAX
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

/// Whether an op is an argmax or argmin of a row that may exceed the registers.
static bool isOfLongRow(tile::ReduceOp op) {
  if (op.getKind() != tile::ReduceKind::ArgMax &&
      op.getKind() != tile::ReduceKind::ArgMin)
    return false;
  auto type = cast<RankedTensorType>(op.getSources()[0].getType());
  return op->getParentOfType<tile::KernelOp>().getEntryBlock() ==
             op->getBlock() &&
         type.getRank() == 2 && op.getAxis() == 1 && type.getDimSize(0) == 1 &&
         type.getDimSize(1) >= LongRows::fewestColumns;
}

/// A tile before it was extended to wider floats, which keeps the order of its
/// elements: narrow ones take half of the registers.
static Value withoutExtensions(Value tile) {
  while (auto cast = tile.getDefiningOp<tile::CastOp>()) {
    auto from = dyn_cast<FloatType>(getElementTypeOrSelf(cast.getSource())),
         to = dyn_cast<FloatType>(getElementTypeOrSelf(tile));
    if (!from || !to || from.getWidth() < 16 ||
        from.getWidth() >= to.getWidth() ||
        !APFloat::isRepresentableBy(from.getFloatSemantics(),
                                    to.getFloatSemantics()))
      break;
    tile = cast.getSource();
  }
  return tile;
}

static void expand(tile::ReduceOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value row = withoutExtensions(op.getSources()[0]);
  auto type = cast<RankedTensorType>(row.getType());
  Value numbers = tile::IotaOp::create(
      builder, loc,
      RankedTensorType::get({type.getDimSize(1)}, builder.getI32Type()),
      builder.getI64ArrayAttr({type.getDimSize(1)}));
  Value columns = tile::BroadcastOp::create(
      builder, loc, type.clone(builder.getI32Type()), numbers,
      builder.getI64ArrayAttr(type.getShape()));
  auto extreme =
      *IndexedExtreme::of(cast<tile::CombinerOpInterface>(op.getOperation()));
  op.getResult(0).replaceAllUsesWith(
      extreme.reduce(builder, loc, row, columns, op.getAxis(), op.getKeepdims())
          .getResult(1));
  op.erase();
}

namespace {
struct ExpandArgmax : tilegpu::impl::ExpandArgmaxBase<ExpandArgmax> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    SmallVector<tile::ReduceOp> found;
    getOperation().walk([&](tile::ReduceOp op) {
      if (isOfLongRow(op))
        found.push_back(op);
    });
    for (tile::ReduceOp op : found)
      expand(op);
    numExpanded += found.size();
  }
};
} // namespace
