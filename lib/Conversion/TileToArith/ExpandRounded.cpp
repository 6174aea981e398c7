// f16, bf16 and f32 are computed in f64; the rounding error of f64 itself is
// found with FMA. Its sign selects the neighbour for the rounding mode.
#include "TileGPT/Conversion/TileToArith/ExpandRounded.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace tilegpt::tile {

namespace {
/// Arithmetic on scalars or vectors of one shape.
class Numbers {
public:
  Numbers(OpBuilder &builder, Location loc, Type shape)
      : builder(builder), loc(loc), shape(dyn_cast<VectorType>(shape)) {}

  Type typeOf(Type element) const {
    return shape ? Type(VectorType(shape).clone(element)) : element;
  }
  Type wideType() const { return typeOf(builder.getF64Type()); }
  Type bitsOf(Type type) const {
    return typeOf(builder.getIntegerType(
        getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
  }

  Value constant(double value) const {
    return splat(builder.getF64FloatAttr(value));
  }
  Value constantOf(Type type, double value) const {
    return splat(builder.getFloatAttr(getElementTypeOrSelf(type), value));
  }
  Value integer(Type type, int64_t value) const {
    return splat(builder.getIntegerAttr(getElementTypeOrSelf(type), value));
  }
  template <typename Op, typename... Arguments>
  Value make(Arguments... arguments) const {
    return Op::create(builder, loc, arguments...);
  }
  Value add(Value a, Value b) const { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) const { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) const { return make<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) const { return make<arith::DivFOp>(a, b); }
  Value neg(Value a) const { return make<arith::NegFOp>(a); }
  Value abs(Value a) const { return make<math::AbsFOp>(a); }
  Value sqrt(Value a) const { return make<math::SqrtOp>(a); }
  Value fma(Value a, Value b, Value c) const {
    return make<math::FmaOp>(a, b, c);
  }
  Value both(Value a, Value b) const { return make<arith::AndIOp>(a, b); }
  Value either(Value a, Value b) const { return make<arith::OrIOp>(a, b); }
  Value select(Value condition, Value a, Value b) const {
    return make<arith::SelectOp>(condition, a, b);
  }
  Value less(Value a, Value b) const {
    return make<arith::CmpFOp>(CmpFPredicate::OLT, a, b);
  }
  Value isZero(Value a) const {
    return make<arith::CmpFOp>(CmpFPredicate::OEQ, a,
                               constantOf(a.getType(), 0));
  }
  Value bits(Value a) const {
    return make<arith::BitcastOp>(bitsOf(a.getType()), a);
  }
  Value isNegative(Value bits) const {
    return make<arith::CmpIOp>(CmpIPredicate::slt, bits,
                               integer(bits.getType(), 0));
  }
  Value copySign(Value a, Value b) const {
    return make<math::CopySignOp>(a, b);
  }
  /// 1 or -1 by the sign of a number; zeros and NaN stay.
  Value sign(Value a) const {
    return select(less(constant(0), abs(a)), copySign(constant(1), a), a);
  }
  /// `value`, scaled if a condition holds.
  Value scaleIf(Value condition, Value value, double by) const {
    return select(condition, mul(value, constant(by)), value);
  }
  Value widen(Value a) const {
    Type wide = wideType();
    return a.getType() == wide ? a : make<arith::ExtFOp>(wide, a);
  }
  Value narrow(Value a, Type type) const {
    return a.getType() == type ? a : make<arith::TruncFOp>(type, a);
  }

private:
  Value splat(TypedAttr value) const {
    if (shape)
      value = DenseElementsAttr::get(VectorType(shape).clone(value.getType()),
                                     Attribute(value));
    return make<arith::ConstantOp>(value);
  }

  OpBuilder &builder;
  Location loc;
  VectorType shape;
};

/// The nearest f64, and an f64 with the sign of the exact result minus it; null
/// if it is exact.
struct Nearest {
  Value value, lost;
};

/// The ops in f64. Operands converted from narrower types have exponents far
/// from the ends of f64's range; others are scaled, so that the rounding error
/// itself is exact.
class Exact {
public:
  Exact(const Numbers &n, bool isNarrow) : n(n), isNarrow(isNarrow) {}

  Nearest sum(Value a, Value b) const {
    Value isLess = n.less(n.abs(a), n.abs(b));
    Value large = n.select(isLess, b, a), small = n.select(isLess, a, b);
    Value value = n.add(large, small);
    return {value, n.sub(small, n.sub(value, large))};
  }

  Nearest product(Value a, Value b) const {
    Value value = n.mul(a, b);
    return {value, isNarrow ? Value() : lostInProduct(a, b, value)};
  }

  Nearest quotient(Value a, Value b) const {
    Value value = n.div(a, b), dividend = a, divisor = b, times = value;
    if (!isNarrow) {
      // The smaller of divisor and quotient is scaled like the dividend.
      Value isSmall = n.less(n.abs(a), n.constant(small));
      Value isFraction = n.less(n.abs(b), n.constant(1));
      dividend = n.scaleIf(isSmall, a, lift);
      divisor = n.scaleIf(n.both(isSmall, isFraction), b, lift);
      times = n.select(isFraction, value, n.scaleIf(isSmall, value, lift));
    }
    Value rest = n.fma(n.neg(times), divisor, dividend);
    return {value, n.mul(n.sign(rest), n.copySign(n.constant(1), b))};
  }

  Nearest root(Value a) const {
    Value value = n.sqrt(a), square = a, root = value;
    if (!isNarrow) {
      Value isSmall = n.less(a, n.constant(small));
      square = n.scaleIf(isSmall, a, lift);
      root = n.scaleIf(isSmall, value, rootOfLift);
    }
    return {value, n.fma(n.neg(root), root, square)};
  }

  Nearest multiplyAdd(Value a, Value b, Value c) const {
    Value product = n.mul(a, b);
    if (isNarrow)
      return sum(product, c);
    Value value = n.fma(a, b, c);
    return {value, lostInMultiplyAdd(a, b, c, product, value)};
  }

private:
  static constexpr double small = 0x1p-900, lift = 0x1p200,
                          rootOfLift = 0x1p100;

  Value lostInProduct(Value a, Value b, Value value) const {
    Value isSmall = n.less(n.abs(value), n.constant(small));
    Value rest = n.fma(n.scaleIf(isSmall, a, lift), b,
                       n.neg(n.scaleIf(isSmall, value, lift)));
    // A product that underflowed to zero has an unknown error.
    return n.select(n.isZero(value), n.mul(n.sign(a), n.sign(b)), rest);
  }

  /// Two numbers whose sum is exactly that of `a` and `b`, the larger first
  /// (Knuth's TwoSum).
  std::pair<Value, Value> twoSum(Value a, Value b) const {
    Value high = n.add(a, b), part = n.sub(high, a);
    return {high, n.add(n.sub(a, n.sub(high, part)), n.sub(b, part))};
  }

  Value lostInMultiplyAdd(Value a, Value b, Value c, Value product,
                          Value value) const {
    // Scaled so that sums and digits stay in range.
    auto bothBelow = [&](double limit) {
      return n.both(n.less(n.abs(product), n.constant(limit)),
                    n.less(n.abs(c), n.constant(limit)));
    };
    Value isTiny = bothBelow(0x1p-700), isModerate = bothBelow(0x1p700);
    Value scale =
        n.select(isTiny, n.constant(0x1p1000),
                 n.select(isModerate, n.constant(1), n.constant(0x1p-300)));
    Value isLess = n.less(n.abs(a), n.abs(b));
    Value less = n.select(isLess, a, b), more = n.select(isLess, b, a);
    Value x = n.select(isTiny, n.mul(less, scale), less);
    Value y = n.select(isTiny, more, n.mul(more, scale));
    Value z = n.mul(c, scale), r = n.mul(value, scale);

    // The remaining terms in the order in which they cancel (Boldo and Muller's
    // ErrFmaNearest).
    Value high = n.mul(x, y), low = n.fma(x, y, n.neg(high));
    auto [inner, innerLow] = twoSum(z, low);
    auto [outer, outerLow] = twoSum(high, inner);
    Value rest = n.add(n.add(n.sub(outer, r), outerLow), innerLow);

    // Of a part far below the other only the sign matters.
    Value signOfProduct = n.mul(n.sign(a), n.sign(b));
    Value remains = n.fma(x, y, n.neg(r));
    Value withoutAddend = n.select(n.isZero(remains), n.sign(c), remains);
    constexpr double far = 0x1p-200;
    Value isAlone = n.less(n.abs(high), n.mul(n.abs(z), n.constant(far)));
    Value isAdded = n.less(n.abs(z), n.mul(n.abs(high), n.constant(far)));
    rest = n.select(isAdded, withoutAddend,
                    n.select(isAlone, signOfProduct, rest));
    rest = n.select(n.isZero(c), lostInProduct(a, b, value), rest);
    // Infinities are exact.
    Value infinity = n.constant(std::numeric_limits<double>::infinity());
    for (Value operand : {a, b, c})
      rest = n.select(n.less(n.abs(operand), infinity), rest, n.constant(0));
    return rest;
  }

  const Numbers &n;
  bool isNarrow;
};
} // namespace

/// If f64 has rounded, its neighbour with an odd last digit: rounding to odd
/// avoids double rounding.
static Value toOdd(const Numbers &n, Nearest nearest) {
  if (!nearest.lost)
    return nearest.value;
  Value bits = n.bits(nearest.value);
  Value one = n.integer(bits.getType(), 1);
  Value isTowardsZero =
      n.make<arith::CmpIOp>(CmpIPredicate::ne, n.isNegative(bits),
                            n.less(nearest.lost, n.constant(0)));
  Value below = n.make<arith::SubIOp>(bits, one);
  Value odd = n.make<arith::OrIOp>(n.select(isTowardsZero, below, bits), one);
  // Infinities are exact, although the arithmetic gives NaN.
  Value isLost = n.less(n.constant(0), n.abs(nearest.lost));
  return n.make<arith::BitcastOp>(n.wideType(), n.select(isLost, odd, bits));
}

/// The number of `type` for a rounding mode.
static Value roundTo(const Numbers &n, Type type, RoundingMode mode,
                     Nearest nearest) {
  if (mode == RoundingMode::Even)
    return n.narrow(type == n.wideType() ? nearest.value : toOdd(n, nearest),
                    type);
  Value result = n.narrow(nearest.value, type), lost = nearest.lost;
  if (type != n.wideType()) {
    Value cut = n.sub(nearest.value, n.widen(result));
    lost = lost ? n.select(n.isZero(cut), lost, cut) : cut;
  }
  Value bits = n.bits(result), zero = n.constant(0);
  Value isNegative = n.isNegative(bits);
  Value isBelow = n.less(lost, zero), isAbove = n.less(zero, lost);
  Value away = n.integer(bits.getType(), 1),
        towards = n.integer(bits.getType(), -1);
  Value moves, step;
  switch (mode) {
  case RoundingMode::Zero:
    moves = n.select(isNegative, isAbove, isBelow);
    step = towards;
    break;
  case RoundingMode::Down:
    moves = isBelow;
    step = n.select(isNegative, away, towards);
    break;
  case RoundingMode::Up:
    moves = isAbove;
    step = n.select(isNegative, towards, away);
    break;
  case RoundingMode::Even:
    llvm_unreachable("is done");
  }
  Value moved = n.make<arith::AddIOp>(bits, step);
  return n.make<arith::BitcastOp>(type, n.select(moves, moved, bits));
}

/// When rounding down, cancelling terms give -0, and so does any negative zero.
static Value signZero(const Numbers &n, Value result, Nearest nearest, Value a,
                      Value b) {
  Value isNegative = n.either(n.isNegative(n.bits(a)), n.isNegative(n.bits(b)));
  Value isExact = n.both(n.isZero(nearest.value), n.isZero(nearest.lost));
  return n.select(n.both(isExact, isNegative),
                  n.constantOf(result.getType(), -0.0), result);
}

namespace {
struct ExpandRounded : OpRewritePattern<RoundedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RoundedOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (isa<RankedTensorType>(type))
      return rewriter.notifyMatchFailure(op, "is still a tile");
    Numbers n(rewriter, op.getLoc(), type);
    SmallVector<Value> x(op.getOperands());
    if (op.getFtz())
      for (Value &value : x)
        value = flushIf(n, n.less(n.abs(value), n.constantOf(type, minNormal)),
                        value);
    llvm::transform(x, x.begin(), [&](Value value) { return n.widen(value); });
    if (op.getKind() == RoundedKind::Sub)
      x[1] = n.neg(x[1]);

