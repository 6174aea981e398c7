// Floating-point arithmetic and functions. `approx` and `full` allow an error;
// ours is smaller. Functions that flush to zero treat subnormal inputs and
// results as zeros.
#include "Patterns.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Values = ArrayRef<Value>;
using Build = ImplicitLocOpBuilder;

/// The integer type of the same shape and width.
static Type integerTypeOf(Type type) {
  Type bits = IntegerType::get(
      type.getContext(), getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(bits);
  return bits;
}

/// `value`, or a zero of its sign if it is subnormal. For f32.
static Value flush(Build &b, Value value) {
  const Type type = value.getType();
  auto semantics = cast<FloatType>(getElementTypeOrSelf(type));
  Value smallest =
      constantOf(b, type,
                 FloatAttr::get(semantics, APFloat::getSmallestNormalized(
                                               semantics.getFloatSemantics())));
  Value size = math::AbsFOp::create(b, value);
  Value isSmall =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, size, smallest);
  Value bits = arith::BitcastOp::create(b, integerTypeOf(type), value);
  Value sign = arith::AndIOp::create(
      b, bits, integerOf(b, bits.getType(), APInt::getSignMask(32)));
  return arith::SelectOp::create(
      b, isSmall, arith::BitcastOp::create(b, type, sign), value);
}

/// A power that may flush its input, for which it would be 1 anyway.
template <typename Op, typename Target>
static void addFlushedPower(const TileTypes &types,
                            RewritePatternSet &patterns) {
  addValuePattern<Op>(types, patterns, [](Op op, Values in, Build &b) -> Value {
    Value power = Target::create(b, in[0]);
    return op.getFlushToZero() ? flush(b, power) : power;
  });
}

/// A function that may flush.
template <typename Op, typename Target>
static void addFlushed(const TileTypes &types, RewritePatternSet &patterns) {
  addValuePattern<Op>(types, patterns, [](Op op, Values in, Build &b) -> Value {
    if (!op.getFlushToZero())
      return Target::create(b, in[0]);
    return flush(b, Target::create(b, flush(b, in[0])));
  });
}

/// Arithmetic that rounds to nearest maps to upstream dialects; with other
/// rounding modes, or flushing, to the tile dialect. `approx` and `full` round
/// to nearest.
template <typename Op, typename Nearest>
static void addRounded(const TileTypes &types, RewritePatternSet &patterns,
                       tile::RoundedKind kind) {
  addValuePattern<Op>(
      types, patterns, [kind](Op op, Values in, Build &b) -> Value {
        auto mode = tile::RoundingMode::Even;
        switch (op.getRoundingMode()) {
        case Rounding::Zero:
          mode = tile::RoundingMode::Zero;
          break;
        case Rounding::NegativeInf:
          mode = tile::RoundingMode::Down;
          break;
        case Rounding::PositiveInf:
          mode = tile::RoundingMode::Up;
          break;
        default:
          break;
        }
        if (mode == tile::RoundingMode::Even && !op.getFlushToZero())
          return Nearest::create(b, ValueRange(in));
        return tile::RoundedOp::create(b, in, kind, mode, op.getFlushToZero());
      });
}

/// The maximum or minimum, with +0 above -0: for equal numbers the AND or OR of
/// their bits has the sign of the right zero.
template <typename Op, typename Propagating, typename Ignoring, typename Bits>
static void addChoice(const TileTypes &types, RewritePatternSet &patterns) {
  addValuePattern<Op>(types, patterns, [](Op op, Values in, Build &b) -> Value {
    Value lhs = in[0], rhs = in[1];
    if (op.getFlushToZero()) {
      lhs = flush(b, lhs);
      rhs = flush(b, rhs);
    }
    Value chosen;
    if (op.getPropagateNan())
      chosen = Propagating::create(b, lhs, rhs);
    else
      chosen = Ignoring::create(b, lhs, rhs);
    FloatAttr constant;
    DenseElementsAttr tile;
    for (Value side : {lhs, rhs}) {
      // Zeros of both signs cannot meet if one side is never zero.
      if (matchPattern(side, m_Constant(&constant)) &&
          !constant.getValue().isZero())
        return chosen;
      if (matchPattern(side, m_Constant(&tile)) && tile.isSplat() &&
          !tile.getSplatValue<APFloat>().isZero())
        return chosen;
    }
    Value same = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, lhs, rhs);
    const Type bits = integerTypeOf(lhs.getType());
    Value meet = Bits::create(b, arith::BitcastOp::create(b, bits, lhs),
                              arith::BitcastOp::create(b, bits, rhs));
    return arith::SelectOp::create(
        b, same, arith::BitcastOp::create(b, lhs.getType(), meet), chosen);
  });
}

