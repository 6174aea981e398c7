// Checks that a loop computes elementwise, and changes the shape of its tiles.
#include "Columns/LoopTiles.h"
#include "TileGPT/Dialect/Tile/Analysis/Elementwise.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool readsMatrix(tile::LoadOp load) {
  tile::ViewType view = load.getView().getType();
  return isa<BlockArgument>(load.getView()) && view.isDense() &&
         view.getRank() == 2 &&
         llvm::none_of(view.getShape(), ShapedType::isDynamic) &&
         !load.getMask() && !load.getOrder() &&
         load.getPad() == tile::PadKind::Zero && load.getType().getRank() == 2;
}

LoopTiles::LoopTiles(scf::ForOp loop) : loop(loop) {
  llvm::append_range(loads, loop.getBody()->getOps<tile::LoadOp>());
  if (!loads.empty())
    shape = llvm::to_vector(loads.front().getType().getShape());
}

bool LoopTiles::contains(Type type) const {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && tile.getShape() == ArrayRef(shape);
}

bool LoopTiles::areElementwise() const {
  scf::ForOp within = loop;
  return !loads.empty() &&
         llvm::all_of(within.getResultTypes(),
                      [&](Type type) { return contains(type); }) &&
         llvm::all_of(within.getBody()->without_terminator(),
                      [&](Operation &op) { return accept(op); });
}

bool LoopTiles::accept(Operation &op) const {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return contains(load.getType());
  auto isOther = [&](Type type) {
    return isa<RankedTensorType>(type) && !contains(type);
  };
  if (llvm::any_of(op.getResultTypes(), isOther) ||
      llvm::any_of(op.getOperandTypes(), isOther))
    return false;
  auto isWhole = [&](Type type) { return contains(type); };
  if (llvm::none_of(op.getResultTypes(), isWhole))
    return llvm::none_of(op.getOperandTypes(), isWhole);
  return isa<tile::SplatOp>(op) || tile::isElementwise(&op);
}

SmallVector<Value> LoopTiles::getOutside() const {
  scf::ForOp within = loop;
  SetVector<Value> found;
  auto add = [&](Value value) {
    if (contains(value.getType()) && within.isDefinedOutsideOfLoop(value))
      found.insert(value);
  };
  llvm::for_each(within.getInits(), add);
  for (Operation &op : *within.getBody())
    llvm::for_each(op.getOperands(), add);
  return found.takeVector();
}

void LoopTiles::reshape(ArrayRef<int64_t> to,
                        function_ref<Value(Value)> outside,
                        function_ref<Value(tile::LoadOp)> reload) {
  auto reshaped = [&](Type type) {
    return RankedTensorType::get(to, getElementTypeOrSelf(type));
  };
  llvm::DenseMap<Value, Value> replacements;
  for (Value tile : getOutside())
    replacements[tile] = outside(tile);
  auto replaceOutside = [&](OpOperand &operand) {
    if (Value replacement = replacements.lookup(operand.get()))
      operand.set(replacement);
  };
  llvm::for_each(loop.getInitsMutable(), replaceOutside);
  for (BlockArgument argument : loop.getRegionIterArgs())
    argument.setType(reshaped(argument.getType()));
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
    if (auto load = dyn_cast<tile::LoadOp>(op)) {
      load.replaceAllUsesWith(reload(load));
      load.erase();
      continue;
    }
    llvm::for_each(op.getOpOperands(), replaceOutside);
    for (Value result : op.getResults())
      if (contains(result.getType()))
        result.setType(reshaped(result.getType()));
    if (op.hasAttr("sizes"))
      op.setAttr("sizes", Builder(op.getContext()).getI64ArrayAttr(to));
  }
  for (Value result : loop.getResults())
    result.setType(reshaped(result.getType()));
}

} // namespace tilegpt::tilegpu
