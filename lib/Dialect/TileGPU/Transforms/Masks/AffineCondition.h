// Comparisons of positions as affine conditions on row, column and iteration.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_AFFINECONDITION_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MASKS_AFFINECONDITION_H

#include "Masks/MaskConditions.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// base + rows + constant + perRow·row + perColumn·column + perIteration·number
/// >= 0.
struct AffineCondition {
  /// Loop-invariant integers with their coefficients.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> base;
  /// Tiles that do not decrease with the row, with their coefficients. All
  /// coefficients and `perRow` have the same sign.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> rows;
  int64_t constant = 0, perRow = 0, perColumn = 0, perIteration = 0;

  /// Whether the condition depends on the row, and its left side grows with it.
  bool dependsOnRow() const { return perRow != 0 || !rows.empty(); }
  bool growsWithRow() const {
    return perRow > 0 || (!rows.empty() && rows.front().second > 0);
  }

  /// Emits base + rows + constant + perRow·row + more as an index at the
  /// builder's insertion point.
  /// \param row  an index.
  mlir::Value evaluate(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::OpFoldResult row, int64_t more) const;
};

/// The affine condition of a comparison of two-dimensional tiles in a loop;
/// nullopt if it is not affine.
/// \param number  the iteration number.
/// \param isOutside  whether a value is defined outside the loop.
std::optional<AffineCondition>
affineCondition(Comparison comparison, mlir::Value number,
                llvm::function_ref<bool(mlir::Value)> isOutside);

/// A range of rows of a tile, and all its columns.
struct TilePart {
  mlir::OpFoldResult firstRow, lastRow;
  int64_t columns;
};

/// Bounds the iterations of a loop in which conditions hold.
class IterationRange {
public:
  /// \param number  the iteration number.
  IterationRange(mlir::LoopLikeOpInterface loop, mlir::Value number)
      : loop(loop), number(number) {}

  std::optional<AffineCondition> affineOf(Comparison comparison) const;

  /// Whether a condition fails from some iteration on, or before some
  /// iteration.
  bool ends(const PositionCondition &condition) const {
    return isBounded(condition, /*atEnd=*/true);
  }
  bool begins(const PositionCondition &condition) const {
    return isBounded(condition, /*atEnd=*/false);
  }

  /// Emits the first iteration from which on a condition that ends cannot hold
  /// in a part of a tile, at the builder's insertion point before the loop.
  mlir::Value endOf(mlir::OpBuilder &builder,
                    const PositionCondition &condition, TilePart part) const {
    return boundOf(builder, condition, part, /*atEnd=*/true);
  }
  /// Emits the first iteration in which a condition that begins may hold.
  mlir::Value beginOf(mlir::OpBuilder &builder,
                      const PositionCondition &condition, TilePart part) const {
    return boundOf(builder, condition, part, /*atEnd=*/false);
  }

private:
  bool isBounded(const PositionCondition &condition, bool atEnd) const;
  mlir::Value boundOf(mlir::OpBuilder &builder,
                      const PositionCondition &condition, TilePart part,
                      bool atEnd) const;

  mlir::LoopLikeOpInterface loop;
  mlir::Value number;
};

} // namespace tilegpt::tilegpu

#endif
