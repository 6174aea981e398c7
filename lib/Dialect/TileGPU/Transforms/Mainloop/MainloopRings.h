// The rings in shared memory through which the tiles of main loops reach the
// consumers, and the two roles that are written around them.
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPRINGS_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_MAINLOOPRINGS_H

#include "TileGPT/Dialect/TileGPU/Analysis/Mainloop.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// Rings that are filled and emptied together: one pair of barriers a stage.
struct RingGroup {
  llvm::SmallVector<mlir::Value> buffers;
  mlir::Value barriers;

  CursorType getCursorType() const;
  /// Bytes of a stage.
  int64_t getStageBytes() const;
  /// The buffer of one of the rings at a place.
  mlir::Value getSlot(mlir::OpBuilder &builder, mlir::Location loc,
                      unsigned number, mlir::Value cursor) const;
};

/// When the consumers of a main loop read the tiles of a ring group.
struct GroupUse {
  unsigned group; ///< of all groups of the kernel
  /// Whether dots or arithmetic of an iteration read it while the iteration
  /// lasts; else only its deferred dots do, when the next one has begun.
  bool isReadNow;
  /// Whether it is only released when the next iteration has begun.
  bool isReleasedLate;
  /// Whether arithmetic, or dots that run in place, read it.
  bool isComputedWith;
};

/// A tile of one iteration: which ring of which group brings it.
struct StreamUse {
  StreamLoad load;
  mlir::Value map;
  unsigned use;  ///< of the groups of the loop
  unsigned ring; ///< of the group
  /// The axis of the grid along which blocks of a cluster load it together.
  std::optional<int64_t> sharedAlong;
};

/// A main loop with its rings.
struct LoopRings {
  MainloopOp loop;
  llvm::SmallVector<GroupUse> groups;
  llvm::SmallVector<StreamUse> streams;
};

/// A loaded tile from in front of main loops, with a ring of its own.
struct ResidentRing {
  StreamLoad load;
  mlir::Value map;
  unsigned group;
};

/// A loop over tiles that the producer draws, and the ring through which the
/// consumers hear which one is next.
struct TileWalk {
  mlir::scf::ForOp loop; ///< null where there is none
  mlir::Value words, barriers;

  /// The first place of the ring.
  mlir::Value makeCursor(mlir::OpBuilder &builder);
  /// Writes a loop that ends when there is no next tile.
  /// \param values  those in front of the loop, then those behind it.
  /// \param body    writes an iteration, given its tile, where the builder
  ///                stands; turns the values it begins with into those it ends
  ///                with and returns the next tile.
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
  /// Barriers by which ping-pong consumers take turns; null where there are
  /// none.
  mlir::Value turns;

  LoopRings *find(mlir::Operation *loop);
  ResidentRing *findResident(mlir::Operation *load);
  /// Whether main loops are in an op, or the op is one.
  bool isIn(mlir::Operation *op);
  /// A place in each group, as they are when the kernel begins.
  llvm::SmallVector<mlir::Value> makeCursors(mlir::OpBuilder &builder,
                                             mlir::Location loc);
};

/// Makes rings and barriers where the builder stands.
KernelRings makeRings(mlir::OpBuilder &builder, tile::KernelOp kernel,
                      PlanAttr plan);

/// Writes what the producer does: the loops around main loops, and in them
/// nothing but copies and the scalars these need.
/// \param body  the kernel's own, which is only read.
void writeProducer(mlir::OpBuilder &builder, mlir::Block &body,
                   KernelRings &rings);

/// Turns a kernel's body into what its consumers do.
void writeConsumer(mlir::IRRewriter &rewriter, mlir::Block &body,
                   KernelRings &rings);

/// The rows of a tile that lie in the window it is loaded from, or more; null
/// where all do.
mlir::Value
rowsInWindow(mlir::OpBuilder &builder, StreamLoad &load,
             llvm::function_ref<mlir::Value(mlir::Value)> inIteration);

/// Clears what a copy has brought from behind the window that it loads.
/// \param inIteration  a scalar that says where the tile lies, where the
///                     builder stands.
void clearBehindWindow(
    mlir::OpBuilder &builder, StreamLoad &load, mlir::Value slot,
    llvm::function_ref<mlir::Value(mlir::Value)> inIteration);

/// Whether what lies behind the columns of an operand is to be cleared in every
/// iteration.
bool needsClearedColumns(mlir::Value argument, bool hasZeros);

/// Clears what lies behind the columns of an operand and is multiplied with
/// them, where the sum is no multiple of what an instruction takes.
/// \param argument  of `consume`: the operand as dots read it.
/// \param hasZeros  whether zeros lie there already.
void clearBehindColumns(mlir::OpBuilder &builder, mlir::Value argument,
                        mlir::Value slot, bool hasZeros);

/// Whether warp groups take turns to start the dots of a main loop, so that one
/// multiplies while others compute.
bool takesGroupTurns(MainloopOp loop);

/// Writes the iterations of a main loop for the consumers, where the rewriter
/// stands, and replaces it.
/// \param cursors  places in all groups, in front of the loop, then behind it.
/// \param slots    of residents: the buffers of their tiles.
void writeIterations(mlir::IRRewriter &rewriter, KernelRings &rings,
                     LoopRings &loop, llvm::SmallVector<mlir::Value> &cursors,
                     const mlir::IRMapping &slots);

} // namespace tilegpt::tilegpu

#endif
