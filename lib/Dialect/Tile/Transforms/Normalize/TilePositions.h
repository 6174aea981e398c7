// Integer tiles as affine functions of the coordinates of their elements.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_TILEPOSITIONS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_NORMALIZE_TILEPOSITIONS_H

#include "Normalize/IndexSums.h"

namespace tilegpt::tile {

/// An integer tile whose element e is start + Σ strides[axis]·e[axis].
struct TilePositions {
  /// A term of `start`.
  struct Term {
    mlir::Value scalar; ///< null for 1
    IndexSum factor;
  };
  llvm::SmallVector<Term> terms;
  llvm::SmallVector<IndexSum> strides;

  IndexSum start(IndexSums &sums) const;
};

/// The positions that a static tile holds, assuming that integers do not
/// overflow; none if it is not known to be of this form.
std::optional<TilePositions> positionsOf(mlir::Value tile, IndexSums &sums);

/// Replaces remainders of consecutive numbers, such as rows modulo a height, by
/// consecutive numbers if the divisor is a multiple of the tile and the tile
/// starts at one.
void straightenRemainders(KernelOp kernel);

} // namespace tilegpt::tile

#endif
