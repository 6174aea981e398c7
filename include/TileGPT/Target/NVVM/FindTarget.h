// The target that a pass or a plan names.
#ifndef TILEGPT_TARGET_NVVM_FINDTARGET_H
#define TILEGPT_TARGET_NVVM_FINDTARGET_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/Operation.h"

namespace tilegpt::target {

/// \returns null where no target has this name.
const GpuTarget *lookUpTarget(llvm::StringRef name);

/// \returns null, after an error on `op`, where no target has this name.
const GpuTarget *findTarget(mlir::Operation *op, llvm::StringRef name);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_FINDTARGET_H
