// The algebra of divisors and ranges.
#include "TileGPT/Dialect/Tile/Analysis/IntegerFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using tilegpt::tile::Interval;

namespace tilegpt::tilegpu {

IntegerFacts IntegerFacts::constant(int64_t value) {
  // The magnitude of the smallest integer overflows; its divisors do not.
  int64_t divisor = value == minusInfinity ? int64_t(1) << 62 : std::abs(value);
  return {divisor, {value, value}};
}

IntegerFacts IntegerFacts::size() { return {1, {0, plusInfinity}}; }

Interval intersect(Interval lhs, Interval rhs) {
  return {std::max(lhs.lo, rhs.lo), std::min(lhs.hi, rhs.hi)};
}

IntegerFacts unite(IntegerFacts lhs, IntegerFacts rhs) {
  return {std::gcd(lhs.divisor, rhs.divisor),
          {std::min(lhs.range.lo, rhs.range.lo),
           std::max(lhs.range.hi, rhs.range.hi)}};
}

IntegerFacts meet(IntegerFacts lhs, IntegerFacts rhs) {
  bool isZero = lhs.divisor == 0 || rhs.divisor == 0;
  int64_t common = isZero ? 1 : std::gcd(lhs.divisor, rhs.divisor), multiple;
  int64_t divisor = isZero ? 0 : lhs.divisor;
  if (!isZero &&
      !llvm::MulOverflow(lhs.divisor / common, rhs.divisor, multiple))
    divisor = multiple;
  return {divisor, intersect(lhs.range, rhs.range)};
}

int64_t multiplyDivisors(int64_t lhs, int64_t rhs) {
  int64_t product;
  return llvm::MulOverflow(lhs, rhs, product) ? lhs : product;
}

/// The range of a signless integer, read as signed. Indices are unbounded:
/// kernels whose indices wrap are undefined.
static Interval rangeOfType(Type type) {
  if (type.isIndex() || type.getIntOrFloatBitWidth() >= 64)
    return {};
  return {llvm::minIntN(type.getIntOrFloatBitWidth()),
          llvm::maxIntN(type.getIntOrFloatBitWidth())};
}

IntegerFacts wrapTo(IntegerFacts facts, Type type) {
  Interval range = rangeOfType(type);
  if (facts.range.lo >= range.lo && facts.range.hi <= range.hi)
    return facts;
  return {facts.divisor & -facts.divisor, range};
}

/// For an integer read as unsigned.
static Interval rangeOfUnsigned(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return {};
  return {0, int64_t((uint64_t(1) << integer.getWidth()) - 1)};
}

IntegerFacts factsOfArithmetic(Operation *op, ArrayRef<IntegerFacts> operands) {
  SmallVector<Interval> ranges;
  for (const IntegerFacts &operand : operands)
    ranges.push_back(operand.range);
  AffineExpr left = getAffineSymbolExpr(0, op->getContext()),
             right = getAffineSymbolExpr(1, op->getContext());
  auto rangeOf = [&](AffineExpr expr) { return tile::rangeOf(expr, ranges); };
  auto areNotNegative = [&] {
    return llvm::all_of(ranges, [](Interval range) { return range.lo >= 0; });
  };
  /// For a division; for non-negative numbers all roundings but ceil agree, in
  /// both signednesses. A divisor is not 0.
  auto divide = [&](bool upward) -> IntegerFacts {
    if (!areNotNegative())
      return {};
    ranges[1].lo = std::max<int64_t>(ranges[1].lo, 1);
    int64_t by = operands[1].range.lo;
    bool isExact =
        by == operands[1].range.hi && by > 0 && operands[0].isMultipleOf(by);
    return {isExact ? operands[0].divisor / by : 1,
            rangeOf(upward ? left.ceilDiv(right) : left.floorDiv(right))};
  };
  auto both = [&](int64_t lo, int64_t hi) -> IntegerFacts {
    return {std::gcd(operands[0].divisor, operands[1].divisor), {lo, hi}};
  };
  auto minimum = [&] {
    return both(std::min(ranges[0].lo, ranges[1].lo),
                std::min(ranges[0].hi, ranges[1].hi));
  };
  auto maximum = [&] {
    return both(std::max(ranges[0].lo, ranges[1].lo),
                std::max(ranges[0].hi, ranges[1].hi));
  };

  return llvm::TypeSwitch<Operation *, IntegerFacts>(op)
      .Case<arith::AddIOp>([&](auto) {
        Interval sum = rangeOf(left + right);
        return both(sum.lo, sum.hi);
      })
      .Case<arith::SubIOp>([&](auto) {
        Interval difference = rangeOf(left - right);
        return both(difference.lo, difference.hi);
      })
      .Case<arith::MulIOp>([&](auto) -> IntegerFacts {
        return {multiplyDivisors(operands[0].divisor, operands[1].divisor),
                rangeOf(left * right)};
      })
      .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
          [&](auto) { return divide(/*upward=*/false); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [&](auto) { return divide(/*upward=*/true); })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) -> IntegerFacts {
        if (!areNotNegative())
          return {};
        ranges[1].lo = std::max<int64_t>(ranges[1].lo, 1);
        Interval rest = rangeOf(left % right);
        return both(rest.lo, rest.hi);
      })
      .Case<arith::MinSIOp>([&](auto) { return minimum(); })
      .Case<arith::MaxSIOp>([&](auto) { return maximum(); })
      .Case<arith::MinUIOp, arith::MaxUIOp>([&](auto) -> IntegerFacts {
        if (!areNotNegative()) {
          // A minimum is at most what is not negative; a negative integer is a
          // large one.
          Interval range;
          for (Interval each : ranges)
            if (isa<arith::MinUIOp>(op) && each.lo >= 0)
              range = {0, each.hi};
          return {std::gcd(operands[0].divisor, operands[1].divisor), range};
        }
        return isa<arith::MinUIOp>(op) ? minimum() : maximum();
      })
      .Case<arith::SelectOp>(
          [&](auto) { return unite(operands[1], operands[2]); })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto) { return operands[0]; })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](auto) -> IntegerFacts {
        if (areNotNegative())
          return operands[0];
        return {operands[0].divisor & -operands[0].divisor,
                rangeOfUnsigned(op->getOperand(0).getType())};
      })
      .Default([](Operation *) { return IntegerFacts(); });
}

} // namespace tilegpt::tilegpu
