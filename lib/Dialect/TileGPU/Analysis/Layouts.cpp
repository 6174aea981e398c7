// Checks the types of all results of a kernel, and follows conversions.
#include "TileGPT/Dialect/TileGPU/Analysis/Layouts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

LogicalResult tilegpu::verifyLayouts(tile::KernelOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (isa<RankedTensorType>(type) && !LayoutAttr::of(type)) {
        op->emitOpError("has a tile without a layout, ")
            << type << "; run --tile-gpu-assign-layouts first";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

Value tilegpu::withoutConversions(Value tile) {
  while (auto convert = tile.getDefiningOp<ConvertLayoutOp>())
    tile = convert.getSource();
  return tile;
}
