// Multiplies the blocks along an axis of a grid.
#include "Grid/BlockGroups.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/Tile/Analysis/KnownGrid.h"

using namespace mlir;

namespace tilegpt::tilegpu {

BlockGroup multiplyGrid(tile::KernelOp kernel, int64_t axis, int64_t parts) {
  OpBuilder builder(kernel.getContext());
  Location loc = kernel.getLoc();
  SmallVector<int64_t> sizes;
  for (int64_t each = 0; each < int64_t(kernel.getGridRank()); ++each)
    sizes.push_back(knownBlocks(kernel, each).value_or(1));
  SmallVector<Attribute> grid(kernel.getGrid().getValue());
  auto along = cast<tile::ExprAttr>(grid[axis]);
  AffineMap blocks = along.getMap();
  grid[axis] = tile::ExprAttr::get(builder.getContext(),
                                   AffineMap::get(blocks.getNumDims(),
                                                  blocks.getNumSymbols(),
                                                  blocks.getResult(0) * parts),
                                   along.getSources());
  kernel.setGridAttr(builder.getArrayAttr(grid));

  builder.setInsertionPointToStart(kernel.getEntryBlock());
  Arithmetic math(builder, loc);
  auto bound = [&](Value index, int64_t count) -> Value {
    return tile::AssumeOp::create(builder, loc, index, IntegerAttr(),
                                  builder.getDenseI64ArrayAttr({0, count - 1}));
  };
  SmallVector<Value> place;
  SmallPtrSet<Operation *, 4> own;
  for (size_t each = 0; each < sizes.size(); ++each) {
    auto id = tile::BlockIdOp::create(builder, loc, each);
    own.insert(id);
    place.push_back(id);
  }
  BlockGroup group;
  group.part = bound(math.rem(place[axis], parts), parts);
  place[axis] = bound(math.div(place[axis], parts), sizes[axis]);
  kernel.walk([&](tile::BlockIdOp id) {
    if (!own.contains(id) && int64_t(id.getAxis()) == axis)
      id.replaceAllUsesWith(place[axis]);
  });
  kernel.walk([&](tile::NumBlocksOp count) {
    if (int64_t(count.getAxis()) != axis)
      return;
    builder.setInsertionPoint(count);
    count.replaceAllUsesWith(
        arith::ConstantIndexOp::create(builder, loc, sizes[axis]).getResult());
  });
  builder.setInsertionPointAfterValue(place[axis]);
  group.group = place[0];
  int64_t before = sizes[0];
  for (size_t each = 1; each < sizes.size(); ++each) {
    group.group = math.add(group.group, math.mul(place[each], before));
    before *= sizes[each];
  }
  if (sizes.size() > 1)
    group.group = bound(group.group, before);
  return group;
}

} // namespace tilegpt::tilegpu
