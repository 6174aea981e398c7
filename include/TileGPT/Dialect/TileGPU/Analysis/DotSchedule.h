// When the dots of a main loop start and end, derived from the SSA form of its
// body.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_DOTSCHEDULE_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_DOTSCHEDULE_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tilegpt::tilegpu {

/// When the dots of a main loop start and end.
enum class DotSchedule {
  /// Accumulates into a loop-carried value with no other use: stays in flight
  /// when the next iteration starts.
  InFlight,
  /// Operands are in shared memory when the iteration starts, and the iteration
  /// uses the result. Its initial accumulator may be computed before it starts
  /// (`isMadeWithoutDots`), under the deferred dots.
  Leading,
  /// An operand is computed in the iteration and the result is only
  /// loop-carried: starts together with the leading dots of the next iteration.
  Deferred,
  /// Starts and ends in place.
  InPlace,
};

/// The schedule of each dot of a loop body, in order, derived from its SSA
/// form.
/// \param body     of an `scf.for` or the `consume` region of a main loop.
/// \param carried  the loop-carried block arguments.
llvm::MapVector<tile::DotOp, DotSchedule>
scheduleDots(mlir::Block &body, mlir::ValueRange carried);

/// Whether an iteration can compute a tile before any dot of the previous
/// iteration has completed: without results of dots and without loop-carried
/// values.
/// \param body     of an `scf.for` or the `consume` region of a main loop.
/// \param carried  the loop-carried block arguments.
bool isMadeWithoutDots(mlir::Value tile, mlir::Block &body,
                       mlir::ValueRange carried);

/// Marks a dot in a main loop that ends in place although it could be deferred,
/// because registers do not suffice for its operands in two iterations.
inline constexpr llvm::StringLiteral keptInPlaceName = "tile_gpu.in_place";

/// Whether an iteration must write an operand of a dot to shared memory: one
/// that is computed in the loop or loop-carried, and that the instruction
/// cannot read from registers, as it can K-major left operands.
/// \param body     of an `scf.for` or the `consume` region of a main loop.
/// \param carried  the loop-carried block arguments.
bool isStaged(mlir::OpOperand &operand, mlir::Block &body,
              mlir::ValueRange carried);

/// All such operands of the dots of a body.
llvm::SmallSetVector<mlir::Value, 4> findStaged(mlir::Block &body,
                                                mlir::ValueRange carried);

/// Whether dots and arithmetic alternate: iterations compute with the result of
/// dots, and multiply the outcome.
bool alternates(MainloopOp loop);

/// Whether an iteration computes while the deferred dots of the previous one
/// run: if no other warp group keeps the tensor cores busy meanwhile (there is
/// none, or groups run in step), and threads have registers for both
/// iterations' left operands.
bool computesUnderDots(MainloopOp loop, PlanAttr plan);

/// Whether a tile is zero everywhere.
bool isZeroTile(mlir::Value tile);

/// The index of a yielded value, if the yield is its only use.
std::optional<unsigned> yieldedAs(mlir::Value value);

/// Whether a dot accumulates a loop-carried value that nothing else in the loop
/// reads.
bool isSumOfLoop(mlir::scf::ForOp loop, tile::DotOp dot);

} // namespace tilegpt::tilegpu

#endif
