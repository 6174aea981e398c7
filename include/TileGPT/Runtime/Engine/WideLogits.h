// Logits as callers read them: f32, whatever type a plan gives them in.
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

/// Widens the logits of one step after the other.
class WideLogits {
public:
  /// \param type   such that isLogitType(type).
  /// \param logits `count` elements of that type, aligned to it.
  /// \returns them as f32, valid until the next call: of F32 those given.
  /// Allocates nothing when as many were widened before.
  std::span<const float> of(bundle::ElementType type, const std::byte *logits,
                            size_t count);

private:
  std::unique_ptr<float[]> wide;
  size_t room = 0; // elements of `wide`
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_WIDELOGITS_H
