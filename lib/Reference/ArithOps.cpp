// Evaluators of arith's constants, arithmetic, comparisons and select, on
// scalars and tensors.
#include "Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using llvm::Expected;

namespace tilegpt::reference {

/// The value of an element of a constant.
static Element elementOf(const APFloat &value) {
  APFloat wide = value;
  bool losesInfo;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return Element::of(wide.convertToDouble());
}
static Element elementOf(const APInt &value, ElementType type) {
  return Element::of(wrapTo(value.getSExtValue(), type));
}

static llvm::Error evaluateConstant(arith::ConstantOp op, Frame &frame) {
  ElementType type = frame.elementType(op.getType());
  if (auto value = dyn_cast<FloatAttr>(op.getValue())) {
    frame.define(op, Tensor(type, elementOf(value.getValue())));
    return llvm::Error::success();
  }
  if (auto value = dyn_cast<IntegerAttr>(op.getValue())) {
    frame.define(op, Tensor(type, elementOf(value.getValue(), type)));
    return llvm::Error::success();
  }
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return fail(op, "expected a scalar or dense elements as value");
  Expected<Tensor> tensor = Tensor::zeros(type, dense.getType().getShape());
  if (!tensor)
    return fail(op, llvm::toString(tensor.takeError()));
  int64_t i = 0;
  if (tensor->isFloat())
    for (const APFloat &value : dense.getValues<APFloat>())
      (*tensor)[i++] = elementOf(value);
  else
    for (const APInt &value : dense.getValues<APInt>())
      (*tensor)[i++] = elementOf(value, type);
  frame.define(op, std::move(*tensor));
  return llvm::Error::success();
}

/// IEEE 754-2019 maximum: NaN if either is, and -0 < +0.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
static double minimum(double a, double b) { return -maximum(-a, -b); }

/// IEEE 754-2008 maxNum: the other operand if one is NaN.
static double maxnum(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
}
static double minnum(double a, double b) { return -maxnum(-a, -b); }

static void populateFloatArithmetic(Registry &registry) {
  addFloat<arith::AddFOp>(registry, [](double a, double b) { return a + b; });
  addFloat<arith::SubFOp>(registry, [](double a, double b) { return a - b; });
  addFloat<arith::MulFOp>(registry, [](double a, double b) { return a * b; });
  addFloat<arith::DivFOp>(registry, [](double a, double b) { return a / b; });
  addFloat<arith::RemFOp>(registry,
                          [](double a, double b) { return std::fmod(a, b); });
  addFloat<arith::NegFOp>(registry, [](double a) { return -a; });
  addFloat<arith::MaximumFOp>(registry, maximum);
  addFloat<arith::MinimumFOp>(registry, minimum);
  addFloat<arith::MaxNumFOp>(registry, maxnum);
  addFloat<arith::MinNumFOp>(registry, minnum);
}

/// Sums and products wrap; they are taken in unsigned numbers, where C++
/// defines that.
static void populateIntArithmetic(Registry &registry) {
  using Result = std::optional<int64_t>;
  addInt<arith::AddIOp>(registry, [](const IntPair &v) -> Result {
    return static_cast<int64_t>(v.unsLhs + v.unsRhs);
  });
  addInt<arith::SubIOp>(registry, [](const IntPair &v) -> Result {
    return static_cast<int64_t>(v.unsLhs - v.unsRhs);
  });
  addInt<arith::MulIOp>(registry, [](const IntPair &v) -> Result {
    return static_cast<int64_t>(v.unsLhs * v.unsRhs);
  });
  addInt<arith::AndIOp>(
      registry, [](const IntPair &v) -> Result { return v.lhs & v.rhs; });
  addInt<arith::OrIOp>(
      registry, [](const IntPair &v) -> Result { return v.lhs | v.rhs; });
  addInt<arith::XOrIOp>(
      registry, [](const IntPair &v) -> Result { return v.lhs ^ v.rhs; });
  addInt<arith::MaxSIOp>(registry, [](const IntPair &v) -> Result {
    return std::max(v.lhs, v.rhs);
  });
  addInt<arith::MinSIOp>(registry, [](const IntPair &v) -> Result {
    return std::min(v.lhs, v.rhs);
  });
  addInt<arith::MaxUIOp>(registry, [](const IntPair &v) -> Result {
    return static_cast<int64_t>(std::max(v.unsLhs, v.unsRhs));
  });
  addInt<arith::MinUIOp>(registry, [](const IntPair &v) -> Result {
    return static_cast<int64_t>(std::min(v.unsLhs, v.unsRhs));
  });
}

/// Whether a signed division has a result that fits: no division by zero, and
/// not the most negative number by -1.
static bool divides(const IntPair &v) {
  return v.rhs != 0 && !(v.rhs == -1 && v.lhs == llvm::minIntN(v.width()));
}

static void populateDivisions(Registry &registry) {
  using Result = std::optional<int64_t>;
  addInt<arith::DivSIOp>(registry, [](const IntPair &v) -> Result {
    return divides(v) ? Result(v.lhs / v.rhs) : std::nullopt;
  });
  addInt<arith::RemSIOp>(registry, [](const IntPair &v) -> Result {
    return divides(v) ? Result(v.lhs % v.rhs) : std::nullopt;
  });
  addInt<arith::FloorDivSIOp>(registry, [](const IntPair &v) -> Result {
    return divides(v) ? Result(llvm::divideFloorSigned(v.lhs, v.rhs))
                      : std::nullopt;
  });
  addInt<arith::CeilDivSIOp>(registry, [](const IntPair &v) -> Result {
    return divides(v) ? Result(llvm::divideCeilSigned(v.lhs, v.rhs))
                      : std::nullopt;
  });
  addInt<arith::DivUIOp>(registry, [](const IntPair &v) -> Result {
    return v.unsRhs ? Result(v.unsLhs / v.unsRhs) : std::nullopt;
  });
  addInt<arith::RemUIOp>(registry, [](const IntPair &v) -> Result {
    return v.unsRhs ? Result(v.unsLhs % v.unsRhs) : std::nullopt;
  });
  addInt<arith::CeilDivUIOp>(registry, [](const IntPair &v) -> Result {
    return v.unsRhs ? Result(v.unsLhs / v.unsRhs + (v.unsLhs % v.unsRhs != 0))
                    : std::nullopt;
  });
}

static void populateShifts(Registry &registry) {
  using Result = std::optional<int64_t>;
  addInt<arith::ShLIOp>(registry, [](const IntPair &v) -> Result {
    return v.unsRhs < v.width()
               ? Result(static_cast<int64_t>(v.unsLhs << v.unsRhs))
               : std::nullopt;
  });
  addInt<arith::ShRSIOp>(registry, [](const IntPair &v) -> Result {
    return v.unsRhs < v.width() ? Result(v.lhs >> v.unsRhs) : std::nullopt;
  });
  addInt<arith::ShRUIOp>(registry, [](const IntPair &v) -> Result {
    return v.unsRhs < v.width()
               ? Result(static_cast<int64_t>(v.unsLhs >> v.unsRhs))
               : std::nullopt;
  });
}

/// Both halves of the double-width product.
/// \param isSigned  whether the operands are signed.
template <typename Op>
static llvm::Error evaluateExtended(Op op, Frame &frame, bool isSigned) {
  const Tensor &lhs = frame.tensor(op.getLhs()),
               &rhs = frame.tensor(op.getRhs());
  ElementType type = lhs.type();
  if (lhs.shape() != rhs.shape())
    return fail(op, "expected operands of one shape, found " +
                        describe(type, lhs.shape()) + " and " +
                        describe(type, rhs.shape()));
  Expected<Tensor> low = Tensor::zeros(type, lhs.shape());
  if (!low)
    return fail(op, llvm::toString(low.takeError()));
  Tensor high = *low;
  for (int64_t i = 0; i < lhs.size(); ++i) {
    auto extend = [&](Element value) {
      return isSigned ? llvm::APInt(128, signedValue(value.i, type),
                                    /*isSigned=*/true)
                      : llvm::APInt(128, unsignedValue(value.i, type));
    };
    llvm::APInt product = extend(lhs[i]) * extend(rhs[i]);
    auto half = [&](unsigned from) {
      int64_t bits = product.extractBits(64, from).getSExtValue();
      return Element::of(wrapTo(bits, type));
    };
    (*low)[i] = half(0);
    high[i] = half(bitWidth(type));
  }
  frame.define(op.getLow(), std::move(*low));
  frame.define(op.getHigh(), std::move(high));
  return llvm::Error::success();
}

static void populateExtendedProducts(Registry &registry) {
  registry.add<arith::MulSIExtendedOp>(
      [](arith::MulSIExtendedOp op, Frame &frame) {
        return evaluateExtended(op, frame, /*isSigned=*/true);
      });
  registry.add<arith::MulUIExtendedOp>(
      [](arith::MulUIExtendedOp op, Frame &frame) {
        return evaluateExtended(op, frame, /*isSigned=*/false);
      });
}

static bool compare(arith::CmpIPredicate predicate, Element lhs, Element rhs,
                    ElementType type) {
  int64_t a = signedValue(lhs.i, type), b = signedValue(rhs.i, type);
  uint64_t ua = unsignedValue(lhs.i, type), ub = unsignedValue(rhs.i, type);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  llvm_unreachable("all predicates are handled");
}

/// Ordered predicates are false and unordered ones true when a side is NaN.
static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  }
  llvm_unreachable("all predicates are handled");
}

