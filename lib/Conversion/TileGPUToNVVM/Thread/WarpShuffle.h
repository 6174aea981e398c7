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

} // namespace tilegpt::tilegpu

#endif
