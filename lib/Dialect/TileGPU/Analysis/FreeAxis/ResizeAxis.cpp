// Changes the size of tiles along an axis, and the grid accordingly.
#include "TileGPT/Dialect/TileGPU/Analysis/FreeAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Repeats a tile along an axis of size 1.
static void repeatTile(Value tile, int64_t axis, int64_t size) {
  OpBuilder builder(tile.getContext());
  builder.setInsertionPointAfterValue(tile);
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  Value repeated =
      tile::BroadcastOp::create(builder, tile.getLoc(), type.clone(shape), tile,
                                builder.getI64ArrayAttr(shape));
  tile.replaceAllUsesExcept(repeated, repeated.getDefiningOp());
}

void retypeTile(Value tile, RankedTensorType type) {
  tile.setType(type);
  Operation *op = tile.getDefiningOp();
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    constant.setValueAttr(
        cast<SplatElementsAttr>(constant.getValue()).resizeSplat(type));
  else if (op && op->hasAttr("sizes"))
    op->setAttr("sizes",
                Builder(op->getContext()).getI64ArrayAttr(type.getShape()));
}

void resizeTile(Value tile, int64_t axis, int64_t size) {
  auto type = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  retypeTile(tile, type.clone(shape));
}

/// Whether the op that creates a tile inserts the axis, of size 1.
static bool isInserted(Value tile, int64_t along, const FreeAxis &axis) {
  Operation *op = tile.getDefiningOp();
  if (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op))
    return int64_t(expand.getAxis()) == along;
  auto reshape = dyn_cast_or_null<tile::ReshapeOp>(op);
  return reshape && !axis.axes.contains(reshape.getSource());
}

void resizeTiles(const FreeAxis &axis, int64_t size) {
  for (auto [tile, along] : axis.axes)
    if (isInserted(tile, along, axis))
      repeatTile(tile, along, size);
    else
      resizeTile(tile, along, size);
}

void resize(tile::KernelOp kernel, const FreeAxis &axis, int64_t size) {
  Builder builder(kernel.getContext());
  resizeTiles(axis, size);
  SmallVector<Attribute> grid(kernel.getGrid().getValue());
  auto expr = cast<tile::ExprAttr>(grid[axis.gridAxis]);
  AffineMap map = expr.getMap();
  AffineExpr blocks = map.getResult(0);
  if (auto known = dyn_cast<AffineConstantExpr>(blocks)) {
    // The last blocks had only out-of-bounds elements.
    int64_t all =
        std::min(known.getValue() * axis.size, axis.extent.value_or(INT64_MAX));
    blocks = getAffineConstantExpr(all, kernel.getContext()).ceilDiv(size);
  } else {
    blocks = getAffineSymbolExpr(0, kernel.getContext()).ceilDiv(size);
  }
  grid[axis.gridAxis] = tile::ExprAttr::get(
      kernel.getContext(),
      AffineMap::get(map.getNumDims(), map.getNumSymbols(), blocks),
      expr.getSources());
  kernel.setGridAttr(builder.getArrayAttr(grid));
}

} // namespace tilegpt::tilegpu
