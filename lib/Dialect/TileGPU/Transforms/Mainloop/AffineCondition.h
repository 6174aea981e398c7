// Comparisons of positions as affine conditions on the row, the column and the
// number of the iteration.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_AFFINECONDITION_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_AFFINECONDITION_H

#include "Mainloop/MaskConditions.h"

namespace tilegpt::tilegpu {

/// base + constant + perRow·row + perColumn·column + perIteration·number >= 0.
struct AffineCondition {
  /// Integers from in front of the loop, each times a number.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> base;
  int64_t constant = 0, perRow = 0, perColumn = 0, perIteration = 0;

  /// base + constant + perRow·row + more, as an index where the builder stands.
  mlir::Value evaluate(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t row, int64_t more) const;
};

/// The condition that a comparison of tiles of two axes is in the iterations of
/// a loop; nothing where it is none.
/// \param number     of the iteration.
/// \param isOutside  whether a value is there in front of the loop.
std::optional<AffineCondition>
affineCondition(Comparison comparison, mlir::Value number,
                llvm::function_ref<bool(mlir::Value)> isOutside);

} // namespace tilegpt::tilegpu

#endif
