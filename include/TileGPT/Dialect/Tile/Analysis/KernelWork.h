// The work of a launch of a specialized kernel: bytes moved and operations, for
// known sizes.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_KERNELWORK_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_KERNELWORK_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <array>
#include <optional>

namespace tilegpt::tile {

/// The arguments of a launch.
struct LaunchSizes {
  /// Sizes of each argument that is a view; empty for scalars.
  llvm::SmallVector<llvm::SmallVector<int64_t>> views;
  /// The value of an integer, or of all elements of a view of integers, if
  /// known, by argument: a window, or the positions of sequences of equal
  /// length.
  llvm::SmallVector<std::optional<int64_t>> values;
  std::array<int64_t, 3> grid = {1, 1, 1}; ///< blocks
};

/// The work of all blocks of a launch.
struct KernelWork {
  /// Bytes of each argument that are read or written, each counted once
  /// regardless of how many blocks access it.
  llvm::SmallVector<double> readBytes, writtenBytes;
  /// Multiplications and additions of dots on in-bounds data, by operand type:
  /// types supported by tensor cores (16 bits and fewer, or tf32), and wider
  /// ones.
  double narrowProductOps = 0, wideProductOps = 0;
  /// The same, including padding of tiles.
  double paddedProductOps = 0;
  /// Elements computed, reduced or scanned outside of dots.
  double elementOps = 0;
  /// Whether the work depends on unknown data: a loop was counted as one
  /// iteration, a branch as taken, a window as the whole view.
  bool isEstimate = false;

  double productOps() const { return narrowProductOps + wideProductOps; }
};

/// Walks the kernel for some of its blocks, evaluating only integers. The first
/// and last iteration represent a loop, and up to four blocks along an axis,
/// including the last, represent the grid; if a branch surrounds the work of a
/// block, up to 65 along the first axis.
/// \param kernel  with static tiles; `sizes` are those of all its arguments.
KernelWork countWork(KernelOp kernel, const LaunchSizes &sizes);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_KERNELWORK_H
