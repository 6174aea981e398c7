// Shifts of the registers of a thread as one long number.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_FUNNELSHIFT_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_FUNNELSHIFT_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// Removes the first `bytes` bytes of some words.
/// \param words   i32, at least two vectors of them.
/// \param bytes   an i32, less than a vector.
/// \param vector  the number of words of a vector, a power of two.
/// \param step    a number of bytes that divides `bytes`.
/// \returns one vector less than `words`.
llvm::SmallVector<mlir::Value> funnelShift(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           llvm::SmallVector<mlir::Value> words,
                                           mlir::Value bytes, int64_t vector,
                                           int64_t step);

} // namespace tilegpt::tilegpu

#endif
