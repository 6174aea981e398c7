// Finds the ops between the dot of keys and the mask, and relaxes their
// rounding.
#include "Softmax/Scores.h"
#include "Softmax/ScoreFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

llvm::SetVector<Operation *> opsOfScores(const OnlineSoftmax &match,
                                         bool withSums) {
  llvm::SetVector<Operation *> ops;
  SmallVector<Value> values = {match.scores};
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (auto dot = dyn_cast_or_null<tile::DotOp>(op)) {
      if (withSums)
        values.push_back(dot.getAcc());
      continue;
    }
    if (!op || !ops.insert(op) || isa<tile::LoadOp>(op))
      continue;
    llvm::append_range(values, op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getTerminator()->getOperands());
  }
  return ops;
}

llvm::SetVector<Operation *> scoreSlice(const OnlineSoftmax &match) {
  llvm::SetVector<Operation *> slice = opsOfScores(match);
  slice.remove_if(
      [&](Operation *op) { return !match.loop->isProperAncestor(op); });
  auto isRead = [&](Operation *op) {
    return llvm::any_of(op->getResults(), [&](Value result) {
      return result != match.scores &&
             llvm::any_of(result.getUsers(), [&](Operation *user) {
               return !slice.contains(user) &&
                      !(isa<scf::YieldOp>(user) &&
                        slice.contains(user->getParentOp()));
             });
    });
  };
  while (true) {
    size_t before = slice.size();
    slice.remove_if(isRead);
    if (slice.size() == before)
      return slice;
  }
}

/// Arithmetic on scores that is no mask.
static bool computes(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         !isa<arith::SelectOp>(op) &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

SmallVector<Operation *> movableScores(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  SmallVector<Operation *> ops;
  for (Operation *op : scoreSlice(match)) {
    if (op->getBlock() != loop.getConsumeBlock())
      continue;
    if (isa<tile::LoadOp>(op))
      return {};
    ops.push_back(op);
  }
  if (llvm::none_of(ops, computes))
    return {};
  llvm::sort(ops, [](Operation *left, Operation *right) {
    return left->isBeforeInBlock(right);
  });
  return ops;
}

bool hasNarrowFactors(MainloopOp loop) {
  constexpr unsigned narrowBits = 16;
  return llvm::all_of(
      loop.getConsumeBlock()->getOps<tile::DotOp>(), [](tile::DotOp dot) {
        return dot.getLhs().getType().getElementTypeBitWidth() <= narrowBits;
      });
}

/// The ops of the slice that scores depend on only continuously: a small error
/// of theirs has a small effect.
static llvm::SetVector<Operation *>
continuousScores(const OnlineSoftmax &match) {
  llvm::SetVector<Operation *> ops = scoreSlice(match);
  auto mayJump = [&](Operation *op) {
    return llvm::any_of(op->getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      Operation *reached = isa<scf::YieldOp>(user) ? user->getParentOp() : user;
      return use.get() != match.scores &&
             (!isContinuous(use) || !ops.contains(reached));
    });
  };
  while (true) {
    size_t before = ops.size();
    ops.remove_if(mayJump);
    if (ops.size() == before)
      return ops;
  }
}

void relaxScores(const OnlineSoftmax &match) {
  if (!hasNarrowFactors(match.loop))
    return;
  for (Operation *op : continuousScores(match))
    approximate(op);
  for (Operation *op : scoreSlice(match))
    contract(match.loop, op);
}

bool mayBeHuge(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  return !matchPattern(loop.getInitArgs()[match.maximum], m_NegInfFloat()) ||
         mayHaveHugeScores(match);
}

bool mayHaveHugeScores(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  if (llvm::any_of(loop.getStreamArgs(), [](BlockArgument stream) {
        return llvm::any_of(stream.getUsers(), [](Operation *user) {
          return !isa<tile::DotOp>(user);
        });
      }))
    return true;
  return llvm::any_of(opsOfScores(match, /*withSums=*/true), [](Operation *op) {
    Attribute constant;
    matchPattern(op, m_Constant(&constant));
    if (auto tile = dyn_cast_or_null<SplatElementsAttr>(constant))
      constant = tile.getSplatValue<Attribute>();
    auto number = dyn_cast_or_null<FloatAttr>(constant);
    auto load = dyn_cast<tile::LoadOp>(op);
    return (load && load.getType().getNumElements() != 1) ||
           (number && number.getValue().isFinite() &&
            number.getValueAsDouble() < leastMaximum);
  });
}

} // namespace tilegpt::tilegpu
