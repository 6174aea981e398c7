// How much a launch of a specialized kernel does: the bytes it has to move and
// the operations it has to make, for sizes that are known.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_KERNELWORK_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_KERNELWORK_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include <array>
#include <optional>

namespace tilegpt::tile {

/// What a launch is of.
struct LaunchSizes {
  /// Sizes of each argument that is a view; empty for scalars.
  llvm::SmallVector<llvm::SmallVector<int64_t>> views;
  /// The value of an integer, or of all elements of a view of integers, where
  /// it is known, by argument: a window, the positions of sequences that are as
  /// long as each other.
  llvm::SmallVector<std::optional<int64_t>> values;
  std::array<int64_t, 3> grid = {1, 1, 1}; ///< blocks
};

/// The work of all blocks of a launch.
struct KernelWork {
  /// Bytes of each argument that are read or written, each counted once however
  /// many blocks need it.
  llvm::SmallVector<double> readBytes, writtenBytes;
  /// Multiplications and additions of dots on data that is there, by the
  /// operands: those a tensor core takes (16 bits and fewer, or tf32), and
  /// wider ones.
  double narrowProductOps = 0, wideProductOps = 0;
  /// The same, with what tiles have beyond the end of the data.
  double paddedProductOps = 0;
  /// Elements that are computed, reduced or scanned outside of dots.
  double elementOps = 0;
  /// It depends on data that is not known: a loop was counted as run once, a
  /// branch as taken, a window as the whole view.
  bool isEstimate = false;

  double productOps() const { return narrowProductOps + wideProductOps; }
};

/// Walks the kernel as some of its blocks would, with integers only. The first
/// and the last iteration stand for those of a loop, and up to four blocks
/// along an axis for those of the grid, the last among them; where a kernel
/// has a branch around what blocks do, up to 65 along the first.
/// \param kernel  whose tiles are static; `sizes` are of all its arguments.
KernelWork countWork(KernelOp kernel, const LaunchSizes &sizes);

} // namespace tilegpt::tile

#endif // TILEGPT_DIALECT_TILE_ANALYSIS_KERNELWORK_H
