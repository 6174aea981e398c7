// Scopes of source locations: which locations an entry and its ops may have.
#ifndef TILEGPT_LIB_DIALECT_CUDATILE_IR_DEBUGINFO_H
#define TILEGPT_LIB_DIALECT_CUDATILE_IR_DEBUGINFO_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

namespace tilegpt::cuda_tile {

/// A function is no call site; if it has a scope, that is a subprogram with the
/// function's name as linkage name.
llvm::LogicalResult verifyScope(mlir::FunctionOpInterface function);

/// Scopes of ops lead to the subprogram of their function, and there are none
/// where the function has none.
llvm::LogicalResult verifyScopesInside(mlir::FunctionOpInterface function);

/// Globals have no scope.
llvm::LogicalResult verifyGlobalScopes(ModuleOp module);

} // namespace tilegpt::cuda_tile

#endif
