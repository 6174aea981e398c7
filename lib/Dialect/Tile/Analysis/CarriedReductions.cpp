// Finds loops that reduce the tiles they load.
#include "TileGPT/Dialect/Tile/Analysis/CarriedReductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using tilegpt::tile::NaNPolicy;
using tilegpt::tile::ReduceKind;

namespace tilegpt::tilegpu {

std::optional<std::pair<ReduceKind, NaNPolicy>> reductionOf(Operation *op) {
  using Found = std::optional<std::pair<ReduceKind, NaNPolicy>>;
  auto is = [](ReduceKind kind, NaNPolicy nan = NaNPolicy::Propagate) {
    return Found({kind, nan});
  };
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<arith::AddFOp, arith::AddIOp>(
          [&](auto) { return is(ReduceKind::Add); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](auto) { return is(ReduceKind::Mul); })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [&](auto) { return is(ReduceKind::Max); })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [&](auto) { return is(ReduceKind::Min); })
      .Case([&](arith::MaxNumFOp) {
        return is(ReduceKind::Max, NaNPolicy::Ignore);
      })
      .Case([&](arith::MinNumFOp) {
        return is(ReduceKind::Min, NaNPolicy::Ignore);
      })
      .Case([&](arith::MaxUIOp) { return is(ReduceKind::UMax); })
      .Case([&](arith::MinUIOp) { return is(ReduceKind::UMin); })
      .Case([&](arith::AndIOp) { return is(ReduceKind::And); })
      .Case([&](arith::OrIOp) { return is(ReduceKind::Or); })
      .Case([&](arith::XOrIOp) { return is(ReduceKind::Xor); })
      .Default(Found());
}

/// Whether a value in the loop's body depends on loop-carried values.
static bool dependsOnCarried(Value value, scf::ForOp loop) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == loop.getBody() &&
           argument != loop.getInductionVar();
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != loop.getBody())
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return dependsOnCarried(operand, loop);
  });
}

std::optional<SmallVector<CarriedReduction>>
findCarriedReductions(scf::ForOp loop, StringRef *reason) {
  auto refuse = [&](StringRef why) {
    if (reason)
      *reason = why;
    return std::nullopt;
  };
  if (loop.getNumResults() == 0)
    return refuse("the loop carries no values");
  for (Operation &op : loop.getBody()->without_terminator())
    if (op.getNumRegions() != 0 && !isa<tile::ReduceOp>(op))
      return refuse("the loop has nested loops or branches");
    else if (!isa<tile::LoadOp>(op) && !isMemoryEffectFree(&op))
      return refuse("the loop has ops other than loads and arithmetic");
  SmallVector<CarriedReduction> found;
  for (auto [argument, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Operation *combine = yielded.getDefiningOp();
    if (!isa<RankedTensorType>(argument.getType()) || !combine ||
        combine->getBlock() != loop.getBody() || !argument.hasOneUse() ||
        *argument.user_begin() != combine || !yielded.hasOneUse())
      return refuse("the loop carries values other than reductions");
    auto reduction = reductionOf(combine);
    if (!reduction)
      return refuse("the loop carries values other than reductions");
    Value update = combine->getOperand(combine->getOperand(0) == argument);
    if (dependsOnCarried(update, loop))
      return refuse("the loop-carried values depend on each other");
    found.push_back({combine, update, reduction->first, reduction->second});
  }
  return found;
}

scf::ForOp findSharedLoop(tile::KernelOp kernel, StringRef *reason) {
  auto refuse = [&](StringRef why) {
    if (reason)
      *reason = why;
    return scf::ForOp();
  };
  if (kernel.isRaw())
    return {};
  scf::ForOp loop;
  bool hasEffects = false;
  for (Operation &op : kernel.getEntryBlock()->without_terminator()) {
    if (auto here = dyn_cast<scf::ForOp>(op)) {
      if (loop)
        return refuse("the kernel has several loops");
      if (hasEffects)
        return refuse("the kernel does more than load before the loop");
      loop = here;
    } else if (loop && !isMemoryEffectFree(&op) &&
               !isa<tile::LoadOp, tile::StoreOp>(op)) {
      return refuse("the kernel does more than load and store after the loop");
    }
    hasEffects |= !isMemoryEffectFree(&op) && !isa<tile::LoadOp>(op);
  }
  bool hasDot = kernel.walk([](tile::DotOp) { return WalkResult::interrupt(); })
                    .wasInterrupted();
  if (!loop || hasDot || !findCarriedReductions(loop, reason))
    return {};
  return loop;
}

} // namespace tilegpt::tilegpu
