// Warp shuffles of values of any width.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_WARPSHUFFLE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_WARPSHUFFLE_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The value of lane (this lane XOR `laneMask`). All lanes of the warp must
/// participate.
/// \param value  an integer or a float of up to 64 bits; one shuffle per 32
/// bits.
mlir::Value shuffleXor(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, int64_t laneMask);

/// The value of lane `lane`, an index modulo 32. All lanes of the warp must
/// participate.
/// \param value  as in shuffleXor.
mlir::Value shuffleFrom(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::Value lane);

} // namespace tilegpt::tilegpu

#endif
