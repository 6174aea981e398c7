// Divisors and ranges of integers and views, derived on tile kernels at compile
// time, for planning memory accesses.
#ifndef TILEGPT_DIALECT_TILE_ANALYSIS_INDEXFACTS_H
#define TILEGPT_DIALECT_TILE_ANALYSIS_INDEXFACTS_H

#include "TileGPT/Dialect/Tile/Analysis/IntegerFacts.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilegpt::tilegpu {

/// Maximum access size of a GPU thread, in bytes.
inline constexpr int64_t maxAccessBytes = 16;

/// Facts about a view.
struct ViewFacts {
  /// Alignment of the first element's address, in bytes.
  int64_t alignment = 1;
  /// For each axis, in elements.
  llvm::SmallVector<IntegerFacts> sizes, strides;
  /// The argument of the kernel that it is a window of; null if unknown.
  mlir::BlockArgument root;
};

/// Facts about a pointer.
struct PointerFacts {
  int64_t alignment = 1; ///< number of bytes that divides it
  /// The argument of the kernel that it points into; null if unknown.
  mlir::BlockArgument root;
};

/// Derives facts on demand and caches them. Valid as long as the kernel is not
/// modified.
class IndexFacts {
public:
  /// \param value an integer or index.
  IntegerFacts of(mlir::Value value);
  /// \param view a value of type `!tile.view`.
  ViewFacts ofView(mlir::Value view);

  /// \param pointer a value of type `!tile.ptr`.
  PointerFacts ofPointer(mlir::Value pointer);

  /// Whether `index` is known to be in bounds of an axis of `view`: from 0 to
  /// its size - 1. Also proves it for dynamic sizes, from the grid or a loop
  /// over that axis.
  bool isEntry(mlir::Value index, mlir::Value view, int64_t axis);

private:
  IntegerFacts derive(mlir::Value value);
  IntegerFacts deriveArgument(mlir::BlockArgument argument);
  ViewFacts deriveView(mlir::Value view);
  ViewFacts deriveViewAt(tile::ViewAtOp op);
  ViewFacts deriveRun(tile::RunOpInterface op);
  /// For a grid expression.
  tile::Interval rangeOfGrid(tile::KernelOp kernel, int64_t axis);

  llvm::DenseMap<mlir::Value, IntegerFacts> integers;
  llvm::DenseMap<mlir::Value, ViewFacts> views;
};

} // namespace tilegpt::tilegpu

#endif