    Exact exact(n, /*isNarrow=*/type != n.wideType());
    Nearest nearest = compute(exact, op.getKind(), x);
    Value result = roundTo(n, type, op.getMode(), nearest);
    if (op.getMode() == RoundingMode::Down) {
      if (op.getKind() == RoundedKind::Fma)
        result = signZero(n, result, nearest, n.mul(x[0], x[1]), x[2]);
      else if (isSum(op.getKind()))
        result = signZero(n, result, nearest, x[0], x[1]);
    }
    if (op.getFtz()) {
      // With all digits, scaled by 2^64.
      constexpr double lift = 0x1p64;
      nearest.value = n.mul(nearest.value, n.constant(lift));
      Value lifted = roundTo(n, type, op.getMode(), nearest);
      result = flushIf(
          n, n.less(n.abs(lifted), n.constantOf(type, minNormal * lift)),
          result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static constexpr double minNormal = 0x1p-126; // of f32

  static bool isSum(RoundedKind kind) {
    return kind == RoundedKind::Add || kind == RoundedKind::Sub;
  }
  static Value flushIf(const Numbers &n, Value condition, Value value) {
    Value zero = n.copySign(n.constantOf(value.getType(), 0), value);
    return n.select(condition, zero, value);
  }
  static Nearest compute(const Exact &exact, RoundedKind kind,
                         ArrayRef<Value> x) {
    switch (kind) {
    case RoundedKind::Add:
    case RoundedKind::Sub:
      return exact.sum(x[0], x[1]);
    case RoundedKind::Mul:
      return exact.product(x[0], x[1]);
    case RoundedKind::Div:
      return exact.quotient(x[0], x[1]);
    case RoundedKind::Fma:
      return exact.multiplyAdd(x[0], x[1], x[2]);
    case RoundedKind::Sqrt:
      return exact.root(x[0]);
    }
    llvm_unreachable("all kinds are handled");
  }
};
} // namespace

void populateExpandRoundedPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandRounded>(patterns.getContext());
}

} // namespace tilegpt::tile
