// Reductions of pairs that find a maximum and the sum of the exponentials below
// it at once, as an online softmax does.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPONENTIALSUM_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_EXPONENTIALSUM_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The combiner of pairs (m, s), where s is a sum of 2^(c·(x − m)) and m the
/// maximum of x: parts are shrunk to the larger of their maxima. A part whose
/// maximum is minus infinity adds nothing.
class ExponentialSum {
public:
  /// \param factor  c, greater than zero.
  explicit ExponentialSum(double factor) : factor(factor) {}

  /// What an op combines by its region; nothing where it is something else.
  static std::optional<ExponentialSum> of(tile::CombinerOpInterface op);

  /// The reduction of `x`, f32, with its exponentials. The results are the
  /// maximum and the sum.
  tile::ReduceOp reduce(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x, int64_t axis, bool keepdims) const;

  /// What exponents are relative to, given the maximum: that, or zero where it
  /// is minus infinity. Of scalars, as the next one.
  static mlir::Value origin(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value maximum);
  /// 2^(c·(x − origin)).
  mlir::Value power(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x,
                    mlir::Value origin) const;

private:
  double factor;
};

} // namespace tilegpt::tilegpu

#endif
