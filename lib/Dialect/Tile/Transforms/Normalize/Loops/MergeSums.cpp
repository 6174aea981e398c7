// Chains the dots of several carried sums.
#include "Normalize/Loops/MergeSums.h"
#include "Normalize/Loops/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace tilegpt::tile {

/// The first dot of a chain of dots in the body of a loop that adds to a
/// carried sum, if the loop uses the sum and the chain for nothing else; null
/// otherwise.
static DotOp firstDotOf(scf::ForOp loop, unsigned number) {
  Value sum = loop.getYieldedValues()[number];
  while (auto dot = sum.getDefiningOp<DotOp>()) {
    if (!dot->hasOneUse() || dot->getBlock() != loop.getBody())
      return {};
    sum = dot.getAcc();
    if (sum == loop.getRegionIterArg(number))
      return sum.hasOneUse() ? dot : DotOp();
  }
  return {};
}

static bool isZeroSum(Value tile) {
  if (auto splat = tile.getDefiningOp<SplatOp>())
    return matchPattern(splat.getValue(), m_AnyZeroFloat());
  return matchPattern(tile, m_AnyZeroFloat());
}

/// Merges the terms of a sum, if both are results of one loop of such chains
/// and one of them starts from zero.
static bool mergeTerms(arith::AddFOp sum) {
  auto lhs = dyn_cast<OpResult>(sum.getLhs()),
       rhs = dyn_cast<OpResult>(sum.getRhs());
  auto loop = lhs ? dyn_cast<scf::ForOp>(lhs.getOwner()) : scf::ForOp();
  if (!loop || !rhs || rhs.getOwner() != loop || lhs == rhs ||
      !lhs.hasOneUse() || !rhs.hasOneUse())
    return false;
  unsigned kept = lhs.getResultNumber(), other = rhs.getResultNumber();
  if (!isZeroSum(loop.getInitArgs()[other]))
    std::swap(kept, other);
  DotOp ofKept = firstDotOf(loop, kept), ofOther = firstDotOf(loop, other);
  if (!isZeroSum(loop.getInitArgs()[other]) || !ofKept || !ofOther)
    return false;
  // One chain ends before the other starts.
  Operation *yield = loop.getBody()->getTerminator();
  Value keptEnd = yield->getOperand(kept), otherEnd = yield->getOperand(other);
  bool keptFirst = keptEnd.getDefiningOp()->isBeforeInBlock(ofOther),
       otherFirst = otherEnd.getDefiningOp()->isBeforeInBlock(ofKept);
  if (!keptFirst && !otherFirst)
    return false;
  Value carried = loop.getRegionIterArg(kept);
  if (keptFirst) {
    ofOther.getAccMutable().assign(keptEnd);
    yield->setOperand(kept, otherEnd);
  } else {
    ofOther.getAccMutable().assign(carried);
    ofKept.getAccMutable().assign(otherEnd);
  }
  llvm::BitVector isDropped(loop.getNumResults());
  isDropped.set(other);
  sum.replaceAllUsesWith(Value(loop.getResult(kept)));
  sum.erase();
  dropCarried(loop, isDropped);
  return true;
}

void mergeSums(KernelOp kernel) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    kernel.getBody().walk([&](arith::AddFOp sum) {
      if (!mergeTerms(sum))
        return WalkResult::advance();
      isChanged = true;
      return WalkResult::interrupt();
    });
  }
}

} // namespace tilegpt::tile
