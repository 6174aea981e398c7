// Checks the types of a kernel's arguments and results.
#include "TileGPT/Dialect/Tile/IR/Specialized.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tile;

LogicalResult tile::verifySpecialized(KernelOp kernel) {
  auto isOpen = [](Type type) {
    if (auto view = dyn_cast<ViewType>(type))
      return isa<EltType>(view.getElementType());
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor &&
           (!tensor.hasStaticShape() || isa<EltType>(tensor.getElementType()));
  };
  for (BlockArgument argument : kernel.getArguments())
    if (isOpen(argument.getType()))
      return kernel.emitOpError("argument #")
             << argument.getArgNumber() << " has the open type "
             << argument.getType() << "; run --tile-specialize first";
  WalkResult result = kernel.walk([&](Operation *op) {
    if (isa<ParamOp>(op)) {
      op->emitOpError("is not bound; run --tile-specialize first");
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (isOpen(type)) {
        op->emitOpError("has the open type ")
            << type << "; run --tile-specialize first";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult tile::verifyNoLayouts(KernelOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && tensor.getEncoding()) {
        op->emitOpError("has a tile with a layout, ")
            << type << "; run this pass before --tile-gpu-assign-layouts";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
