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

} // namespace tilegpt::tile

#endif
