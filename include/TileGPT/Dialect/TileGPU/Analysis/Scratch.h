// What an op writes to the scratch area of its kernel when its threads have to
// exchange elements: how large that is, and how it is laid out.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SCRATCH_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SCRATCH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Operation.h"

namespace tilegpt::tilegpu {

/// Bytes of scratch that an op on tiles with layouts needs, a multiple of 16;
/// 0 for ops that exchange nothing between threads.
int64_t scratchBytes(mlir::Operation *op);

/// The buffer in scratch through which a change of shape or layout goes; null
/// for one that moves nothing between threads.
SharedType getExchangeBuffer(mlir::Operation *op);

/// Whether every thread holds all elements of a tile with a layout.
bool isHeldByAll(mlir::Type type);

/// Types in which a thread carries the values of a reduction or scan: one for
/// each source, or the best element and its i32 position for argmax and argmin.
llvm::SmallVector<mlir::Type> accumulatorTypes(tile::CombinerOpInterface op);

/// How the warps along the axis of a reduction meet: each accumulator has a
/// buffer of its own, one behind the other, with a slot for each register of
/// the result, each of `warpsBeside`, `lanesBeside` and `warpsAlong`.
struct ReduceExchange {
  int64_t registers;   ///< of a thread, for the result
  int64_t lanesBeside; ///< lanes of a warp that hold different results
  int64_t warpsBeside; ///< warps that hold different results, or copies
  int64_t warpsAlong;  ///< warps that hold parts of one result
  bool warpsFirst;     ///< whether the warps along the axis are neighbours

  explicit ReduceExchange(tile::ReduceOp op);
  bool isNeeded() const { return warpsAlong > 1; }
  /// The buffer of an accumulator: registers × warpsBeside × lanesBeside ×
  /// warpsAlong slots, the last two swapped unless `warpsFirst`.
  SharedType getBuffer(mlir::Type accumulator) const;
};

/// One digit of the coordinate of an element along the axis of a scan.
struct ScanDigit {
  enum class Place { Register, Lane, Warp };
  Place place;
  int64_t stride; ///< by which it moves the element along the axis
  int64_t extent;
  int64_t weight; ///< of the digit in the number of the register, lane or warp
};

/// The digits along an axis, those of neighbours first: what one scans is a run
/// of what those before it have scanned.
llvm::SmallVector<ScanDigit> scanDigits(LayoutAttr layout, int64_t axis);

/// How the warps along one digit of a scan exchange what their parts come to:
/// each accumulator has a buffer of its own, one behind the other, with a slot
/// for each part of a thread's registers, each other warp, each lane that has
/// parts of its own, and each warp along the digit.
struct ScanExchange {
  int64_t parts;      ///< of a thread
  int64_t warpsElse;  ///< warps but for the digit
  int64_t lanesApart; ///< lanes that hold other parts
  int64_t warps;      ///< along the digit

  ScanExchange(LayoutAttr layout, int64_t axis, const ScanDigit &digit);
  /// Whether lanes that differ in a digit hold parts of their own.
  static bool isApart(const LayoutMode &lanes, int64_t axis,
                      const ScanDigit &digit);
  SharedType getBuffer(mlir::Type accumulator) const;
};

/// The buffer through which the warps that hold copies of a tile get what one
/// of them alone has; null where there are none.
SharedType getCopiesBuffer(mlir::RankedTensorType tile);

/// The bins, one for each element of memory, in which a block brings together
/// its updates before memory gets each once: it takes one update of an element
/// at a time, and a histogram has many for few. Null for updates that go to
/// memory as they stand: those of floats, whose sums depend on their order,
/// those that somebody reads or waits for, those of a view whose size is not
/// known, that has more elements than the tile, or more than 16 KB of them, and
/// those whose places do not depend on data, as these rarely meet.
SharedType getBinsBuffer(tile::AtomicRMWOp op);

/// Integer attribute of a tile.atomic_rmw that has bins: how many.
inline constexpr llvm::StringLiteral binsName = "tile_gpu.bins";

} // namespace tilegpt::tilegpu

#endif
