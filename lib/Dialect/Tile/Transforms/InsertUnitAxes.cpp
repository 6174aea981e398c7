// Replaces reshapes that only insert unit axes by expand_dims.
#include "InsertUnitAxes.h"

using namespace mlir;

namespace tilegpt::tile {

/// The axes of `to` that a reshape inserts, in ascending order; nullopt if it
/// does anything else.
static std::optional<SmallVector<int64_t>> insertedAxes(ArrayRef<int64_t> from,
                                                        ArrayRef<int64_t> to) {
  SmallVector<int64_t> inserted;
  for (auto [axis, size] : llvm::enumerate(to)) {
    if (!from.empty() && from.front() == size)
      from = from.drop_front();
    else if (size == 1)
      inserted.push_back(axis);
    else
      return std::nullopt;
  }
  if (!from.empty() || inserted.empty())
    return std::nullopt;
  return inserted;
}

void insertUnitAxes(KernelOp kernel) {
  kernel.getBody().walk([](ReshapeOp op) {
    RankedTensorType source = op.getSource().getType();
    if (source.getRank() == 0 || !source.getElementType().isInteger())
      return;
    auto axes = insertedAxes(source.getShape(), op.getType().getShape());
    if (!axes)
      return;
    OpBuilder builder(op);
    Value tile = op.getSource();
    SmallVector<int64_t> shape(source.getShape());
    for (int64_t axis : *axes) {
      shape.insert(shape.begin() + axis, 1);
      tile = ExpandDimsOp::create(builder, op.getLoc(), source.clone(shape),
                                  tile, axis);
    }
    op.replaceAllUsesWith(tile);
    op.erase();
  });
}

} // namespace tilegpt::tile
