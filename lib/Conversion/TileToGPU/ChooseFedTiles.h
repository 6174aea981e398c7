// Tile sizes of launches whose kernel has a loop that a producer can feed (see
// FedLoops.h), as attention has.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_CHOOSEFEDTILES_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_CHOOSEFEDTILES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"

namespace tilegpt::tilegpu {

/// The parameters and axes of `dot(load of a window, load of a window)`.
struct WindowProduct {
  mlir::StringAttr rows, columns, depth;
};
std::optional<WindowProduct> findWindowProduct(tile::KernelOp kernel);

/// Sizes of its rows and columns.
struct FedTiles {
  int64_t rows, columns;
};
/// The sizes for a launch; nothing where the target, the types or the depth do
/// not suit a producer.
/// \param sizeOf  of an axis of an operand, the most there can be.
std::optional<FedTiles> chooseFedTiles(
    tile::LaunchOp launch, tile::KernelOp kernel, const WindowProduct &product,
    const target::GpuTarget &target, int64_t multiprocessors,
    llvm::function_ref<std::optional<int64_t>(unsigned, unsigned)> sizeOf);

} // namespace tilegpt::tilegpu

#endif
