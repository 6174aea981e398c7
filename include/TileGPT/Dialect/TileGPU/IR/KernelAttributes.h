// Names of attributes of kernels, for later passes and the conversion to
// threads.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_KERNELATTRIBUTES_H
#define TILEGPT_DIALECT_TILEGPU_IR_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::tilegpu {

/// The TMA descriptors of a function, and the index of one.
inline constexpr llvm::StringLiteral tensorMapsName = "tile_gpu.tensor_maps",
                                     tensorMapNumberName = "number";

/// Maximum number of resident blocks of a kernel per multiprocessor.
inline constexpr llvm::StringLiteral residentName = "tile_gpu.resident";

/// Bytes of dynamic shared memory of a kernel's block.
inline constexpr llvm::StringLiteral sharedBytesName = "tile_gpu.shared_bytes";

/// Where the threads of a kernel exchange elements: an offset in its shared
/// memory, and the number of bytes that each team has there; with teams but
/// without a producer, the number of bytes that each team has, buffers
/// included.
inline constexpr llvm::StringLiteral scratchName = "tile_gpu.scratch",
                                     scratchBytesName =
                                         "tile_gpu.scratch_bytes";

/// The cluster shape of a kernel along the axes of its grid, if blocks
/// cooperate.
inline constexpr llvm::StringLiteral clusterName = "tile_gpu.cluster";

/// Marks a kernel whose grid counts clusters, not blocks.
inline constexpr llvm::StringLiteral gridOfClustersName =
    "tile_gpu.grid_of_clusters";

/// Integer attribute of a kernel with replicated blocks: the number of adjacent
/// blocks along the grid's first axis that compute the same, until their work
/// is split.
inline constexpr llvm::StringLiteral copiesOfBlocksName =
    "tile_gpu.copies_of_blocks";

/// On a kernel whose blocks share long rows and exchange through memory: the
/// number of adjacent blocks along the grid's first axis that share a row, and
/// the number of blocks that each multiprocessor must have room for so that all
/// of the grid are resident at a time.
inline constexpr llvm::StringLiteral rowBlocksName = "tile_gpu.row_blocks";

/// Integer attribute of a kernel: the number of adjacent blocks of its text
/// that one block of a launch computes, each by a warp of its own.
inline constexpr llvm::StringLiteral packedBlocksName =
    "tile_gpu.packed_blocks";

/// Marks a kernel that would be slower if it started before its predecessor has
/// completed.
inline constexpr llvm::StringLiteral apartName = "tile_gpu.apart";

/// Marks a load in a loop: only arithmetic reads the tile, and the plan has
/// room for a producer to copy it ahead like those of dots.
inline constexpr llvm::StringLiteral copiedAheadName = "tile_gpu.copied_ahead";

/// Marks a load before the wait for previous launches whose result is used
/// after it: its instructions must not be sunk, all of them, or those for the
/// given number of bytes per thread (i64).
inline constexpr llvm::StringLiteral earlyLoadName = "tile_gpu.early";

/// Marks a load of rows that begin at any element, or a gather of consecutive
/// entries: threads read aligned vectors and shift them into place. Of a gather
/// it is an array: the range of columns that are in bounds in every block and,
/// if known, how far entries are behind the vector that they begin in.
inline constexpr llvm::StringLiteral realignedName = "tile_gpu.realigned";

/// Marks kernels and functions that read long rows from shared memory.
inline constexpr llvm::StringLiteral stagedRowsName = "tile_gpu.staged_rows";

/// On a function converted from a raw kernel: the views that its launch
/// computes.
inline constexpr llvm::StringLiteral launchViewsName = "tile_gpu.launch_views";

/// On kernels whose producer is a whole warp: all lanes scan memory, lane 0
/// issues copies.
inline constexpr llvm::StringLiteral producerWarpName =
    "tile_gpu.producer_warp";

/// On a kernel with two versions of an iteration in the branches of an if: LLVM
/// must not merge their common code.
inline constexpr llvm::StringLiteral keepsBranchesName =
    "tile_gpu.keeps_branches";

/// Integer attribute of a function converted from a raw kernel: the number of
/// leading arguments that are parameters as the kernel declares them.
inline constexpr llvm::StringLiteral rawArgumentsName =
    "tile_gpu.raw_arguments";

} // namespace tilegpt::tilegpu

#endif
