// Splits kernels into separate modules, so that GPU code can be generated in
// parallel.
#ifndef TILEGPT_PIPELINES_DEVICEMODULES_H
#define TILEGPT_PIPELINES_DEVICEMODULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tilegpt {

/// Replaces the contents of `module` by device modules, one for each
/// `tile.kernel` and named like it, in order. A module without kernels becomes
/// one device module, for kernels written in the LLVM dialect; one that already
/// contains device modules is unchanged.
/// \returns failure if two kernels have the same name.
mlir::LogicalResult splitIntoDeviceModules(mlir::ModuleOp module);

/// Whether two device modules in the LLVM dialect hold the same code: the names
/// of the modules and of their kernels, locations, and the order of constants
/// may differ.
bool haveSameCode(mlir::ModuleOp left, mlir::ModuleOp right);

} // namespace tilegpt

#endif
