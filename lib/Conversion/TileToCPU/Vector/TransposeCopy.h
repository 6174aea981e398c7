// Copies between buffers whose contiguous axes differ.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_TRANSPOSECOPY_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_TRANSPOSECOPY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tilegpt::cpu {

/// Whether squares of these elements can be transposed in vector registers.
bool canTransposeSquares(mlir::Type element, unsigned vectorBits);

/// Lowers a copy whose input and output are contiguous along different axes to
/// loops over squares that are transposed in registers; what does not fill a
/// square is copied element by element.
/// \returns false, and emits nothing, if the op is not such a copy or no square
/// fits into its sizes.
bool emitTransposeCopy(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                       unsigned vectorBits);

} // namespace tilegpt::cpu

#endif
