// A tile of floats as a sum of scaled tiles: what exponents are, however a text
// spells them.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_LINEARFORM_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_LINEARFORM_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {

/// ± the product of some scalars and a tile.
struct LinearTerm {
  mlir::Value tile;
  bool isNegative = false;
  /// Scalars of the function, or attributes; sorted.
  llvm::SmallVector<mlir::OpFoldResult> factors;

  /// Whether the factors are the same scalars, and numbers whose products are
  /// equal up to rounding.
  bool hasFactorOf(const LinearTerm &other) const;
  /// The term times some scalars.
  LinearTerm times(llvm::ArrayRef<mlir::OpFoldResult> others) const;
  /// Whether the factor is known to be greater than zero.
  bool isPositive() const;
};

/// The terms of a tile: through sums, differences, negations, products with
/// scalars, multiply-adds and, where wanted, broadcasts, down to `atoms` and to
/// what is none of these.
llvm::SmallVector<LinearTerm> linearForm(mlir::Value tile,
                                         mlir::ValueRange atoms,
                                         bool throughBroadcasts = true);

/// The factor of a term times a number, where the builder stands in front of a
/// loop; null where it is not known there.
mlir::Value scalarFactor(mlir::OpBuilder &builder,
                         mlir::LoopLikeOpInterface loop, const LinearTerm &term,
                         double number);

/// Whether a scalar is known to be greater than zero, and finite where it is a
/// number.
bool isPositiveScalar(mlir::OpFoldResult scalar);

/// What a tile is broadcast from, or the tile itself.
mlir::Value throughBroadcast(mlir::Value tile);

} // namespace tilegpt::tilegpu

#endif
