// Which loops can run as main loops: a producer copies the tiles they load, and
// matrix instructions multiply them. The only place that asks; what it finds is
// written down as `tile_gpu.mainloop`.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_MAINLOOP_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_MAINLOOP_H

#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// Why a loop is no main loop.
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
  /// them as well, where there is room. They are streams once `copiedAheadName`
  /// says so.
  llvm::SmallVector<StreamLoad, 0> copyable;
  /// Tiles from in front of the loop that dots read; loaded or computed.
  llvm::SmallVector<mlir::Value> residents;
  /// Operands that each iteration writes to shared memory (`isStaged`).
  llvm::SmallSetVector<mlir::Value, 4> staged;

  /// Whether the stages of its rings can follow each other without gaps: a
  /// swizzled buffer begins where its permutation does.
  bool hasWholeStages() const;
};

/// The main loop that a loop is.
std::optional<Mainloop> analyzeMainloop(mlir::scf::ForOp loop,
                                        Refusal *refusal = nullptr);

/// The main loops of a kernel: all of its loops that have dots, or none.
llvm::SmallVector<Mainloop> analyzeMainloops(tile::KernelOp kernel,
                                             Refusal *refusal = nullptr);

/// When the dots of a main loop start and end.
enum class DotSchedule {
  /// Adds to a carried sum that nothing else reads: stays in flight while the
  /// next iteration begins.
  InFlight,
  /// Operands are in shared memory when the iteration begins, and the iteration
  /// goes on with the result. What it adds to may be computed before it starts
  /// (`isMadeWithoutDots`), under the deferred dots.
  Leading,
  /// An operand is computed in the iteration and the result only carried:
  /// starts beside the leading dots of the next iteration.
  Deferred,
  /// Starts and ends where it stands.
  InPlace,
};

/// The schedule of each dot of a loop body, in order. Read off its SSA form.
/// \param body     of an `scf.for` or the `consume` region of a main loop.
/// \param carried  the arguments that iterations hand on.
llvm::MapVector<tile::DotOp, DotSchedule>
scheduleDots(mlir::Block &body, mlir::ValueRange carried);

/// Whether an iteration can compute a tile before any dot of the one before it
/// has ended: without the results of dots and without what iterations hand on.
/// \param body     of an `scf.for` or the `consume` region of a main loop.
/// \param carried  the arguments that iterations hand on.
bool isMadeWithoutDots(mlir::Value tile, mlir::Block &body,
                       mlir::ValueRange carried);

/// Of a dot in a main loop: it ends where it stands although it could be
/// deferred, as threads have no registers for its operand in two iterations.
inline constexpr llvm::StringLiteral keptInPlaceName = "tile_gpu.in_place";

/// Whether an iteration has to write an operand of a dot to shared memory: one
/// that it computes or is handed, and that the instruction does not read from
/// registers, as it does left ones with rows along the sum.
/// \param body     of an `scf.for` or the `consume` region of a main loop.
/// \param carried  the arguments that iterations hand on.
bool isStaged(mlir::OpOperand &operand, mlir::Block &body,
              mlir::ValueRange carried);

/// All such operands of the dots of a body.
llvm::SmallSetVector<mlir::Value, 4> findStaged(mlir::Block &body,
                                                mlir::ValueRange carried);

/// Whether dots and arithmetic alternate: iterations compute with what dots
/// have made, and multiply the outcome.
bool alternates(MainloopOp loop);

/// Whether an iteration computes while the deferred dots of the one before it
/// run: where no other warp group keeps the tensor cores busy meanwhile, as
/// there is none or groups go in step, and threads have registers for both
/// iterations' left operands.
bool computesUnderDots(MainloopOp loop, PlanAttr plan);

/// Of a `tile_gpu.any` in a main loop: known to hold in the first iteration.
inline constexpr llvm::StringLiteral holdsAtFirstName =
    "tile_gpu.holds_at_first";

/// Of a main loop: its iterations run from the last to the first.
inline constexpr llvm::StringLiteral descendingName = "tile_gpu.descending";

/// The number of the iteration of a main loop that runs `counter` steps behind
/// its lower bound.
mlir::Value iterationAt(mlir::OpBuilder &builder, MainloopOp loop,
                        mlir::Value from, mlir::Value to, mlir::Value counter);

/// Whether a tile is zero everywhere.
bool isZeroTile(mlir::Value tile);

/// The number of the value that the iteration yields that a value is, when
/// nothing else reads it.
std::optional<unsigned> yieldedAs(mlir::Value value);

} // namespace tilegpt::tilegpu

#endif
