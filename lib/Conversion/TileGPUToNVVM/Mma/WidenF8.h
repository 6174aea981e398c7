// f8 elements of a register as f16.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_WIDENF8_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_MMA_WIDENF8_H

#include "mlir/IR/Builders.h"
#include <array>

namespace tilegpt::tilegpu {

/// The elements 0 and 1, then 2 and 3, of an i32 that holds four of an f8 type,
/// each pair a vector of two f16.
/// \param hasInstruction  whether the machine converts f8 itself.
std::array<mlir::Value, 2> widenF8(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value four, mlir::Type type,
                                   bool hasInstruction);

} // namespace tilegpt::tilegpu

#endif
