// How the ops that touch global memory may do so: how wide, and where they need
// no guard. Derived on tile kernels, before they become the code of one thread.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_ACCESSFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_ACCESSFACTS_H

#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include <optional>

namespace tilegpt::tilegpu {

/// True for tile.load, store, gather and scatter.
bool isAccess(mlir::Operation *op);

/// What these four have in common.
struct AccessOperands {
  explicit AccessOperands(mlir::Operation *op);

  mlir::Value view, mask;      ///< mask may be null
  mlir::Value value;           ///< what is stored, or the result
  mlir::RankedTensorType tile; ///< its type
  /// By axis of the tile: the axis of the view it runs along, and the index in
  /// tiles; null for the axis that an index tile walks.
  llvm::SmallVector<int64_t> viewAxis;
  llvm::SmallVector<mlir::Value> indices;
  /// The axis that an index tile walks, and that tile.
  std::optional<int64_t> indexedAxis;
  mlir::Value indexTile;
  bool isWrite = false;
};

/// Whether two views are windows of the same one that surely have no element in
/// common: one ends where the other begins.
bool areApart(mlir::Value view, mlir::Value other);

/// What is known of an access.
struct AccessFacts {
  /// The axis of the tile along which neighbours are neighbours in memory; -1
  /// when there is none.
  int64_t vectorAxis = -1;
  /// Most elements along it that one access may move: a power of two, at most
  /// 16 bytes. A run of so many that starts at a multiple of it is aligned and
  /// lies inside the view and the tile, or outside, as a whole.
  int64_t vectorSize = 1;
  /// The same of runs of which only a part may lie inside.
  int64_t alignedSize = 1;
  /// By axis of the tile: whether the tile lies inside the view along it, and
  /// whether it certainly does not begin before it.
  llvm::SmallVector<bool> isInside, isBehindStart;
  /// Whether the kernel does not write the memory.
  bool isReadOnly = false;
  /// Whether nothing writes it while the kernel runs, not even a launch that it
  /// overlaps with.
  bool isConstant = false;
  /// Elements that the argument has from its start on, at least, if it has any.
  int64_t fewestElements = 1;
};

/// A kernel that starts while the launch before it is running.
inline constexpr llvm::StringLiteral overlapsName = "tile_gpu.overlaps";

/// Whether an argument of a kernel holds what it held when the step began.
bool isLaunchInvariant(mlir::BlockArgument argument);

/// Of an access in a kernel with static tiles.
AccessFacts analyzeAccess(mlir::Operation *op, IndexFacts &facts);

/// The facts of all accesses inside `root`.
using AccessTable = llvm::DenseMap<mlir::Operation *, AccessFacts>;
void analyzeAccesses(mlir::Operation *root, AccessTable &table);

} // namespace tilegpt::tilegpu

#endif
