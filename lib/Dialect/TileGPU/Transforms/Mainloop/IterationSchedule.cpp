// When the dots of an iteration start and finish, and which ops run beside
// them.
#include "Mainloop/IterationSchedule.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilegpt::tilegpu {

IterationSchedule::IterationSchedule(MainloopOp loop, MainloopDots &dots)
    : loop(loop), body(*loop.getConsumeBlock()) {
  for (auto &[dot, kind] : scheduleDots(body, loop.getRegionIterArgs())) {
    if (kind == DotSchedule::InFlight)
      inFlight.push_back(dot);
    else if (kind == DotSchedule::Leading)
      leading.push_back(dot);
    else if (kind == DotSchedule::Deferred)
      deferred.push_back(dot);
  }
  for (tile::DotOp dot : leading)
    if (!isZeroTile(dot.getAcc()))
      addSources(dot.getAcc(), ofSums);
  PlanAttr plan = PlanAttr::of(loop->getParentOfType<tile::KernelOp>());
  bool isOverlapped = computesUnderDots(loop, plan);
  for (tile::DotOp dot : deferred) {
    readsDeferred |= !isCarried(dot.getAcc()) || !dot.getAcc().hasOneUse();
    if (isOverlapped)
      addReaders(loop.getRegionIterArgs()[*yieldedAs(dot.getResult())]);
  }
  // ptxas serializes dots that are in flight across a branch.
  bool branches =
      llvm::any_of(body, [](Operation &op) { return isa<scf::IfOp>(op); });
  finishesFirst = (readsDeferred || branches) && !isOverlapped;
  if (!branches)
    trailing = findTrailing(plan, dots);
  if (!trailing || trailing.getTransposeA())
    return;
  addSources(trailing.getLhs(), ofLeft);
  // Ops that others read as well would be emitted too early.
  bool areShared = llvm::any_of(ofLeft, [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return user != trailing && !ofLeft.contains(user);
    });
  });
  if (areShared || trailing.getLhs() == trailing.getRhs())
    trailing = {};
}

/// Collects the ops of an iteration that compute a value.
void IterationSchedule::addSources(
    Value value, llvm::SmallPtrSetImpl<Operation *> &sources) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &body || !sources.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    addSources(operand, sources);
}

/// The only dot of a loop that just computes its operands and accumulates their
/// product, if threads have registers for the operands of two iterations.
tile::DotOp IterationSchedule::findTrailing(PlanAttr plan, MainloopDots &dots) {
  constexpr int64_t wordBits = 32, most = 208;
  auto all = llvm::to_vector(body.getOps<tile::DotOp>());
  if (all.size() != 1 || !plan || dots.isCopied(all.front().getLhs()) ||
      dots.isCopied(all.front().getRhs()) || !isCarried(all.front().getAcc()) ||
      !all.front().getAcc().hasOneUse())
    return {};
  tile::DotOp dot = all.front();
  std::optional<unsigned> number = yieldedAs(dot.getResult());
  if (!number || loop.getRegionIterArgs()[*number] != dot.getAcc() ||
      findStaged(body, loop.getRegionIterArgs()).empty())
    return {};
  auto bitsOf = [](Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    return type.getNumElements() * type.getElementTypeBitWidth();
  };
  int64_t bits = bitsOf(dot.getAcc()) + bitsOf(dot.getRhs()) +
                 (dot.getTransposeA() ? 1 : 2) * bitsOf(dot.getLhs());
  for (BlockArgument stream : loop.getStreamArgs())
    bits += bitsOf(stream);
  return bits <= most * plan.getWarps() * warpLanes * wordBits ? dot
                                                               : tile::DotOp();
}

/// Adds the ops of the iteration that depend on a value.
void IterationSchedule::addReaders(Value value) {
  for (Operation *user : value.getUsers()) {
    Operation *op = body.findAncestorOpInBlock(*user);
    if (op->hasTrait<OpTrait::IsTerminator>() || !readers.insert(op).second)
      continue;
    for (Value result : op->getResults())
      addReaders(result);
  }
}

bool IterationSchedule::isStartedElsewhere(tile::DotOp dot) const {
  return llvm::is_contained(inFlight, dot) ||
         llvm::is_contained(leading, dot) ||
         llvm::is_contained(deferred, dot) || dot == trailing;
}

bool IterationSchedule::isCarried(Value tile) {
  return llvm::is_contained(loop.getRegionIterArgs(), tile);
}

} // namespace tilegpt::tilegpu
