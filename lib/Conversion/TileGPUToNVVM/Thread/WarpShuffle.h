// Values that the lanes of a warp hand to each other without shared memory.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_WARPSHUFFLE_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_WARPSHUFFLE_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// The value that lane (this lane XOR `laneMask`) holds. All lanes of the warp
/// must get here together.
/// \param value  an integer or a float of up to 64 bits; one shuffle for every
///               32 bits begun.
mlir::Value shuffleXor(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, int64_t laneMask);

/// The value that lane number `lane` holds, an index of which the low five bits
/// count. All lanes of the warp must get here together.
/// \param value  as in shuffleXor.
mlir::Value shuffleFrom(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::Value lane);

} // namespace tilegpt::tilegpu

#endif
