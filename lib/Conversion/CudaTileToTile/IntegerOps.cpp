// Integer arithmetic. Defines what the language leaves undefined: shifts by at
// least the width give zero or the sign.
#include "Patterns.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Values = ArrayRef<Value>;
using Build = ImplicitLocOpBuilder;

static arith::IntegerOverflowFlags flagsOf(Overflow overflow) {
  switch (overflow) {
  case Overflow::None:
    return arith::IntegerOverflowFlags::none;
  case Overflow::NoSignedWrap:
    return arith::IntegerOverflowFlags::nsw;
  case Overflow::NoUnsignedWrap:
    return arith::IntegerOverflowFlags::nuw;
  case Overflow::NoWrap:
    return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  }
  llvm_unreachable("all kinds of overflow are handled");
}

/// An op with overflow flags.
template <typename Op, typename Target>
static void addWrapping(const TileTypes &types, RewritePatternSet &patterns) {
  addValuePattern<Op>(types, patterns, [](Op op, Values in, Build &b) -> Value {
    return Target::create(b, in[0], in[1], flagsOf(op.getOverflow()));
  });
}

template <typename Op, typename Signed, typename Unsigned>
static void addBySign(const TileTypes &types, RewritePatternSet &patterns) {
  addValuePattern<Op>(types, patterns, [](Op op, Values in, Build &b) -> Value {
    if (op.getSignedness() == Signedness::Signed)
      return Signed::create(b, in[0], in[1]);
    return Unsigned::create(b, in[0], in[1]);
  });
}

static unsigned widthOf(Value value) {
  return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
}

/// Whether every element is known to be less than the width of its type.
static bool isShortShift(Value amount) {
  DenseIntElementsAttr elements;
  APInt one;
  const unsigned width = widthOf(amount);
  if (matchPattern(amount, m_ConstantInt(&one)))
    return one.ult(width);
  return matchPattern(amount, m_Constant(&elements)) &&
         llvm::all_of(elements.getValues<APInt>(),
                      [&](const APInt &value) { return value.ult(width); });
}

/// `amount < width ? value shifted : 0`.
template <typename Shift>
static Value shiftToZero(Value value, Value amount, Build &b) {
  if (isShortShift(amount))
    return Shift::create(b, value, amount);
  const Type type = value.getType();
  Value isShort =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, amount,
                            integerOf(b, type, int64_t(widthOf(value))));
  Value inRange = arith::AndIOp::create(
      b, amount, integerOf(b, type, int64_t(widthOf(value)) - 1));
  return arith::SelectOp::create(b, isShort, Shift::create(b, value, inRange),
                                 zeroOf(b, type));
}

static Value shiftRight(ShRIOp op, Values in, Build &b) {
  if (op.getSignedness() == Signedness::Unsigned)
    return shiftToZero<arith::ShRUIOp>(in[0], in[1], b);
  Value amount = in[1];
  if (!isShortShift(amount))
    amount = arith::MinUIOp::create(
        b, amount,
        integerOf(b, amount.getType(), int64_t(widthOf(amount)) - 1));
  return arith::ShRSIOp::create(b, in[0], amount);
}

static Value divide(DivIOp op, Values in, Build &b) {
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  switch (op.getRounding()) {
  case Rounding::PositiveInf:
    if (isSigned)
      return arith::CeilDivSIOp::create(b, in[0], in[1]);
    return arith::CeilDivUIOp::create(b, in[0], in[1]);
  case Rounding::NegativeInf:
    return arith::FloorDivSIOp::create(b, in[0], in[1]);
  default:
    if (isSigned)
      return arith::DivSIOp::create(b, in[0], in[1]);
    return arith::DivUIOp::create(b, in[0], in[1]);
  }
}

