//===- TileOps.td - All ops of the tile dialect -------------------*- tablegen -*-===//

#ifndef TILEGPT_DIALECT_TILE_IR_TILEOPS_TD
#define TILEGPT_DIALECT_TILE_IR_TILEOPS_TD

include "TileGPT/Dialect/Tile/IR/TileKernelOps.td"
include "TileGPT/Dialect/Tile/IR/TileViewOps.td"
include "TileGPT/Dialect/Tile/IR/TileMemoryOps.td"
include "TileGPT/Dialect/Tile/IR/TilePointerOps.td"
include "TileGPT/Dialect/Tile/IR/TileShapeOps.td"
include "TileGPT/Dialect/Tile/IR/TileMathOps.td"

#endif
