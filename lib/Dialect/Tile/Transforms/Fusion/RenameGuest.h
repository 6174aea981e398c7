// Resolves name conflicts between two kernels.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_RENAMEGUEST_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_RENAMEGUEST_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Renames parameters of a fusion's guest that the host also uses. The tensor
/// has one element type: the guest's type variable for it becomes the host's
/// type.
/// \returns the new name of every parameter that the guest keeps
llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> renameGuest(KernelOp guest,
                                                               Fusion &fusion);

} // namespace tilegpt::tile

#endif
