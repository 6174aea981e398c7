// The floating-point formats of weights and logits as bit patterns. All
// conversions are branch-free, so that loops over them are vectorized.
#ifndef TILEGPT_RUNTIME_FLOATBITS_H
#define TILEGPT_RUNTIME_FLOATBITS_H

#include <bit>
#include <cstdint>

namespace tilegpt::runtime {

/// IEEE binary16 and bfloat16 as stored in memory.
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
  // Moves exponent and mantissa to their positions in a float, then rescales by
  // the difference of the exponent biases, which is also correct for
  // subnormals.
  constexpr float rebias = 0x1p112f;
  const uint32_t magnitude = uint32_t(value.bits & 0x7FFF) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * rebias;
  uint32_t bits = std::bit_cast<uint32_t>(scaled);
  // Values from 2^16 on were infinity or NaN.
  bits |= scaled >= 0x1p16f ? 0x7F800000u : 0u;
  return std::bit_cast<float>(bits | uint32_t(value.bits & 0x8000) << 16);
}

inline BFloat toBFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = bits + 0x7FFF + (bits >> 16 & 1);
  // Rounding could turn a NaN into infinity; truncating it and setting the
  // quiet bit does not.
  const bool isNaN = (bits & 0x7FFFFFFF) > 0x7F800000;
  return {uint16_t((isNaN ? bits | 0x400000 : rounded) >> 16)};
}

inline Half toHalf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  // Normal: changes the bias by 112 and adds half an ulp minus one, plus the
  // lowest kept bit, which rounds ties to even.
  uint32_t half =
      (magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13;
  // Subnormal, below 2^-14: near 0.5 the ulp of a float equals that of a
  // subnormal half, so the addition rounds.
  const float aligned = std::bit_cast<float>(magnitude) + 0.5f;
  half = magnitude < 0x38800000 ? std::bit_cast<uint32_t>(aligned) - 0x3F000000
                                : half;
  // From 65520, half an ulp above the largest half, the result is infinity.
  half = magnitude >= 0x477FF000 ? 0x7C00 : half;
  half = magnitude > 0x7F800000 ? 0x7E00 | (magnitude >> 13 & 0x1FF) : half;
  return {uint16_t(half | (bits >> 16 & 0x8000))};
}

/// A double as a float, rounded to odd: rounding it further to a narrower type
/// gives the same result as rounding the double once.
inline float toOddFloat(double value) {
  const auto nearest = float(value);
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  // Rounds toward zero, then sets the last bit if anything was cut off. NaN
  // compares as exact.
  const bool away =
      nearest >= 0 ? double(nearest) > value : double(nearest) < value;
  const bool inexact = double(nearest) < value || double(nearest) > value;
  bits -= away ? 1 : 0;
  return std::bit_cast<float>(bits | (inexact ? 1u : 0u));
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_FLOATBITS_H
