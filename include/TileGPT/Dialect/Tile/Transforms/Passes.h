// Transforms of the tile dialect.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_PASSES_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_PASSES_H

#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tilegpt::tile {

#define GEN_PASS_DECL
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"

} // namespace tilegpt::tile

#endif
