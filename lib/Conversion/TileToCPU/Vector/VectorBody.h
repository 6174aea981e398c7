// The body of a linalg op on vectors.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_VECTORBODY_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tilegpt::cpu {

/// A value in every lane of a vector; a vector itself.
mlir::Value lanesOf(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, int64_t lanes);

/// Emits a scalar op of a body: as a vector op if an operand is a vector, else
/// once for all lanes.
/// \param index  the value of a linalg.index of a dimension.
void emitInLanes(mlir::OpBuilder &builder, mlir::Operation &scalar,
                 mlir::IRMapping &mapping, int64_t lanes,
                 llvm::function_ref<mlir::Value(int64_t dim)> index);

} // namespace tilegpt::cpu

#endif
