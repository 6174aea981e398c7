// A tile of floats as a sum of scaled tiles: a normal form of exponents.
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

  /// Whether the factors are the same scalars, and constants whose products are
  /// equal up to rounding.
  bool hasFactorOf(const LinearTerm &other) const;
  /// The term times some scalars.
  LinearTerm times(llvm::ArrayRef<mlir::OpFoldResult> others) const;
  /// Whether the factor is known to be positive.
  bool isPositive() const;
};

/// The terms of a tile: through sums, differences, negations, products with
/// scalars, FMAs and, optionally, broadcasts, down to `atoms` and to other ops.
llvm::SmallVector<LinearTerm> linearForm(mlir::Value tile,
                                         mlir::ValueRange atoms,
                                         bool throughBroadcasts = true);

/// The factor of a term times a constant, available before a loop at the
/// builder's insertion point; null if it is not.
mlir::Value scalarFactor(mlir::OpBuilder &builder,
                         mlir::LoopLikeOpInterface loop, const LinearTerm &term,
                         double number);

/// Whether a scalar is known to be positive, and finite if it is a constant.
bool isPositiveScalar(mlir::OpFoldResult scalar);

/// The source of a broadcast tile, or the tile itself.
mlir::Value throughBroadcast(mlir::Value tile);

} // namespace tilegpt::tilegpu

#endif
