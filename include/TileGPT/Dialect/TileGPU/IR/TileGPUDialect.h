// The tile_gpu dialect: layouts, plans, shared memory. Ops are in TileGPUOps.h.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_TILEGPUDIALECT_H
#define TILEGPT_DIALECT_TILEGPU_IR_TILEGPUDIALECT_H

#include "TileGPT/Dialect/TileGPU/IR/LayoutMode.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/TileGPU/IR/TileGPUAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TileGPT/Dialect/TileGPU/IR/TileGPUTypes.h.inc"

#endif
