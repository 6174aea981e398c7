// The table of devices.
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilegpt::target;

llvm::ArrayRef<GpuModel> GpuModel::all() {
  static constexpr GpuModel models[] = {
#include "GpuModels.inc"
  };
  return models;
}

const GpuModel &GpuModel::of(const GpuTarget &target) {
  const auto *found = llvm::find_if(all(), [&](const GpuModel &model) {
    return model.architecture == target.name;
  });
  return found == all().end() ? all().back() : *found;
}
