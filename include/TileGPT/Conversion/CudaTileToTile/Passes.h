// From CUDA Tile IR to kernels of the tile dialect.
#ifndef TILEGPT_CONVERSION_CUDATILETOTILE_PASSES_H
#define TILEGPT_CONVERSION_CUDATILETOTILE_PASSES_H

#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tilegpt::cuda_tile {

/// Gives ops of CUDA Tile IR that have no location, since they were read from
/// bytecode without debug information, their place in the text of the module.
void locateInText(mlir::ModuleOp module);

#define GEN_PASS_DECL
#include "TileGPT/Conversion/CudaTileToTile/Passes.h.inc"

} // namespace tilegpt::cuda_tile

#endif
