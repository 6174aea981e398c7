// Axes of tiles whose size no result depends on: blocks may have more or fewer
// of their rows, or make them piece by piece.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_FREEAXIS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace tilegpt::tilegpu {

/// The axes of tiles that are numbered by one axis of the grid, where elements
/// at different places of them never meet.
struct FreeAxis {
  int64_t gridAxis = 0;
  int64_t size = 0; ///< of all these axes
  /// The most elements that a view which is accessed along them has there;
  /// nothing where that is not known.
  std::optional<int64_t> extent;
  llvm::MapVector<mlir::Value, int64_t> axes; ///< by tile
  llvm::SmallVector<mlir::Operation *> accesses;
};

/// An axis of tiles that are loaded from its start, and what makes its elements
/// meet: all of it can be done piece by piece, in order.
struct StreamedAxis : FreeAxis {
  llvm::SmallVector<tile::ReduceOp> reductions; ///< along it
  llvm::SmallVector<tile::ScanOp> scans;        ///< likewise
};

/// Why an axis is no such one.
struct FreeAxisRefusal {
  mlir::Operation *op = nullptr;
  llvm::StringRef reason;
};

/// Follows an axis of the grid of a specialized kernel through its tiles.
/// Nothing where a result depends on which elements a block has: where they are
/// reduced, numbered (`tile.iota`), summed up by a product (`tile.dot`) or
/// moved by index, where the block does something else with its number, or
/// leaves a part of the results to nobody.
/// \param followsDots  through the rows of a left operand and the columns of a
///                     right one, too; otherwise products are refused.
std::optional<FreeAxis> findFreeAxis(tile::KernelOp kernel, int64_t gridAxis,
                                     FreeAxisRefusal *refusal = nullptr,
                                     bool followsDots = false);

/// Follows an axis of a loaded tile. Nothing where the kernel needs it as a
/// whole: where what it is reduced to meets it again, where its elements are
/// moved, or where it is reduced or scanned by a region or in a type that is
/// rounded.
std::optional<StreamedAxis>
findStreamedAxis(tile::LoadOp load, int64_t axis,
                 FreeAxisRefusal *refusal = nullptr);

/// Follows the axis of tiles that loops number by their induction variables,
/// in memory or in a tile that they cut pieces out of (`tile.extract`). Nothing
/// where tiles or what they are read from differ in size along it, or where
/// elements are moved, or reduced or scanned by a region or in a type that is
/// rounded.
std::optional<StreamedAxis>
findLoopedAxis(tile::KernelOp kernel, llvm::ArrayRef<mlir::scf::ForOp> loops,
               FreeAxisRefusal *refusal = nullptr);

/// Gives an axis of a tile another size, in the op that makes it as well.
void resizeTile(mlir::Value tile, int64_t axis, int64_t size);

/// Gives the axis another size in every tile.
void resizeTiles(const FreeAxis &axis, int64_t size);

/// The same, and the grid as many blocks as that takes.
void resize(tile::KernelOp kernel, const FreeAxis &axis, int64_t size);

} // namespace tilegpt::tilegpu

#endif
