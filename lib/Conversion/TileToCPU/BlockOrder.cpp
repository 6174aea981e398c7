// Which axis of the grid runs fastest.
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileToLinalg.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tile;

/// The axis of the grid that cuts the rows of a stored view into tiles; nothing
/// if none does.
static std::optional<int64_t> gridAxisWithinRows(const AccessFootprint &store) {
  const ArrayRef<int64_t> strides =
      cast<ViewType>(store.view.getType()).getStrides();
  if (store.axes.empty() || (!strides.empty() && strides.back() != 1))
    return std::nullopt;
  const AxisFootprint &last = store.axes.back();
  if (last.index != TileIndex::BlockId)
    return std::nullopt;
  return last.gridAxis;
}

SmallVector<int64_t> cpu::chooseBlockOrder(KernelOp kernel) {
  const SmallVector<int64_t> natural = {0, 1, 2};
  const TileFootprint footprint(kernel);
  // The tiles of products are balanced for the natural order.
  if (footprint.getBodyClass() != BodyClass::Pointwise &&
      footprint.getBodyClass() != BodyClass::Rowwise)
    return natural;
  std::optional<int64_t> fastest;
  for (const AccessFootprint &access : footprint.getAccesses()) {
    if (!access.isStore)
      continue;
    const std::optional<int64_t> own = gridAxisWithinRows(access);
    if (!own || (fastest && *fastest != *own))
      return natural;
    fastest = own;
  }
  SmallVector<int64_t> order = natural;
  if (fastest)
    std::rotate(order.begin(), order.begin() + *fastest,
                order.begin() + *fastest + 1);
  return order;
}
