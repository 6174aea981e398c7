// The floating-point formats of weights and logits as bit patterns. Every
// conversion is free of branches, so loops over it become vector code.
#ifndef TILEGPT_RUNTIME_FLOATBITS_H
#define TILEGPT_RUNTIME_FLOATBITS_H

#include <bit>
#include <cstdint>

namespace tilegpt::runtime {

/// IEEE binary16 and bfloat16, as they lie in memory.
struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};

inline float toFloat(BFloat value) {
  return std::bit_cast<float>(uint32_t(value.bits) << 16);
}

inline float toFloat(Half value) {
  // Exponent and mantissa at their places in a float, then the exponents'
  // biases are reconciled by a product, which is right for subnormals, too.
  constexpr float rebias = 0x1p112f;
  const uint32_t magnitude = uint32_t(value.bits & 0x7FFF) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * rebias;
  uint32_t bits = std::bit_cast<uint32_t>(scaled);
  // What looks like 2^16 and more was infinity or NaN.
  bits |= scaled >= 0x1p16f ? 0x7F800000u : 0u;
  return std::bit_cast<float>(bits | uint32_t(value.bits & 0x8000) << 16);
}

inline BFloat toBFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = bits + 0x7FFF + (bits >> 16 & 1);
  // Rounding could carry a NaN into infinity; truncated and made quiet it
  // stays one.
  const bool isNaN = (bits & 0x7FFFFFFF) > 0x7F800000;
  return {uint16_t((isNaN ? bits | 0x400000 : rounded) >> 16)};
}

inline Half toHalf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  // Normal: the bias changes by 112, and half an ulp less one, plus the bit
  // that decides a tie, rounds to even.
  uint32_t half =
      (magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13;
  // Subnormal, below 2^-14: next to 0.5, one ulp of a float is one of a
  // subnormal half, so the addition rounds.
  const float aligned = std::bit_cast<float>(magnitude) + 0.5f;
  half = magnitude < 0x38800000 ? std::bit_cast<uint32_t>(aligned) - 0x3F000000
                                : half;
  // From half an ulp above the largest half, 65520, it is infinity.
  half = magnitude >= 0x477FF000 ? 0x7C00 : half;
  half = magnitude > 0x7F800000 ? 0x7E00 | (magnitude >> 13 & 0x1FF) : half;
  return {uint16_t(half | (bits >> 16 & 0x8000))};
}

/// A double as a float rounded to odd: a further rounding to a narrower type
/// then gives what rounding the double once would have.
inline float toOddFloat(double value) {
  const auto nearest = float(value);
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  // Toward zero, then the last bit says whether anything was cut off. NaN
  // compares as exact.
  const bool away =
      nearest >= 0 ? double(nearest) > value : double(nearest) < value;
  const bool inexact = double(nearest) < value || double(nearest) > value;
  bits -= away ? 1 : 0;
  return std::bit_cast<float>(bits | (inexact ? 1u : 0u));
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_FLOATBITS_H
