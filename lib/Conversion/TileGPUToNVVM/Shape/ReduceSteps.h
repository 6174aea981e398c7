// Combines two accumulators of a tile.reduce or tile.scan of any kind: an
// accumulator is one scalar for each source, or the best element and its
// position for argmax and argmin.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_REDUCESTEPS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_REDUCESTEPS_H

#include "Shape/ExtremeSteps.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Reductions/ExponentialSum.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

class ReduceSteps {
public:
  ReduceSteps(mlir::OpBuilder &builder, tile::CombinerOpInterface op);

  /// The identity; its position is 0.
  Accumulator identity();
  /// The accumulator of one element.
  /// \param elements  of each source, of its element type.
  /// \param position  along the axis, for argmax and argmin.
  Accumulator begin(mlir::ValueRange elements, int64_t position);
  /// Adds `base`, an index, to the positions.
  void movePositions(Accumulator &accumulator, mlir::Value base);

  /// Combines adjacent ranges: every position in `before` is less than those in
  /// `after`.
  Accumulator joinInOrder(const Accumulator &before, const Accumulator &after);
  /// Combines accumulators of any positions.
  Accumulator join(const Accumulator &lhs, const Accumulator &rhs);
  /// Combines values that two threads have exchanged, with bit-identical
  /// results in both.
  /// \param otherFirst  i1, which differs between the two.
  Accumulator joinExchanged(const Accumulator &own, const Accumulator &other,
                            mlir::Value otherFirst);
  /// Combines an ordered list: a few parallel chains, which can be FMAs, then a
  /// tree.
  Accumulator joinAll(llvm::ArrayRef<Accumulator> accumulators);

  /// Combines a list of any positions in a tree.
  Accumulator joinUnordered(llvm::ArrayRef<Accumulator> accumulators);
  /// Combines the values of lanes at these distances, each a power of two, with
  /// bit-identical results.
  void joinLanes(llvm::MutableArrayRef<Accumulator> accumulators,
                 llvm::ArrayRef<int64_t> distances);

  /// The op's results, one scalar each.
  llvm::SmallVector<mlir::Value> finish(const Accumulator &accumulator);

  /// Selects `yes` if the condition, an i1, is true.
  Accumulator select(mlir::Value condition, const Accumulator &yes,
                     const Accumulator &no);

private:
  /// The greatest maximum of sums of exponentials.
  mlir::Value maximumOf(llvm::ArrayRef<Accumulator> parts);
  /// Sums of exponentials: rescaled to the greatest maximum, then added.
  Accumulator joinExponentials(llvm::ArrayRef<Accumulator> parts);
  Accumulator shrink(const Accumulator &part, mlir::Value maximum,
                     mlir::Value origin);

  mlir::Value isBetter(mlir::Value value, mlir::Value best);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::CombinerOpInterface op;
  std::optional<ExponentialSum> exponentials;
  std::optional<ExtremeSteps> extremes;
  bool keepsRowsInShared; ///< whether long rows are read from shared memory
};

} // namespace tilegpt::tilegpu

#endif
