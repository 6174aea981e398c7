// Evaluators of elementwise ops from a function on elements: one line per op in
// the tables that use them. They work on scalars and on tensors alike, because
// a scalar is a tensor of rank 0.
#ifndef TILEGPT_LIB_REFERENCE_ELEMENTWISE_H
#define TILEGPT_LIB_REFERENCE_ELEMENTWISE_H

#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilegpt::reference {

/// A function on the operands' elements; nothing where the result is undefined.
using ElementFn = llvm::function_ref<std::optional<Element>(
    llvm::ArrayRef<Element> operands)>;

/// Applies `fn` to every element of the op's operands, which have one shape,
/// and defines its result. Integer results are wrapped to their type.
llvm::Error evaluateElementwise(mlir::Operation *op, Frame &frame,
                                ElementFn fn);

/// `double fn(double)`, `(double, double)` or `(double, double, double)`.
template <typename Op>
void addFloat(Registry &registry, double (*fn)(double)) {
  registry.add<Op>([fn](Op op, Frame &frame) {
    return evaluateElementwise(op, frame, [&](llvm::ArrayRef<Element> v) {
      return Element::of(fn(v[0].f));
    });
  });
}
template <typename Op>
void addFloat(Registry &registry, double (*fn)(double, double)) {
  registry.add<Op>([fn](Op op, Frame &frame) {
    return evaluateElementwise(op, frame, [&](llvm::ArrayRef<Element> v) {
      return Element::of(fn(v[0].f, v[1].f));
    });
  });
}
template <typename Op>
void addFloat(Registry &registry, double (*fn)(double, double, double)) {
  registry.add<Op>([fn](Op op, Frame &frame) {
    return evaluateElementwise(op, frame, [&](llvm::ArrayRef<Element> v) {
      return Element::of(fn(v[0].f, v[1].f, v[2].f));
    });
  });
}

/// Two integers of one type, as signed and as unsigned.
struct IntPair {
  ElementType type;
  int64_t lhs, rhs;        ///< signed
  uint64_t unsLhs, unsRhs; ///< unsigned
  unsigned width() const { return bitWidth(type); }
};

/// `std::optional<int64_t> fn(const IntPair &)`; nothing where undefined.
template <typename Op>
void addInt(Registry &registry, std::optional<int64_t> (*fn)(const IntPair &)) {
  registry.add<Op>([fn](Op op, Frame &frame) {
    ElementType type = frame.tensor(op.getLhs()).type();
    return evaluateElementwise(
        op, frame, [&](llvm::ArrayRef<Element> v) -> std::optional<Element> {
          IntPair pair{type, signedValue(v[0].i, type),
                       signedValue(v[1].i, type), unsignedValue(v[0].i, type),
                       unsignedValue(v[1].i, type)};
          if (std::optional<int64_t> result = fn(pair))
            return Element::of(*result);
          return std::nullopt;
        });
  });
}

} // namespace tilegpt::reference

#endif // TILEGPT_LIB_REFERENCE_ELEMENTWISE_H
