// What one step of a tile.reduce or tile.scan computes, on scalars: the CPU and
// the GPU spread them differently but combine two elements alike.
#ifndef TILEGPT_CONVERSION_TILETOARITH_REDUCECOMBINER_H
#define TILEGPT_CONVERSION_TILETOARITH_REDUCECOMBINER_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tile {

/// True for argmax and argmin.
bool isArgReduction(CombinerOpInterface op);

/// The type in which a reduction of this kind is formed: f32 for sums and
/// products of narrower floats, which are rounded once, and `element` else.
mlir::Type accumulatorType(ReduceKind kind, mlir::Type element);

/// The neutral element of a named reduction; of argmax and argmin, a value that
/// loses against all others.
mlir::TypedAttr identityOf(ReduceKind kind, NaNPolicy nan, mlir::Type type);

/// The neutral accumulators of an op that is no argmax or argmin, one for each
/// source and of these types.
llvm::SmallVector<mlir::TypedAttr>
identitiesOf(CombinerOpInterface op, llvm::ArrayRef<mlir::Type> types);

/// `lhs` and `rhs` combined, both of an accumulator's type or tiles of it. Not
/// for argmax and argmin.
mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc,
                    ReduceKind kind, NaNPolicy nan, mlir::Value lhs,
                    mlir::Value rhs);

/// Whether `value` beats the best so far, as i1. Equal elements do not: the
/// first one wins.
/// \param isMax  for argmax rather than argmin.
mlir::Value beats(mlir::OpBuilder &builder, mlir::Location loc, bool isMax,
                  NaNPolicy nan, mlir::Value value, mlir::Value best);

/// The accumulators of an op that is no argmax or argmin, of earlier elements
/// and of later ones, combined by its name or its region.
llvm::SmallVector<mlir::Value> combine(mlir::OpBuilder &builder,
                                       CombinerOpInterface op,
                                       mlir::ValueRange earlier,
                                       mlir::ValueRange later);

/// The region of a reduction, on two sets of values, one for each source.
llvm::SmallVector<mlir::Value> inlineCombiner(mlir::OpBuilder &builder,
                                              CombinerOpInterface op,
                                              mlir::ValueRange accumulators,
                                              mlir::ValueRange elements);

} // namespace tilegpt::tile

#endif
