// max(c·x) is c·max(x) for a positive c: one product per row instead of one per
// element.
#include "Softmax/CommonFactor.h"
#include "Masks/MaskConditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// The uses of unmasked scores by their mask.
struct ScoreUse {
  Value scores;
  OpOperand *kept = nullptr; ///< in the branch that does not mask
  arith::SelectOp mask;      ///< null if scores have no mask
};
} // namespace

/// The scores below a mask, which may be in a branch.
static ScoreUse unmasked(Value scores) {
  if (auto branch = scores.getDefiningOp<scf::IfOp>()) {
    OpOperand &kept = branch.elseYield()->getOpOperand(0);
    auto mask =
        branch.thenYield().getOperand(0).getDefiningOp<arith::SelectOp>();
    if (branch.getNumResults() == 1 && mask && maskOf(mask).kept == kept.get())
      return {kept.get(), &kept, mask};
    return {};
  }
  if (auto mask = scores.getDefiningOp<arith::SelectOp>())
    return {maskOf(mask).kept, nullptr, mask};
  return {scores, nullptr, {}};
}

/// The product of constant factors; nullopt if one is not constant.
static std::optional<double> factorOf(const LinearTerm &term) {
  double product = 1;
  for (OpFoldResult factor : term.factors) {
    auto number = dyn_cast<FloatAttr>(dyn_cast<Attribute>(factor));
    if (!number)
      return std::nullopt;
    product *= number.getValueAsDouble();
  }
  return product;
}

/// A constant divided by a factor; null if that cannot be represented in f32
/// without loss.
static DenseElementsAttr quotient(Value tile, const LinearTerm &term) {
  SplatElementsAttr constant;
  if (!matchPattern(tile, m_Constant(&constant)))
    return {};
  if (constant.getSplatValue<APFloat>().isInfinity())
    return constant;
  std::optional<double> factor = factorOf(term);
  float number =
      factor ? constant.getSplatValue<APFloat>().convertToDouble() / *factor
             : NAN;
  return std::isfinite(number)
             ? DenseElementsAttr::get(cast<ShapedType>(tile.getType()), number)
             : DenseElementsAttr();
}

/// Whether the maximum is only compared, subtracted in exponents and yielded.
static bool isOnlySubtracted(const OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  Value carried = loop.getRegionIterArgs()[match.maximum];
  auto isExponent = [](Operation *op) {
    return isa<math::ExpOp, math::Exp2Op>(op);
  };
  auto ends = [&](auto &ends, Value value) -> bool {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      if (isExponent(user) || user == match.newMaximum.getDefiningOp() ||
          user == loop.getConsumeBlock()->getTerminator())
        return true;
      return OpTrait::hasElementwiseMappableTraits(user) ||
                     isa<tile::BroadcastOp>(user)
                 ? user->getBlock() == loop.getConsumeBlock() &&
                       ends(ends, user->getResult(0))
                 : false;
    });
  };
  return ends(ends, carried) && ends(ends, match.newMaximum);
}

SmallVector<OpFoldResult> takeOutFactor(OnlineSoftmax &match) {
  MainloopOp loop = match.loop;
  ScoreUse use = unmasked(match.scores);
  if (!use.scores)
    return {};
  SmallVector<LinearTerm> terms =
      linearForm(use.scores, {}, /*throughBroadcasts=*/false);
  OpOperand &init = loop.getInitArgsMutable()[match.maximum];
  if (terms.size() != 1 || terms[0].factors.empty() || !terms[0].isPositive() ||
      terms[0].tile.getType() != match.scores.getType() ||
      !isOnlySubtracted(match))
    return {};
  DenseElementsAttr begin = quotient(init.get(), terms[0]),
                    hidden = use.mask
                                 ? quotient(maskOf(use.mask).hidden, terms[0])
                                 : begin;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value factor = scalarFactor(builder, loop, terms[0], 1.0);
  if (!begin || !hidden || !factor)
    return {};

  init.set(arith::ConstantOp::create(builder, loc, begin));
  Value tile = terms[0].tile;
  if (use.mask) {
    Value number = arith::ConstantOp::create(builder, loc, hidden);
    bool keepsTrue = use.mask.getTrueValue() == use.scores;
    use.mask.getTrueValueMutable().assign(keepsTrue ? tile : number);
    use.mask.getFalseValueMutable().assign(keepsTrue ? number : tile);
    if (use.kept)
      use.kept->set(tile);
  } else {
    match.scores.replaceUsesWithIf(tile, [&](OpOperand &operand) {
      return operand.getOwner()->getBlock() == loop.getConsumeBlock();
    });
    match.scores = tile;
  }
  Value maximum = loop.getResult(match.maximum);
  if (!maximum.use_empty()) {
    builder.setInsertionPointAfter(loop);
    auto type = cast<RankedTensorType>(maximum.getType());
    Value scale = tile::SplatOp::create(
        builder, loc, type, factor, builder.getI64ArrayAttr(type.getShape()));
    Value scaled = arith::MulFOp::create(builder, loc, maximum, scale);
    maximum.replaceAllUsesExcept(scaled, scaled.getDefiningOp());
  }
  return terms[0].factors;
}

} // namespace tilegpt::tilegpu
