// Tracks a masked tile through an iteration under the assumption that
// everything is hidden.
#include "Masks/IdleIterations.h"
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/Analysis/DotSchedule.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Facts about values in an iteration in which a mask hides everything.
class HiddenValues {
public:
  enum class Kind { Unknown, Zero, MinusInfinity, PlusInfinity, Carried };
  struct Fact {
    Kind kind = Kind::Unknown;
    unsigned number = 0; ///< of the carried value
  };

  HiddenValues(LoopLikeOpInterface loop, Block &body) : body(body) {
    for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs()))
      facts[carried] = {Kind::Carried, unsigned(number)};
  }

  /// Whether the iteration yields all its arguments if `masked` is `hidden`
  /// everywhere.
  bool carriesAll(Operation *masked, Kind hidden) {
    facts[masked->getResult(0)] = {hidden};
    for (Operation &op : body.without_terminator())
      if (&op != masked && op.getNumResults() == 1)
        facts[op.getResult(0)] = evaluate(op);
    return llvm::all_of(
        llvm::enumerate(body.getTerminator()->getOperands()), [&](auto entry) {
          Fact fact = of(entry.value());
          return fact.kind == Kind::Carried && fact.number == entry.index();
        });
  }

  /// The kind of a splat constant; unknown for others.
  static Kind kindOf(Value tile) {
    if (isZeroTile(tile))
      return Kind::Zero;
    if (matchPattern(tile, m_NegInfFloat()))
      return Kind::MinusInfinity;
    FloatAttr number = splatNumberOf(tile);
    if (!number || !number.getValue().isInfinity())
      return Kind::Unknown;
    return number.getValue().isNegative() ? Kind::MinusInfinity
                                          : Kind::PlusInfinity;
  }

private:
  Fact of(Value value) const {
    auto known = facts.find(value);
    if (known != facts.end())
      return known->second;
    return isa<RankedTensorType>(value.getType()) ? Fact{kindOf(value)}
                                                  : Fact();
  }

  static bool isInfinite(Kind kind) {
    return kind == Kind::MinusInfinity || kind == Kind::PlusInfinity;
  }
  static Kind opposite(Kind kind) {
    if (!isInfinite(kind))
      return kind == Kind::Zero ? kind : Kind::Unknown;
    return kind == Kind::PlusInfinity ? Kind::MinusInfinity
                                      : Kind::PlusInfinity;
  }

  Fact evaluate(Operation &op) const {
    if (op.getNumOperands() == 0)
      return {};
    Fact first = of(op.getOperand(0));
    if (isa<tile::CastOp, tile::BroadcastOp, tile::ExpandDimsOp,
            tile::ReshapeOp, tile::PermuteOp, arith::ExtFOp, arith::TruncFOp>(
            op))
      return first.kind == Kind::Carried ? Fact() : first;
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      return reduce.getKind() == tile::ReduceKind::Add &&
                     first.kind == Kind::Zero
                 ? first
                 : Fact();
    if (isa<math::ExpOp, math::Exp2Op>(op)) {
      if (first.kind == Kind::MinusInfinity)
        return {Kind::Zero};
      return first.kind == Kind::PlusInfinity ? first : Fact();
    }
    if (isa<arith::NegFOp>(op))
      return {opposite(first.kind)};
    if (auto dot = dyn_cast<tile::DotOp>(op))
      return of(dot.getLhs()).kind == Kind::Zero ||
                     of(dot.getRhs()).kind == Kind::Zero
                 ? of(dot.getAcc())
                 : Fact();
    if (auto fma = dyn_cast<math::FmaOp>(op)) {
      Fact product = multiply(fma.getA(), fma.getB());
      return product.kind == Kind::Zero ? of(fma.getC()) : Fact();
    }
    if (op.getNumOperands() != 2)
      return {};
    Fact second = of(op.getOperand(1));
    if (isa<arith::MulFOp>(op))
      return multiply(op.getOperand(0), op.getOperand(1));
    if (isa<arith::AddFOp>(op)) {
      if (first.kind == Kind::Zero)
        return second;
      if (second.kind == Kind::Zero)
        return first;
      return isInfinite(first.kind) && isNumber(op.getOperand(1))    ? first
             : isInfinite(second.kind) && isNumber(op.getOperand(0)) ? second
                                                                     : Fact();
    }
    if (isa<arith::SubFOp>(op)) {
      if (second.kind == Kind::Zero)
        return first;
      return isInfinite(first.kind) && isNumber(op.getOperand(1)) ? first
                                                                  : Fact();
    }
    if (isa<arith::DivFOp>(op)) {
      bool vanishes = (first.kind == Kind::Zero && isNumber(op.getOperand(1)) &&
                       second.kind != Kind::Zero) ||
                      (isInfinite(second.kind) && isNumber(op.getOperand(0)));
      return vanishes ? Fact{Kind::Zero} : Fact();
    }
    return {};
  }

  /// Whether a tile is a splat of a finite number.
  static bool isNumber(Value tile) {
    FloatAttr number = splatNumberOf(tile);
    return number && number.getValue().isFinite();
  }

  /// A product: zero times anything finite, or infinity times a number.
  Fact multiply(Value lhs, Value rhs) const {
    for (auto [one, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      Kind kind = of(one).kind;
      if (kind == Kind::Zero && !isInfinite(of(other).kind))
        return {kind};
      if (!isInfinite(kind))
        continue;
      if (std::optional<bool> isNegative = signOf(other))
        return {*isNegative ? opposite(kind) : kind};
    }
    return {};
  }

  /// The sign of a nonzero scalar, if known.
  static std::optional<bool> signOf(Value tile) {
    if (FloatAttr number = splatNumberOf(tile))
      return number.getValue().isFiniteNonZero()
                 ? std::optional(number.getValue().isNegative())
                 : std::nullopt;
    auto splat = tile.getDefiningOp<tile::SplatOp>();
    return splat && isPositiveScalar(splat.getValue()) ? std::optional(false)
                                                       : std::nullopt;
  }

  Block &body;
  DenseMap<Value, Fact> facts;
};
} // namespace

