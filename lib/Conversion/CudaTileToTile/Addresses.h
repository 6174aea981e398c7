// Converts tiles of pointers to integers and back. A tile of pointers is a base
// and element offsets from it; with a base of 0 the offsets are addresses.
#ifndef TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ADDRESSES_H
#define TILEGPT_LIB_CONVERSION_CUDATILETOTILE_ADDRESSES_H

#include "TileTypes.h"

namespace tilegpt::cuda_tile {

/// Base and offsets.
using PointerParts = llvm::SmallVector<mlir::Value, 2>;

/// The addresses of a tile of pointers, in bytes, as i64 of the same shape.
mlir::Value addressesOf(mlir::ImplicitLocOpBuilder &builder,
                        mlir::ValueRange pointers);

/// Pointers of the tile dialect to `pointee` at addresses. For a single pointer
/// the base is the address.
PointerParts pointersAt(mlir::ImplicitLocOpBuilder &builder,
                        mlir::Value addresses, mlir::Type pointee);

} // namespace tilegpt::cuda_tile

#endif
