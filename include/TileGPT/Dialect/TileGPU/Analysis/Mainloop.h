// Which loops can run as main loops: a producer copies the tiles they load, and
// MMA instructions multiply them. This is the only place that decides; the
// result is recorded as `tile_gpu.mainloop`.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_MAINLOOP_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_MAINLOOP_H

#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// Why a loop is not a main loop.
struct Refusal {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// A loop that can become a `tile_gpu.mainloop`.
struct Mainloop {
  mlir::scf::ForOp loop;
  llvm::SmallVector<tile::DotOp> dots;
  /// Tiles loaded in the loop that a producer copies.
  llvm::SmallVector<StreamLoad, 0> streams;
  /// Tiles loaded in the loop that only arithmetic reads: a producer can copy
  /// them as well, if there is room. They are streams once they have
  /// `copiedAheadName`.
  llvm::SmallVector<StreamLoad, 0> copyable;
  /// Tiles from before the loop that dots read; loaded or computed.
  llvm::SmallVector<mlir::Value> residents;
  /// Operands that each iteration writes to shared memory (`isStaged` of
  /// DotSchedule.h).
  llvm::SmallSetVector<mlir::Value, 4> staged;

  /// Whether the stages of its ring buffers can be contiguous: a swizzled
  /// buffer must be aligned to its swizzle pattern.
  bool hasWholeStages() const;
};

/// The main loop form of a loop.
std::optional<Mainloop> analyzeMainloop(mlir::scf::ForOp loop,
                                        Refusal *refusal = nullptr);

/// The main loops of a kernel: all of its loops that have dots, or none.
llvm::SmallVector<Mainloop> analyzeMainloops(tile::KernelOp kernel,
                                             Refusal *refusal = nullptr);

/// Marks a `tile_gpu.any` in a main loop: known to hold in the first iteration.
inline constexpr llvm::StringLiteral holdsAtFirstName =
    "tile_gpu.holds_at_first";

/// Marks a main loop whose iterations run in reverse.
inline constexpr llvm::StringLiteral descendingName = "tile_gpu.descending";

/// The index of the iteration of a main loop that runs `counter` steps after
/// its lower bound.
mlir::Value iterationAt(mlir::OpBuilder &builder, MainloopOp loop,
                        mlir::Value from, mlir::Value to, mlir::Value counter);

} // namespace tilegpt::tilegpu

#endif
