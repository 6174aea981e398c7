//===- CudaTileOps.td - All ops of the cuda_tile dialect ----------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEOPS_TD
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEOPS_TD

include "TileGPT/Dialect/CudaTile/IR/CudaTileControlOps.td"
include "TileGPT/Dialect/CudaTile/IR/CudaTileElementwiseOps.td"
include "TileGPT/Dialect/CudaTile/IR/CudaTileMemoryOps.td"
include "TileGPT/Dialect/CudaTile/IR/CudaTileShapeOps.td"

#endif
