// Removes tensors that a fused kernel no longer stores.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_DROPTENSOR_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_DROPTENSOR_H

#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "llvm/Support/Error.h"

namespace tilegpt::tile {

/// Removes an argument of a kernel of which only the sizes are read, and takes
/// these from other arguments.
/// \param element   the tensor's element type.
/// \param findSize  another argument's axis that has the size of the given axis
///                  of the tensor, if there is one.
/// \returns an error if a size that the kernel reads has no other source; the
///          kernel is then invalid.
llvm::Error
dropTensor(KernelOp kernel, mlir::BlockArgument tensor, mlir::Type element,
           llvm::function_ref<std::optional<ArgumentAxis>(int64_t)> findSize);

} // namespace tilegpt::tile

#endif
