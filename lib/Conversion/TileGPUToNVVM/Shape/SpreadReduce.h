// The meeting of warps in a reduction whose result is spread over threads.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_SPREADREDUCE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_SPREADREDUCE_H

#include "Shape/ReduceSteps.h"

namespace tilegpt::tilegpu {

/// Each warp writes its partial result of every element, and each thread
/// combines the parts of those elements that the result's layout assigns to it.
/// \param accumulators  a warp's partial results, by register of the source's
///     reduced layout.
/// \returns accumulators by register of the result.
llvm::SmallVector<Accumulator>
spreadOverThreads(mlir::OpBuilder &builder, tile::ReduceOp op,
                  ReduceSteps &steps, llvm::ArrayRef<Accumulator> accumulators);

} // namespace tilegpt::tilegpu

#endif
