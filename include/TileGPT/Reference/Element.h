// What one element of a tensor is while it is interpreted: a double for every
// float type, an int64_t for every integer type. Here are the rules that bring
// such a value to its type: rounding, wrapping, and the bits it has in memory.
#ifndef TILEGPT_REFERENCE_ELEMENT_H
#define TILEGPT_REFERENCE_ELEMENT_H

#include "TileGPT/Bundle/ElementType.h"
#include <cstdint>

namespace tilegpt::reference {

using bundle::ElementType;

/// A value of some element type, which determines the active member. Integers
/// are kept sign-extended from their width, `i1` as 0 or 1.
union Element {
  double f;
  int64_t i = 0;

  Element() = default;
  static Element of(double value) {
    Element element;
    element.f = value;
    return element;
  }
  static Element of(int64_t value) {
    Element element;
    element.i = value;
    return element;
  }
};

/// True for f64, f32, bf16, f16 and the two f8 types.
bool isFloat(ElementType type);

/// Bits of the value: 1 for i1, 8 for i8 and f8, and so on.
unsigned bitWidth(ElementType type);

/// Rounds to the nearest value of a float type, ties to even. Too large values
/// become infinity, or NaN for f8E4M3FN, which has no infinity.
double roundTo(double value, ElementType type);

/// Rounds to the nearest value with tf32's 10 mantissa bits, ties to even.
double roundToTF32(double value);

/// Keeps the low bits of an integer type and extends its sign; `i1` keeps 0
/// or 1.
int64_t wrapTo(int64_t value, ElementType type);

/// The value read as a signed number: an `i1` that is set is -1.
int64_t signedValue(int64_t value, ElementType type);

/// The value read as an unsigned number.
uint64_t unsignedValue(int64_t value, ElementType type);

/// The bits of a value in memory, in the low bits of the result. Floats are
/// rounded first.
uint64_t toBits(Element value, ElementType type);

/// The value that has these bits; the inverse of toBits().
Element fromBits(uint64_t bits, ElementType type);

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_ELEMENT_H
