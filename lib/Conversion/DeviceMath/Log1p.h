// log(1 + x) of one f32, in f32.
#ifndef TILEGPT_LIB_CONVERSION_DEVICEMATH_LOG1P_H
#define TILEGPT_LIB_CONVERSION_DEVICEMATH_LOG1P_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// log(1 + x), to 0.9 units of the last digit. NaN, infinities and
/// signs of zeros come out as C defines them. Softplus and the losses made of
/// it need it for every element, and f64 takes three times as long as the
/// memory.
mlir::Value emitLog1p(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value x);

} // namespace tilegpt::tilegpu

#endif
