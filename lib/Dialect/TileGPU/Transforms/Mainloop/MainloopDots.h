// The dots of a main loop: where their operands are, and how they start.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPDOTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPDOTS_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace tilegpt::tilegpu {

/// Writes the dots of a main loop where the rewriter stands.
class MainloopDots {
public:
  /// \param slots  of residents: the buffers of their tiles.
  MainloopDots(mlir::IRRewriter &rewriter, MainloopOp loop,
               const mlir::IRMapping &slots)
      : rewriter(rewriter), loop(loop), slots(slots), loc(loop.getLoc()) {}

  static mlir::RankedTensorType typeOf(tile::DotOp dot) {
    return dot.getAcc().getType();
  }

  /// Makes buffers for the operands that iterations write to shared memory.
  void allocateStaged();
  /// Forgets what the iteration before has written.
  void beginIteration() { written.clear(); }

  /// Whether the producer copies an operand, or it is there before the loop.
  bool isCopied(mlir::Value operand);
  /// The buffer of an operand; null where it is in registers.
  /// \param tiles  the slots of the streams.
  mlir::Value bufferOf(mlir::Value operand, llvm::ArrayRef<mlir::Value> tiles);

  /// A tile as registers of a left operand. Rounding is part of that. As soon
  /// as there is the tile: packed it takes half of the registers.
  mlir::Value pack(mlir::Value tile, mlir::RankedTensorType type);

  /// Starts a dot.
  /// \param acc  what it adds to; null for zeros.
  mlir::Value start(tile::DotOp dot, mlir::Value left, mlir::Value right,
                    mlir::Value acc);
  /// Writes operands of a dot to shared memory, as far as it needs that.
  void stageOperands(tile::DotOp dot, mlir::IRMapping &known);
  /// Starts a dot and waits for it.
  /// \param known  the values of the iteration.
  mlir::Value runInPlace(tile::DotOp dot, llvm::ArrayRef<mlir::Value> tiles,
                         mlir::IRMapping &known);

private:
  mlir::Value packInBranches(mlir::scf::IfOp branch, unsigned number,
                             mlir::RankedTensorType type);

  mlir::IRRewriter &rewriter;
  MainloopOp loop;
  const mlir::IRMapping &slots;
  mlir::Location loc;
  /// The buffers of operands that iterations write to shared memory, and those
  /// operands that this iteration has written.
  llvm::DenseMap<mlir::Value, mlir::Value> staged;
  llvm::SmallDenseSet<mlir::Value> written;
};

} // namespace tilegpt::tilegpu

#endif
