// The two roles of a kernel with a fed loop (see FedLoops.h).
#ifndef TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_FEDROLES_H
#define TILEGPT_LIB_DIALECT_TILEGPU_TRANSFORMS_MAINLOOP_FEDROLES_H

#include "TileGPT/Dialect/TileGPU/Analysis/FedLoops.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tilegpt::tilegpu {

/// The ring through which the tiles of one load reach the consumers.
struct FedRing {
  WindowLoad load;
  mlir::Value map, buffers, barriers;

  CursorType getCursorType();
  /// The buffer at a place of the ring.
  mlir::Value getSlot(mlir::OpBuilder &builder, mlir::Value cursor);
};

/// A loop over the tiles of a grid around the fed one, and the ring through
/// which the consumers hear which tile the producer has drawn.
struct FedWalk {
  mlir::scf::ForOp loop; ///< null where there is none
  mlir::Value words, barriers;

  /// The first place of the ring.
  mlir::Value makeCursor(mlir::OpBuilder &builder);
  /// Writes a loop that ends when there is no next tile.
  /// \param values  those in front of the loop, then those behind it.
  /// \param body    writes a trip, given its tile, where the builder stands;
  ///                turns the values it begins with into those it ends with and
  ///                returns the next tile.
  void write(mlir::OpBuilder &builder, mlir::Value first, mlir::Value tiles,
             llvm::SmallVector<mlir::Value> &values,
             llvm::function_ref<mlir::Value(mlir::Value,
                                            llvm::SmallVector<mlir::Value> &)>
                 body);
};

/// A fed loop with its rings: those of tiles that stay for the whole loop, then
/// one for each right operand, of leading dots first.
struct FedPipes {
  FedLoop match;
  llvm::SmallVector<FedRing> staying, leading, trailing;
  FedWalk walk;

  /// Places in all rings, as they are when the kernel begins; then those of
  /// one kind of ring.
  llvm::SmallVector<mlir::Value> makeCursors(mlir::OpBuilder &builder);
  size_t getFirstLeading() { return staying.size(); }
  size_t getFirstTrailing() { return staying.size() + leading.size(); }
};

/// Makes rings and barriers in front of the roles.
FedPipes makeFedPipes(mlir::OpBuilder &builder, FedLoop match, PlanAttr plan);

/// Writes the loops around the fed one, and in them nothing but copies.
/// \param body  the kernel's own, which is only read.
void writeFedProducer(mlir::OpBuilder &builder, mlir::Block &body,
                      FedPipes &pipes);

/// Rewrites a kernel's body to what its consumers do.
void writeFedConsumer(mlir::IRRewriter &rewriter, mlir::Block &body,
                      FedPipes &pipes);

} // namespace tilegpt::tilegpu

#endif
