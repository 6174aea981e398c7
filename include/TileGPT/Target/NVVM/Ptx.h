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
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace tilegpt::target {

/// Attribute of LLVM functions two of whose branches compute the same in
/// different company: what they have in common stays in both.
inline constexpr llvm::StringLiteral keepsBranchesAttribute =
    "tilegpt-keeps-branches";

/// Adds the dialects of a device module and what translates them.
void registerNvvmTranslation(mlir::DialectRegistry &registry);

/// Translates a module whose every op is in the LLVM or NVVM dialect, and gives
/// it the triple and data layout of all targets. The
/// context must know registerNvvmTranslation(). Modules of one context may be
/// translated at the same time.
/// \returns an error for a call of a function that has no body, and when an op
/// does not translate; a diagnostic at the op says why.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context);

/// Runs LLVM's optimiser; fast-math happens only where the IR's flags allow it.
/// Loops stay as they are unless the IR asks for unrolling.
void optimize(llvm::Module &module, const GpuTarget &target);

/// Writes the PTX text of an optimised module.
llvm::Expected<std::string> emitPtx(llvm::Module &module,
                                    const GpuTarget &target);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_PTX_H
