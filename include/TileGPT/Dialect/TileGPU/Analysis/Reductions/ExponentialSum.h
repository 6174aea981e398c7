// Reductions of pairs that compute a maximum and the sum of exponentials
// relative to it at once, as in an online softmax.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_EXPONENTIALSUM_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_REDUCTIONS_EXPONENTIALSUM_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"

namespace tilegpt::tilegpu {

/// The combiner of pairs (m, s), where m is the maximum of x and s the sum of
/// 2^(c·(x − m)): both sums are rescaled to the larger maximum. A part whose
/// maximum is minus infinity contributes nothing.
class ExponentialSum {
public:
  /// \param factor  c, positive.
  explicit ExponentialSum(double factor) : factor(factor) {}

  /// The combiner that an op's region implements; nothing if it is something
  /// else.
  static std::optional<ExponentialSum> of(tile::CombinerOpInterface op);

  /// The reduction of `x`, f32, with its exponentials. The results are the
  /// maximum and the sum.
  tile::ReduceOp reduce(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x, int64_t axis, bool keepdims) const;

  /// The value that exponents are relative to: the maximum, or zero if it is
  /// minus infinity. On scalars, like the next function.
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
