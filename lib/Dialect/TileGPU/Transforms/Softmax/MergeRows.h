// Merges the partial rows of an online softmax from several blocks.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_MERGEROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_MERGEROWS_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// The rows of a part: maximum and sum, [rows, 1], and output.
struct SoftmaxRows {
  mlir::Value maximum, sum, output;
};

/// Rescales all parts to a common maximum and sums them in order.
/// \param loop  the loop of the softmax, after which the builder inserts.
/// \param readRows  emits tile `number` (of three) of a part.
SoftmaxRows mergeRows(
    mlir::OpBuilder &builder, const OnlineSoftmax &softmax,
    mlir::LoopLikeOpInterface loop, int64_t count,
    llvm::function_ref<mlir::Value(unsigned number, int64_t part)> readRows);

} // namespace tilegpt::tilegpu

#endif
