// The cuda_tile dialect with its attributes and types.
#ifndef TILEGPT_DIALECT_CUDATILE_IR_CUDATILEDIALECT_H
#define TILEGPT_DIALECT_CUDATILE_IR_CUDATILEDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h.inc"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileEnums.h.inc"

namespace tilegpt::cuda_tile {

class PaddingValueAttr;
class TensorViewType;
class TileType;

/// A scope that source locations may lie in: a subprogram or a block of one.
class DILocalScopeAttr : public mlir::Attribute {
public:
  using Attribute::Attribute;
  static bool classof(mlir::Attribute attribute);
};

} // namespace tilegpt::cuda_tile

#include "TileGPT/Dialect/CudaTile/IR/CudaTileInterfaces.h.inc"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileTypeInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/CudaTile/IR/CudaTileAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TileGPT/Dialect/CudaTile/IR/CudaTileTypes.h.inc"

#endif
