// Every kernel in a module of its own: what GPU code is made from, several at
// the same time.
#ifndef TILEGPT_PIPELINES_DEVICEMODULES_H
#define TILEGPT_PIPELINES_DEVICEMODULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilegpt {

/// Leaves nothing in `module` but device modules, one for each `tile.kernel`
/// and called like it, in order. A module without kernels of its own becomes
/// one device module as it is, for kernels written in the LLVM dialect; one
/// that holds device modules already stays as it is.
/// \returns failure when two kernels have the same name.
mlir::LogicalResult splitIntoDeviceModules(mlir::ModuleOp module);

} // namespace tilegpt

#endif
