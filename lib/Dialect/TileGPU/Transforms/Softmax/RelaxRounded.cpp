// Marks exponentials and logarithms whose results are eventually rounded to 16
// bits, and functions of scores.
#include "Softmax/ScoreFunctions.h"
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_RELAXROUNDED
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;

/// Whether no element of a tile is negative.
/// \param depth  how many ops to look through.
static bool isNonNegative(Value tile, int depth = 4) {
  Operation *op = tile.getDefiningOp();
  if (!op || depth == 0)
    return false;
  SplatElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)))
    return constant.getElementType().isF32() &&
           !constant.getSplatValue<APFloat>().isNegative();
  auto isOperand = [&](Value operand) {
    return isNonNegative(operand, depth - 1);
  };
  if (isa<math::ExpOp, math::Exp2Op, math::AbsFOp, math::SqrtOp>(op))
    return true;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return llvm::any_of(op->getOperands(), isOperand);
  if (isa<arith::MulFOp>(op) && op->getOperand(0) == op->getOperand(1))
    return true;
  return isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, math::Log1pOp,
             tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp>(op) &&
         llvm::all_of(op->getOperands(), isOperand);
}

namespace {
/// The transitive uses of a tile.
class Uses {
public:
  /// Whether all of them are rounded to 16 bits, by ops that do not amplify
  /// relative errors.
  /// \param isPositive  whether its elements are, so that sums are safe, too.
  bool areRounded(Value value, bool isPositive) {
    auto [known, isNew] = rounded[isPositive].try_emplace(value, false);
    if (!isNew)
      return known->second;
    bool result = llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return isRounded(use, isPositive);
    });
    rounded[isPositive][value] = result;
    return result;
  }

private:
  bool isRounded(OpOperand &use, bool isPositive) {
    constexpr unsigned narrowBits = 16;
    Operation *user = use.getOwner();
    if (auto cast = dyn_cast<tile::CastOp>(user))
      return getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth() <=
             narrowBits;
    if (auto sum = dyn_cast<tile::ReduceOp>(user))
      return isPositive && sum.getKind() == tile::ReduceKind::Add &&
             areRounded(sum.getResults().front(), isPositive);
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp,
            math::SqrtOp>(user))
      return areRounded(user->getResult(0), isPositive);
    if (auto sum = dyn_cast<arith::AddFOp>(user))
      return isPositive && (isCarriedSum(sum, use) || isGrown(sum, use));
    if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
        branch && isa<scf::YieldOp>(user))
      return areRounded(branch.getResult(use.getOperandNumber()),
                        /*isPositive=*/false);
    if (isa<arith::SelectOp>(user) && use.getOperandNumber() != 0)
      return areRounded(user->getResult(0), /*isPositive=*/false);
    // Between 0 and the operand's relative error, for positive operands.
    if (isa<math::Log1pOp>(user))
      return isPositive && areRounded(user->getResult(0), isPositive);
    return isa<arith::MulFOp, arith::DivFOp, arith::NegFOp>(user) &&
           areRounded(user->getResult(0), /*isPositive=*/false);
  }

  /// Whether a nonnegative number is added, as in 1/(1 + e^-x), and the sum's
  /// uses are rounded.
  bool isGrown(arith::AddFOp sum, OpOperand &use) {
    return isNonNegative(sum->getOperand(1 - use.getOperandNumber())) &&
           areRounded(sum, /*isPositive=*/true);
  }

  /// Whether a sum is loop-carried, starts with a nonnegative number, and is
  /// eventually rounded.
  bool isCarriedSum(arith::AddFOp sum, OpOperand &use) {
    Operation *end = sum->getBlock()->getTerminator();
    auto loop = dyn_cast<LoopLikeOpInterface>(sum->getParentOp());
    if (!loop || !sum->hasOneUse() || *sum->user_begin() != end)
      return false;
    unsigned number = sum->use_begin()->getOperandNumber();
    Value carried = loop.getRegionIterArgs()[number];
    SplatElementsAttr first;
    return sum->getOperand(1 - use.getOperandNumber()) == carried &&
           carried.hasOneUse() &&
           matchPattern(loop.getInits()[number], m_Constant(&first)) &&
           first.getElementType().isF32() &&
           !first.getSplatValue<APFloat>().isNegative() &&
           areRounded(loop->getResult(number), /*isPositive=*/true);
  }

  /// Answers for numbers of any sign, and for positive ones.
  llvm::DenseMap<Value, bool> rounded[2];
};
} // namespace

