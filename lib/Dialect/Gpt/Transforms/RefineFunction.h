// Narrows the types of a function of a model once sizes are known.
#ifndef TILEGPT_DIALECT_GPT_TRANSFORMS_REFINEFUNCTION_H
#define TILEGPT_DIALECT_GPT_TRANSFORMS_REFINEFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilegpt::gpt {

/// Gives every value the most static type that the function's arguments and the
/// sizes of its model allow, and the function the type that follows. Fails with
/// an error on an op that states a size which does not agree.
mlir::LogicalResult refineFunction(mlir::func::FuncOp function);

} // namespace tilegpt::gpt

#endif
