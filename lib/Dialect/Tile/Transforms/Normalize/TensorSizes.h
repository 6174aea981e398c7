// Equality and upper bounds of dynamic tensor sizes in a function.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_NORMALIZE_TENSORSIZES_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_NORMALIZE_TENSORSIZES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <optional>

namespace tilegpt::tile {

/// The origin of a size: sizes with equal origins are equal.
struct SizeOrigin {
  mlir::Value value;  ///< an index, or a tensor; null for a static size
  int64_t number = 0; ///< the axis of the tensor, or the static size

  friend bool operator==(const SizeOrigin &, const SizeOrigin &) = default;
};

/// The origin of an axis's size: through launches, which preserve the sizes of
/// their outs, casts, and tensor.empty.
SizeOrigin originOfSize(mlir::Value tensor, int64_t axis);

/// The tensor whose memory `tensor` shares: the start of a chain of in-place
/// updates.
mlir::Value rootOf(mlir::Value tensor);

/// Whether a launch updates an out in place, rather than creating a tensor.
bool isUpdate(mlir::Value out);

/// An upper bound on the size of an axis of a tensor used by `user`: its static
/// size, or the end of the enclosing `tile.rows` range; nullopt if neither is
/// known.
std::optional<int64_t> boundOfSize(mlir::Operation *user, mlir::Value tensor,
                                   int64_t axis);

/// The upper end of the enclosing `tile.rows` range, which bounds all dynamic
/// sizes in it.
std::optional<int64_t> mostRowsAround(mlir::Operation *op);

} // namespace tilegpt::tile

#endif
