// Whether blocks of the grid can split K of a matmul (split-K through global
// memory): used by tile selection and by the pass that does it.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SPLITPRODUCT_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SPLITPRODUCT_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tilegpu {

/// A kernel on a grid of rows and columns, and perhaps entries of a batch, that
/// accumulates dots of tiles of its arguments, or of tiles computed from these,
/// from zero over consecutive K
/// steps, starting at the first, and after the loop only loads, computes and
/// stores.
struct SplitProduct {
  mlir::scf::ForOp loop;
  tile::DotOp dot;
  /// The operands, or matrices that they are computed from.
  tile::LoadOp lhs, rhs;
  /// The axes of the grid along which blocks have separate rows and columns.
  int64_t rowAxis, columnAxis;
  /// Whether the loop computes an operand, which need not be zero past the end
  /// of what it is computed from: no block may run steps past the end.
  bool computes = false;

  /// The axis along which blocks that split K are adjacent: that of the larger
  /// side of the tile, so that their neighbours along the other axis still
  /// share more operands.
  int64_t partAxis(int64_t rows, int64_t columns) const {
    return columns > rows ? columnAxis : rowAxis;
  }
};

/// Of a kernel, specialized or not.
std::optional<SplitProduct> findSplitProduct(tile::KernelOp kernel,
                                             Refusal *refusal = nullptr);

} // namespace tilegpt::tilegpu

#endif
