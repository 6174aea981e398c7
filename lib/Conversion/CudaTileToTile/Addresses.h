// Tiles of pointers as integers. A tile of pointers is one base and distances
// from it in elements; with a base of 0 the distances are addresses.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ADDRESSES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ADDRESSES_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

/// Base and distances.
using PointerParts = llvm::SmallVector<mlir::Value, 2>;

/// The addresses of a tile of pointers, in bytes: i64 of its shape.
mlir::Value addressesOf(mlir::ImplicitLocOpBuilder &builder,
                        mlir::ValueRange pointers);

/// Pointers to `pointee`, of the tile dialect, at addresses. A single one is a
/// base of its own.
PointerParts pointersAt(mlir::ImplicitLocOpBuilder &builder,
                        mlir::Value addresses, mlir::Type pointee);

} // namespace tilegpt::cuda_tile

#endif
