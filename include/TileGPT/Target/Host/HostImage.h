// The shared object that holds the host code of a model: linked in process, a
// runtime opens it with dlopen and needs neither LLVM nor a linker.
#ifndef TILEGPT_TARGET_HOST_HOSTIMAGE_H
#define TILEGPT_TARGET_HOST_HOSTIMAGE_H

#include "TileGPT/Target/Host/HostObject.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <vector>

namespace tilegpt::target {

/// An ELF shared object.
using HostImage = std::vector<std::byte>;

/// Links objects into a shared object that needs no other library: what it
/// calls of libc and libm is found in the process that opens it. Equal objects
/// give equal bytes. Safe to call from several threads; leaves no file behind.
/// \returns an error with the linker's own words, or one that names a function
/// that neither the objects nor libc and libm define.
llvm::Expected<HostImage> linkImage(llvm::ArrayRef<HostObject> objects);

/// Compiles a module in the LLVM dialect to an image that exports its public
/// functions.
llvm::Expected<HostImage> compileImage(mlir::ModuleOp module,
                                       const HostTarget &target);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_HOST_HOSTIMAGE_H
