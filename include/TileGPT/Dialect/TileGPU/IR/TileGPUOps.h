// The ops of the tile_gpu dialect.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPS_H
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUOPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#define GET_OP_CLASSES
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h.inc"

#endif
