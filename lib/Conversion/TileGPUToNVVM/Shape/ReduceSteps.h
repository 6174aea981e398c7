// How two accumulators of a tile.reduce or tile.scan become one, whatever the
// kind: an accumulator is one scalar for each source, or the best element and
// where it was for argmax and argmin.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_REDUCESTEPS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_SHAPE_REDUCESTEPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/ExponentialSum.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

using Accumulator = llvm::SmallVector<mlir::Value, 2>;

class ReduceSteps {
public:
  ReduceSteps(mlir::OpBuilder &builder, tile::CombinerOpInterface op);

  /// The accumulator that changes nothing; its position is 0.
  Accumulator identity();
  /// The accumulator of one element.
  /// \param elements  of each source, of its element type.
  /// \param position  along the axis, for argmax and argmin.
  Accumulator begin(mlir::ValueRange elements, int64_t position);
  /// Moves the positions by `base`, an index.
  void movePositions(Accumulator &accumulator, mlir::Value base);

  /// Joins neighbours: every position in `before` is less than those in
  /// `after`.
  Accumulator joinInOrder(const Accumulator &before, const Accumulator &after);
  /// Joins accumulators of any positions.
  Accumulator join(const Accumulator &lhs, const Accumulator &rhs);
  /// Joins what two threads have exchanged, so that both get the same bits.
  /// \param otherFirst  i1, of different values in the two.
  Accumulator joinExchanged(const Accumulator &own, const Accumulator &other,
                            mlir::Value otherFirst);
  /// Joins a list that is in order: a few chains side by side, which can be
  /// fused multiply-adds, then a tree.
  Accumulator joinAll(llvm::ArrayRef<Accumulator> accumulators);

  /// Joins a list of any positions as a tree.
  Accumulator joinUnordered(llvm::ArrayRef<Accumulator> accumulators);
  /// Joins what lanes have that are so far apart, each a power of two. They get
  /// the same bits.
  void joinLanes(llvm::MutableArrayRef<Accumulator> accumulators,
                 llvm::ArrayRef<int64_t> distances);

  /// What the op yields: one scalar for each of its results.
  llvm::SmallVector<mlir::Value> finish(const Accumulator &accumulator);

  /// `yes` where the condition, an i1, holds.
  Accumulator select(mlir::Value condition, const Accumulator &yes,
                     const Accumulator &no);

private:
  /// Sums of exponentials: shrunk to the greatest maximum, then added up.
  Accumulator joinExponentials(llvm::ArrayRef<Accumulator> parts);
  Accumulator shrink(const Accumulator &part, mlir::Value maximum,
                     mlir::Value origin);

  mlir::Value isBetter(mlir::Value value, mlir::Value best);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::CombinerOpInterface op;
  std::optional<ExponentialSum> exponentials;
  bool keepsRowsInShared; ///< whether long rows are read from shared memory
};

} // namespace tilegpt::tilegpu

#endif
