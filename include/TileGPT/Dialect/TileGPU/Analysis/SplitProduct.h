// Whether blocks of the grid can share out the depth of a product (split-K
// through memory): asked by the tiles and by the pass that does it.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SPLITPRODUCT_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SPLITPRODUCT_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// A kernel on a grid of rows and columns that sums up products of tiles of
/// its arguments from zero on, one step after the other from the first, and
/// only loads, computes and stores behind that.
struct SplitProduct {
  mlir::scf::ForOp loop;
  tile::DotOp dot;
  tile::LoadOp lhs, rhs;
  /// The axes of the grid along which blocks have rows and columns of their
  /// own.
  int64_t rowAxis, columnAxis;

  /// The axis along which blocks that share out a depth lie side by side: that
  /// of the larger side of the tile, so that those beside them along the other
  /// one still have more in common.
  int64_t partAxis(int64_t rows, int64_t columns) const {
    return columns > rows ? columnAxis : rowAxis;
  }
};

/// Of a kernel, specialized or not.
std::optional<SplitProduct> findSplitProduct(tile::KernelOp kernel);

} // namespace tilegpt::tilegpu

#endif
