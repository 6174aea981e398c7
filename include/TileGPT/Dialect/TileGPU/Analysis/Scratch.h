// The size and layout of what an op writes to the scratch area of its kernel
// when its threads exchange elements.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_SCRATCH_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_SCRATCH_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Operation.h"

namespace tilegpt::tilegpu {

/// Bytes of scratch that an op on tiles with layouts needs, a multiple of 16; 0
/// for ops that exchange nothing between threads.
int64_t scratchBytes(mlir::Operation *op);

/// The scratch buffer of a shape or layout change; null for one that moves
/// nothing between threads.
SharedType getExchangeBuffer(mlir::Operation *op);

/// How the threads of a reshape that moves elements between them exchange
/// these: as a matrix in row-major order, with the length of rows and the row
/// padding that have the fewest bank conflicts; in the shapes of both tiles,
/// without padding, if a layout does not map them to such a matrix.
struct ReshapeExchange {
  mlir::RankedTensorType source, result; ///< as written and read
  SharedType written, read;              ///< the same memory

  explicit ReshapeExchange(tile::ReshapeOp op);
};

/// Whether every thread holds all elements of a tile with a layout.
bool isHeldByAll(mlir::Type type);

/// Types in which a thread carries the values of a reduction or scan: one for
/// each source, or the best element and its i32 position for argmax and argmin.
llvm::SmallVector<mlir::Type> accumulatorTypes(tile::CombinerOpInterface op);

/// How the warps along the axis of a reduction exchange partial results: each
/// accumulator has its own buffer, one after the other, with a slot for each
/// register of the result, each of `warpsBeside`, `lanesBeside` and
/// `warpsAlong`.
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

/// The digits along an axis, the fastest varying first: each scans runs that
/// the previous ones have scanned.
llvm::SmallVector<ScanDigit> scanDigits(LayoutAttr layout, int64_t axis);

/// How the warps along one digit of a scan exchange the totals of their parts:
/// each accumulator has its own buffer, one after the other, with a slot for
/// each part of a thread's registers, each other warp, each lane with separate
/// parts, and each warp along the digit.
struct ScanExchange {
  int64_t parts;      ///< of a thread
  int64_t warpsElse;  ///< warps but for the digit
  int64_t lanesApart; ///< lanes that hold other parts
  int64_t warps;      ///< along the digit

  ScanExchange(LayoutAttr layout, int64_t axis, const ScanDigit &digit);
  /// Whether lanes that differ in a digit hold separate parts.
  static bool isApart(const LayoutMode &lanes, int64_t axis,
                      const ScanDigit &digit);
  SharedType getBuffer(mlir::Type accumulator) const;
};

/// The buffer through which warps that hold copies of a tile get data that only
/// one of them has; null if there are none.
SharedType getCopiesBuffer(mlir::RankedTensorType tile);

/// The bins, one per element of memory, in which a block accumulates its
/// updates before it updates memory once per bin: memory serializes updates of
/// the same element, and a histogram has many for few. Null for updates that go
/// directly to memory: those of floats, whose sums depend on their order, those
/// with a used result or a memory order, those of a view known to have more
/// elements than the tile or more than 16 KB of them, and those whose addresses
/// do not depend on data, which rarely conflict.
SharedType getBinsBuffer(tile::AtomicRMWOp op);

/// Whether there may be more elements than bins, since their number is unknown:
/// the bins are those of the first ones, and other updates go directly to
/// memory.
bool hasOtherElements(tile::AtomicRMWOp op);

/// Whether data selects the integers to update, in any order and without a use
/// of the old values: bins would serve updates of few.
bool mayShareBins(tile::AtomicRMWOp op);

/// Integer attribute of a tile.atomic_rmw with bins: their number.
inline constexpr llvm::StringLiteral binsName = "tile_gpu.bins";
/// Unit attribute of one that hasOtherElements().
inline constexpr llvm::StringLiteral firstBinsName = "tile_gpu.first_bins";

} // namespace tilegpt::tilegpu

#endif
