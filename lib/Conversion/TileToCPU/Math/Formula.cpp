#include "Math/Formula.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilegpt::cpu;

static Type ofElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

Formula::Formula(OpBuilder &builder, Location loc, Type type)
    : type(type), bits(ofElement(type, builder.getI32Type())), builder(builder),
      loc(loc) {}

Value Formula::splat(TypedAttr value, Type shape) const {
  if (auto vector = dyn_cast<VectorType>(shape))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return make<arith::ConstantOp>(value);
}

Value Formula::constant(double value) const {
  return splat(builder.getFloatAttr(getElementTypeOrSelf(type), value), type);
}

Value Formula::integer(int32_t value) const {
  return splat(builder.getI32IntegerAttr(value), bits);
}

Value Formula::clamp(Value a, double low, double high) const {
  // Comparisons are in the order of x86's minps and maxps, which return their
  // second operand if either is NaN.
  const auto bound = [&](arith::CmpFPredicate predicate, double bound) {
    Value limit = constant(bound);
    a = select(compare(predicate, limit, a), limit, a);
  };
  bound(arith::CmpFPredicate::OGT, low);
  bound(arith::CmpFPredicate::OLT, high);
  return a;
}

Value Formula::polynomial(Value x, ArrayRef<double> coefficients) const {
  Value sum = constant(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = fma(sum, x, constant(coefficient));
  return sum;
}

Value Formula::isNegative(Value a) const {
  return make<arith::CmpIOp>(arith::CmpIPredicate::slt, bitsOf(a), integer(0));
}

Value Formula::inAllLanes(Value condition) const {
  if (!isa<VectorType>(type))
    return condition;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::AND,
                                     condition);
}

Formula Formula::inF64() const {
  return {builder, loc, ofElement(type, builder.getF64Type())};
}
