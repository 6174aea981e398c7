// The kernel library as GPT-2 launches it: the input of GPU code generation for
// a model, but without a model.
#ifndef TILEGPT_TEST_UNIT_GPU_KERNELSET_H
#define TILEGPT_TEST_UNIT_GPU_KERNELSET_H

#include "TileGPT/Compiler/GpuKernels.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilegpt::test {

/// A module of specialized kernels: every kernel of the library, for prompts
/// and for decoding, at the sizes of GPT-2 124M and 1.5B.
/// \param type of weights and activations: "bf16".
/// \returns null after a failure of the running test.
mlir::OwningOpRef<mlir::ModuleOp> kernelSet(mlir::MLIRContext &context,
                                            const target::GpuTarget &target,
                                            llvm::StringRef type);

/// The name in the library of a kernel in the set.
llvm::StringRef libraryName(llvm::StringRef kernel);

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_GPU_KERNELSET_H
