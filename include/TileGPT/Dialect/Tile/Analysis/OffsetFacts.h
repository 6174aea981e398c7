// How the ops that access memory by offsets from a pointer may do so: which
// neighbours of a tile are neighbours in memory, and how many of them one
// access may move. Derived on tile kernels, before they become the code of one
// thread.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_OFFSETFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_OFFSETFACTS_H

#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"

namespace tilegpt::tilegpu {

/// True for tile.load_at, store_at, atomic_rmw and atomic_cas.
bool isOffsetAccess(mlir::Operation *op);

/// The pointer of such an op.
mlir::Value pointerOf(mlir::Operation *op);

/// Whether such an op is more than a load.
bool isOffsetWrite(mlir::Operation *op);

/// What is known of an access by offsets.
struct OffsetFacts {
  /// The axis of the tile along which neighbours are neighbours in memory; -1
  /// when there is none.
  int64_t vectorAxis = -1;
  /// Most elements along it that one access may move: a power of two, at most
  /// 16 bytes. A run of so many that starts at a multiple of it is aligned and
  /// has one mask.
  int64_t vectorSize = 1;
};

/// Gives the tile that a tile has the elements of, where they only lie
/// elsewhere, or itself.
using TileSource = llvm::function_ref<mlir::Value(mlir::Value)>;

/// \param op      one of the ops of isOffsetAccess().
/// \param source  looks through the ops of dialects that this one does not
///                know.
OffsetFacts analyzeOffsets(mlir::Operation *op, IndexFacts &facts,
                           TileSource source = nullptr);

/// The facts of all such accesses inside `root`.
using OffsetTable = llvm::DenseMap<mlir::Operation *, OffsetFacts>;
void analyzeOffsets(mlir::Operation *root, OffsetTable &table,
                    TileSource source = nullptr);

} // namespace tilegpt::tilegpu

#endif
