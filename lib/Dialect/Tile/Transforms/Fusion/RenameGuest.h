// One name space for the texts of two kernels.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_RENAMEGUEST_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_RENAMEGUEST_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Gives a copy of a fusion's guest names that the host does not use. The
/// tensor has one element type: a variable of the guest that stands for it
/// becomes the host's type.
/// \returns the new name of every parameter that the guest keeps
llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> renameGuest(KernelOp guest,
                                                               Fusion &fusion);

} // namespace tilegpt::tile

#endif
