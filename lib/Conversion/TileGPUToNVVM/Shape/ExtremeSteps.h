// Combines accumulators of an extreme and its first index: the extreme of all
// first, then the smallest of the indices that hold it.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_EXTREMESTEPS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_EXTREMESTEPS_H

#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/IndexedExtreme.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

/// One scalar for each part of what a reduction or scan carries.
using Accumulator = llvm::SmallVector<mlir::Value, 2>;

class ExtremeSteps {
public:
  ExtremeSteps(mlir::OpBuilder &builder, mlir::Location loc,
               IndexedExtreme extreme)
      : builder(builder), loc(loc), kind(extreme) {}

  /// Combines parts in any order.
  Accumulator join(llvm::ArrayRef<Accumulator> parts);
  /// Combines the values of lanes at these distances, each a power of two, with
  /// bit-identical results.
  Accumulator joinLanes(const Accumulator &own,
                        llvm::ArrayRef<int64_t> distances);

private:
  /// Computes an index from a test whether an element holds the extreme.
  using Search = llvm::function_ref<mlir::Value(
      llvm::function_ref<mlir::Value(mlir::Value)> holds)>;

  /// The extremes of two vectors of 16-bit floats: an instruction each, which
  /// the arith dialect's ops would become by way of f32.
  mlir::Value combinePacked(mlir::Value lhs, mlir::Value rhs);
  mlir::Value extremeOf(llvm::ArrayRef<Accumulator> parts);
  mlir::Value indexOf(llvm::ArrayRef<Accumulator> parts, mlir::Value extreme);
  /// Emits a search of so many elements.
  mlir::Value search(size_t elements, mlir::Value extreme, Search emit);
  mlir::Value least(mlir::Value lhs, mlir::Value rhs);
  /// The largest number of an index's type.
  mlir::Value none(mlir::Type type);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexedExtreme kind;
};

} // namespace tilegpt::tilegpu

#endif
