// Where the results of reductions across warps may lie.
#include "TileGPT/Dialect/TileGPU/Analysis/SpreadReduction.h"
#include "TileGPT/Conversion/TileToArith/ReduceCombiner.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tilegpt::tilegpu {

LayoutAttr reducedLayout(tile::ReduceOp op, LayoutAttr source) {
  return op.getKeepdims() ? source.collapseAxis(op.getAxis())
                          : source.dropAxis(op.getAxis());
}

/// Whether a layout covers a tile without padding.
static bool coversExactly(LayoutAttr layout, ArrayRef<int64_t> shape) {
  for (auto [axis, size] : llvm::enumerate(shape))
    if (layout.getCoveredSize(axis) != size)
      return false;
  return true;
}

static int64_t warpsAlong(LayoutAttr layout, int64_t axis) {
  int64_t along = 1;
  for (const LayoutMode &mode : layout.getWarps())
    if (mode.axis == axis)
      along *= mode.extent;
  return along;
}

bool canSpread(tile::ReduceOp op, LayoutAttr source) {
  int64_t axis = op.getAxis();
  if (!op.getKind() || tile::isArgReduction(op) || op.getNumResults() != 1 ||
      warpsAlong(source, axis) == 1 ||
      llvm::any_of(source.getWarps(),
                   [](const LayoutMode &mode) { return mode.isReplicated(); }))
    return false;
  SmallVector<int64_t> kept(tileOf(op.getSources().front()).getShape());
  kept[axis] = 1;
  return coversExactly(source.collapseAxis(axis), kept);
}

bool isSpreadAs(tile::ReduceOp op, LayoutAttr source, LayoutAttr result) {
  return canSpread(op, source) &&
         coversExactly(result, tileOf(op.getResult(0)).getShape());
}

/// Whether all that is made of a tile, element by element, is stored.
static bool isOnlyStored(Value tile, SmallPtrSetImpl<Operation *> &seen) {
  return llvm::all_of(tile.getUsers(), [&](Operation *user) {
    if (isa<tile::StoreOp>(user) || !seen.insert(user).second)
      return true;
    return (tile::isElementwise(user) || isa<tile::ExpandDimsOp>(user)) &&
           isOnlyStored(user->getResult(0), seen);
  });
}

bool isBetterSpread(tile::ReduceOp op, LayoutAttr source) {
  SmallPtrSet<Operation *, 8> seen;
  return canSpread(op, source) &&
         tileOf(op.getResult(0)).getNumElements() >= warpLanes &&
         source.collapseAxis(op.getAxis()).getNumRegisters() > 1 &&
         isOnlyStored(op.getResult(0), seen);
}

SharedType getSpreadBuffer(tile::ReduceOp op, Type accumulator) {
  RankedTensorType result = tileOf(op.getResult(0));
  SmallVector<int64_t> shape = {warpsAlong(
      LayoutAttr::of(op.getSources().front().getType()), op.getAxis())};
  llvm::append_range(shape, result.getShape());
  return SharedType::get(op.getContext(), shape, accumulator,
                         /*swizzle=*/0, /*padding=*/0);
}

} // namespace tilegpt::tilegpu
