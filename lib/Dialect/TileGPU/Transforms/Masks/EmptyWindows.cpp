// Compares the first element of each stored tile with the end of its window.
#include "Masks/EmptyWindows.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reproduce.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// An axis of a stored tile whose window ends at a size known at run time.
struct OpenAxis {
  Value index; ///< of the tile
  int64_t tileSize;
  Value windowSize;
};
} // namespace

/// The window that a view is, or of which it is an entry with its axes in some
/// order; null if it is none.
/// \param axes  numbers of axes of the view, replaced by those of the window.
static tile::SubviewOp findWindow(Value view, MutableArrayRef<int64_t> axes) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto select = dyn_cast<tile::SelectOp>(op)) {
      for (int64_t &axis : axes)
        axis += int64_t(select.getIndices().size());
      view = select.getSource();
    } else if (auto transpose = dyn_cast<tile::TransposeOp>(op)) {
      for (int64_t &axis : axes)
        axis = transpose.getPermutation()[axis];
      view = transpose.getSource();
    } else {
      return dyn_cast<tile::SubviewOp>(op);
    }
  }
  return {};
}

/// The open axes of a store to a window of a view or of its entry.
static SmallVector<OpenAxis> openAxesOf(tile::StoreOp store) {
  auto numbers = llvm::to_vector(llvm::seq(int64_t(store.getIndices().size())));
  tile::SubviewOp window = findWindow(store.getView(), numbers);
  if (!window || store.getOrder())
    return {};
  SmallVector<OpFoldResult> sizes = getMixedValues(
      window.getStaticSizes(), window.getSizes(), window.getContext());
  SmallVector<OpenAxis> axes;
  for (auto [index, tileSize, number] : llvm::zip_equal(
           store.getIndices(), store.getValue().getType().getShape(), numbers))
    if (!getConstantIntValue(sizes[number]))
      axes.push_back({index, tileSize, cast<Value>(sizes[number])});
  return axes;
}

/// The stores of what is computed from a loop's results; nullopt if something
/// else has effects or control flow depends on them.
static std::optional<SmallVector<tile::StoreOp>> storesOf(scf::ForOp loop) {
  llvm::SetVector<Operation *> slice;
  getForwardSlice(loop.getOperation(), &slice);
  SmallVector<tile::StoreOp> stores;
  for (Operation *op : slice) {
    if (loop->isProperAncestor(op))
      continue;
    if (auto store = dyn_cast<tile::StoreOp>(op))
      stores.push_back(store);
    else if (op->getBlock() != loop->getBlock() || op->getNumRegions() != 0 ||
             !isMemoryEffectFree(op))
      return std::nullopt;
  }
  return stores;
}

/// Makes a scalar available before the loop.
static Value reproduceBefore(scf::ForOp loop, Value value) {
  if (DominanceInfo().properlyDominates(value, loop))
    return value;
  if (!canReproduce(value))
    return {};
  OpBuilder builder(loop);
  IRMapping known;
  return reproduceScalar(builder, value, known);
}

/// Whether a tile begins within its window, along all open axes.
static Value createBeginsInside(scf::ForOp loop, ArrayRef<OpenAxis> axes) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value inside;
  for (const OpenAxis &axis : axes) {
    Value index = reproduceBefore(loop, axis.index),
          end = reproduceBefore(loop, axis.windowSize);
    if (!index || !end)
      continue;
    Value begin = builder.createOrFold<arith::MulIOp>(
        loc, index,
        arith::ConstantIndexOp::create(builder, loc, axis.tileSize));
    Value isInside = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt, begin, end);
    inside = inside ? builder.createOrFold<arith::AndIOp>(loc, inside, isInside)
                    : isInside;
  }
  return inside;
}

/// Blocks that store nothing skip the stores as well.
static void guard(tile::StoreOp store, Value condition) {
  OpBuilder builder(store);
  auto branch = scf::IfOp::create(builder, store.getLoc(), condition);
  store->moveBefore(branch.thenBlock()->getTerminator());
}

Value guardResults(scf::ForOp loop) {
  if (loop.getNumResults() == 0 || !onlyReads(loop))
    return {};
  std::optional<SmallVector<tile::StoreOp>> stores = storesOf(loop);
  if (!stores)
    return {};
  SmallVector<Value> conditions;
  for (tile::StoreOp store : *stores) {
    conditions.push_back(createBeginsInside(loop, openAxesOf(store)));
    if (!conditions.back())
      return {};
  }
  OpBuilder builder(loop);
  Value any;
  for (auto [store, condition] : llvm::zip_equal(*stores, conditions)) {
    if (store->getBlock() == loop->getBlock())
      guard(store, condition);
    any =
        any ? builder.createOrFold<arith::OrIOp>(loop.getLoc(), any, condition)
            : condition;
  }
  return any;
}

} // namespace tilegpt::tilegpu
