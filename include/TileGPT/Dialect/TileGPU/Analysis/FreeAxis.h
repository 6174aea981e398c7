// Axes of tiles whose size affects no result: blocks may have more or fewer of
// their rows, or process them piece by piece.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tilegpt::tilegpu {

/// The axes of tiles that are indexed by one axis of the grid, where elements
/// at different positions never interact.
struct FreeAxis {
  int64_t gridAxis = 0;
  int64_t size = 0; ///< of all these axes
  /// The largest extent along these axes of the views accessed; nothing if
  /// unknown.
  std::optional<int64_t> extent;
  llvm::MapVector<mlir::Value, int64_t> axes; ///< by tile
  llvm::SmallVector<mlir::Operation *> accesses;
};

/// An axis of tiles that are loaded from its start, and the reductions, scans
/// and dots along it, which can be computed piece by piece, in order.
struct StreamedAxis : FreeAxis {
  llvm::SmallVector<tile::ReduceOp> reductions; ///< along it
  llvm::SmallVector<tile::ScanOp> scans;        ///< likewise
  llvm::SmallVector<tile::DotOp> dots;          ///< that sum along it
};

/// An axis of tiles that are longer than the axis of the views they are loaded
/// from; what is past its end affects no result.
struct WideAxis : StreamedAxis {
  /// Comparisons (`arith.cmpi`) that distinguish elements from padding, and
  /// their result for the elements.
  llvm::SmallVector<std::pair<mlir::Operation *, bool>> masks;

  /// Makes the tiles end with the axis, and folds the comparisons.
  void cut() const;
};

/// Why an axis does not qualify.
struct FreeAxisRefusal {
  mlir::Operation *op = nullptr;
  llvm::StringRef reason;
};

/// Follows an axis of the grid of a specialized kernel through its tiles.
/// Nothing if a result depends on which elements a block has: if they are
/// reduced, enumerated (`tile.iota`), summed by a dot (`tile.dot`) or moved by
/// index, or if the block uses its id in another way or leaves part of the
/// results to no block.
/// \param followsDots  also through the rows of a left operand and the columns
/// of a right one; otherwise dots are rejected.
std::optional<FreeAxis> findFreeAxis(tile::KernelOp kernel, int64_t gridAxis,
                                     FreeAxisRefusal *refusal = nullptr,
                                     bool followsDots = false);

/// The same, also through dots, if the block id may be used in other ways and
/// the elements enumerated: `findAxisPlaces` checks how.
std::optional<FreeAxis> findPlacedAxis(tile::KernelOp kernel, int64_t gridAxis,
                                       FreeAxisRefusal *refusal = nullptr);

/// Follows an axis of a loaded tile. Nothing if the kernel needs the whole
/// axis: if the result of its reduction is combined with it, if its elements
/// are moved, or if it is reduced or scanned by a region or in a type that is
/// rounded.
std::optional<StreamedAxis>
findStreamedAxis(tile::LoadOp load, int64_t axis,
                 FreeAxisRefusal *refusal = nullptr);

/// What else `findLoopedAxis` follows.
struct LoopedAxisOptions {
  bool dots = false; ///< rejected otherwise
  /// Accesses by offset, whose extent is unknown: the axis is also that of
  /// offsets made of an induction variable and an iota.
  bool offsets = false;
};

/// Follows the axis of tiles that loops index by their induction variables, in
/// memory or in a tile from which they extract slices (`tile.extract`). Nothing
/// if tiles or their sources differ in size along it, or if elements are moved,
/// or reduced or scanned by a region or in a type that is rounded.
std::optional<StreamedAxis>
findLoopedAxis(tile::KernelOp kernel, llvm::ArrayRef<mlir::scf::ForOp> loops,
               FreeAxisRefusal *refusal = nullptr,
               LoopedAxisOptions options = {});

/// Follows an axis of a loaded tile that starts with the axis of the view and
/// is longer. Nothing if elements past the end change a reduction, are moved,
/// or are carried by a loop.
std::optional<WideAxis> findWideAxis(tile::LoadOp load, int64_t axis);

/// Changes the size of an axis of a tile, including the op that creates it.
void resizeTile(mlir::Value tile, int64_t axis, int64_t size);

/// Changes the type of a tile, and what its op says about it: the `sizes` of
/// the result, or a splat constant.
void retypeTile(mlir::Value tile, mlir::RankedTensorType type);

/// Changes the size of the axis in every tile.
void resizeTiles(const FreeAxis &axis, int64_t size);

/// The same, and adjusts the grid.
void resize(tile::KernelOp kernel, const FreeAxis &axis, int64_t size);

} // namespace tilegpt::tilegpu

#endif