/// Contracts the exponent of an exponential in a loop: e^(c·x + t) becomes
/// 2^(c'·x + t'), with factors computed before the loop.
static void contractExponent(math::ExpOp op) {
  constexpr double log2e = 1.4426950408889634;
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  auto type = cast<RankedTensorType>(op.getType());
  if (!loop)
    return;
  SmallVector<tilegpu::LinearTerm> terms =
      tilegpu::linearForm(op.getOperand(), {}, /*throughBroadcasts=*/false);
  if (terms.size() == 1 && terms[0].factors.empty())
    return;
  OpBuilder front(loop), builder(op);
  SmallVector<Value> factors;
  for (const tilegpu::LinearTerm &term : terms) {
    factors.push_back(tilegpu::scalarFactor(front, loop, term, log2e));
    if (!factors.back() || term.tile.getType() != type)
      return;
  }
  Location loc = op.getLoc();
  auto splat = [&](OpBuilder &at, Value scalar) -> Value {
    return tile::SplatOp::create(at, loc, type, scalar,
                                 at.getI64ArrayAttr(type.getShape()));
  };
  // Scalars first, so that FMAs add the others to their sum.
  Value constant, exponent;
  for (auto [term, factor] : llvm::zip_equal(terms, factors))
    if (auto uniform = term.tile.getDefiningOp<tile::SplatOp>();
        uniform && loop.isDefinedOutsideOfLoop(uniform.getValue())) {
      Value part =
          arith::MulFOp::create(front, loc, uniform.getValue(), factor);
      constant =
          constant
              ? arith::AddFOp::create(front, loc, constant, part).getResult()
              : part;
      factor = Value();
    }
  if (constant)
    exponent = splat(front, constant);
  for (auto [term, factor] :
       llvm::zip_equal(llvm::reverse(terms), llvm::reverse(factors)))
    if (factor)
      exponent = exponent ? math::FmaOp::create(builder, loc, term.tile,
                                                splat(front, factor), exponent)
                                .getResult()
                          : arith::MulFOp::create(builder, loc, term.tile,
                                                  splat(front, factor))
                                .getResult();
  op.replaceAllUsesWith(
      math::Exp2Op::create(builder, loc, exponent, arith::FastMathFlags::afn)
          .getResult());
  op.erase();
}

namespace {
struct RelaxRounded : tilegpu::impl::RelaxRoundedBase<RelaxRounded> {
  void runOnOperation() override {
    if (failed(tile::verifySpecialized(getOperation())))
      return signalPassFailure();
    Uses uses;
    auto isTile = [](Operation *op) {
      Type type = op->getResult(0).getType();
      return isa<RankedTensorType>(type) && getElementTypeOrSelf(type).isF32();
    };
    llvm::SetVector<math::ExpOp> powers;
    getOperation().walk([&](math::ExpOp op) {
      if (isTile(op) && uses.areRounded(op, /*isPositive=*/true)) {
        op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
        powers.insert(op);
      }
    });
    getOperation().walk([&](math::Log1pOp op) {
      if (isTile(op) && uses.areRounded(op, isNonNegative(op.getOperand())))
        op.setFastmath(op.getFastmath() | arith::FastMathFlags::afn);
    });
    getOperation().walk([&](LoopLikeOpInterface loop) {
      for (Region &region : loop->getRegions())
        for (Block &block : region)
          powers.insert_range(tilegpu::relaxScoreFunctions(loop, block));
    });
    for (math::ExpOp op : powers)
      contractExponent(op);
  }
};
} // namespace
