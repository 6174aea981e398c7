// Views of f4E2M1FN: memory has two in a byte, along the axis of stride 1, so
// they become views of bytes with half as many elements along it. Its sizes,
// the other strides and where tiles begin along it are even.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_PACKEDVIEWS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_PACKEDVIEWS_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"

namespace tilegpt::cuda_tile {

/// i4 or f4E2M1FN, of which memory holds two in a byte.
bool isHalfByte(mlir::Type element);

/// A tensor of half bytes as one of bytes.
struct PackedTensor {
  TensorViewType bytes;
  int64_t axis; ///< along which two elements share a byte
};

/// Nothing where the elements are no half bytes, where no axis is known to have
/// stride 1, or where a size or stride is odd.
std::optional<PackedTensor> packTensor(TensorViewType tensor);

/// A view with tiles of half bytes as one with tiles of bytes.
struct PackedTiles {
  TileView bytes;
  int64_t tileAxis; ///< along which two elements share a byte
};

/// Nothing where packTensor() gives nothing, where tiles have an odd size or
/// step along the axis, or where it is the one whose entries are named.
std::optional<PackedTiles> packTiles(TileView view);

} // namespace tilegpt::cuda_tile

#endif
