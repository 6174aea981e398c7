// Elementwise ops whose innermost axes are shorter than a vector.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_SHORTRUNS_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_SHORTRUNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tilegpt::cpu {

/// Lowers an elementwise op on buffers to vectors that run along several of its
/// innermost axes: of each operand, the memory that holds all lanes is loaded
/// and shuffled, or shuffled and stored with a mask.
/// \param lanes  lanes that another lowering would use.
/// \returns false, and emits nothing, if that is no gain: if vectors have less
/// than three times as many lanes, or are spread over more than a few vectors
/// of an operand.
bool emitShortRuns(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                   unsigned vectorBits, int64_t lanes);

} // namespace tilegpt::cpu

#endif
