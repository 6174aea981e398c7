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

/// A tile of integers of the form `start + Σ strides[axis]·e[axis]`, where
/// `start` may be another number for each place along the axes that are free.
struct AffineTile {
  int64_t divisor = 1;                ///< of all starts; 0 for the integer 0
  llvm::SmallVector<int64_t> strides; ///< 0 along free axes
  llvm::SmallVector<bool> isFree;

  /// Whether neighbours along an axis are equal.
  bool isUniformAlong(int64_t axis) const;
};

/// The form of a tile of integers. One of which nothing is known is free along
/// all axes. Holds modulo 2^width: what wraps does so at a multiple of any run
/// of neighbours that begins at a multiple of its length.
AffineTile findAffineForm(mlir::Value tile, IndexFacts &facts);

/// A number of neighbours along an axis, a power of two, that a mask treats
/// alike where they begin at a multiple of it.
int64_t findMaskRun(mlir::Value mask, int64_t axis, IndexFacts &facts);

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

/// \param op     one of the ops of isOffsetAccess().
OffsetFacts analyzeOffsets(mlir::Operation *op, IndexFacts &facts);

/// The facts of all such accesses inside `root`.
using OffsetTable = llvm::DenseMap<mlir::Operation *, OffsetFacts>;
void analyzeOffsets(mlir::Operation *root, OffsetTable &table);

} // namespace tilegpt::tilegpu

#endif
