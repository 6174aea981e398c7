// Approximates functions of scores. The products of 16-bit tiles that these are
// computed from have larger errors.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SCOREFUNCTIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_SOFTMAX_SCOREFUNCTIONS_H

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// Whether an op's result is a continuous function of an operand: a small error
/// of it has a small effect.
bool isContinuous(mlir::OpOperand &use);

/// Lets a transcendental function or a root be approximate; ignores other ops.
void approximate(mlir::Operation *op);

/// Lets a product or sum round once together with its user, and turns a
/// quotient by a loop-invariant scalar into a product; ignores other ops.
void contract(mlir::LoopLikeOpInterface loop, mlir::Operation *op);

/// Does the former for all ops of a loop that are computed from dots of tiles
/// of at most 16 bits, if only operands of dots rounded to 16 bits, and
/// reductions of rows, depend on them, continuously: attention without a
/// recognized softmax, its gradients, gates. Does the latter for those of them
/// that depend on neither reductions nor loop-carried values.
/// \param body  of the loop; dots in other blocks do not count.
/// \returns the exponentials among the latter.
llvm::SmallVector<mlir::math::ExpOp>
relaxScoreFunctions(mlir::LoopLikeOpInterface loop, mlir::Block &body);

} // namespace tilegpt::tilegpu

#endif
