// Vector width and bounds checks of ops that access global memory, derived on
// tile kernels before they become thread code.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_ACCESSFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_ACCESSFACTS_H

#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include <optional>

namespace tilegpt::tilegpu {

/// True for tile.load, store, gather and scatter.
bool isAccess(mlir::Operation *op);

/// Common properties of these four ops.
struct AccessOperands {
  explicit AccessOperands(mlir::Operation *op);

  mlir::Value view, mask;      ///< mask may be null
  mlir::Value value;           ///< what is stored, or the result
  mlir::RankedTensorType tile; ///< its type
  /// For each axis of the tile: the axis of the view it runs along, and the
  /// index in tiles; null for the axis of an index tile.
  llvm::SmallVector<int64_t> viewAxis;
  llvm::SmallVector<mlir::Value> indices;
  /// The axis indexed by an index tile, and that tile.
  std::optional<int64_t> indexedAxis;
  mlir::Value indexTile;
  bool isWrite = false;
};

/// Whether two views are provably disjoint windows of the same one: one ends
/// where the other starts.
bool areApart(mlir::Value view, mlir::Value other);

/// Facts about an access.
struct AccessFacts {
  /// The axis of the tile along which adjacent elements are adjacent in memory;
  /// -1 if there is none.
  int64_t vectorAxis = -1;
  /// The vector width along it, in elements: a power of two, at most 16 bytes.
  /// A vector that starts at a multiple of it is aligned and lies entirely
  /// inside or entirely outside the view and the tile.
  int64_t vectorSize = 1;
  /// The same for vectors that may be only partly inside.
  int64_t alignedSize = 1;
  /// For each axis of the tile: whether the tile is in bounds along it, and
  /// whether its start is known to be in bounds.
  llvm::SmallVector<bool> isInside, isBehindStart;
  /// Whether the kernel does not write the memory.
  bool isReadOnly = false;
  /// Whether nothing writes it while the kernel runs, including launches that
  /// it overlaps with.
  bool isConstant = false;
  /// Minimum number of elements of the argument from its start, unless it is
  /// empty.
  int64_t fewestElements = 1;
};

/// Marks a kernel that may start while its predecessor is running.
inline constexpr llvm::StringLiteral overlapsName = "tile_gpu.overlaps";

/// Whether an argument of a kernel does not change during a step.
bool isLaunchInvariant(mlir::BlockArgument argument);

/// For an access in a kernel with static tiles.
AccessFacts analyzeAccess(mlir::Operation *op, IndexFacts &facts);

/// The facts of all accesses inside `root`.
using AccessTable = llvm::DenseMap<mlir::Operation *, AccessFacts>;
void analyzeAccesses(mlir::Operation *root, AccessTable &table);

} // namespace tilegpt::tilegpu

#endif
