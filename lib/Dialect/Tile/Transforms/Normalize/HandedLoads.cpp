// Replaces carried tiles that are loaded one iteration ahead.
#include "Normalize/HandedLoads.h"
#include "Normalize/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tilegpt::tile {

namespace {
/// constant + Σ factor·value, of index values.
struct LinearSum {
  int64_t constant = 0;
  llvm::MapVector<Value, int64_t> factors;

  void add(const LinearSum &other, int64_t times) {
    constant += other.constant * times;
    for (auto [value, factor] : other.factors)
      factors[value] += factor * times;
  }

  /// Replaces a value.
  void substitute(Value value, const LinearSum &by) {
    int64_t factor = factors.lookup(value);
    factors.erase(value);
    add(by, factor);
  }

  bool isZero() const {
    return constant == 0 && llvm::all_of(factors, [](const auto &entry) {
             return entry.second == 0;
           });
  }
};
} // namespace

static LinearSum sumOf(Value value) {
  LinearSum sum;
  if (std::optional<int64_t> known = getConstantIntValue(value)) {
    sum.constant = *known;
    return sum;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    sum = sumOf(op->getOperand(0));
    sum.add(sumOf(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1);
    return sum;
  }
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
    for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())})
      if (std::optional<int64_t> known = getConstantIntValue(factor)) {
        sum.add(sumOf(other), *known);
        return sum;
      }
  sum.factors[value] = 1;
  return sum;
}

/// The induction variable of the iteration before a loop's first.
static LinearSum counterBefore(scf::ForOp loop) {
  LinearSum counter = sumOf(loop.getLowerBound());
  counter.add(sumOf(loop.getStep()), -1);
  return counter;
}

/// Whether the loads are the same but for their indices.
static bool areAlike(LoadOp first, LoadOp next) {
  return first.getView() == next.getView() && !first.getMask() &&
         !next.getMask() && first->getAttrs() == next->getAttrs();
}

/// Whether `first` is what `next`, an op of a loop's body, would load in the
/// iteration before the loop's first.
static bool continues(scf::ForOp loop, LoadOp first, LoadOp next) {
  if (!areAlike(first, next))
    return false;
  LinearSum before = counterBefore(loop);
  return llvm::all_of(llvm::zip_equal(first.getIndices(), next.getIndices()),
                      [&](auto pair) {
                        auto [index, later] = pair;
                        LinearSum difference = sumOf(later);
                        for (auto [value, factor] : difference.factors)
                          if (value != loop.getInductionVar() &&
                              !loop.isDefinedOutsideOfLoop(value))
                            return false;
                        difference.substitute(loop.getInductionVar(), before);
                        difference.add(sumOf(index), -1);
                        return difference.isZero();
                      });
}

/// Whether a loop only loads and computes, so that a load gives the same tile
/// anywhere in it.
static bool onlyReads(scf::ForOp loop) {
  return !loop.walk([&](Operation *op) {
                bool reads =
                    isa<LoadOp, GatherOp>(op) ||
                    op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                    isMemoryEffectFree(op);
                return reads ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
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

static void loadWhereUsed(scf::ForOp loop) {
  if (loop.getUnsignedCmp() || !loop.getInductionVar().getType().isIndex() ||
      !onlyReads(loop))
    return;
  llvm::BitVector isDropped(loop.getNumResults());
  for (unsigned number = 0; number < loop.getNumResults(); ++number) {
    auto first = loop.getInitArgs()[number].getDefiningOp<LoadOp>(),
         next = loop.getYieldedValues()[number].getDefiningOp<LoadOp>();
    if (!first || !next || next->getBlock() != loop.getBody() ||
        !loop.getResult(number).use_empty() || !continues(loop, first, next))
      continue;
    OpBuilder builder(loop);
    builder.setInsertionPointToStart(loop.getBody());
    loop.getRegionIterArg(number).replaceAllUsesWith(
        loadFor(builder, loop, next, loop.getInductionVar()));
    isDropped.set(number);
  }
  if (isDropped.any())
    dropCarried(loop, isDropped);
}

void loadWhereUsed(KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    loadWhereUsed(loop);
}

} // namespace tilegpt::tile
