// Evaluators of the math dialect, the C library's double functions, and of
// arithmetic rounded in a direction.
#include "Elementwise.h"
#include "TileGPT/Dialect/Tile/IR/RoundedArithmetic.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <cstdlib>

using namespace mlir;

namespace tilegpt::reference {

static double rsqrt(double x) { return 1 / std::sqrt(x); }

/// Rounds halves to even, independent of the rounding mode of the process.
static double roundEven(double x) {
  return std::isfinite(x) ? std::copysign(x - std::remainder(x, 1.0), x) : x;
}

static llvm::Error evaluateAbsI(math::AbsIOp op, Frame &frame) {
  ElementType type = frame.tensor(op.getOperand()).type();
  return evaluateElementwise(op, frame, [&](ArrayRef<Element> v) {
    int64_t value = signedValue(v[0].i, type);
    // The most negative number maps to itself, so negate without overflow.
    return Element::of(value < 0
                           ? static_cast<int64_t>(-static_cast<uint64_t>(value))
                           : value);
  });
}

/// An op that tests a property of a float.
template <typename Op>
static void addTest(Registry &registry, bool (*holds)(double)) {
  registry.add<Op>([holds](Op op, Frame &frame) {
    return evaluateElementwise(op, frame, [holds](ArrayRef<Element> v) {
      return Element::of(int64_t(holds(v[0].f)));
    });
  });
}

/// An op that counts bits of an integer.
template <typename Op>
static void addCount(Registry &registry, int64_t (*count)(uint64_t, unsigned)) {
  registry.add<Op>([count](Op op, Frame &frame) {
    ElementType type = frame.tensor(op.getOperand()).type();
    return evaluateElementwise(op, frame, [=](ArrayRef<Element> v) {
      return Element::of(
          wrapTo(count(unsignedValue(v[0].i, type), bitWidth(type)), type));
    });
  });
}

static llvm::Error evaluateFPowI(math::FPowIOp op, Frame &frame) {
  ElementType type = frame.tensor(op.getRhs()).type();
  return evaluateElementwise(op, frame, [&](ArrayRef<Element> v) {
    return Element::of(
        std::pow(v[0].f, static_cast<double>(signedValue(v[1].i, type))));
  });
}

/// Exact, in the type itself, whose numbers the operands are rounded to.
static llvm::Error evaluateRounded(tile::RoundedOp op, Frame &frame) {
  const llvm::fltSemantics &type =
      cast<FloatType>(getElementTypeOrSelf(op.getType())).getFloatSemantics();
  auto convert = [](APFloat value, const llvm::fltSemantics &type) {
    bool losesInfo;
    value.convert(type, APFloat::rmNearestTiesToEven, &losesInfo);
    return value;
  };
  return evaluateElementwise(op, frame, [&](ArrayRef<Element> v) {
    SmallVector<APFloat> operands;
    for (Element element : v)
      operands.push_back(convert(APFloat(element.f), type));
    APFloat result = tile::evaluateRounded(op.getKind(), op.getMode(),
                                           op.getFtz(), operands);
    return Element::of(
        convert(result, APFloat::IEEEdouble()).convertToDouble());
  });
}

void populateMathEvaluators(Registry &registry) {
  addFloat<math::AcosOp>(registry, std::acos);
  addFloat<math::AcoshOp>(registry, std::acosh);
  addFloat<math::AsinhOp>(registry, std::asinh);
  addFloat<math::AtanhOp>(registry, std::atanh);
  addFloat<math::AsinOp>(registry, std::asin);
  addFloat<math::AtanOp>(registry, std::atan);
  addFloat<math::CbrtOp>(registry, std::cbrt);
  addFloat<math::CoshOp>(registry, std::cosh);
  addFloat<math::SinhOp>(registry, std::sinh);
  addFloat<math::TanOp>(registry, std::tan);
  addTest<math::IsNaNOp>(registry, [](double x) { return std::isnan(x); });
  addTest<math::IsInfOp>(registry, [](double x) { return std::isinf(x); });
  addTest<math::IsFiniteOp>(registry,
                            [](double x) { return std::isfinite(x); });
  addCount<math::CtPopOp>(registry, [](uint64_t value, unsigned) -> int64_t {
    return llvm::popcount(value);
  });
  addCount<math::CountLeadingZerosOp>(
      registry, [](uint64_t value, unsigned width) -> int64_t {
        return int64_t(width) - llvm::bit_width(value);
      });
  addCount<math::CountTrailingZerosOp>(
      registry, [](uint64_t value, unsigned width) -> int64_t {
        return std::min<int64_t>(width, llvm::countr_zero(value));
      });
  addFloat<math::AbsFOp>(registry, std::fabs);
  addFloat<math::CeilOp>(registry, std::ceil);
  addFloat<math::CosOp>(registry, std::cos);
  addFloat<math::ErfOp>(registry, std::erf);
  addFloat<math::ErfcOp>(registry, std::erfc);
  addFloat<math::ExpOp>(registry, std::exp);
  addFloat<math::Exp2Op>(registry, std::exp2);
  addFloat<math::ExpM1Op>(registry, std::expm1);
  addFloat<math::FloorOp>(registry, std::floor);
  addFloat<math::LogOp>(registry, std::log);
  addFloat<math::Log1pOp>(registry, std::log1p);
  addFloat<math::Log2Op>(registry, std::log2);
  addFloat<math::Log10Op>(registry, std::log10);
  addFloat<math::RoundOp>(registry, std::round);
  addFloat<math::RoundEvenOp>(registry, roundEven);
  addFloat<math::RsqrtOp>(registry, rsqrt);
  addFloat<math::SinOp>(registry, std::sin);
  addFloat<math::SqrtOp>(registry, std::sqrt);
  addFloat<math::TanhOp>(registry, std::tanh);
  addFloat<math::TruncOp>(registry, std::trunc);
  addFloat<math::Atan2Op>(registry, std::atan2);
  addFloat<math::CopySignOp>(registry, std::copysign);
  addFloat<math::PowFOp>(registry, std::pow);
  addFloat<math::FmaOp>(registry, std::fma);
  registry.add<math::AbsIOp>(evaluateAbsI);
  registry.add<math::FPowIOp>(evaluateFPowI);
  registry.add<tile::RoundedOp>(evaluateRounded);
}

} // namespace tilegpt::reference
