// Reductions of pairs that find a maximum or minimum and its first index at
// once.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_INDEXEDEXTREME_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_INDEXEDEXTREME_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The combiner of pairs (x, i), where x is the maximum or minimum and i the
/// smallest of the indices of elements equal to it. If NaN propagates, NaN is
/// the extreme; otherwise it is one only if all elements are.
class IndexedExtreme {
public:
  IndexedExtreme(bool isMaximum, tile::NaNPolicy nan)
      : isMaximum(isMaximum), nan(nan) {}

  /// The combiner that an op's region, or its kind (argmax, argmin),
  /// implements; nothing if it is something else.
  static std::optional<IndexedExtreme> of(tile::CombinerOpInterface op);

  /// The reduction of `x` and `indices`, i32, by a region. The results are the
  /// extreme and its index.
  tile::ReduceOp reduce(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x, mlir::Value indices, int64_t axis,
                        bool keepdims) const;

  bool findsMaximum() const { return isMaximum; }
  bool propagatesNaN() const { return nan == tile::NaNPolicy::Propagate; }

  /// On scalars: the extreme of two values.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value lhs, mlir::Value rhs) const;
  /// Whether `x`, one of the values of which `extreme` is the extreme, counts
  /// as equal to it.
  mlir::Value holds(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                    mlir::Value extreme) const;

private:
  void buildCombiner(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Region &region, mlir::TypeRange types) const;

  bool isMaximum;
  tile::NaNPolicy nan;
};

} // namespace tilegpt::tilegpu

#endif
