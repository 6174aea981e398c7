// Thread indices, the mbarriers of a pipe, and waits.
#include "Thread/PipeAddress.h"
#include "Thread/InlinePtx.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "TileGPT/Dialect/TileGPU/IR/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

Value i32Constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
}

Value blockThread(OpBuilder &builder, Location loc) {
  return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
}

Value warpGroup(OpBuilder &builder, Location loc) {
  constexpr int64_t log2Threads = 7, allLanes = -1, lastLane = 31;
  constexpr StringLiteral marker = "tile_gpu.warp_group";
  // A shuffle is never hoisted or merged, so one at the function entry serves
  // all uses.
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(parent);
  if (!function)
    function = parent->getParentOfType<func::FuncOp>();
  Block &entry = function.front();
  for (auto shuffle : entry.getOps<NVVM::ShflOp>())
    if (shuffle->hasAttr(marker))
      return shuffle;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  Value group = arith::ShRUIOp::create(builder, loc, blockThread(builder, loc),
                                       i32Constant(builder, loc, log2Threads));
  auto shuffle = NVVM::ShflOp::create(
      builder, loc, builder.getI32Type(), i32Constant(builder, loc, allLanes),
      group, i32Constant(builder, loc, 0), i32Constant(builder, loc, lastLane),
      NVVM::ShflKind::idx, UnitAttr());
  shuffle->setAttr(marker, builder.getUnitAttr());
  return shuffle;
}

int64_t groupsOfTeam(PlanAttr plan) {
  return plan.getComputeThreads() / PlanAttr::producerThreads;
}

Value teamNumber(OpBuilder &builder, Location loc, PlanAttr plan) {
  if (plan.getTeams() == 1)
    return i32Constant(builder, loc, 0);
  if (!plan.getProducer())
    return Arithmetic(builder, loc)
        .div(blockThread(builder, loc), plan.getComputeThreads());
  Value group = warpGroup(builder, loc);
  int64_t groups = groupsOfTeam(plan);
  return groups == 1 ? group : Arithmetic(builder, loc).div(group, groups);
}

Value groupInTeam(OpBuilder &builder, Location loc, PlanAttr plan) {
  int64_t groups = groupsOfTeam(plan);
  if (groups == 1)
    return i32Constant(builder, loc, 0);
  Value group = warpGroup(builder, loc);
  return plan.getTeams() == 1 ? group
                              : Arithmetic(builder, loc).rem(group, groups);
}

int64_t distanceAlong(PlanAttr plan, int64_t axis) {
  return axis == 0 ? 1 : plan.getMulticast() / plan.getMulticastAlong(axis);
}

Value rankAlong(OpBuilder &builder, Location loc, PlanAttr plan, int64_t axis) {
  Value rank = NVVM::ClusterId::create(builder, loc, builder.getI32Type());
  int64_t along = plan.getMulticastAlong(axis);
  if (along == plan.getMulticast())
    return rank;
  Arithmetic math(builder, loc);
  return math.rem(math.div(rank, distanceAlong(plan, axis)), along);
}

void synchronizeGroup(OpBuilder &builder, Location loc, PlanAttr plan) {
  Value group = plan.getConsumerThreads() > PlanAttr::producerThreads
                    ? warpGroup(builder, loc)
                    : i32Constant(builder, loc, 0);
  NVVM::BarrierOp::create(
      builder, loc, /*res=*/Type(),
      Arithmetic(builder, loc).add(group, firstGroupBarrier),
      i32Constant(builder, loc, PlanAttr::producerThreads),
      NVVM::BarrierReductionAttr(), Value());
}

void publishToAsyncProxy(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

Value isThread(OpBuilder &builder, Location loc, int64_t number) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                               blockThread(builder, loc),
                               i32Constant(builder, loc, number));
}

Value isWarpOf(OpBuilder &builder, Location loc, int64_t number) {
  constexpr int64_t warpThreads = 32;
  Arithmetic math(builder, loc);
  return math.isEqual(math.div(blockThread(builder, loc), warpThreads),
                      number / warpThreads);
}

bool hasProducerWarp(Operation *op) {
  while (op && !op->hasAttr(producerWarpName))
    op = op->getParentOp();
  return op != nullptr;
}

ProducerLeader::ProducerLeader(OpBuilder &builder, Operation *op)
    : guard(builder) {
  if (!hasProducerWarp(op))
    return;
  Location loc = op->getLoc();
  auto leader = scf::IfOp::create(
      builder, loc,
      isThread(builder, loc, PlanAttr::of(op).getConsumerThreads()));
  builder.setInsertionPointToStart(leader.thenBlock());
}

Value bytesBehind(OpBuilder &builder, Location loc, Value pointer,
                  int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(int32_t(bytes)));
}

Value bytesBehind(OpBuilder &builder, Location loc, Value pointer,
                  Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>(bytes));
}

Value fullBarrier(OpBuilder &builder, Location loc, Value pipe, Value stage) {
  return LLVM::GEPOp::create(builder, loc, pipe.getType(), builder.getI64Type(),
                             pipe, ArrayRef<LLVM::GEPArg>(stage));
}

Value emptyBarrier(OpBuilder &builder, Location loc, Value pipe, Value stage,
                   int64_t stages) {
  return fullBarrier(builder, loc,
                     bytesBehind(builder, loc, pipe, stages * barrierBytes),
                     stage);
}

void arriveOfWarp(OpBuilder &builder, Location loc, Value barrier) {
  constexpr int64_t lastLane = 31;
  Arithmetic math(builder, loc);
  Value lane = math.bitAnd(blockThread(builder, loc), lastLane);
  // Predicated: LLVM would merge branches of several arrivals, and let the warp
  // diverge around the code between them.
  inlinePtx(builder, loc, TypeRange(),
            ValueRange{barrier, math.isEqual(lane, 0)},
            "@$1 mbarrier.arrive.shared.b64 _, [$0];", "r,b,~{memory}");
}

void waitForRoom(OpBuilder &builder, Location loc, Value pipe, Value stage,
                 Value phase, int64_t stages) {
  // An mbarrier without arrivals counts as having completed the phase before
  // its first: round 0 does not wait.
  waitFor(builder, loc, emptyBarrier(builder, loc, pipe, stage, stages),
          Arithmetic(builder, loc).bitXor(phase, 1));
}

void waitFor(OpBuilder &builder, Location loc, Value barrier, Value parity) {
  // Time limit for suspending the thread before it polls again.
  constexpr int64_t nanoseconds = 10'000'000;
  NVVM::MBarrierTryWaitParityOp::create(builder, loc, barrier, parity,
                                        i32Constant(builder, loc, nanoseconds));
}

} // namespace tilegpt::tilegpu
