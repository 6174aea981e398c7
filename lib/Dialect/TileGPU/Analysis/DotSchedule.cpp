// When the dots of a main loop start and end.
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

bool isZeroTile(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getValue();
  return matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero());
}

std::optional<unsigned> yieldedAs(Value value) {
  Operation *end = value.getParentBlock()->getTerminator();
  if (!value.hasOneUse() || *value.getUsers().begin() != end)
    return std::nullopt;
  return value.getUses().begin()->getOperandNumber();
}

bool isSumOfLoop(scf::ForOp loop, tile::DotOp dot) {
  std::optional<unsigned> number = yieldedAs(dot.getResult());
  return number && dot.getAcc() == loop.getRegionIterArg(*number) &&
         dot.getAcc().hasOneUse();
}

/// Whether an op of a loop's body defines a value.
static bool isMadeIn(Block &body, Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == &body;
}

bool isStaged(OpOperand &operand, Block &body, ValueRange carried) {
  auto dot = dyn_cast<tile::DotOp>(operand.getOwner());
  Value tile = operand.get();
  if (!dot || &operand == &dot.getAccMutable() ||
      (&operand == &dot.getLhsMutable() && !dot.getTransposeA()))
    return false;
  return llvm::is_contained(carried, tile) ||
         (isMadeIn(body, tile) && !tile.getDefiningOp<tile::LoadOp>());
}

llvm::SmallSetVector<Value, 4> findStaged(Block &body, ValueRange carried) {
  llvm::SmallSetVector<Value, 4> staged;
  for (auto dot : body.getOps<tile::DotOp>())
    for (OpOperand &operand : dot->getOpOperands())
      if (isStaged(operand, body, carried))
        staged.insert(operand.get());
  return staged;
}

bool isMadeWithoutDots(Value tile, Block &body, ValueRange carried) {
  llvm::SmallPtrSet<Operation *, 16> known;
  SmallVector<Value> open = {tile};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (llvm::is_contained(carried, value))
      return false;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &body || !known.insert(op).second)
      continue;
    if (isa<tile::DotOp>(op) || op->getNumRegions() != 0)
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}

llvm::MapVector<tile::DotOp, DotSchedule> scheduleDots(Block &body,
                                                       ValueRange carried) {
  llvm::MapVector<tile::DotOp, DotSchedule> schedule;
  auto isMade = [&](Value value) { return isMadeIn(body, value); };
  auto isComputed = [&](Value operand) {
    return isMade(operand) && !operand.getDefiningOp<tile::LoadOp>();
  };
  // Whether a loop-carried sum is only updated by dots.
  auto isAccumulator = [&](tile::DotOp dot) {
    Value acc = dot.getAcc();
    auto before = acc.getDefiningOp<tile::DotOp>();
    bool isChained = before && before->getBlock() == &body && acc.hasOneUse() &&
                     schedule.contains(before) &&
                     schedule.lookup(before) == DotSchedule::InFlight;
    bool isCarried = llvm::is_contained(carried, acc) && acc.hasOneUse();
    if (!isChained && !isCarried)
      return false;
    // The chain must end at the yield of the loop-carried value.
    Value end = dot.getResult();
    while (end.hasOneUse())
      if (auto next = dyn_cast<tile::DotOp>(*end.getUsers().begin());
          next && next->getBlock() == &body && next.getAcc() == end)
        end = next.getResult();
      else
        break;
    Value start = acc;
    while (auto previous = start.getDefiningOp<tile::DotOp>())
      start = previous.getAcc();
    std::optional<unsigned> number = yieldedAs(end);
    return number && *number < carried.size() && carried[*number] == start;
  };

  for (auto dot : body.getOps<tile::DotOp>()) {
    DotSchedule kind;
    if (isStaged(dot.getLhsMutable(), body, carried) ||
        isStaged(dot.getRhsMutable(), body, carried))
      kind = DotSchedule::InPlace;
    else if (isComputed(dot.getLhs()))
      kind = yieldedAs(dot.getResult()) && !dot->hasAttr(keptInPlaceName)
                 ? DotSchedule::Deferred
                 : DotSchedule::InPlace;
    else if (isAccumulator(dot))
      kind = DotSchedule::InFlight;
    else
      kind = !isMade(dot.getAcc()) ||
                     isMadeWithoutDots(dot.getAcc(), body, carried)
                 ? DotSchedule::Leading
                 : DotSchedule::InPlace;
    schedule[dot] = kind;
  }
  // Accumulators stay in flight only if nothing else is loop-carried.
  bool isProduct = llvm::all_of(schedule, [](auto &entry) {
    return entry.second == DotSchedule::InFlight;
  });
  if (isProduct)
    return schedule;
  for (auto &[dot, kind] : schedule)
    if (kind == DotSchedule::InFlight)
      kind = isMade(dot.getAcc()) ? DotSchedule::InPlace : DotSchedule::Leading;
  return schedule;
}

bool alternates(MainloopOp loop) {
  bool hasLeading = false, hasOthers = false;
  for (auto &[dot, kind] :
       scheduleDots(*loop.getConsumeBlock(), loop.getRegionIterArgs())) {
    hasLeading |= kind == DotSchedule::Leading;
    hasOthers |= kind == DotSchedule::Deferred || kind == DotSchedule::InPlace;
  }
  return hasLeading && hasOthers;
}

bool computesUnderDots(MainloopOp loop, PlanAttr plan) {
  constexpr int64_t most = 208, mostGroups = 2;
  Block &body = *loop.getConsumeBlock();
  // Groups that write operands for each other run in step.
  int64_t groups = plan ? plan.getWarps() / groupWarps : 0;
  if (groups != 1 && (groups != mostGroups ||
                      findStaged(body, loop.getRegionIterArgs()).empty()))
    return false;
  auto bitsOf = [](Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    return type.getNumElements() * type.getElementTypeBitWidth();
  };
  int64_t bits = 0;
  for (auto &[entry, kind] : scheduleDots(body, loop.getRegionIterArgs())) {
    tile::DotOp dot = entry;
    if (!dot.getAcc().getDefiningOp<tile::DotOp>())
      bits += bitsOf(dot.getAcc());
    if (kind == DotSchedule::Deferred)
      bits += 2 * bitsOf(dot.getLhs());
  }
  for (BlockArgument stream : loop.getStreamArgs())
    if (!llvm::all_of(stream.getUsers(), llvm::IsaPred<tile::DotOp>))
      bits += bitsOf(stream);
  constexpr int64_t wordBits = 32;
  return bits <= most * groups * groupThreads * wordBits;
}

} // namespace tilegpt::tilegpu