/// The power of the magnitude, with the sign of the base if the exponent is
/// odd. Parity is taken from the integer, since converting it to a float may
/// round.
static Value integerPower(FPowIOp, Values in, Build &b) {
  const Type type = in[0].getType();
  auto like = [&](Type element) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? Type(tensor.clone(element)) : element;
  };
  Value source = in[0], exponent = in[1];
  const bool isNarrow = getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32;
  const Type wide = isNarrow ? like(b.getF32Type()) : type;
  if (isNarrow)
    source = arith::ExtFOp::create(b, wide, source);
  Value power =
      math::PowFOp::create(b, math::AbsFOp::create(b, source),
                           arith::SIToFPOp::create(b, wide, exponent));
  Value isOdd = exponent;
  if (!getElementTypeOrSelf(exponent).isInteger(1))
    isOdd = arith::TruncIOp::create(b, like(b.getI1Type()), exponent);
  Value result = arith::SelectOp::create(
      b, isOdd, math::CopySignOp::create(b, power, source), power);
  return isNarrow ? arith::TruncFOp::create(b, type, result) : result;
}

static arith::CmpFPredicate floatPredicate(CmpFOp op) {
  using To = arith::CmpFPredicate;
  const bool isOrdered =
      op.getComparisonOrdering() == ComparisonOrdering::Ordered;
  switch (op.getComparisonPredicate()) {
  case ComparisonPredicate::Equal:
    return isOrdered ? To::OEQ : To::UEQ;
  case ComparisonPredicate::NotEqual:
    return isOrdered ? To::ONE : To::UNE;
  case ComparisonPredicate::LessThan:
    return isOrdered ? To::OLT : To::ULT;
  case ComparisonPredicate::LessThanOrEqual:
    return isOrdered ? To::OLE : To::ULE;
  case ComparisonPredicate::GreaterThan:
    return isOrdered ? To::OGT : To::UGT;
  case ComparisonPredicate::GreaterThanOrEqual:
    return isOrdered ? To::OGE : To::UGE;
  }
  llvm_unreachable("all predicates are handled");
}

void populateFloatPatterns(const TileTypes &types,
                           RewritePatternSet &patterns) {
  addRounded<AddFOp, arith::AddFOp>(types, patterns, tile::RoundedKind::Add);
  addRounded<SubFOp, arith::SubFOp>(types, patterns, tile::RoundedKind::Sub);
  addRounded<MulFOp, arith::MulFOp>(types, patterns, tile::RoundedKind::Mul);
  addRounded<DivFOp, arith::DivFOp>(types, patterns, tile::RoundedKind::Div);
  addRounded<FmaOp, math::FmaOp>(types, patterns, tile::RoundedKind::Fma);
  addRounded<SqrtOp, math::SqrtOp>(types, patterns, tile::RoundedKind::Sqrt);
  addRenaming<RemFOp, arith::RemFOp>(types, patterns);
  addChoice<MaxFOp, arith::MaximumFOp, arith::MaxNumFOp, arith::AndIOp>(
      types, patterns);
  addChoice<MinFOp, arith::MinimumFOp, arith::MinNumFOp, arith::OrIOp>(
      types, patterns);
  addFlushedPower<Exp2Op, math::Exp2Op>(types, patterns);
  addFlushed<RsqrtOp, math::RsqrtOp>(types, patterns);
  addRenaming<ExpOp, math::ExpOp>(types, patterns);
  addRenaming<TanHOp, math::TanhOp>(types, patterns);
  addRenaming<AbsFOp, math::AbsFOp>(types, patterns);
  addRenaming<NegFOp, arith::NegFOp>(types, patterns);
  addRenaming<CeilOp, math::CeilOp>(types, patterns);
  addRenaming<FloorOp, math::FloorOp>(types, patterns);
  addRenaming<CosOp, math::CosOp>(types, patterns);
  addRenaming<CosHOp, math::CoshOp>(types, patterns);
  addRenaming<SinOp, math::SinOp>(types, patterns);
  addRenaming<SinHOp, math::SinhOp>(types, patterns);
  addRenaming<TanOp, math::TanOp>(types, patterns);
  addRenaming<LogOp, math::LogOp>(types, patterns);
  addRenaming<Log2Op, math::Log2Op>(types, patterns);
  addRenaming<Atan2Op, math::Atan2Op>(types, patterns);
  addRenaming<PowOp, math::PowFOp>(types, patterns);
  addValuePattern<FPowIOp>(types, patterns, integerPower);
  addValuePattern<CmpFOp>(
      types, patterns, [](CmpFOp op, Values in, Build &b) -> Value {
        return arith::CmpFOp::create(b, floatPredicate(op), in[0], in[1]);
      });
}

} // namespace tilegpt::cuda_tile
