// What is known of integers and views before a kernel runs: divisors and
// ranges, derived on tile kernels. Accesses to memory are planned with it.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_INDEXFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_INDEXFACTS_H

#include "TileGPT/Dialect/Tile/Analysis/IntegerFacts.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilegpt::tilegpu {

/// Bytes that a thread of a GPU moves at most at once.
inline constexpr int64_t maxAccessBytes = 16;

/// What is known of a view.
struct ViewFacts {
  /// Number of bytes that divides the address of the first element.
  int64_t alignment = 1;
  /// By axis, in elements.
  llvm::SmallVector<IntegerFacts> sizes, strides;
  /// The argument of the kernel it is a window of; null where that is not
  /// known.
  mlir::BlockArgument root;
};

/// What is known of a pointer.
struct PointerFacts {
  int64_t alignment = 1; ///< number of bytes that divides it
  /// The argument of the kernel whose memory it points to; null where that is
  /// not known.
  mlir::BlockArgument root;
};

/// Derives facts on demand and remembers them. Valid as long as the kernel is
/// not changed.
class IndexFacts {
public:
  /// \param value an integer or index.
  IntegerFacts of(mlir::Value value);
  /// \param view a value of type `!tile.view`.
  ViewFacts ofView(mlir::Value view);

  /// \param pointer a value of type `!tile.ptr`.
  PointerFacts ofPointer(mlir::Value pointer);

  /// Whether `index` is known to be an entry of an axis of `view`: from 0 to
  /// its size - 1. Also finds it where the size is not known, from the grid or
  /// from a loop over that very axis.
  bool isEntry(mlir::Value index, mlir::Value view, int64_t axis);

private:
  IntegerFacts derive(mlir::Value value);
  IntegerFacts deriveArgument(mlir::BlockArgument argument);
  ViewFacts deriveView(mlir::Value view);
  ViewFacts deriveViewAt(tile::ViewAtOp op);
  ViewFacts deriveRun(tile::RunOpInterface op);
  /// Of a grid expression.
  tile::Interval rangeOfGrid(tile::KernelOp kernel, int64_t axis);

  llvm::DenseMap<mlir::Value, IntegerFacts> integers;
  llvm::DenseMap<mlir::Value, ViewFacts> views;
};

} // namespace tilegpt::tilegpu

#endif
