// Tiles of positions, as masks compare them: sums of scalars and of numbers
// that count up.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_POSITIONS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_POSITIONS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The largest element of a tile of integers: a scalar, or none for 0, and a
/// number on top.
struct Largest {
  mlir::Value base;
  int64_t most = 0;
};

/// The largest of a tile of positions. Scalars are added where the builder
/// stands.
std::optional<Largest> largestOf(mlir::OpBuilder &builder, mlir::Value tile);

/// How far the positions of an iteration are from those of the one before: they
/// are the `number` of the iteration times that, and what counts up from there.
std::optional<int64_t> stepOf(mlir::Value keys, mlir::Value number);

/// Of a tile that is the same along its last axis: a column of it.
mlir::Value columnOf(mlir::Value tile);

} // namespace tilegpt::tilegpu

#endif
