// Approximates functions of scores.
#include "Softmax/ScoreFunctions.h"
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilegpt::tilegpu {

/// Rewrites x / c to x · (1/c), where c is a loop-invariant scalar.
static void divideInFront(LoopLikeOpInterface loop, arith::DivFOp quotient) {
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

bool isContinuous(OpOperand &use) {
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

static void addFlags(Operation *op, arith::FastMathFlags flags) {
  auto math = cast<arith::ArithFastMathInterface>(op);
  op->setAttr(
      math.getFastMathAttrName(),
      arith::FastMathFlagsAttr::get(
          op->getContext(), math.getFastMathFlagsAttr().getValue() | flags));
}

void approximate(Operation *op) {
  if (isa<math::TanhOp, math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op,
          math::Log10Op, math::Log1pOp, math::SqrtOp>(op))
    addFlags(op, arith::FastMathFlags::afn);
}

void contract(LoopLikeOpInterface loop, Operation *op) {
  if (auto quotient = dyn_cast<arith::DivFOp>(op))
    divideInFront(loop, quotient);
  else if (isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op))
    addFlags(op, arith::FastMathFlags::contract);
}

namespace {
/// The ops of a loop that are computed from its dots.
class ScoreOps {
public:
  ScoreOps(LoopLikeOpInterface loop, Block &body) : loop(loop), body(body) {
    for (auto dot : body.getOps<tile::DotOp>()) {
      areNarrow &= isNarrow(dot.getLhs()) && isNarrow(dot.getRhs());
      fewest = std::min(fewest, dot.getAcc().getType().getNumElements());
      follow(dot.getResult());
    }
  }

  /// Those that only weights of 16 bits and row reductions depend on.
  ArrayRef<Operation *> findRounded() {
    if (!areNarrow)
      return {};
    while (true) {
      size_t before = ops.size();
      ops.remove_if([&](Operation *op) {
        return !llvm::all_of(op->getUses(),
                             [&](OpOperand &use) { return isRounded(use); });
      });
      if (ops.size() == before)
        break;
    }
    bool hasWeights = llvm::any_of(ops, [](Operation *op) {
      return llvm::any_of(op->getUsers(), isRounding);
    });
    return hasWeights ? ops.getArrayRef() : ArrayRef<Operation *>();
  }

  /// Whether an op depends on neither reductions nor loop-carried values, up to
  /// dots. A running maximum may start with -1e30: differences to it must stay
  /// exact.
  bool isElementwise(Operation *op) {
    auto [known, isNew] = elementwise.try_emplace(op, false);
    if (!isNew)
      return known->second;
    bool result =
        !isa<tile::ReduceOp>(op) && !op->getNumRegions() &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          Operation *def = operand.getDefiningOp();
          if (!def)
            return !llvm::is_contained(loop.getRegionIterArgs(), operand);
          return isa<tile::DotOp>(def) || !loop->isAncestor(def) ||
                 isElementwise(def);
        });
    elementwise[op] = result;
    return result;
  }

private:
  static bool isNarrow(Value tile) {
    constexpr unsigned narrowBits = 16;
    return getElementTypeOrSelf(tile.getType()).getIntOrFloatBitWidth() <=
           narrowBits;
  }
  static bool isRounding(Operation *op) {
    return isa<tile::CastOp>(op) && isNarrow(op->getResult(0));
  }

  /// Collects the ops that depend on a value, up to other dots.
  void follow(Value value) {
    for (Operation *user : value.getUsers()) {
      Operation *op = user;
      if (isa<scf::YieldOp>(user))
        op = user->getParentOp();
      if (isa<tile::DotOp, LoopLikeOpInterface>(op) ||
          op->hasTrait<OpTrait::IsTerminator>() || !ops.insert(op))
        continue;
      for (Value result : op->getResults())
        follow(result);
    }
  }

  bool isRounded(OpOperand &use) const {
    Operation *user = use.getOwner();
    if (isRounding(user) || isa<tile::DotOp>(user))
      return true;
    // Reductions of rows are loop-carried.
    if (user == body.getTerminator()) {
      auto type = dyn_cast<RankedTensorType>(use.get().getType());
      return type && type.getNumElements() < fewest;
    }
    if (isa<scf::YieldOp>(user))
      user = user->getParentOp();
    bool isReduction = isa<tile::ReduceOp>(user) && user->getNumOperands() == 1;
    return (isReduction || isContinuous(use)) && ops.contains(user);
  }

  LoopLikeOpInterface loop;
  Block &body;
  llvm::SetVector<Operation *> ops;
  llvm::DenseMap<Operation *, bool> elementwise; ///< of isElementwise
  bool areNarrow = true;
  int64_t fewest = INT64_MAX; ///< elements of a dot's result
};
} // namespace

SmallVector<math::ExpOp> relaxScoreFunctions(LoopLikeOpInterface loop,
                                             Block &body) {
  SmallVector<math::ExpOp> powers;
  ScoreOps scores(loop, body);
  SmallVector<Operation *> ops(scores.findRounded()), contracted;
  for (Operation *op : ops) {
    approximate(op);
    if (!scores.isElementwise(op))
      continue;
    contracted.push_back(op);
    if (auto power = dyn_cast<math::ExpOp>(op))
      powers.push_back(power);
  }
  // Branches are rare cases.
  for (Operation *op : contracted)
    if (op->getBlock() == &body)
      contract(loop, op);
  return powers;
}

} // namespace tilegpt::tilegpu
