// Finds the ops between the dot of keys and the mask, and relaxes their
// rounding.
#include "Softmax/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// Rewrites x / c to x · (1/c), where c is a loop-invariant scalar.
static void divideInFront(MainloopOp loop, arith::DivFOp quotient) {
  Value divisor = throughBroadcast(quotient.getRhs());
  auto splat = divisor.getDefiningOp<tile::SplatOp>();
  SplatElementsAttr constant;
  OpBuilder builder(loop);
  Location loc = quotient.getLoc();
  Value scalar;
  if (splat && loop.isDefinedOutsideOfLoop(splat.getValue()))
    scalar = splat.getValue();
  else if (matchPattern(divisor, m_Constant(&constant)))
    scalar = arith::ConstantOp::create(builder, loc,
                                       constant.getSplatValue<TypedAttr>());
  if (!scalar || !scalar.getType().isF32())
    return;
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
  Value by = arith::DivFOp::create(builder, loc, one, scalar);
  Value dividend = quotient.getLhs();
  SmallVector<LinearTerm> terms = linearForm(dividend, {});
  if (Value all = terms.size() == 1 ? scalarFactor(builder, loop, terms[0], 1)
                                    : Value()) {
    dividend = terms[0].tile;
    by = arith::MulFOp::create(builder, loc, by, all);
  }
  auto type = cast<RankedTensorType>(quotient.getType());
  Value factor = tile::SplatOp::create(
      builder, loc, type, by, builder.getI64ArrayAttr(type.getShape()));
  builder.setInsertionPoint(quotient);
  Value product = arith::MulFOp::create(builder, loc, dividend, factor,
                                        arith::FastMathFlags::contract);
  quotient.replaceAllUsesWith(product);
  quotient.erase();
}

/// Whether an op's result is a continuous function of an operand.
static bool isContinuous(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<arith::SelectOp>(op))
    return use.getOperandNumber() != 0;
  if (isa<scf::YieldOp>(op))
    return isa<scf::IfOp>(op->getParentOp());
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, math::FmaOp, math::AbsFOp,
             math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op,
             math::Log10Op, math::Log1pOp, math::SqrtOp, math::TanhOp,
             tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp>(op);
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

static void addFlags(Operation *op, arith::FastMathFlags flags) {
  auto math = cast<arith::ArithFastMathInterface>(op);
  op->setAttr(
      math.getFastMathAttrName(),
      arith::FastMathFlagsAttr::get(
          op->getContext(), math.getFastMathFlagsAttr().getValue() | flags));
}

void relaxScores(const OnlineSoftmax &match) {
  using arith::FastMathFlags;
  if (!hasNarrowFactors(match.loop))
    return;
  for (Operation *op : continuousScores(match))
    if (isa<math::TanhOp, math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op,
            math::Log10Op, math::Log1pOp, math::SqrtOp>(op))
      addFlags(op, FastMathFlags::afn);
  for (Operation *op : scoreSlice(match))
    if (auto quotient = dyn_cast<arith::DivFOp>(op))
      divideInFront(match.loop, quotient);
    else if (isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op))
      addFlags(op, FastMathFlags::contract);
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
