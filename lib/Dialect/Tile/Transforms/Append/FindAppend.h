// Where a kernel stores a row behind those that its loop reads.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FINDAPPEND_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_APPEND_FINDAPPEND_H

#include "Append/IndexSums.h"
#include "Append/MergeTexts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilegpt::tile {

/// A window of what is appended to, as the loop reads it.
struct RowReader {
  SubviewOp window;
  LoadOp load;
  mlir::Value row; ///< the tile of the row that is stored
};

/// A comparison `i < end` of the numbers of rows, or `i <= end`: rows past the
/// end of the windows count for nothing.
struct RowMask {
  mlir::arith::CmpIOp compare;
  bool isOrdered; ///< whether the number is on the left
  bool isStrict;
};

/// A loop over rows [begin, p] of windows, the last of which the text stores
/// itself.
struct Append {
  mlir::scf::ForOp loop;
  int64_t axis;                ///< of the rows, in the windows
  mlir::StringAttr tile;       ///< the parameter that is the rows of a tile
  mlir::OpFoldResult begin;    ///< of the windows
  mlir::OpFoldResult position; ///< p
  llvm::SmallVector<RowReader> readers;
  llvm::SmallVector<RowMask> masks;
  /// Products of the induction variable and the rows of a tile.
  llvm::SmallVector<mlir::Operation *> firstRows;
};

/// Finds the append of a merged text.
/// \returns an error that says why the loop cannot do without the row.
llvm::Expected<Append> findAppend(MergedText &merged);

} // namespace tilegpt::tile

#endif
