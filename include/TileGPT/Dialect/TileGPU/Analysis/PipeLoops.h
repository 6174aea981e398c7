// Which loops a producer can feed through TMA while consumers multiply: a
// structural question on tile kernels, asked by the plan, by the choice of
// instructions and by the pass that splits the roles.
#ifndef TILEGPT_DIALECT_TILEGPU_ANALYSIS_PIPELOOPS_H
#define TILEGPT_DIALECT_TILEGPU_ANALYSIS_PIPELOOPS_H

#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <string>

namespace tilegpt::tilegpu {

/// `for … iter_args(acc) { acc = dot(load, load, acc) }`, whose loads TMA can
/// do and whose dot wgmma can.
struct PipeLoop {
  mlir::scf::ForOp loop;
  tile::DotOp dot;
  tile::LoadOp lhs, rhs;

  /// Bytes of one row of an operand's tile.
  int64_t getRowBytes();
  /// The widest swizzle whose panels make up the tiles: 128, 64 or 32.
  int64_t getSwizzle();
  /// Bytes of the tiles of one trip.
  int64_t getStageBytes();
  /// Whether the stages of a ring can follow each other without gaps: a
  /// swizzled buffer begins at a multiple of 1024 bytes.
  bool hasWholeStages();
  /// Whether what a trip sums up is added to the sum behind the dot, in f32:
  /// the dots of f8 operands would cut off digits of it.
  bool addsTrips();
  /// Registers that the sum takes, of a thread of `warps`, and what a trip adds
  /// to it.
  int64_t getAccumulators(int64_t warps);
  /// Whether the loop surely runs at least once.
  bool runsAlways();
  /// The axis of the grid along which blocks have columns of their own, where
  /// the pipe can be shared (findSharedLoop).
  int64_t getColumnAxis();
};

/// The pipe that a loop is. Where it is none, says why in `reason`.
std::optional<PipeLoop> matchPipeLoop(mlir::scf::ForOp loop,
                                      std::string *reason = nullptr);

/// The only pipe of a kernel, where the blocks of a cluster can share out its
/// depth: it sums from zero on, one step after the other from the first, and
/// each block has columns of its own, but all else like those beside it.
std::optional<PipeLoop> findSharedLoop(tile::KernelOp kernel);

/// The argument of the kernel that `view` is a window of, reached by
/// `tile.select` only; null otherwise.
mlir::BlockArgument rootOf(mlir::Value view,
                           llvm::SmallVectorImpl<mlir::Value> &indices);

/// Whether TMA can reach a view: a last axis of stride 1, all other strides
/// known multiples of 16 bytes.
bool suitsTma(tile::ViewType view);

} // namespace tilegpt::tilegpu

#endif
