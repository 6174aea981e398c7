// When a tile may be computed in the memory that receives it.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_EARLYSTORES_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_EARLYSTORES_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tilegpt::cpu {

/// Whether the tile that begins as `empty` in `user` may be in the memory that
/// `store` writes from there on: nothing else accesses this memory from `user`
/// to the last use of the tile.
bool mayBeStoredEarly(mlir::bufferization::MaterializeInDestinationOp store,
                      mlir::tensor::EmptyOp empty, mlir::Operation *user);

} // namespace tilegpt::cpu

#endif
