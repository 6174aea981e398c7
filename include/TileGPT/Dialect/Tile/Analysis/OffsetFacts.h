// Vector width of accesses by offset from a pointer: which adjacent elements of
// a tile are adjacent in memory, and how many of them one access may move.
// Derived on tile kernels before they become thread code.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_OFFSETFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_OFFSETFACTS_H

#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"

namespace tilegpt::tilegpu {

/// True for tile.load_at, store_at, atomic_rmw and atomic_cas.
bool isOffsetAccess(mlir::Operation *op);

/// The pointer of such an op.
mlir::Value pointerOf(mlir::Operation *op);

/// Whether such an op is not just a load.
bool isOffsetWrite(mlir::Operation *op);

/// Facts about an access by offset.
struct OffsetFacts {
  /// The axis of the tile along which adjacent elements are adjacent in memory;
  /// -1 if there is none.
  int64_t vectorAxis = -1;
  /// The vector width along it, in elements: a power of two, at most 16 bytes.
  /// A vector that starts at a multiple of it is aligned and has a uniform
  /// mask.
  int64_t vectorSize = 1;
  /// The axis of the tile along which adjacent elements are adjacent or the
  /// same in memory, as after a division of positions; -1 if there is none.
  int64_t denseAxis = -1;
};

/// Returns the source of a tile that only moves or relabels elements, or the
/// tile itself.
using TileSource = llvm::function_ref<mlir::Value(mlir::Value)>;

/// \param op      one of the ops of isOffsetAccess().
/// \param source  looks through ops of dialects that this one does not know.
OffsetFacts analyzeOffsets(mlir::Operation *op, IndexFacts &facts,
                           TileSource source = nullptr);

/// The facts of all such accesses inside `root`.
using OffsetTable = llvm::DenseMap<mlir::Operation *, OffsetFacts>;
void analyzeOffsets(mlir::Operation *root, OffsetTable &table,
                    TileSource source = nullptr);

} // namespace tilegpt::tilegpu

#endif
