// Views of f4E2M1FN. Memory holds two elements per byte along the axis of
// stride 1, so they become views of bytes with half as many elements along it.
// Its size, the other strides and the start of tiles along it are even.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_PACKEDVIEWS_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_PACKEDVIEWS_H

#include "TileGPT/Conversion/CudaTileToTile/Passes.h"

namespace tilegpt::cuda_tile {

/// i4 or f4E2M1FN, of which memory holds two per byte.
bool isHalfByte(mlir::Type element);

/// A tensor of half bytes as one of bytes.
struct PackedTensor {
  TensorViewType bytes;
  int64_t axis; ///< along which two elements share a byte
};

/// Nullopt if the elements are no half bytes, no axis is known to have stride
/// 1, or a size or stride is odd.
std::optional<PackedTensor> packTensor(TensorViewType tensor);

/// A view with tiles of half bytes as one with tiles of bytes.
struct PackedTiles {
  TileView bytes;
  int64_t tileAxis; ///< along which two elements share a byte
};

/// Nullopt if packTensor() returns nullopt, if tiles have an odd size or step
/// along the axis, or if it is the sparse axis.
std::optional<PackedTiles> packTiles(TileView view);

} // namespace tilegpt::cuda_tile

#endif
