// The shared memory rings that pass the tiles of main loops to the consumers,
// and the producer and consumer roles built around them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPRINGS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPRINGS_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Rings that are filled and released together: one pair of mbarriers per
/// stage.
struct RingGroup {
  llvm::SmallVector<mlir::Value> buffers;
  mlir::Value barriers;

  CursorType getCursorType() const;
  /// The bytes of one stage.
  int64_t getStageBytes() const;
  /// The buffer of one of the rings at a cursor.
  mlir::Value getSlot(mlir::OpBuilder &builder, mlir::Location loc,
                      unsigned number, mlir::Value cursor) const;
};

/// When the consumers of a main loop read the tiles of a ring group.
struct GroupUse {
  unsigned group; ///< of the kernel's groups
  /// Whether dots or arithmetic read the stage within the iteration; otherwise
  /// only deferred dots read it, in the next iteration.
  bool isReadNow;
  /// Whether the stage is released only in the next iteration.
  bool isReleasedLate;
  /// Whether arithmetic, or dots that run in place, read it.
  bool isComputedWith;
};

/// A tile of one iteration, with the ring and the group that it arrives in.
struct StreamUse {
  StreamLoad load;
  mlir::Value map; ///< null if the producer encodes it
  unsigned use;    ///< index into the loop's groups
  unsigned ring;   ///< index into the group's rings
  /// The grid axis along which the blocks of a cluster load it together.
  std::optional<int64_t> sharedAlong;
};

/// A main loop with its rings.
struct LoopRings {
  MainloopOp loop;
  llvm::SmallVector<GroupUse> groups;
  llvm::SmallVector<StreamUse> streams;
};

/// A tile that is loaded before main loops, with a ring of its own.
struct ResidentRing {
  StreamLoad load;
  mlir::Value map;
  unsigned group;
};

/// A loop over tiles that the producer draws from a work queue, and the ring
/// that broadcasts the next tile to the consumers.
struct TileWalk {
  mlir::scf::ForOp loop; ///< null if there is none
  mlir::Value words, barriers;

  /// A cursor at the first stage of the ring.
  mlir::Value makeCursor(mlir::OpBuilder &builder);
  /// Emits a loop that ends when there is no next tile.
  /// \param values  loop-carried values: on entry the initial ones, on return
  /// the results.
  /// \param body  emits an iteration for a given tile at the builder's
  /// insertion point; replaces the carried values by the yielded ones and
  /// returns the next tile.
  void write(mlir::OpBuilder &builder, mlir::Value first, mlir::Value tiles,
             llvm::SmallVector<mlir::Value> &values,
             llvm::function_ref<mlir::Value(mlir::Value,
                                            llvm::SmallVector<mlir::Value> &)>
                 body);
};

/// All rings of a kernel.
struct KernelRings {
  llvm::SmallVector<RingGroup> groups;
  llvm::SmallVector<LoopRings> loops;
  llvm::SmallVector<ResidentRing> residents;
  TileWalk walk;
  /// Barriers with which ping-pong consumers take turns; null without
  /// ping-pong.
  mlir::Value turns;

  LoopRings *find(mlir::Operation *loop);
  ResidentRing *findResident(mlir::Operation *load);
  /// Whether the producer encodes descriptors.
  bool encodesMaps() const;
  /// Whether an op is or contains a main loop.
  bool isIn(mlir::Operation *op);
  /// The initial cursor of each group.
  llvm::SmallVector<mlir::Value> makeCursors(mlir::OpBuilder &builder,
                                             mlir::Location loc);
};

/// Creates rings and barriers at the builder's insertion point.
KernelRings makeRings(mlir::OpBuilder &builder, tile::KernelOp kernel,
                      PlanAttr plan);

/// Emits the producer: the loops around main loops, and in them only copies and
/// the scalars that these need.
/// \param body  the kernel's body, which is not modified.
void writeProducer(mlir::OpBuilder &builder, mlir::Block &body,
                   KernelRings &rings);

/// Turns the body of a kernel into its consumers.
void writeConsumer(mlir::IRRewriter &rewriter, mlir::Block &body,
                   KernelRings &rings);

/// An upper bound on the rows of a tile that lie in the window it is loaded
/// from; null if all do.
mlir::Value
rowsInWindow(mlir::OpBuilder &builder, StreamLoad &load,
             llvm::function_ref<mlir::Value(mlir::Value)> inIteration);

/// Clears the part of a copied tile that lies outside the window it is loaded
/// from.
/// \param inIteration  maps a scalar of the tile's position to the iteration at
/// the builder's insertion point.
void clearBehindWindow(
    mlir::OpBuilder &builder, StreamLoad &load, mlir::Value slot,
    llvm::function_ref<mlir::Value(mlir::Value)> inIteration);

/// Whether every iteration must clear the padding columns of an operand.
bool needsClearedColumns(mlir::Value argument, bool hasZeros);

/// Clears the padding columns of an operand along the reduction dimension, if
/// that is not a multiple of the instruction's depth.
/// \param argument  of `consume`: the operand as dots read it.
/// \param hasZeros  whether the padding is zero already.
void clearBehindColumns(mlir::OpBuilder &builder, mlir::Value argument,
                        mlir::Value slot, bool hasZeros);

/// Whether warp groups take turns to issue the dots of a main loop, so that one
/// multiplies while the others compute.
bool takesGroupTurns(MainloopOp loop);

/// Emits the iterations of a main loop for the consumers at the rewriter's
/// insertion point, and replaces the loop.
/// \param cursors  of all groups: on entry before the loop, on return after it.
/// \param slots  maps residents to the buffers of their tiles.
void writeIterations(mlir::IRRewriter &rewriter, KernelRings &rings,
                     LoopRings &loop, llvm::SmallVector<mlir::Value> &cursors,
                     const mlir::IRMapping &slots);

} // namespace tilegpt::tilegpu

#endif
