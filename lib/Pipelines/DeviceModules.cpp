// Moves ops between modules; nothing is copied.
#include "TileGPT/Pipelines/DeviceModules.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilegpt {

/// An empty module at the end of `module`.
static ModuleOp addModule(ModuleOp module, Location loc) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  return ModuleOp::create(builder, loc);
}

LogicalResult splitIntoDeviceModules(ModuleOp module) {
  if (!module.getOps<ModuleOp>().empty())
    return success();

  const bool hasKernels =
      module.walk([](tile::KernelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (!hasKernels) {
    ModuleOp device = addModule(module, module.getLoc());
    device.getBody()->getOperations().splice(
        device.getBody()->end(), module.getBody()->getOperations(),
        module.getBody()->begin(), device->getIterator());
    return success();
  }

  PassManager pm(module.getContext());
  pm.addPass(tile::createIsolateKernelsPass());
  if (failed(pm.run(module)))
    return failure();
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) {
    ModuleOp device = addModule(module, kernel.getLoc());
    device.setSymName(kernel.getSymName());
    kernel->moveBefore(device.getBody(), device.getBody()->end());
  }
  return success();
}

} // namespace tilegpt