/// Whether an iteration has no effects besides its loop-carried values.
static bool onlyCarries(Block &body) {
  return !body.walk([](Operation *op) {
                return isa<tile::LoadOp, tile::GatherOp>(op) ||
                               op->hasTrait<OpTrait::IsTerminator>() ||
                               isMemoryEffectFree(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

SmallVector<IdleMask> findIdleMasks(LoopLikeOpInterface loop, Block &body) {
  using Kind = HiddenValues::Kind;
  SmallVector<IdleMask> masks;
  // The mask of a product's operand just bounds it, like its sizes.
  constexpr ptrdiff_t leastDots = 2;
  auto dots = body.getOps<tile::DotOp>();
  if (loop.getRegionIterArgs().empty() || !onlyCarries(body) ||
      std::distance(dots.begin(), dots.end()) < leastDots)
    return masks;
  for (Operation &op : body.without_terminator()) {
    IdleMask mask;
    Kind hidden = Kind::Unknown;
    if (auto select = dyn_cast<arith::SelectOp>(op);
        select && isa<RankedTensorType>(select.getCondition().getType())) {
      Mask found = maskOf(select);
      mask.condition = conditionOf(found.condition, found.keepsWhere);
      hidden = HiddenValues::kindOf(found.hidden);
    } else if (auto number = dyn_cast<arith::UIToFPOp>(op);
               number && isa<RankedTensorType>(number.getType()) &&
               getElementTypeOrSelf(number.getIn().getType()).isInteger(1)) {
      mask.condition = conditionOf(number.getIn(), /*wanted=*/true);
      hidden = Kind::Zero;
    }
    if (hidden == Kind::Unknown ||
        mask.condition.kind == PositionCondition::Kind::Unknown)
      continue;
    mask.type = cast<RankedTensorType>(op.getResult(0).getType());
    if (mask.type.getRank() == 2 &&
        HiddenValues(loop, body).carriesAll(&op, hidden))
      masks.push_back(std::move(mask));
  }
  return masks;
}

SoftmaxMask findSoftmaxMask(const OnlineSoftmax &softmax) {
  SoftmaxMask mask;
  mask.condition.kind = PositionCondition::Kind::All;
  SmallVector<Value> tiles = {softmax.scores};
  while (!tiles.empty()) {
    Value tile = tiles.pop_back_val();
    if (auto select = tile.getDefiningOp<arith::SelectOp>()) {
      Mask found = maskOf(select);
      if (!hidesScore(found.hidden, found.kept))
        continue;
      mask.condition.parts.push_back(
          conditionOf(found.condition, found.keepsWhere));
      mask.hidesByInfinity &= matchPattern(found.hidden, m_NegInfFloat());
      tiles.push_back(found.kept);
    } else if (auto sum = tile.getDefiningOp<arith::AddFOp>()) {
      tiles.append({sum.getLhs(), sum.getRhs()});
    }
  }
  return mask;
}

bool isGuardedMaximum(LoopLikeOpInterface loop, const OnlineSoftmax &softmax) {
  FloatAttr first = splatNumberOf(loop.getInits()[softmax.maximum]);
  return softmax.subtracted != softmax.newMaximum ||
         (first && first.getValue().isFinite());
}

} // namespace tilegpt::tilegpu