static void populateComparisons(Registry &registry) {
  registry.add<arith::CmpIOp>([](arith::CmpIOp op, Frame &frame) {
    ElementType type = frame.tensor(op.getLhs()).type();
    return evaluateElementwise(op, frame, [&](ArrayRef<Element> v) {
      return Element::of(int64_t(compare(op.getPredicate(), v[0], v[1], type)));
    });
  });
  registry.add<arith::CmpFOp>([](arith::CmpFOp op, Frame &frame) {
    return evaluateElementwise(op, frame, [&](ArrayRef<Element> v) {
      return Element::of(int64_t(compare(op.getPredicate(), v[0].f, v[1].f)));
    });
  });
}

/// The condition is one i1 for the whole result, or one an element.
static llvm::Error evaluateSelect(arith::SelectOp op, Frame &frame) {
  const Tensor &condition = frame.tensor(op.getCondition());
  if (condition.rank() == 0) {
    frame.define(op, frame.value(condition.item().i ? op.getTrueValue()
                                                    : op.getFalseValue()));
    return llvm::Error::success();
  }
  return evaluateElementwise(
      op, frame, [](ArrayRef<Element> v) { return v[0].i ? v[1] : v[2]; });
}

void populateArithEvaluators(Registry &registry) {
  registry.add<arith::ConstantOp>(evaluateConstant);
  registry.add<arith::SelectOp>(evaluateSelect);
  populateFloatArithmetic(registry);
  populateIntArithmetic(registry);
  populateDivisions(registry);
  populateShifts(registry);
  populateExtendedProducts(registry);
  populateComparisons(registry);
}

} // namespace tilegpt::reference
