// Conversion of logits from narrow types.
#include "TileGPT/Runtime/Engine/WideLogits.h"
#include "TileGPT/Runtime/FloatBits.h"

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

template <typename Narrow>
static void widen(const std::byte *from, size_t count, float *to) {
  const auto *elements = reinterpret_cast<const Narrow *>(from);
  for (size_t i = 0; i < count; ++i)
    to[i] = toFloat(elements[i]);
}

std::span<const float> WideLogits::of(ElementType type, const std::byte *logits,
                                      size_t count) {
  if (type == ElementType::F32)
    return {reinterpret_cast<const float *>(logits), count};
  if (room < count) {
    wide = std::make_unique_for_overwrite<float[]>(count);
    room = count;
  }
  if (type == ElementType::BF16)
    widen<BFloat>(logits, count, wide.get());
  else
    widen<Half>(logits, count, wide.get());
  return {wide.get(), count};
}
