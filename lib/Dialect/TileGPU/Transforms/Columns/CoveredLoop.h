// Loops that sum the columns of matrices with unaligned rows.
//
// The alignment of rows repeats after a few of them. A loop can therefore read
// the 16-byte units that cover its part of each row, and sum those of equally
// aligned rows: elements are shifted only after the loop, when the sums of all
// alignments are added up.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_COVEREDLOOP_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_COLUMNS_COVEREDLOOP_H

#include "Columns/LoopTiles.h"

namespace tilegpt::tilegpu {

/// Marks loads of tiles that are sized for loads of whole units.
inline constexpr llvm::StringLiteral coveredName = "tile_gpu.covered";

/// A loop whose loads can be replaced by loads of whole units.
struct CoveredLoop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<tile::ReduceOp> sums; ///< along the rows, by loop result
  int64_t rows = 0, columns = 0;          ///< of the matrices
  int64_t elementBytes = 0;
  int64_t unit = 0;   ///< elements in 16 bytes
  int64_t period = 0; ///< rows after which the alignment repeats

  /// Nullopt for other loops, and if rows are few or can be read in vectors.
  static std::optional<CoveredLoop> of(mlir::scf::ForOp loop);
};

} // namespace tilegpt::tilegpu

#endif
