// How the threads of a warp reach a tile in shared memory: how wide their
// accesses are, and how often they get into each other's banks.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_SHAREDACCESS_H
#define TILEGPT_DIALECT_TILEGPU_IR_SHAREDACCESS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"

namespace tilegpt::tilegpu {

/// Shared memory moves to a thread in units of this many bytes.
inline constexpr int64_t sharedUnitBytes = 16;

/// Consecutive elements of the last axis of a buffer, a power of two, that lie
/// side by side and aligned to their size if the first column is a multiple of
/// their number: at most 16 bytes.
int64_t getSharedVector(SharedType type);

/// Neighbouring registers that one access of at most 16 bytes moves between a
/// tile of this layout and a buffer: a power of two. Register r and the vector
/// - 1 behind it lie in a row of the buffer, aligned to the access, for every r
/// that is a multiple of it.
/// \param alignment  what the size of the tile's last axis, and where the tile
///                   starts along that axis of the buffer, are multiples of.
int64_t getAccessVector(LayoutAttr layout, SharedType buffer,
                        int64_t alignment);

/// Passes that shared memory takes to serve one access of a warp. Lanes that
/// want the same word share it; the least is 1, 2 and 4 for accesses of up to
/// 4, 8 and 16 bytes by all lanes.
/// \param addresses  of the lanes in order, in bytes; negative for a lane that
///                   takes no part.
/// \param bytes      what each lane moves.
int64_t countPasses(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

/// Passes of one access to `buffer` by a warp that holds a tile of this layout
/// and the buffer's shape, `vector` elements a lane.
int64_t countPasses(LayoutAttr layout, SharedType buffer, int64_t vector);

/// The buffer through which a tile goes from one layout to another: its rows
/// padded by what makes writing and reading cheapest.
/// \param tile the tile; its encoding does not matter.
SharedType getExchangeBuffer(mlir::RankedTensorType tile, LayoutAttr writer,
                             LayoutAttr reader);

} // namespace tilegpt::tilegpu

#endif
