// Small pieces of thread code that the lowerings of pipes, copies and dots in
// flight share.
#ifndef TILEGPT_LIB_CONVERSION_TILETOGPU_PIPEADDRESS_H
#define TILEGPT_LIB_CONVERSION_TILETOGPU_PIPEADDRESS_H

#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::tilegpu {

mlir::Value i32Constant(mlir::OpBuilder &builder, mlir::Location loc,
                        int64_t value);

/// Number of this thread in its block, as i32.
mlir::Value blockThread(mlir::OpBuilder &builder, mlir::Location loc);

/// Number of this thread's warp group in its block, as i32. Comes through a
/// shuffle, by which ptxas knows that it is the same for the whole warp: what
/// is computed from it stays in uniform registers.
mlir::Value warpGroup(mlir::OpBuilder &builder, mlir::Location loc);

/// Warp groups that share a tile.
int64_t groupsOfTeam(PlanAttr plan);
/// Number of this thread's team, as i32.
mlir::Value teamNumber(mlir::OpBuilder &builder, mlir::Location loc,
                       PlanAttr plan);
/// Number of this thread's warp group in its team, as i32.
mlir::Value groupInTeam(mlir::OpBuilder &builder, mlir::Location loc,
                        PlanAttr plan);

/// Whether this is thread `number` of its block.
mlir::Value isThread(mlir::OpBuilder &builder, mlir::Location loc,
                     int64_t number);

/// The address `bytes` behind a pointer.
mlir::Value bytesBehind(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value pointer, int64_t bytes);

/// The barrier on which the copies to a stage complete.
/// \param pipe   what a `!tile_gpu.pipe` becomes.
/// \param stage  i32.
mlir::Value fullBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value pipe, mlir::Value stage);

} // namespace tilegpt::tilegpu

#endif
