// The meeting of warps in a reduction whose result is spread over threads.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_SPREADREDUCE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_SPREADREDUCE_H

#include "Shape/ReduceSteps.h"

namespace tilegpt::tilegpu {

/// Each warp writes what it has of every element of the result, and each thread
/// combines the parts of the elements that the result's layout gives it.
/// \param accumulators  what a warp has, by register of the layout that the
///     source leaves.
/// \returns accumulators by register of the result.
llvm::SmallVector<Accumulator>
spreadOverThreads(mlir::OpBuilder &builder, tile::ReduceOp op,
                  ReduceSteps &steps, llvm::ArrayRef<Accumulator> accumulators);

} // namespace tilegpt::tilegpu

#endif
