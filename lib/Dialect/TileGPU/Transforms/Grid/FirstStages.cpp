// Peels the copies of a ring's first stages out of a producer's loops.
#include "Grid/FirstStages.h"
#include "TileGPT/Conversion/TileToArith/Arithmetic.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A loop nest whose innermost loop fills one stage of one ring per iteration.
struct FillingLoops {
  SmallVector<scf::ForOp> loops; ///< innermost last
  AcquireOp acquire;
  SmallVector<TmaLoadOp> early, late;
  int64_t earlyStages = 0; ///< that are filled before the wait

  scf::ForOp innermost() { return loops.back(); }
  ArrayRef<scf::ForOp> outer() { return ArrayRef(loops).drop_back(); }
};
} // namespace

/// Whether a ring cursor is all that a loop carries.
static bool carriesCursor(scf::ForOp loop) {
  return loop.getNumRegionIterArgs() == 1 &&
         isa<CursorType>(loop.getRegionIterArg(0).getType());
}

/// Collects the ops of the innermost loop.
static bool takeCopies(FillingLoops &found,
                       function_ref<bool(Value)> isInvariant) {
  scf::ForOp loop = found.innermost();
  Value cursor = loop.getRegionIterArg(0);
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto acquire = dyn_cast<AcquireOp>(op)) {
      if (found.acquire || acquire.getCursor() != cursor)
        return false;
      found.acquire = acquire;
    } else if (auto load = dyn_cast<TmaLoadOp>(op)) {
      if (!found.acquire || load.getCursor() != cursor)
        return false;
      (isInvariant(load.getMap()) ? found.early : found.late).push_back(load);
    } else if (!isMemoryEffectFree(&op)) {
      return false;
    }
  }
  auto next = loop.getYieldedValues().front().getDefiningOp<AdvanceOp>();
  return found.acquire && next && next.getCursor() == cursor &&
         !found.early.empty() && !found.late.empty();
}

/// The first stages that are filled before the wait. Early copies delay late
/// ones if a block starts after the previous launch has finished. Products of
/// up to 48 rows are bound by their weights and take 0.79 to 1.01 of the time
/// with whole rounds; those of more rows 0.95 to 1.07, but 0.94 to 1.00 with
/// two stages of one matrix. Two matrices delay the rows by twice as much:
/// prefills of models with gated units take as long with two stages of them.
static int64_t countEarlyStages(FillingLoops &found) {
  constexpr int64_t mostLateBytes = int64_t(48) * 64 * 2, few = 2;
  int64_t bytes = 0,
          stages =
              cast<CursorType>(found.innermost().getRegionIterArg(0).getType())
                  .getStages();
  for (TmaLoadOp load : found.late)
    bytes += load.getBuffer().getType().getNumBytes();
  if (bytes <= mostLateBytes)
    return stages;
  return found.early.size() == 1 ? std::min(stages, few) : 0;
}

static std::optional<FillingLoops>
findLoops(scf::ForOp loop, function_ref<bool(Value)> isInvariant) {
  if (!carriesCursor(loop))
    return std::nullopt;
  auto first = loop.getInitArgs().front().getDefiningOp<CursorOp>();
  if (!first || first.getPosition())
    return std::nullopt;
  FillingLoops found;
  while (true) {
    found.loops.push_back(loop);
    auto nested = loop.getBody()->getOps<scf::ForOp>();
    if (nested.empty())
      break;
    scf::ForOp inner = *nested.begin();
    if (!carriesCursor(inner) ||
        inner.getInitArgs().front() != loop.getRegionIterArg(0) ||
        loop.getYieldedValues().front() != inner.getResult(0) ||
        llvm::any_of(loop.getBody()->without_terminator(), [&](Operation &op) {
          return &op != inner && !isMemoryEffectFree(&op);
        }))
      return std::nullopt;
    loop = inner;
  }
  if (!takeCopies(found, isInvariant))
    return std::nullopt;
  found.earlyStages = countEarlyStages(found);
  return found;
}

/// The innermost loop's first iteration that copies nothing early.
static Value endOfEarly(OpBuilder &builder, FillingLoops &found, Value from,
                        Value step) {
  Arithmetic math(builder, found.innermost().getLoc());
  return math.add(from, math.mul(step, found.earlyStages));
}

/// Emits the copies of the first iterations before the wait. Blocks outside the
/// grid copy nothing: indices computed from their position are meaningless.
static void writeFirstStages(OpBuilder &builder, FillingLoops &found) {
  IRMapping known;
  for (scf::ForOp loop : found.outer()) {
    Location loc = loop.getLoc();
    Value from = known.lookupOrDefault(loop.getLowerBound()),
          to = known.lookupOrDefault(loop.getUpperBound());
    auto runs = scf::IfOp::create(
        builder, loc,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, from,
                              to));
    builder.setInsertionPoint(runs.thenBlock()->getTerminator());
    known.map(loop.getInductionVar(), from);
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<scf::ForOp>(op))
        builder.clone(op, known);
  }
  scf::ForOp loop = found.innermost();
  Location loc = loop.getLoc();
  Value from = known.lookupOrDefault(loop.getLowerBound()),
        to = known.lookupOrDefault(loop.getUpperBound()),
        step = known.lookupOrDefault(loop.getStep());
  Value end = arith::MinSIOp::create(builder, loc, to,
                                     endOfEarly(builder, found, from, step));
  auto copy = scf::ForOp::create(builder, loc, from, end, step,
                                 found.loops.front().getInitArgs());
  known.map(loop.getInductionVar(), copy.getInductionVar());
  known.map(loop.getRegionIterArg(0), copy.getRegionIterArg(0));
  builder.setInsertionPointToStart(copy.getBody());
  for (Operation &op : *loop.getBody())
    if (!llvm::is_contained(found.late, &op))
      builder.clone(op, known);
}

/// Restricts the loops to the copies not issued yet.
static void skipFirstStages(OpBuilder &builder, FillingLoops &found) {
  scf::ForOp loop = found.innermost();
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  Value end = endOfEarly(builder, found, loop.getLowerBound(), loop.getStep());
  for (scf::ForOp outer : found.outer()) {
    // Only the first grid point has early iterations.
    Value isFirst =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              outer.getInductionVar(), outer.getLowerBound());
    end = arith::SelectOp::create(builder, loc, isFirst, end,
                                  loop.getLowerBound());
  }
  SmallVector<Operation *> scalars;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isMemoryEffectFree(&op))
      scalars.push_back(&op);
  for (Operation *op : scalars)
    op->moveBefore(found.acquire);
  builder.setInsertionPoint(found.acquire);
  auto rest = scf::IfOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                            loop.getInductionVar(), end));
  Operation *last = rest.thenBlock()->getTerminator();
  found.acquire->moveBefore(last);
  for (TmaLoadOp load : found.early)
    load->moveBefore(last);
}

bool fillFirstStages(AwaitLaunchOp wait,
                     function_ref<bool(Value)> isInvariant) {
  auto loop = dyn_cast_or_null<scf::ForOp>(wait->getNextNode());
  std::optional<FillingLoops> found =
      loop ? findLoops(loop, isInvariant) : std::nullopt;
  if (!found || found->earlyStages == 0)
    return false;
  OpBuilder builder(wait);
  writeFirstStages(builder, *found);
  skipFirstStages(builder, *found);
  return true;
}

} // namespace tilegpt::tilegpu
