// From a module in the LLVM dialect to machine code: translation to LLVM IR,
// LLVM's optimiser, and relocatable ELF objects in memory.
#ifndef TILEGPT_TARGET_HOST_HOSTOBJECT_H
#define TILEGPT_TARGET_HOST_HOSTOBJECT_H

#include "TileGPT/Target/Host/HostTarget.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tilegpt::target {

/// A relocatable ELF file.
using HostObject = llvm::SmallVector<char, 0>;

/// Translates a module whose every op is in the LLVM dialect and marks its
/// functions for `target`. What fails is also reported as a diagnostic at the
/// op.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::ModuleOp module, const HostTarget &target,
                llvm::LLVMContext &context);

/// Runs LLVM's optimiser; fast-math happens only where the IR's flags allow it.
void optimize(llvm::Module &module, const HostTarget &target);

/// Writes the ELF object of an optimised module, each function in a section of
/// its own.
llvm::Expected<HostObject> emitObject(llvm::Module &module,
                                      const HostTarget &target);

/// All of these steps. Several threads may compile modules of one context.
llvm::Expected<HostObject> compileObject(mlir::ModuleOp module,
                                         const HostTarget &target);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_HOST_HOSTOBJECT_H
