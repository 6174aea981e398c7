// Matches a kernel that stores a row directly after those that its loop reads.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FINDAPPEND_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FINDAPPEND_H

#include "Normalize/IndexSums.h"
#include "Append/MergeTexts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tile {

/// A window of the appended tensor, as the loop reads it.
struct RowReader {
  SubviewOp window;
  LoadOp load;
  mlir::Value row; ///< the tile of the stored row
};

/// A comparison `i < end` or `i <= end` of row indices: masks rows past the end
/// of the windows.
struct RowMask {
  mlir::arith::CmpIOp compare;
  bool isOrdered; ///< whether the row index is the lhs
  bool isStrict;
};

/// A loop over rows [begin, p] of windows, the last of which the kernel itself
/// stores.
struct Append {
  mlir::scf::ForOp loop;
  int64_t axis;                ///< of the rows, in the windows
  mlir::StringAttr tile;       ///< the parameter for the rows of a tile
  mlir::OpFoldResult begin;    ///< of the windows
  mlir::OpFoldResult position; ///< p
  llvm::SmallVector<RowReader> readers;
  llvm::SmallVector<RowMask> masks;
  /// Products of the induction variable and the rows of a tile.
  llvm::SmallVector<mlir::Operation *> firstRows;
};

/// Finds the append in a merged kernel.
/// \returns an error that explains why the row cannot be peeled off the loop.
llvm::Expected<Append> findAppend(MergedText &merged);

} // namespace tilegpt::tile

#endif
