// Looks up targets, optionally with an error.
#include "TileGPT/Target/NVVM/FindTarget.h"

using namespace mlir;

namespace tilegpt::target {

const GpuTarget *lookUpTarget(StringRef name) {
  const GpuTarget *found =
      llvm::find_if(GpuTarget::all(), [&](const GpuTarget &target) {
        return target.name == name;
      });
  return found == GpuTarget::all().end() ? nullptr : found;
}

const GpuTarget *findTarget(Operation *op, StringRef name) {
  llvm::Expected<const GpuTarget &> found = GpuTarget::find(name);
  if (found)
    return &*found;
  op->emitOpError() << llvm::toString(found.takeError());
  return nullptr;
}

} // namespace tilegpt::target
