// The shared object with the host code of a model: linked in process, opened by
// the runtime with dlopen, which needs neither LLVM nor a linker.
#ifndef TILEGPT_TARGET_HOST_HOSTIMAGE_H
#define TILEGPT_TARGET_HOST_HOSTIMAGE_H

#include "TileGPT/Target/Host/HostObject.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <vector>

namespace tilegpt::target {

/// An ELF shared object.
using HostImage = std::vector<std::byte>;

/// Links objects into a shared object without dependencies: libc and libm
/// functions are resolved in the process that opens it. Deterministic and
/// thread-safe; leaves no file behind.
/// \returns an error with the linker's message, or one that names a function
/// that neither the objects nor libc and libm define.
llvm::Expected<HostImage> linkImage(llvm::ArrayRef<HostObject> objects);

/// Compiles a module in the LLVM dialect to an image that exports its public
/// functions.
llvm::Expected<HostImage> compileImage(mlir::ModuleOp module,
                                       const HostTarget &target);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_HOST_HOSTIMAGE_H
