// The dots of a main loop: where their operands live, and how they are issued.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPDOTS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPDOTS_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"

namespace tilegpt::tilegpu {

/// Emits the dots of a main loop at the rewriter's insertion point.
class MainloopDots {
public:
  /// \param slots  maps residents to the buffers of their tiles.
  MainloopDots(mlir::IRRewriter &rewriter, MainloopOp loop,
               const mlir::IRMapping &slots)
      : rewriter(rewriter), loop(loop), slots(slots), loc(loop.getLoc()) {}

  static mlir::RankedTensorType typeOf(tile::DotOp dot) {
    return dot.getAcc().getType();
  }

  /// Allocates buffers for the operands that iterations write to shared memory.
  void allocateStaged();
  /// Forgets the operands that the previous iteration wrote.
  void beginIteration() { written.clear(); }

  /// Whether the producer copies an operand, or it is available before the
  /// loop.
  bool isCopied(mlir::Value operand);
  /// The buffer of an operand; null if it is in registers.
  /// \param tiles  the slots of the streams.
  mlir::Value bufferOf(mlir::Value operand, llvm::ArrayRef<mlir::Value> tiles);

  /// Rounds and packs a tile into lhs registers as soon as it is computed: the
  /// packed tile takes half the registers.
  mlir::Value pack(mlir::Value tile, mlir::RankedTensorType type);

  /// Issues a dot.
  /// \param acc  the accumulator; null for zeros.
  mlir::Value start(tile::DotOp dot, mlir::Value left, mlir::Value right,
                    mlir::Value acc);
  /// Writes those operands of a dot to shared memory that have to be there.
  void stageOperands(tile::DotOp dot, mlir::IRMapping &known);
  /// Issues a dot and waits for it.
  /// \param known  maps the values of the iteration.
  mlir::Value runInPlace(tile::DotOp dot, llvm::ArrayRef<mlir::Value> tiles,
                         mlir::IRMapping &known);

private:
  mlir::Value packInBranches(mlir::scf::IfOp branch, unsigned number,
                             mlir::RankedTensorType type);

  mlir::IRRewriter &rewriter;
  MainloopOp loop;
  const mlir::IRMapping &slots;
  mlir::Location loc;
  /// The buffers of operands that iterations write to shared memory, and the
  /// operands that this iteration has already written.
  llvm::DenseMap<mlir::Value, mlir::Value> staged;
  llvm::SmallDenseSet<mlir::Value> written;
};

} // namespace tilegpt::tilegpu

#endif
