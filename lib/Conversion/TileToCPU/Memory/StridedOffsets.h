// Offsets and masks of accesses by pointer in the form of views: evenly spaced
// elements, of which those before a bound along each axis take part.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_STRIDEDOFFSETS_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_STRIDEDOFFSETS_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace tilegpt::cpu {

/// An integer tile whose element e is start + Σ strides[axis]·e[axis].
struct StridedOffsets {
  mlir::Value start;                      ///< an index
  llvm::SmallVector<mlir::Value> strides; ///< an index for each axis

  /// Whether all elements are equal.
  bool isUniform() const;
};

/// Finds such forms and emits their scalars at the builder's insertion point,
/// which the tiles dominate. Scalars of forms that are not found stay unused.
class StridedForms {
public:
  StridedForms(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// \param tile  i32 or i64 elements. The start and the strides are computed
  ///              with its wraparound; no element is taken to wrap that the
  ///              first one does not.
  /// \returns nothing if the spacing is uneven or unknown.
  std::optional<StridedOffsets> formOf(mlir::Value tile);

  /// The bounds of a mask: an element takes part if its position along every
  /// axis is less than the bound, if there is one; null for axes without.
  /// \returns nothing for other masks.
  std::optional<llvm::SmallVector<mlir::Value>> boundsOf(mlir::Value mask);

private:
  /// The same, up to multiples of 2³² if elements are i32.
  std::optional<StridedOffsets> sumsOf(mlir::Value tile);
  /// An index as the i32 that has its low bits.
  mlir::Value wrap(mlir::Value scalar);
  std::optional<llvm::SmallVector<mlir::Value>>
  boundsOfComparison(mlir::Operation *op);
  /// Bounds of a tile all of whose elements take part, or none.
  llvm::SmallVector<mlir::Value> allIf(mlir::Value condition, mlir::Value tile);
  void lower(mlir::Value &bound, mlir::Value other);
  mlir::Value constant(int64_t value);
  mlir::Value asIndex(mlir::Value scalar);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tilegpt::cpu

#endif // TILEGPT_LIB_CONVERSION_TILETOCPU_MEMORY_STRIDEDOFFSETS_H
