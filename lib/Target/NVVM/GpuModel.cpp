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
  const GpuModel *found = &all().back();
  for (const GpuModel &model : llvm::reverse(all()))
    if (model.architecture == target.name &&
        (model.isMeasured || found->architecture != target.name))
      found = &model;
  return *found;
}
