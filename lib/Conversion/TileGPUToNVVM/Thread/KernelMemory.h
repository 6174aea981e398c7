// Global memory that belongs to a kernel.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_KERNELMEMORY_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_KERNELMEMORY_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The address of zero-initialized global memory of the enclosing kernel, by
/// the kernel's name and a purpose.
mlir::Value kernelMemory(mlir::OpBuilder &builder, mlir::Operation *op,
                         const llvm::Twine &purpose, mlir::Type element,
                         int64_t count);

} // namespace tilegpt::tilegpu

#endif
