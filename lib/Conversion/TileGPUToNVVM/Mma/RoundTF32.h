// Roundings to tf32 as instructions.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_ROUNDTF32_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_ROUNDTF32_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilegpt::tilegpu {

/// Replaces arithmetic of thread code that rounds an f32 to the ten mantissa
/// bits of tf32, to nearest even, by one instruction: for targets from sm_90
/// on, according to the function's plan. A NaN may change its payload.
void roundToTF32ByInstruction(mlir::func::FuncOp function);

} // namespace tilegpt::tilegpu

#endif
