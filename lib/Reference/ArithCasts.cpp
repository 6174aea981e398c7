// Evaluators of arith's conversions: the places where the interpreter rounds,
// wraps and extends.
#include "Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::reference {

/// A conversion of one element, given both types; nullopt if the result is
/// undefined.
using Conversion = std::optional<Element> (*)(Element value, ElementType from,
                                              ElementType to);

template <typename Op>
static void addConversion(Registry &registry, Conversion convert) {
  registry.add<Op>([convert](Op op, Frame &frame) {
    ElementType from = frame.tensor(op.getIn()).type();
    ElementType to = frame.elementType(op.getType());
    return evaluateElementwise(op, frame, [&](ArrayRef<Element> v) {
      return convert(v[0], from, to);
    });
  });
}

/// Rounds towards zero; undefined for NaN and for what does not fit.
static std::optional<Element> toInteger(double value, double least,
                                        double bound) {
  double whole = std::trunc(value);
  if (!(whole >= least && whole < bound))
    return std::nullopt;
  return whole < 0x1p63
             ? Element::of(static_cast<int64_t>(whole))
             : Element::of(static_cast<int64_t>(static_cast<uint64_t>(whole)));
}

void populateArithCastEvaluators(Registry &registry) {
  using Result = std::optional<Element>;
  addConversion<arith::ExtFOp>(
      registry,
      [](Element v, ElementType, ElementType) -> Result { return v; });
  addConversion<arith::TruncFOp>(
      registry, [](Element v, ElementType, ElementType to) -> Result {
        return Element::of(roundTo(v.f, to));
      });
  addConversion<arith::ExtSIOp>(
      registry, [](Element v, ElementType from, ElementType) -> Result {
        return Element::of(signedValue(v.i, from));
      });
  addConversion<arith::ExtUIOp>(
      registry, [](Element v, ElementType from, ElementType) -> Result {
        return Element::of(static_cast<int64_t>(unsignedValue(v.i, from)));
      });
  addConversion<arith::TruncIOp>(
      registry,
      [](Element v, ElementType, ElementType) -> Result { return v; });
  addConversion<arith::IndexCastOp>(
      registry, [](Element v, ElementType from, ElementType) -> Result {
        return Element::of(signedValue(v.i, from));
      });
  addConversion<arith::IndexCastUIOp>(
      registry, [](Element v, ElementType from, ElementType) -> Result {
        return Element::of(static_cast<int64_t>(unsignedValue(v.i, from)));
      });
  addConversion<arith::SIToFPOp>(
      registry, [](Element v, ElementType from, ElementType to) -> Result {
        return Element::of(
            roundTo(static_cast<double>(signedValue(v.i, from)), to));
      });
  addConversion<arith::UIToFPOp>(
      registry, [](Element v, ElementType from, ElementType to) -> Result {
        return Element::of(
            roundTo(static_cast<double>(unsignedValue(v.i, from)), to));
      });
  addConversion<arith::FPToSIOp>(
      registry, [](Element v, ElementType, ElementType to) -> Result {
        double bound = std::ldexp(1.0, int(bitWidth(to)) - 1);
        return toInteger(v.f, -bound, bound);
      });
  addConversion<arith::FPToUIOp>(
      registry, [](Element v, ElementType, ElementType to) -> Result {
        return toInteger(v.f, 0, std::ldexp(1.0, int(bitWidth(to))));
      });
  addConversion<arith::BitcastOp>(
      registry, [](Element v, ElementType from, ElementType to) -> Result {
        return fromBits(toBits(v, from), to);
      });
}

} // namespace tilegpt::reference
