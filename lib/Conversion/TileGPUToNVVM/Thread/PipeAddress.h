// Helpers shared by the lowerings of pipes, copies and dots in flight.
#ifndef TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_PIPEADDRESS_H
#define TILEGPT_LIB_CONVERSION_TILEGPUTONVVM_THREAD_PIPEADDRESS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

mlir::Value i32Constant(mlir::OpBuilder &builder, mlir::Location loc,
                        int64_t value);

/// Index of this thread in its block, as i32.
mlir::Value blockThread(mlir::OpBuilder &builder, mlir::Location loc);

/// Index of this thread's warp group in its block, as i32. A shuffle tells
/// ptxas that it is warp-uniform: derived values stay in uniform registers.
mlir::Value warpGroup(mlir::OpBuilder &builder, mlir::Location loc);

/// Warp groups that share a tile.
int64_t groupsOfTeam(PlanAttr plan);
/// Index of this thread's team, as i32.
mlir::Value teamNumber(mlir::OpBuilder &builder, mlir::Location loc,
                       PlanAttr plan);
/// Index of this thread's warp group in its team, as i32.
mlir::Value groupInTeam(mlir::OpBuilder &builder, mlir::Location loc,
                        PlanAttr plan);

/// The rank stride of the blocks of a cluster that are adjacent along an axis
/// of the grid.
int64_t distanceAlong(PlanAttr plan, int64_t axis);
/// This block's index among these, as i32.
mlir::Value rankAlong(mlir::OpBuilder &builder, mlir::Location loc,
                      PlanAttr plan, int64_t axis);

/// Named barriers: 0 is the block's, 1 and 2 are those of teams (see
/// emitBarrier), then one for each warp group, then one for each turn.
inline constexpr int64_t firstGroupBarrier = 3, firstTurnBarrier = 8;

/// Waits for the threads of this warp group.
void synchronizeGroup(mlir::OpBuilder &builder, mlir::Location loc,
                      PlanAttr plan);

/// Makes this thread's writes to shared memory visible to TMA and the tensor
/// cores (async proxy fence).
void publishToAsyncProxy(mlir::OpBuilder &builder, mlir::Location loc);

/// Whether this is thread `number` of its block.
mlir::Value isThread(mlir::OpBuilder &builder, mlir::Location loc,
                     int64_t number);

/// Whether this thread is in the warp that starts at thread `number`.
mlir::Value isWarpOf(mlir::OpBuilder &builder, mlir::Location loc,
                     int64_t number);

/// Whether the producer of the enclosing kernel is a whole warp.
bool hasProducerWarp(mlir::Operation *op);

/// Restricts ops created in its scope to one thread of the producer: lane 0 if
/// the producer is a warp.
class ProducerLeader {
public:
  ProducerLeader(mlir::OpBuilder &builder, mlir::Operation *op);

private:
  mlir::OpBuilder::InsertionGuard guard;
};

/// The address `bytes` after a pointer.
/// \param bytes  i32 or i64 if it is a value.
mlir::Value bytesBehind(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value pointer, int64_t bytes);
mlir::Value bytesBehind(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value pointer, mlir::Value bytes);

/// Waits until the phase of this parity of an mbarrier is complete.
void waitFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value barrier,
             mlir::Value parity);

/// Marks releases in kernels with several pipes, before they are lowered.
inline constexpr llvm::StringLiteral oneOfSeveralName =
    "tile_gpu.one_of_several";

/// Bytes of an mbarrier.
inline constexpr int64_t barrierBytes = 8;

/// The mbarrier on which the copies to a stage complete.
/// \param pipe   the lowered `!tile_gpu.pipe`.
/// \param stage  i32.
mlir::Value fullBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value pipe, mlir::Value stage);

/// The mbarrier on which the readers of a stage arrive.
mlir::Value emptyBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value pipe, mlir::Value stage, int64_t stages);

/// Waits until all readers have released the previous contents of a stage.
/// \param phase  of this round, i32.
void waitForRoom(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pipe,
                 mlir::Value stage, mlir::Value phase, int64_t stages);

/// One arrival of this warp.
void arriveOfWarp(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value barrier);

} // namespace tilegpt::tilegpu

#endif
