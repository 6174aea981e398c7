// Names and sizes of the element types of files. Sizes are untrusted, so every
// product is checked for overflow.
#include "TileGPT/Runtime/Data/StoredType.h"

using namespace tilegpt::runtime;

template <typename Name>
static std::optional<StoredType> findType(std::string_view text, Name name) {
  for (uint8_t i = 0; i < storedTypeCount; ++i)
    if (!text.empty() && name(StoredType(i)) == text)
      return StoredType(i);
  return std::nullopt;
}

std::optional<StoredType>
tilegpt::runtime::parseSafetensorsType(std::string_view text) {
  return findType(text, safetensorsName);
}

std::optional<StoredType>
tilegpt::runtime::parseNpyType(std::string_view text) {
  return findType(text, npyName);
}

std::string tilegpt::runtime::formatShape(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i != 0)
      text += ",";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

std::optional<int64_t>
tilegpt::runtime::tensorBytes(StoredType type, std::span<const int64_t> shape) {
  int64_t bytes = byteWidth(type);
  bool empty = false;
  for (int64_t size : shape) {
    empty |= size == 0;
    if (size < 0 || (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)))
      return std::nullopt;
  }
  return empty ? 0 : bytes;
}
