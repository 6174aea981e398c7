// Putting together what several blocks have of the rows of an online softmax.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_MERGEROWS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_MERGEROWS_H

#include "Mainloop/OnlineSoftmax.h"

namespace tilegpt::tilegpu {

/// What the rows of a part are: maximum and sum, [rows, 1], and output.
struct SoftmaxRows {
  mlir::Value maximum, sum, output;
};

/// All parts under one maximum, put together in their order.
/// \param loop      of the softmax, behind which the builder stands
/// \param readRows  writes what is tile `number` of three of a part
SoftmaxRows mergeRows(
    mlir::OpBuilder &builder, const OnlineSoftmax &softmax,
    mlir::LoopLikeOpInterface loop, int64_t count,
    llvm::function_ref<mlir::Value(unsigned number, int64_t part)> readRows);

} // namespace tilegpt::tilegpu

#endif
