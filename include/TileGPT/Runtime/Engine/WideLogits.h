// Converts logits to f32 for callers, whatever type a plan computes.
#ifndef TILEGPT_RUNTIME_ENGINE_WIDELOGITS_H
#define TILEGPT_RUNTIME_ENGINE_WIDELOGITS_H

#include "TileGPT/Bundle/ElementType.h"
#include <cstddef>
#include <memory>
#include <span>

namespace tilegpt::runtime {

/// The types that logits may have.
constexpr bool isLogitType(bundle::ElementType type) {
  return type == bundle::ElementType::F32 ||
         type == bundle::ElementType::BF16 || type == bundle::ElementType::F16;
}

/// Widens the logits of one step at a time.
class WideLogits {
public:
  /// \param type   such that isLogitType(type).
  /// \param logits `count` elements of that type, aligned to it.
  /// \returns them as f32, valid until the next call; F32 logits are returned
  /// as they are. Does not allocate if as many were widened before.
  std::span<const float> of(bundle::ElementType type, const std::byte *logits,
                            size_t count);

private:
  std::unique_ptr<float[]> wide;
  size_t room = 0; // elements of `wide`
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_WIDELOGITS_H
