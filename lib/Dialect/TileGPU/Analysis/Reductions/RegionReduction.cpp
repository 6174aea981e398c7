// Creates reductions of several tiles by a region.
#include "Reductions/RegionReduction.h"

using namespace mlir;

namespace tilegpt::tilegpu {

tile::ReduceOp createRegionReduction(OpBuilder &builder, Location loc,
                                     ValueRange tiles, int64_t axis,
                                     ArrayRef<Attribute> identities,
                                     bool keepdims) {
  SmallVector<Type> results;
  for (Value value : tiles) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (keepdims)
      shape[axis] = 1;
    else
      shape.erase(shape.begin() + axis);
    results.push_back(RankedTensorType::get(shape, type.getElementType()));
  }
  return tile::ReduceOp::create(
      builder, loc, results, tiles, axis, tile::ReduceKindAttr(),
      builder.getArrayAttr(identities), keepdims, tile::NaNPolicy::Propagate);
}

} // namespace tilegpt::tilegpu
