// The element types of files (safetensors, .npy): more than kernels support, so
// a file with integer tensors can be opened and listed.
#ifndef TILEGPT_RUNTIME_DATA_STOREDTYPE_H
#define TILEGPT_RUNTIME_DATA_STOREDTYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilegpt::runtime {

enum class StoredType : uint8_t {
  Bool, ///< one byte, 0 or 1
  U8,
  I8,
  F8E5M2,
  F8E4M3,
  U16,
  I16,
  F16,
  BF16,
  U32,
  I32,
  F32,
  U64,
  I64,
  F64,
};

inline constexpr uint8_t storedTypeCount = 15;

/// Bytes one element takes: 1, 2, 4 or 8.
constexpr int64_t byteWidth(StoredType type) {
  constexpr uint8_t widths[storedTypeCount] = {1, 1, 1, 1, 1, 2, 2, 2,
                                               2, 4, 4, 4, 8, 8, 8};
  return widths[uint8_t(type)];
}

/// The name used in messages: "bf16", "u8", "f8_e4m3".
constexpr std::string_view name(StoredType type) {
  constexpr std::string_view names[storedTypeCount] = {
      "bool", "u8",  "i8",  "f8_e5m2", "f8_e4m3", "u16", "i16", "f16",
      "bf16", "u32", "i32", "f32",     "u64",     "i64", "f64"};
  return names[uint8_t(type)];
}

/// The name safetensors headers use: "BF16", "U8", "F8_E4M3".
constexpr std::string_view safetensorsName(StoredType type) {
  constexpr std::string_view names[storedTypeCount] = {
      "BOOL", "U8",  "I8",  "F8_E5M2", "F8_E4M3", "U16", "I16", "F16",
      "BF16", "U32", "I32", "F32",     "U64",     "I64", "F64"};
  return names[uint8_t(type)];
}

/// The maximum rank of a tensor in a file.
inline constexpr size_t maxStoredRank = 8;

/// The `descr` of .npy headers on a little-endian machine: "<f4", "
/// u1"; empty for types that NumPy does not have (bf16 and the eight-bit
/// floats).
constexpr std::string_view npyName(StoredType type) {
  constexpr std::string_view names[storedTypeCount] = {
      "|b1", "|u1", "|i1", "",    "",    "<u2", "<i2", "<f2",
      "",    "<u4", "<i4", "<f4", "<u8", "<i8", "<f8"};
  return names[uint8_t(type)];
}

/// The inverse of safetensorsName(); nullopt for an unknown type.
std::optional<StoredType> parseSafetensorsType(std::string_view text);

/// The inverse of npyName(); nullopt for an unknown type.
std::optional<StoredType> parseNpyType(std::string_view text);

/// Sizes as messages show them: "[768,2304]", "[]" for a scalar.
std::string formatShape(std::span<const int64_t> shape);

/// The size in bytes of a tensor; nullopt if a dimension is negative or the
/// product of the others exceeds 63 bits, even if one is zero: 2^40 x 2^40 x 0
/// is nullopt too.
std::optional<int64_t> tensorBytes(StoredType type,
                                   std::span<const int64_t> shape);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_STOREDTYPE_H
