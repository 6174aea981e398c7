// From a kernel in the LLVM and NVVM dialects to PTX: translation to LLVM IR,
// LLVM's optimiser and its NVPTX backend, each a step a tool can stop after.
#ifndef TILEGPT_TARGET_NVVM_PTX_H
#define TILEGPT_TARGET_NVVM_PTX_H

#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tilegpt::target {

/// Attribute of LLVM functions with two branches that compute the same in
/// different contexts: common code must stay in both.
inline constexpr llvm::StringLiteral keepsBranchesAttribute =
    "tilegpt-keeps-branches";

/// Translates a module whose ops are all in the LLVM or NVVM dialect, and sets
/// the triple and data layout. The context must have the translations of these
/// dialects. Modules of one context may be translated concurrently.
/// \returns an error for a call of a function without a body, and if an op does
/// not translate; a diagnostic at the op gives the reason.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

/// Runs LLVM's optimizer; fast-math only where the IR's flags allow it. Loops
/// are only unrolled if the IR requests it.
void optimize(llvm::Module &module, const GpuTarget &target);

/// Writes the PTX text of an optimised module.
llvm::Expected<std::string> emitPtx(llvm::Module &module,
                                    const GpuTarget &target);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_PTX_H
