// Inputs that are contiguous along another axis than the outputs of their op.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_TRANSPOSEINPUTS_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_TRANSPOSEINPUTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tilegpt::cpu {

/// Replaces an elementwise op on buffers, some of whose inputs are contiguous
/// along another axis than its outputs, by loops over small windows: there,
/// those inputs are transposed into scratch buffers, and the op reads these.
/// \returns the transposes and the op within the loops, in their order;
/// nothing, and changes nothing, for other ops.
llvm::SmallVector<mlir::linalg::LinalgOp>
transposeInputs(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                unsigned vectorBits);

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_TRANSPOSEINPUTS_H
