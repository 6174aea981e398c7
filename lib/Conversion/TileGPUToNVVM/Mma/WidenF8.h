// Widens f8 elements of a register to f16.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_WIDENF8_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_WIDENF8_H

#include "mlir/IR/Builders.h"
#include <array>

namespace tilegpt::tilegpu {

/// Elements 0 and 1, then 2 and 3, of an i32 that holds four f8 values, each
/// pair as a vector of two f16.
/// \param hasInstruction  whether the target has f8 conversion instructions.
std::array<mlir::Value, 2> widenF8(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value four, mlir::Type type,
                                   bool hasInstruction);

} // namespace tilegpt::tilegpu

#endif
