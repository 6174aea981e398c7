// What the writers of the two roles of a kernel share: its pipes.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ROLES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_ROLES_H

#include "TileGPT/Dialect/TileGPU/Analysis/PipeLoops.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// A loop that becomes a pipe, with the barriers that guard it and the rings
/// that hold its operands.
struct Pipe {
  struct Operand {
    tile::LoadOp load;
    mlir::Value map, ring;
  };

  PipeLoop match;
  mlir::Value barriers;
  Operand lhs, rhs;
  /// Barriers by which two teams take turns; null where there is one.
  mlir::Value turns;

  /// Whether an op is the loop of this pipe, or has it inside.
  bool isIn(mlir::Operation *op) { return op->isAncestor(match.loop); }
};

/// Writes what the producer of a kernel does: the loops around its pipes, and
/// in them nothing but copies and the scalars these need.
/// \param body  the kernel's own, which is only read.
void writeProducer(mlir::OpBuilder &builder, mlir::Block &body,
                   llvm::ArrayRef<Pipe> pipes);

/// Turns a kernel's body into what its consumers do: the same, except that the
/// loops of pipes take their operands from the rings.
void writeConsumer(mlir::IRRewriter &rewriter, mlir::Block &body,
                   llvm::ArrayRef<Pipe> pipes);

/// Makes a loop take values along, by replacing it.
/// \param values  those in front of the loop, then those behind it.
/// \param write  turns those a trip begins with into those it ends with.
void carryThrough(
    mlir::IRRewriter &rewriter, mlir::scf::ForOp loop,
    llvm::SmallVector<mlir::Value> &values,
    llvm::function_ref<void(llvm::SmallVector<mlir::Value> &)> write);

/// The buffer of the stage of `ring` that `cursor` is at.
mlir::Value slotOf(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value ring, mlir::Value cursor);

} // namespace tilegpt::tilegpu

#endif
