#include "Vector/RowExtreme.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt::cpu;

bool RowExtreme::handles(const Combiner &combiner) {
  Type type = combiner.neutral.getType();
  return isa<arith::MaximumFOp, arith::MinimumFOp>(combiner.op) &&
         (type.isF32() || type.isF64());
}

RowExtreme::RowExtreme(OpBuilder &builder, Location loc,
                       const Combiner &combiner, int64_t lanes)
    : builder(builder), loc(loc), combiner(combiner),
      isMaximum(isa<arith::MaximumFOp>(combiner.op)),
      element(cast<FloatType>(combiner.neutral.getType())),
      type(VectorType::get(lanes, element)),
      bits(VectorType::get(lanes, builder.getIntegerType(element.getWidth()))) {
}

Value RowExtreme::splat(TypedAttr value) const {
  auto shape = isa<FloatType>(value.getType()) ? type : bits;
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(shape, Attribute(value)));
}

Value RowExtreme::neutral() const { return splat(combiner.neutral); }

SmallVector<Value> RowExtreme::begin(int64_t chains) const {
  SmallVector<Value> state(chains, neutral());
  const auto integer = [&](int64_t value) {
    return splat(builder.getIntegerAttr(bits.getElementType(), value));
  };
  state.push_back(integer(0));
  state.push_back(integer(isMaximum ? -1 : 0));
  return state;
}

Value RowExtreme::better(Value value, Value best) const {
  // In the order of x86's minps and maxps.
  Value wins = arith::CmpFOp::create(builder, loc,
                                     isMaximum ? arith::CmpFPredicate::OGT
                                               : arith::CmpFPredicate::OLT,
                                     value, best);
  return arith::SelectOp::create(builder, loc, wins, value, best);
}

Value RowExtreme::combineSigns(Value lhs, Value rhs) const {
  if (isMaximum)
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}

SmallVector<Value> RowExtreme::add(ValueRange state,
                                   ArrayRef<Value> elements) const {
  SmallVector<Value> next(state);
  Value &nans = next[next.size() - 2], &signs = next.back(), anyNaN;
  for (auto [chain, value] : llvm::enumerate(elements)) {
    next[chain] = better(value, next[chain]);
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        value, value);
    anyNaN = anyNaN ? arith::OrIOp::create(builder, loc, anyNaN, isNaN) : isNaN;
    signs = combineSigns(signs,
                         arith::BitcastOp::create(builder, loc, bits, value));
  }
  // As wide as elements: hosts without mask registers carry these best.
  nans = arith::OrIOp::create(
      builder, loc, nans, arith::ExtSIOp::create(builder, loc, bits, anyNaN));
  return next;
}

Value RowExtreme::finish(ValueRange state) const {
  Value best = state.front();
  for (Value chain : state.drop_back(2).drop_front())
    best = better(chain, best);
  for (int64_t width = type.getDimSize(0) / 2; width > 0; width /= 2) {
    const auto half = [&](int64_t first) -> Value {
      auto lanes = llvm::to_vector(llvm::seq(first, first + width));
      return vector::ShuffleOp::create(builder, loc, best, best, lanes);
    };
    Value low = half(0), high = half(width);
    best = better(high, low);
  }
  best = vector::ExtractOp::create(builder, loc, best, 0);

  const auto reduce = [&](vector::CombiningKind kind, Value lanes) -> Value {
    return vector::ReductionOp::create(builder, loc, kind, lanes);
  };
  Type integer = bits.getElementType();
  const auto constant = [&](TypedAttr value) -> Value {
    return arith::ConstantOp::create(builder, loc, value);
  };
  Value zero = constant(builder.getFloatAttr(element, 0)),
        none = constant(builder.getIntegerAttr(integer, 0));
  Value signs =
      reduce(isMaximum ? vector::CombiningKind::AND : vector::CombiningKind::OR,
             state.back());
  const APInt sign = APInt::getSignMask(integer.getIntOrFloatBitWidth());
  signs = arith::AndIOp::create(
      builder, loc, signs, constant(builder.getIntegerAttr(integer, sign)));
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       best, zero);
  best = arith::SelectOp::create(
      builder, loc, isZero,
      arith::BitcastOp::create(builder, loc, element, signs), best);
  Value nans = reduce(vector::CombiningKind::OR, *std::prev(state.end(), 2));
  Value hasNaN =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, nans, none);
  Value nan = constant(builder.getFloatAttr(
      element, APFloat::getQNaN(element.getFloatSemantics())));
  return arith::SelectOp::create(builder, loc, hasNaN, nan, best);
}
