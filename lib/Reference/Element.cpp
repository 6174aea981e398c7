// Rounding, wrapping and bit patterns of elements, by APFloat where the host
// has no such type.
#include "TileGPT/Reference/Element.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <optional>

using llvm::APFloat;

namespace tilegpt::reference {

bool isFloat(ElementType type) { return type >= ElementType::F16; }

unsigned bitWidth(ElementType type) {
  return type == ElementType::I1 ? 1 : 8 * unsigned(bundle::byteWidth(type));
}

static const llvm::fltSemantics &semantics(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  case ElementType::F64:
    return APFloat::IEEEdouble();
  case ElementType::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return APFloat::Float8E5M2();
  default:
    llvm_unreachable("not a float type");
  }
}

static double roundTo(double value, const llvm::fltSemantics &semantics) {
  bool losesInfo;
  APFloat rounded(value);
  rounded.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.convertToDouble();
}

double roundTo(double value, ElementType type) {
  if (type == ElementType::F64)
    return value;
  if (type == ElementType::F32)
    return static_cast<float>(value);
  return roundTo(value, semantics(type));
}

double roundToTF32(double value) {
  return roundTo(value, APFloat::FloatTF32());
}

int64_t wrapTo(int64_t value, ElementType type) {
  if (type == ElementType::I1)
    return value & 1;
  return llvm::SignExtend64(value, bitWidth(type));
}

int64_t signedValue(int64_t value, ElementType type) {
  return type == ElementType::I1 ? -value : value;
}

uint64_t unsignedValue(int64_t value, ElementType type) {
  return static_cast<uint64_t>(value) &
         llvm::maskTrailingOnes<uint64_t>(bitWidth(type));
}

/// The mantissa bits of a float type with more than one NaN.
static unsigned mantissaBits(ElementType type) {
  return llvm::APFloatBase::semanticsPrecision(semantics(type)) - 1;
}

static bool hasPayloads(ElementType type) {
  return type != ElementType::F8E4M3FN;
}

/// A NaN keeps its bits, signaling ones too, as the upper bits of that of f64:
/// conversions of floats would quiet it.
static uint64_t bitsOfNaN(double value, ElementType type) {
  const unsigned kept = mantissaBits(type);
  const auto bits = llvm::bit_cast<uint64_t>(value);
  uint64_t mantissa =
      (bits & llvm::maskTrailingOnes<uint64_t>(52)) >> (52 - kept);
  if (mantissa == 0)
    mantissa = uint64_t(1) << (kept - 1);
  const unsigned width = bitWidth(type);
  const uint64_t exponent = llvm::maskTrailingOnes<uint64_t>(width - 1 - kept)
                            << kept;
  return (bits >> 63) << (width - 1) | exponent | mantissa;
}

/// \returns no value unless the bits are a NaN.
static std::optional<double> nanOfBits(uint64_t bits, ElementType type) {
  const unsigned kept = mantissaBits(type), width = bitWidth(type);
  const uint64_t mantissa = bits & llvm::maskTrailingOnes<uint64_t>(kept);
  const uint64_t exponent = llvm::maskTrailingOnes<uint64_t>(width - 1 - kept)
                            << kept;
  if (mantissa == 0 || (bits & exponent) != exponent)
    return std::nullopt;
  return llvm::bit_cast<double>((bits >> (width - 1)) << 63 |
                                uint64_t(0x7ff) << 52 |
                                mantissa << (52 - kept));
}

uint64_t toBits(Element value, ElementType type) {
  if (!isFloat(type))
    return unsignedValue(value.i, type);
  if (type == ElementType::F64)
    return llvm::bit_cast<uint64_t>(value.f);
  if (std::isnan(value.f) && hasPayloads(type))
    return bitsOfNaN(value.f, type);
  if (type == ElementType::F32)
    return llvm::bit_cast<uint32_t>(static_cast<float>(value.f));
  bool losesInfo;
  APFloat rounded(value.f);
  rounded.convert(semantics(type), APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.bitcastToAPInt().getZExtValue();
}

Element fromBits(uint64_t bits, ElementType type) {
  if (!isFloat(type))
    return Element::of(wrapTo(static_cast<int64_t>(bits), type));
  if (type == ElementType::F64)
    return Element::of(llvm::bit_cast<double>(bits));
  if (hasPayloads(type))
    if (std::optional<double> nan = nanOfBits(bits, type))
      return Element::of(*nan);
  // A bf16 is the upper half of an f32.
  if (type == ElementType::BF16)
    bits <<= 16;
  if (type == ElementType::F32 || type == ElementType::BF16)
    return Element::of(static_cast<double>(
        llvm::bit_cast<float>(static_cast<uint32_t>(bits))));
  APFloat value(semantics(type), llvm::APInt(bitWidth(type), bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return Element::of(value.convertToDouble());
}

} // namespace tilegpt::reference
