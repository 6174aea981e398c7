// The element types a bundle can describe, with their sizes and names. Values
// are part of the file format: append only.
#ifndef TILEGPT_BUNDLE_ELEMENTTYPE_H
#define TILEGPT_BUNDLE_ELEMENTTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilegpt::bundle {

enum class ElementType : uint8_t {
  I1, ///< one byte, 0 or 1
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
};

inline constexpr uint8_t elementTypeCount = 11;

/// Bytes one element takes in memory: 1, 2, 4 or 8.
constexpr int64_t byteWidth(ElementType type) {
  constexpr uint8_t widths[elementTypeCount] = {1, 1, 2, 4, 8, 2,
                                                2, 4, 8, 1, 1};
  return widths[uint8_t(type)];
}

/// The name MLIR gives the type: "i32", "bf16", "f8E4M3FN".
constexpr std::string_view name(ElementType type) {
  constexpr std::string_view names[elementTypeCount] = {
      "i1",   "i8",  "i16", "i32",      "i64",   "f16",
      "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"};
  return names[uint8_t(type)];
}

/// The inverse of name(); nothing if no element type has this name.
constexpr std::optional<ElementType> parseElementType(std::string_view text) {
  for (uint8_t i = 0; i < elementTypeCount; ++i)
    if (name(ElementType(i)) == text)
      return ElementType(i);
  return std::nullopt;
}

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_ELEMENTTYPE_H
