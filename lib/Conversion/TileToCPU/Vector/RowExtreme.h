// Maxima and minima of rows of floats, whose NaN and signs of zeros are decided
// once per row.
#ifndef TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_ROWEXTREME_H
#define TILEGPT_LIB_CONVERSION_TILETOCPU_VECTOR_ROWEXTREME_H

#include "Vector/VectorPlan.h"

namespace tilegpt::cpu {

/// The code of one such reduction. Its state is an extreme for each chain, from
/// one comparison per vector, which may miss NaN and return either of two
/// zeros; the NaN met; and the signs met: of a row whose maximum is a zero, all
/// other elements are negative.
class RowExtreme {
public:
  /// Whether a combiner is the maximum or minimum of floats that hosts compare.
  static bool handles(const Combiner &combiner);

  RowExtreme(mlir::OpBuilder &builder, mlir::Location loc,
             const Combiner &combiner, int64_t lanes);

  /// The state before the first element.
  llvm::SmallVector<mlir::Value> begin(int64_t chains) const;
  /// The state after a vector of elements for each of the first chains.
  llvm::SmallVector<mlir::Value>
  add(mlir::ValueRange state, llvm::ArrayRef<mlir::Value> elements) const;
  /// The extreme of all elements, a scalar.
  mlir::Value finish(mlir::ValueRange state) const;
  /// A vector that changes no state.
  mlir::Value neutral() const;

private:
  mlir::Value better(mlir::Value value, mlir::Value best) const;
  mlir::Value combineSigns(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value splat(mlir::TypedAttr value) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Combiner &combiner;
  bool isMaximum;
  mlir::FloatType element;
  mlir::VectorType type, bits;
};

} // namespace tilegpt::cpu

#endif
