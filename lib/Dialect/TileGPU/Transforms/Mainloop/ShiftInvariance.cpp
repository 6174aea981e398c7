// Tracks how the values computed from an online softmax change with the
// subtracted maximum.
#include "Mainloop/ShiftInvariance.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// A constant times scalars of the function.
struct Coefficient {
  double number = 0;
  SmallVector<Value> scalars; ///< sorted

  Coefficient times(const LinearTerm &term) const {
    Coefficient product = *this;
    for (OpFoldResult factor : term.factors)
      if (auto scalar = dyn_cast<Value>(factor))
        product.scalars.push_back(scalar);
      else
        product.number *=
            cast<FloatAttr>(cast<Attribute>(factor)).getValueAsDouble();
    if (term.isNegative)
      product.number = -product.number;
    llvm::sort(product.scalars, [](Value a, Value b) {
      return a.getAsOpaquePointer() < b.getAsOpaquePointer();
    });
    return product;
  }
};

class Tracker {
public:
  Tracker(Operation *loop, const ShiftedResults &results, GoesOn goesOn)
      : loop(loop), results(results), goesOn(goesOn) {}

  Operation *run() {
    shifts[results.maximum] = {1, {}};
    degrees[results.sum] = degrees[results.weighted] = 1;
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
      if (reads(op) && !follow(op))
        return op;
    return nullptr;
  }

private:
  /// Whether an op, or one nested in it, reads a value that changes.
  bool reads(Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperands(),
                              [&](Value value) { return isTracked(value); })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
  bool isTracked(Value value) const {
    return degrees.contains(value) || shifts.contains(value);
  }

  /// Records how the result of an op changes; false if that is unknown.
  bool follow(Operation *op) {
    if (auto next = dyn_cast<LoopLikeOpInterface>(op))
      return followLoop(next);
    if (op->getNumRegions() != 0 && !isa<tile::ReduceOp>(op))
      return false;
    if (isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp>(op))
      return note(op, op->getOperand(0));
    if (auto sum = dyn_cast<tile::ReduceOp>(op))
      return sum.getKind() == tile::ReduceKind::Add &&
             op->getNumOperands() == 1 && degrees.contains(op->getOperand(0)) &&
             note(op, op->getOperand(0));
    if (isa<math::LogOp, math::Log2Op>(op))
      return followLogarithm(op, isa<math::Log2Op>(op));
    if (isa<math::ExpOp, math::Exp2Op>(op))
      return followPower(op, isa<math::Exp2Op>(op));
    if (llvm::any_of(op->getOperands(),
                     [&](Value value) { return shifts.contains(value); }))
      return followShifted(op);
    return followScaled(op);
  }

  bool note(Operation *op, Value like) {
    if (degrees.contains(like))
      degrees[op->getResult(0)] = degrees.lookup(like);
    else
      shifts[op->getResult(0)] = Coefficient(shifts.lookup(like));
    return true;
  }

  int64_t degreeOf(Value value) const { return degrees.lookup(value); }

  /// A loop that continues with m, l and o, whatever it subtracts from there
  /// on. `goesOn` vouches for its results.
  bool followLoop(LoopLikeOpInterface next) {
    std::optional<unsigned> maximum;
    SmallVector<unsigned> scaled;
    for (auto [number, init] : llvm::enumerate(next.getInits()))
      if (degreeOf(init) == 1)
        scaled.push_back(number);
      else if (isTracked(init) && !maximum && isMaximum(init))
        maximum = number;
      else if (isTracked(init))
        return false;
    size_t uses = llvm::count_if(
        next->getOperands(), [&](Value operand) { return isTracked(operand); });
    for (Region &region : next->getRegions())
      for (Operation &op : region.getOps())
        if (reads(&op))
          return false;
    return maximum && uses == scaled.size() + 1 &&
           goesOn(next, *maximum, scaled);
  }
  bool isMaximum(Value value) const {
    Coefficient shift = shifts.lookup(value);
    return shift.number == 1 && shift.scalars.empty();
  }

