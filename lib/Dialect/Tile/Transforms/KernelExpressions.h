// The expressions that a kernel declares: of its grid, its parameters and its
// conditions.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_KERNELEXPRESSIONS_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_KERNELEXPRESSIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tile {

/// Replaces every source of these expressions: names of parameters, axes of
/// arguments and scalars, as `ExprAttr` has them.
void mapExpressions(KernelOp kernel,
                    llvm::function_ref<mlir::Attribute(mlir::Attribute)> map);

} // namespace tilegpt::tile

#endif
