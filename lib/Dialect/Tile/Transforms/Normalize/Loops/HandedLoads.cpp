// Replaces carried tiles that are loaded one iteration ahead.
#include "Normalize/Loops/HandedLoads.h"
#include "Normalize/IndexSums.h"
#include "Normalize/Loops/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace tilegpt::tile {

/// Whether the loads are the same but for their indices.
static bool areAlike(LoadOp first, LoadOp next) {
  return first.getView() == next.getView() && !first.getMask() &&
         !next.getMask() && first->getAttrs() == next->getAttrs();
}

/// Whether an index is computed from values outside of a loop and its induction
/// variable.
static bool isCounted(scf::ForOp loop, Value index) {
  if (loop.isDefinedOutsideOfLoop(index) || index == loop.getInductionVar())
    return true;
  Operation *op = index.getDefiningOp();
  return op && op->getNumRegions() == 0 && onlyReads(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isCounted(loop, operand); });
}

/// Whether `first` is what `next`, an op of a loop's body, would load in the
/// iteration before the loop's first.
static bool continues(KernelOp kernel, scf::ForOp loop, LoadOp first,
                      LoadOp next) {
  if (!areAlike(first, next))
    return false;
  IndexSums sums(kernel, kernel.getArguments(), IndexSums::Sizes::Launch);
  sums.replace(loop.getInductionVar(),
               sums.of(loop.getLowerBound()) - sums.of(loop.getStep()));
  return llvm::all_of(
      llvm::zip_equal(first.getIndices(), next.getIndices()), [&](auto pair) {
        auto [index, later] = pair;
        return isCounted(loop, later) && sums.of(index) == sums.of(later);
      });
}

/// A copy of a load of a loop, for the iteration before that of `counter`.
static Value loadFor(OpBuilder &builder, scf::ForOp loop, LoadOp load,
                     Value counter) {
  IRMapping known;
  Location loc = load.getLoc();
  known.map(loop.getInductionVar(),
            builder.createOrFold<arith::SubIOp>(loc, counter, loop.getStep()));
  auto clone = [&](auto &self, Value value) -> Value {
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    if (Value copy = known.lookupOrNull(value))
      return copy;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      self(self, operand);
    return builder.clone(*op, known)->getResult(0);
  };
  for (Value index : load.getIndices())
    known.map(index, clone(clone, index));
  return builder.clone(*load, known)->getResult(0);
}

/// The induction variable of the iteration behind a loop's last, after it.
static Value counterBehind(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value length = builder.createOrFold<arith::MulIOp>(
      loc, countIterations(builder, loop), loop.getStep());
  return builder.createOrFold<arith::AddIOp>(loc, loop.getLowerBound(), length);
}

static bool loadWhereUsed(KernelOp kernel, scf::ForOp &loop) {
  llvm::BitVector isDropped(loop.getNumResults());
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    auto first = loop.getInitArgs()[number].getDefiningOp<LoadOp>(),
         next = loop.getYieldedValues()[number].getDefiningOp<LoadOp>();
    if (!first || !next || next->getBlock() != loop.getBody() ||
        !continues(kernel, loop, first, next))
      continue;
    OpBuilder builder(loop);
    builder.setInsertionPointToStart(loop.getBody());
    loop.getRegionIterArg(number).replaceAllUsesWith(
        loadFor(builder, loop, next, loop.getInductionVar()));
    if (Value last = loop.getResult(number); !last.use_empty()) {
      builder.setInsertionPointAfter(loop);
      last.replaceAllUsesWith(
          loadFor(builder, loop, next, counterBehind(builder, loop)));
    }
    isDropped.set(number);
  }
  if (isDropped.none())
    return false;
  loop = dropCarried(loop, isDropped);
  return true;
}

void loadWhereUsed(KernelOp kernel) {
  // Tiles loaded several iterations ahead are handed on several times.
  changeReadingLoops(kernel.getBody(), [&](scf::ForOp &loop) {
    return loadWhereUsed(kernel, loop);
  });
}

} // namespace tilegpt::tile