/// The upper half of a product of 64-bit numbers, from 32-bit halves.
static Value highOfWide(Value x, Value y, Build &b) {
  const Type type = x.getType();
  Value mask = integerOf(b, type, int64_t(0xffffffff)),
        half = integerOf(b, type, 32);
  auto low = [&](Value v) { return arith::AndIOp::create(b, v, mask); };
  auto high = [&](Value v) { return arith::ShRUIOp::create(b, v, half); };
  auto times = [&](Value v, Value w) { return arith::MulIOp::create(b, v, w); };
  auto plus = [&](Value v, Value w) { return arith::AddIOp::create(b, v, w); };
  Value xl = low(x), xh = high(x), yl = low(y), yh = high(y);
  Value cross = plus(times(xh, yl), high(times(xl, yl)));
  Value other = plus(times(xl, yh), low(cross));
  return plus(times(xh, yh), plus(high(cross), high(other)));
}

static Value highHalf(MulhiIOp, Values in, Build &b) {
  const unsigned width = widthOf(in[0]);
  if (width == 64)
    return highOfWide(in[0], in[1], b);
  Type type = in[0].getType();
  Type wide = b.getIntegerType(2 * width);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    wide = tensor.clone(wide);
  // There is no two-bit type to multiply in; the upper bit is always 0.
  if (width == 1)
    return zeroOf(b, type);
  Value product =
      arith::MulIOp::create(b, arith::ExtUIOp::create(b, wide, in[0]),
                            arith::ExtUIOp::create(b, wide, in[1]));
  Value high =
      arith::ShRUIOp::create(b, product, integerOf(b, wide, int64_t(width)));
  return arith::TruncIOp::create(b, type, high);
}

static arith::CmpIPredicate integerPredicate(CmpIOp op) {
  using To = arith::CmpIPredicate;
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  switch (op.getComparisonPredicate()) {
  case ComparisonPredicate::Equal:
    return To::eq;
  case ComparisonPredicate::NotEqual:
    return To::ne;
  case ComparisonPredicate::LessThan:
    return isSigned ? To::slt : To::ult;
  case ComparisonPredicate::LessThanOrEqual:
    return isSigned ? To::sle : To::ule;
  case ComparisonPredicate::GreaterThan:
    return isSigned ? To::sgt : To::ugt;
  case ComparisonPredicate::GreaterThanOrEqual:
    return isSigned ? To::sge : To::uge;
  }
  llvm_unreachable("all predicates are handled");
}

void populateIntegerPatterns(const TileTypes &types,
                             RewritePatternSet &patterns) {
  addWrapping<AddIOp, arith::AddIOp>(types, patterns);
  addWrapping<SubIOp, arith::SubIOp>(types, patterns);
  addWrapping<MulIOp, arith::MulIOp>(types, patterns);
  addRenaming<AndIOp, arith::AndIOp>(types, patterns);
  addRenaming<OrIOp, arith::OrIOp>(types, patterns);
  addRenaming<XOrIOp, arith::XOrIOp>(types, patterns);
  addRenaming<AbsIOp, math::AbsIOp>(types, patterns);
  addBySign<MaxIOp, arith::MaxSIOp, arith::MaxUIOp>(types, patterns);
  addBySign<MinIOp, arith::MinSIOp, arith::MinUIOp>(types, patterns);
  addBySign<RemIOp, arith::RemSIOp, arith::RemUIOp>(types, patterns);
  addValuePattern<DivIOp>(types, patterns, divide);
  addValuePattern<MulhiIOp>(types, patterns, highHalf);
  addValuePattern<ShRIOp>(types, patterns, shiftRight);
  addValuePattern<ShLIOp>(types, patterns, [](ShLIOp, Values in, Build &b) {
    return shiftToZero<arith::ShLIOp>(in[0], in[1], b);
  });
  addValuePattern<NegIOp>(
      types, patterns, [](NegIOp op, Values in, Build &b) -> Value {
        return arith::SubIOp::create(b, zeroOf(b, in[0].getType()), in[0],
                                     flagsOf(op.getOverflow()));
      });
  addValuePattern<CmpIOp>(
      types, patterns, [](CmpIOp op, Values in, Build &b) -> Value {
        return arith::CmpIOp::create(b, integerPredicate(op), in[0], in[1]);
      });
}

} // namespace tilegpt::cuda_tile
