// Clones ops for smaller tiles.
#include "Append/OneRow.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::tile {

bool OneRow::isCut(Value value) const {
  RankedTensorType type = tileOf(value);
  return type && llvm::any_of(llvm::seq(type.getRank()),
                              [&](int64_t axis) { return isCut(value, axis); });
}

void OneRow::cut(Value copy, Value original) const {
  RankedTensorType type = tileOf(original);
  if (!type)
    return;
  SmallVector<int64_t> shape(cast<RankedTensorType>(copy.getType()).getShape());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (isCut(original, axis))
      shape[axis] = 1;
  copy.setType(cast<RankedTensorType>(copy.getType()).clone(shape));
}

Operation *OneRow::clone(OpBuilder &builder, Operation *op,
                         IRMapping &mapping) const {
  Operation *copy = builder.clone(*op, mapping);
  SmallVector<Operation *> originals, copies;
  op->walk<WalkOrder::PreOrder>(
      [&](Operation *inner) { originals.push_back(inner); });
  copy->walk<WalkOrder::PreOrder>(
      [&](Operation *inner) { copies.push_back(inner); });
  for (auto [original, inner] : llvm::zip_equal(originals, copies)) {
    for (auto [result, own] :
         llvm::zip_equal(inner->getResults(), original->getResults()))
      cut(result, own);
    for (auto [region, own] :
         llvm::zip_equal(inner->getRegions(), original->getRegions()))
      for (auto [argument, ownArgument] :
           llvm::zip_equal(region.getArguments(), own.getArguments()))
        cut(argument, ownArgument);
    auto named = inner->getAttrOfType<ArrayAttr>("sizes");
    if (named && isa<TileDialect>(inner->getDialect()))
      inner->setAttr("sizes", builder.getArrayAttr(llvm::map_to_vector(
                                  named, [&](Attribute size) -> Attribute {
                                    return sizes.contains(size)
                                               ? builder.getI64IntegerAttr(1)
                                               : size;
                                  })));
  }
  for (Operation *inner : copies)
    if (auto param = dyn_cast<ParamOp>(inner);
        param && sizes.contains(param.getNameAttr())) {
      OpBuilder here(param);
      Value one = arith::ConstantIndexOp::create(here, param.getLoc(), 1);
      param.replaceAllUsesWith(one);
      if (inner != copy) {
        param.erase();
        continue;
      }
      mapping.map(op->getResult(0), one);
      param.erase();
      return one.getDefiningOp();
    }
  return copy;
}

} // namespace tilegpt::tile
