// Looks up the target named by a pass or plan.
#ifndef TILEGPT_TARGET_NVVM_FINDTARGET_H
#define TILEGPT_TARGET_NVVM_FINDTARGET_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/IR/Operation.h"

namespace tilegpt::target {

/// \returns null if no target has this name.
const GpuTarget *lookUpTarget(llvm::StringRef name);

/// \returns null, after an error on `op`, if no target has this name.
const GpuTarget *findTarget(mlir::Operation *op, llvm::StringRef name);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_FINDTARGET_H
