// Replaces loaded tiles by computed ones.
#include "Fusion/ReadTiles.h"

using namespace mlir;

namespace tilegpt::tile {

Operation *firstReader(const AccessFootprint &load) {
  Block *block = load.op->getBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : load.tile.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

void bringLoadsForward(Operation *front, Block *block) {
  Operation *first = front ? front->getNextNode() : &block->front();
  auto isKnown = [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return !definition || definition->isBeforeInBlock(first);
  };
  for (Operation *op = first, *next; op; op = next) {
    next = op->getNextNode();
    if (!isa<LoadOp>(op) && !isMemoryEffectFree(op))
      return; // later loads may read the written data
    if ((!isa<LoadOp>(op) && !op->hasTrait<OpTrait::ConstantLike>()) ||
        !llvm::all_of(op->getOperands(), isKnown))
      continue;
    if (op == first)
      first = next;
    else
      op->moveBefore(first);
  }
}

void readInstead(LoadOp load, Value tile, Rounding rounding, bool isOneRow) {
  // Sets the insertion point each time: the op after the tile may be erased.
  auto convert = [&](Type element, Rounding rounding) {
    OpBuilder builder(load.getContext());
    builder.setInsertionPointAfterValue(tile);
    return convertTile(builder, tile, element, rounding);
  };
  if (rounding == Rounding::Drop)
    for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
      if (auto cast = dyn_cast<CastOp>(user)) {
        cast.replaceAllUsesWith(
            convert(cast.getType().getElementType(), rounding));
        cast.erase();
      }
  if (auto made = tile.getDefiningOp<CastOp>();
      made && rounding == Rounding::Drop && isOneRow)
    for (OpOperand &use : llvm::make_early_inc_range(load->getUses()))
      if (isa<DotOp>(use.getOwner()))
        use.set(made.getSource());
  load.replaceAllUsesWith(
      convert(load.getType().getElementType(), Rounding::Keep));
  load.erase();
}

} // namespace tilegpt::tile
