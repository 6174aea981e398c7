// Roundings to tf32 as instructions.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_ROUNDTF32_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_ROUNDTF32_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilegpt::tilegpu {

/// Has one instruction round where the code of a thread rounds an f32 to the
/// ten mantissa bits of tf32, to nearest, ties to even, by arithmetic: for
/// targets from sm_90 on, by the plan of the function. NaN may become another
/// one.
void roundToTF32ByInstruction(mlir::func::FuncOp function);

} // namespace tilegpt::tilegpu

#endif
