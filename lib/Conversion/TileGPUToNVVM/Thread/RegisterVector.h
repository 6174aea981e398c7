// Registers of a thread side by side in one LLVM vector, as wide accesses and
// instructions on packed halves take them.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_REGISTERVECTOR_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_REGISTERVECTOR_H

#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// `count` elements as one value: a vector, or the element itself for one.
mlir::Type vectorOf(mlir::Type element, int64_t count);

/// The values, all of one type, as one value of type vectorOf().
mlir::Value packVector(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ValueRange values);

/// The elements of a value of type vectorOf(), in order.
llvm::SmallVector<mlir::Value>
unpackVector(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value joined);

/// Two 16-bit values as one i32; `low` is the low half.
mlir::Value packHalves(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value low, mlir::Value high);

} // namespace tilegpt::tilegpu

#endif
