// Types that the tile dialect does not have: their numbers are the low bits of
// an i8, and are computed with in f32.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_SMALLTYPES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_SMALLTYPES_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

/// f4E2M1FN or f8E8M0FNU.
bool isSmallFloat(mlir::Type element);

/// The f32 that the bits of a small float stand for, exactly.
mlir::Value decode(mlir::ImplicitLocOpBuilder &builder, mlir::Value bits,
                   mlir::Type element);

/// The bits of the small float that an f32 or f64 becomes. f4E2M1FN: the
/// nearest, ties to even; what is above 6 is 6, as is NaN. f8E8M0FNU: the sign
/// is dropped, the rest rounded as `rounding` says (zero or positive_inf); NaN
/// and what is too large are NaN, what is too small is 2⁻¹²⁷.
mlir::Value encode(mlir::ImplicitLocOpBuilder &builder, mlir::Value number,
                   mlir::Type element, Rounding rounding);

/// i4 in the low bits of an i8 as an integer type of at least 8 bits, and an
/// integer's low 4 bits.
mlir::Value extendI4(mlir::ImplicitLocOpBuilder &builder, mlir::Value bits,
                     mlir::Type type, bool isSigned);
mlir::Value truncateToI4(mlir::ImplicitLocOpBuilder &builder,
                         mlir::Value number);

/// Pairs of half bytes along an axis in a byte each, the first in the low bits;
/// and back.
mlir::Value packHalves(mlir::ImplicitLocOpBuilder &builder, mlir::Value halves,
                       int64_t axis);
mlir::Value unpackHalves(mlir::ImplicitLocOpBuilder &builder, mlir::Value bytes,
                         int64_t axis);

/// Eight flags of a tile of rank 1 in a byte each, the first in the lowest bit;
/// and back.
mlir::Value packFlags(mlir::ImplicitLocOpBuilder &builder, mlir::Value flags);
mlir::Value unpackFlags(mlir::ImplicitLocOpBuilder &builder, mlir::Value bytes);

} // namespace tilegpt::cuda_tile

#endif
