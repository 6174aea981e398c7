// Bytes that a kernel's loads read, for the sizes of a launch.
#include "Tiling/LoadBytes.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "Tiling/LaunchSizes.h"

using namespace mlir;

namespace tilegpt::tilegpu {

std::optional<int64_t> bytesOfLoads(OpenLaunch &launch,
                                    ArrayRef<tile::LoadOp> loads,
                                    const llvm::StringMap<int64_t> &sizes) {
  LaunchSizes known(launch);
  int64_t bytes = 0;
  for (tile::LoadOp load : loads) {
    BlockArgument root = rootOf(load.getView());
    int64_t tile = memoryBytes(launch.elementOf(root.getArgNumber()));
    for (Attribute size : load.getSizes()) {
      auto name = dyn_cast<StringAttr>(size);
      std::optional<int64_t> value;
      if (!name)
        value = cast<IntegerAttr>(size).getInt();
      else if (auto it = sizes.find(name.getValue()); it != sizes.end())
        value = it->second;
      else if (auto expr = dyn_cast<tile::ExprAttr>(
                   launch.kernel.lookupParam(name).getDefaultValue()))
        value = known.evaluate(expr, sizes);
      if (!value)
        return std::nullopt;
      tile *= *value;
    }
    bytes += tile;
  }
  return bytes;
}

} // namespace tilegpt::tilegpu
