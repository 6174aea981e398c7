// Types that the tile dialect lacks: they are represented by the low bits of an
// i8, and computed in f32.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_SMALLTYPES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_SMALLTYPES_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

/// f4E2M1FN, f8E8M0FNU or f8E5M3FNU.
bool isSmallFloat(mlir::Type element);

/// Decodes a small float to f32, exactly.
mlir::Value decode(mlir::ImplicitLocOpBuilder &builder, mlir::Value bits,
                   mlir::Type element);

/// Encodes an f32 or f64 as a small float. f4E2M1FN: rounds to nearest even;
/// numbers above 6 and NaN become 6. f8E8M0FNU: drops the sign and rounds by
/// `rounding` (zero or positive_inf); NaN and overflow become NaN, underflow
/// 2⁻¹²⁷. f8E5M3FNU: drops the sign and rounds to nearest even; NaN and
/// overflow become NaN.
mlir::Value encode(mlir::ImplicitLocOpBuilder &builder, mlir::Value number,
                   mlir::Type element, Rounding rounding);

/// Extends i4 in the low bits of an i8 to an integer type of at least 8 bits,
/// and truncates an integer to its low 4 bits.
mlir::Value extendI4(mlir::ImplicitLocOpBuilder &builder, mlir::Value bits,
                     mlir::Type type, bool isSigned);
mlir::Value truncateToI4(mlir::ImplicitLocOpBuilder &builder,
                         mlir::Value number);

/// Packs pairs of half bytes along an axis into bytes, low bits first, and
/// unpacks them.
mlir::Value packHalves(mlir::ImplicitLocOpBuilder &builder, mlir::Value halves,
                       int64_t axis);
mlir::Value unpackHalves(mlir::ImplicitLocOpBuilder &builder, mlir::Value bytes,
                         int64_t axis);

/// Packs each eight flags of a rank-1 tile into a byte, lowest bit first, and
/// unpacks them.
mlir::Value packFlags(mlir::ImplicitLocOpBuilder &builder, mlir::Value flags);
mlir::Value unpackFlags(mlir::ImplicitLocOpBuilder &builder, mlir::Value bytes);

} // namespace tilegpt::cuda_tile

#endif
