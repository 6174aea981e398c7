// Finds axes of tiles that are longer than those of their views.
#include "FreeAxis/AxisFollower.h"
#include "FreeAxis/PaddingValues.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class WideAxisSearch : AxisFollower {
public:
  explicit WideAxisSearch(tile::KernelOp kernel)
      : AxisFollower(kernel, /*gridAxis=*/-1, /*followsDots=*/false) {
    isStreamed = true;
  }

  std::optional<WideAxis> run(tile::LoadOp load, int64_t axis) {
    found.size = load.getType().getDimSize(axis);
    found.extent = extentOf(load, axis);
    if (!isWide(load, axis) || !mark(load, load.getResult(), axis) ||
        !follow() || !isOutsideLoops())
      return std::nullopt;
    for (Operation *op : found.accesses) {
      int64_t along = *axisOf(AccessOperands(op).value);
      if (extentOf(op, along) != found.extent)
        return std::nullopt;
    }
    PaddingValues padding(found);
    for (auto [tile, along] : found.axes)
      if (tile.getDefiningOp<tile::IotaOp>())
        padding.addMasks(tile);
    if (!padding.areNeutral())
      return std::nullopt;
    WideAxis wide = {std::move(found), {}};
    for (auto [compare, result] : padding.getMasks())
      wide.masks.emplace_back(compare, result);
    return wide;
  }

private:
  /// Of the view along an axis of the tile.
  static int64_t extentOf(Operation *op, int64_t axis) {
    AccessOperands access(op);
    return cast<tile::ViewType>(access.view.getType())
        .getShape()[access.viewAxis[axis]];
  }

  bool isWide(tile::LoadOp load, int64_t axis) const {
    return !ShapedType::isDynamic(*found.extent) && *found.extent > 0 &&
           *found.extent < found.size &&
           isConstantIntValue(AccessOperands(load).indices[axis], 0);
  }

  /// Loops may carry padding from one iteration to the next.
  bool isOutsideLoops() const {
    return llvm::all_of(found.axes, [](auto &entry) {
      Operation *op = entry.first.getDefiningOp();
      return op && !isa<LoopLikeOpInterface>(op);
    });
  }
};
} // namespace

void WideAxis::cut() const {
  resizeTiles(*this, *extent);
  for (auto [compare, result] : masks) {
    OpBuilder builder(compare);
    auto type = cast<RankedTensorType>(compare->getResult(0).getType());
    compare->replaceAllUsesWith(arith::ConstantOp::create(
        builder, compare->getLoc(), SplatElementsAttr::get(type, result)));
    compare->erase();
  }
}

std::optional<WideAxis> findWideAxis(tile::LoadOp load, int64_t axis) {
  return WideAxisSearch(load->getParentOfType<tile::KernelOp>())
      .run(load, axis);
}

} // namespace tilegpt::tilegpu
