// APFloat supports all rounding modes for sums, products and quotients; a
// square root is selected from two neighbours by their squares.
#include "TileGPT/Dialect/Tile/IR/RoundedArithmetic.h"

using llvm::APFloat;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace tilegpt::tile {

unsigned numRoundedOperands(RoundedKind kind) {
  switch (kind) {
  case RoundedKind::Sqrt:
    return 1;
  case RoundedKind::Fma:
    return 3;
  case RoundedKind::Add:
  case RoundedKind::Sub:
  case RoundedKind::Mul:
  case RoundedKind::Div:
    return 2;
  }
  llvm_unreachable("all kinds are handled");
}

static APFloat::roundingMode apMode(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Even:
    return APFloat::rmNearestTiesToEven;
  case RoundingMode::Zero:
    return APFloat::rmTowardZero;
  case RoundingMode::Down:
    return APFloat::rmTowardNegative;
  case RoundingMode::Up:
    return APFloat::rmTowardPositive;
  }
  llvm_unreachable("all modes are handled");
}

/// In a type that represents its square, and that of a neighbour, exactly.
static APFloat widen(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value;
}

static APFloat squareOf(const APFloat &value) {
  APFloat wide = widen(value);
  wide.multiply(wide, APFloat::rmNearestTiesToEven);
  return wide;
}

/// Bit by bit, the largest number whose square is not larger; then the next one
/// above if the mode requires it.
static APFloat squareRoot(const APFloat &value, RoundingMode mode) {
  const llvm::fltSemantics &type = value.getSemantics();
  if (value.isNaN() || value.isZero())
    return value;
  if (value.isNegative())
    return APFloat::getNaN(type);
  if (value.isInfinity())
    return value;
  const APFloat wide = widen(value);
  unsigned width = APFloat::getSizeInBits(type);
  llvm::APInt bits(width, 0);
  for (unsigned bit = width - 1; bit-- > 0;) {
    bits.setBit(bit);
    APFloat root(type, bits);
    if (!root.isFinite() || squareOf(root) > wide)
      bits.clearBit(bit);
  }
  APFloat low(type, bits), high = low;
  high.next(/*nextDown=*/false);
  if (squareOf(low) == wide)
    return low;
  switch (mode) {
  case RoundingMode::Zero:
  case RoundingMode::Down:
    return low;
  case RoundingMode::Up:
    return high;
  case RoundingMode::Even:
    break;
  }
  // A root is never exactly between two numbers.
  APFloat middle = widen(low);
  middle.add(widen(high), APFloat::rmNearestTiesToEven);
  middle.multiply(APFloat(APFloat::IEEEquad(), "0.5"),
                  APFloat::rmNearestTiesToEven);
  middle.multiply(middle, APFloat::rmNearestTiesToEven);
  return middle > wide ? low : high;
}

static APFloat compute(RoundedKind kind, RoundingMode mode,
                       ArrayRef<APFloat> operands) {
  APFloat result = operands[0];
  switch (kind) {
  case RoundedKind::Add:
    result.add(operands[1], apMode(mode));
    return result;
  case RoundedKind::Sub:
    result.subtract(operands[1], apMode(mode));
    return result;
  case RoundedKind::Mul:
    result.multiply(operands[1], apMode(mode));
    return result;
  case RoundedKind::Div:
    result.divide(operands[1], apMode(mode));
    return result;
  case RoundedKind::Fma:
    result.fusedMultiplyAdd(operands[1], operands[2], apMode(mode));
    return result;
  case RoundedKind::Sqrt:
    return squareRoot(operands[0], mode);
  }
  llvm_unreachable("all kinds are handled");
}

static void flush(APFloat &value) {
  if (value.isDenormal())
    value = APFloat::getZero(value.getSemantics(), value.isNegative());
}

/// True if a result is below the smallest normal magnitude before rounding to
/// the type's exponent range: recomputed scaled by 2^64, where all digits are
/// representable.
static bool isTiny(RoundedKind kind, RoundingMode mode,
                   SmallVector<APFloat> operands) {
  constexpr int lift = 64;
  if (kind == RoundedKind::Sqrt)
    return false;
  auto raise = [](APFloat &value) {
    value = scalbn(value, lift, APFloat::rmNearestTiesToEven);
  };
  raise(operands[0]);
  if (kind == RoundedKind::Add || kind == RoundedKind::Sub)
    raise(operands[1]);
  if (kind == RoundedKind::Fma)
    raise(operands[2]);
  APFloat raised = compute(kind, mode, operands);
  APFloat limit = APFloat::getSmallestNormalized(raised.getSemantics());
  raise(limit);
  return !raised.isNaN() && abs(raised) < limit;
}

APFloat evaluateRounded(RoundedKind kind, RoundingMode mode, bool ftz,
                        ArrayRef<APFloat> operands) {
  SmallVector<APFloat> values(operands);
  if (ftz)
    llvm::for_each(values, flush);
  APFloat result = compute(kind, mode, values);
  if (ftz && !result.isZero() && isTiny(kind, mode, values))
    result = APFloat::getZero(result.getSemantics(), result.isNegative());
  return result;
}

} // namespace tilegpt::tile