  /// Products and quotients of values scaled by powers of b^(-c·d), and sums of
  /// values with equal scales.
  bool followScaled(Operation *op) {
    int64_t degree;
    auto rounded = dyn_cast<tile::RoundedOp>(op);
    auto isRounded = [&](tile::RoundedKind kind) {
      return rounded && rounded.getKind() == kind;
    };
    if (isa<arith::MulFOp>(op) || isRounded(tile::RoundedKind::Mul)) {
      degree = degreeOf(op->getOperand(0)) + degreeOf(op->getOperand(1));
    } else if (isa<arith::DivFOp>(op) || isRounded(tile::RoundedKind::Div)) {
      degree = degreeOf(op->getOperand(0)) - degreeOf(op->getOperand(1));
    } else if (isa<arith::AddFOp, arith::SubFOp>(op)) {
      degree = degreeOf(op->getOperand(0));
      if (degree != degreeOf(op->getOperand(1)))
        return false;
    } else if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
      return matchPattern(compare.getRhs(), m_AnyZeroFloat()) ||
             matchPattern(compare.getLhs(), m_AnyZeroFloat());
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      // Select between a sum and a constant used if it is zero: all terms are
      // zero then.
      Value kept = degrees.contains(select.getTrueValue())
                       ? select.getTrueValue()
                       : select.getFalseValue();
      auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
      return compare && llvm::is_contained(compare->getOperands(), kept) &&
             degrees.contains(kept) && note(op, kept);
    } else {
      return false;
    }
    if (degree != 0)
      degrees[op->getResult(0)] = degree;
    return true;
  }

  /// log_B(l·b^(-c·d)) = log_B(l) - d·c·ln b / ln B.
  bool followLogarithm(Operation *op, bool isBinary) {
    if (degreeOf(op->getOperand(0)) != 1)
      return false;
    shifts[op->getResult(0)] = logarithmOfScale(isBinary);
    return true;
  }

  /// log_B(b^(-c·d)) / d, where B is 2 or e.
  Coefficient logarithmOfScale(bool isBinary) const {
    const double ln2 = std::log(2.0);
    Coefficient one{results.isBinary ? -ln2 : -1.0, {}};
    Coefficient change = one.times(results.scale);
    if (isBinary)
      change.number /= ln2;
    return change;
  }

  /// B^x, where x falls by as much as the logarithm of l.
  bool followPower(Operation *op, bool isBinary) {
    Coefficient shift = shifts.lookup(op->getOperand(0)),
                unit = logarithmOfScale(isBinary);
    if (shift.scalars != unit.scalars ||
        std::abs(shift.number - unit.number) > rounding * std::abs(unit.number))
      return false;
    degrees[op->getResult(0)] = 1;
    return true;
  }

  /// Sums and multiples of shifted values.
  bool followShifted(Operation *op) {
    Value result = op->getResult(0);
    if (isa<arith::AddFOp>(op))
      return add(result, op->getOperand(0), op->getOperand(1), 1);
    if (isa<arith::SubFOp>(op))
      return add(result, op->getOperand(0), op->getOperand(1), -1);
    if (auto fma = dyn_cast<math::FmaOp>(op)) {
      for (Value factor : {fma.getA(), fma.getB()})
        if (shifts.contains(factor)) {
          Value atoms[] = {factor, fma.getC()};
          SmallVector<LinearTerm> terms = linearForm(result, atoms);
          return terms.size() == 2 && terms[0].tile == factor &&
                 add(result, shifts.lookup(factor).times(terms[0]),
                     shifts.lookup(fma.getC()));
        }
      return note(op, fma.getC());
    }
    for (Value operand : op->getOperands()) {
      if (!shifts.contains(operand))
        continue;
      SmallVector<LinearTerm> terms = linearForm(result, operand);
      if (terms.size() != 1 || terms[0].tile != operand)
        return false;
      shifts[result] = shifts.lookup(operand).times(terms[0]);
      return true;
    }
    return false;
  }

  bool add(Value result, Value lhs, Value rhs, double sign) {
    if (degrees.contains(lhs) || degrees.contains(rhs))
      return false;
    Coefficient right = shifts.lookup(rhs);
    right.number *= sign;
    return add(result, shifts.lookup(lhs), right);
  }
  bool add(Value result, Coefficient a, Coefficient b) {
    if (a.number != 0 && b.number != 0 && a.scalars != b.scalars)
      return false;
    double sum = a.number + b.number,
           most = std::max(std::abs(a.number), std::abs(b.number));
    if (std::abs(sum) > rounding * most)
      shifts[result] = {sum, a.number != 0 ? a.scalars : b.scalars};
    return true;
  }

  /// Relative tolerance for products of f32 constants.
  static constexpr double rounding = 1e-6;

  Operation *loop;
  const ShiftedResults &results;
  GoesOn goesOn;
  /// Values scaled by powers of b^(-c·d).
  DenseMap<Value, int64_t> degrees;
  /// Values shifted by a multiple of d.
  DenseMap<Value, Coefficient> shifts;
};
} // namespace

Operation *findShiftedUse(Operation *loop, const ShiftedResults &results,
                          GoesOn goesOn) {
  return Tracker(loop, results, goesOn).run();
}

} // namespace tilegpt::tilegpu
