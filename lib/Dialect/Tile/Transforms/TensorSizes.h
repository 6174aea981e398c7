// Sizes of tensors of a function that are not static, as far as the IR says
// which are equal and how large they may be.
#ifndef TILEGPT_DIALECT_TILE_TRANSFORMS_TENSORSIZES_H
#define TILEGPT_DIALECT_TILE_TRANSFORMS_TENSORSIZES_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <optional>

namespace tilegpt::tile {

/// A size by what it was taken from: two that are equal are the same number.
struct SizeOrigin {
  mlir::Value value;  ///< an index, or a tensor; null for a static size
  int64_t number = 0; ///< the axis of the tensor, or the static size

  friend bool operator==(const SizeOrigin &, const SizeOrigin &) = default;
};

/// Where the size of an axis comes from: through launches, which keep the
/// sizes of their outs, casts, and what made an empty tensor.
SizeOrigin originOfSize(mlir::Value tensor, int64_t axis);

/// The tensor in whose memory `tensor` lives: that which a chain of updates in
/// place started from.
mlir::Value rootOf(mlir::Value tensor);

/// Whether a launch updates an out in place: it is no new tensor.
bool isUpdate(mlir::Value out);

/// At most so many elements along an axis of a tensor used by `user`: its
/// static size, or the end of the `tile.rows` range around; nothing where
/// neither is known.
std::optional<int64_t> boundOfSize(mlir::Operation *user, mlir::Value tensor,
                                   int64_t axis);

/// The end of the `tile.rows` range around `op`: no size in it that is not
/// static is greater.
std::optional<int64_t> mostRowsAround(mlir::Operation *op);

} // namespace tilegpt::tile

#endif
