// How the threads of a warp access a tile in shared memory: vector width and
// bank conflicts.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_SHAREDACCESS_H
#define TILEGPT_DIALECT_TILEGPU_IR_SHAREDACCESS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Bank width in bytes.
inline constexpr int64_t sharedUnitBytes = 16;

/// Consecutive elements of the last axis of a buffer, a power of two, that are
/// contiguous and aligned to their total size if the first column is a multiple
/// of their number: at most 16 bytes.
int64_t getSharedVector(SharedType type);

/// The most elements of a row of a buffer that one access of at most 16 bytes
/// moves: a power of two; a vector begins at a multiple of it.
/// \param alignment  a common divisor of the size of a tile's last axis and of
/// the tile's start along that axis of the buffer.
int64_t getLargestVector(SharedType buffer, int64_t alignment);

/// Number of consecutive registers that one access of at most 16 bytes moves
/// between a tile of this layout and a buffer: a power of two. Registers r to r
/// + vector - 1 are in a row of the buffer, aligned to the access, for every r
/// that is a multiple of it.
/// \param alignment  as in `getLargestVector`.
int64_t getAccessVector(LayoutAttr layout, SharedType buffer,
                        int64_t alignment);

/// Number of wavefronts that one access of a warp takes. Lanes that access the
/// same word share it; the minimum is 1, 2 and 4 for accesses of up to 4, 8 and
/// 16 bytes by all lanes.
/// \param addresses  of the lanes in order, in bytes; negative for an inactive
/// lane.
/// \param bytes      access size per lane.
int64_t countPasses(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

/// Wavefronts of one access to `buffer` by a warp that holds a tile of this
/// layout and the buffer's shape, `vector` elements per lane.
int64_t countPasses(LayoutAttr layout, SharedType buffer, int64_t vector);

/// An upper bound on the row padding of an exchange buffer, in bytes.
inline constexpr int64_t mostExchangePadding = 64;

/// The buffer for a conversion from one layout to another, with the row padding
/// that has the fewest bank conflicts.
/// \param tile the tile; its encoding is ignored.
SharedType getExchangeBuffer(mlir::RankedTensorType tile, LayoutAttr writer,
                             LayoutAttr reader);

} // namespace tilegpt::tilegpu

#endif
