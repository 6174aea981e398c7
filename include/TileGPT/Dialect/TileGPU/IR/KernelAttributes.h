// Names of attributes by which passes tell later ones, and the conversion to
// threads, about a kernel.
#ifndef TILEGPT_DIALECT_TILEGPU_IR_KERNELATTRIBUTES_H
#define TILEGPT_DIALECT_TILEGPU_IR_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilegpt::tilegpu {

/// The TMA descriptors of a function, and the number of one.
inline constexpr llvm::StringLiteral tensorMapsName = "tile_gpu.tensor_maps",
                                     tensorMapNumberName = "number";

/// How many blocks of a kernel a multiprocessor should have at most.
inline constexpr llvm::StringLiteral residentName = "tile_gpu.resident";

/// Bytes of dynamic shared memory of a kernel's block.
inline constexpr llvm::StringLiteral sharedBytesName = "tile_gpu.shared_bytes";

/// Where the threads of a kernel exchange elements: an offset in its shared
/// memory, and the bytes behind it that each team has there.
inline constexpr llvm::StringLiteral scratchName = "tile_gpu.scratch",
                                     scratchBytesName =
                                         "tile_gpu.scratch_bytes";

/// The blocks of a cluster of a kernel along the axes of its grid, where they
/// share work.
inline constexpr llvm::StringLiteral clusterName = "tile_gpu.cluster";

/// Of a kernel whose grid counts clusters, not blocks.
inline constexpr llvm::StringLiteral gridOfClustersName =
    "tile_gpu.grid_of_clusters";

/// Integer attribute of a kernel whose grid has so many blocks that do the
/// same, next to each other along its first axis, until they share it out.
inline constexpr llvm::StringLiteral copiesOfBlocksName =
    "tile_gpu.copies_of_blocks";

/// Of a kernel that would lose by starting before the launch in front is over.
inline constexpr llvm::StringLiteral apartName = "tile_gpu.apart";

/// Of a load in a loop: only arithmetic reads the tile, and the plan has room
/// for a producer to copy it ahead like those of dots.
inline constexpr llvm::StringLiteral copiedAheadName = "tile_gpu.copied_ahead";

/// Of a load in front of the wait for the launches before this one whose result
/// is used behind it: its instructions are to stay there, all of them, or those
/// for so many bytes of each thread (i64).
inline constexpr llvm::StringLiteral earlyLoadName = "tile_gpu.early";

/// Kernels and functions that read long rows from shared memory have this.
inline constexpr llvm::StringLiteral stagedRowsName = "tile_gpu.staged_rows";

/// Of a function made of a raw kernel: the views that its launch makes.
inline constexpr llvm::StringLiteral launchViewsName = "tile_gpu.launch_views";

/// On kernels whose producer is a whole warp: all lanes scan memory, lane 0
/// issues copies.
inline constexpr llvm::StringLiteral producerWarpName =
    "tile_gpu.producer_warp";

/// Of a kernel two of whose branches compute the same in different company:
/// what they have in common is to stay in both.
inline constexpr llvm::StringLiteral keepsBranchesName =
    "tile_gpu.keeps_branches";

/// Integer attribute of a function made of a raw kernel: so many of its first
/// arguments are parameters as the kernel declares them.
inline constexpr llvm::StringLiteral rawArgumentsName =
    "tile_gpu.raw_arguments";

} // namespace tilegpt::tilegpu

#endif
