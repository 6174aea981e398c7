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
  Value above = make<arith::MaxNumFOp>(a, constant(low));
  return make<arith::MinNumFOp>(above, constant(high));
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

Value Formula::powerOfTwo(Value n) const {
  if (n.getType() == type)
    n = make<arith::FPToSIOp>(bits, n);
  Value biased = make<arith::AddIOp>(n, integer(127));
  return ofBits(make<arith::ShLIOp>(biased, integer(23)));
}

Value Formula::scale(Value a, Value n) const {
  Value exponent = make<arith::FPToSIOp>(bits, n);
  Value half = make<arith::ShRSIOp>(exponent, integer(1));
  Value rest = make<arith::SubIOp>(exponent, half);
  return mul(mul(a, powerOfTwo(half)), powerOfTwo(rest));
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
