// The source of a session's weights: a checkpoint on disk, random numbers for a
// benchmark, constants in a test. The bundle defines names, types and layouts
// of the tensors; a provider returns memory that it owns.
#ifndef TILEGPT_RUNTIME_MODEL_WEIGHTPROVIDER_H
#define TILEGPT_RUNTIME_MODEL_WEIGHTPROVIDER_H

#include "TileGPT/Bundle/ElementType.h"
#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <span>
#include <string_view>

namespace tilegpt::runtime {

/// A weight that a session will request; see WeightProvider::find().
struct WeightNeed {
  std::string_view name;
  bundle::ElementType type = bundle::ElementType::F32;
  std::span<const int64_t> shape;
};

class WeightProvider {
public:
  virtual ~WeightProvider() = default;

  /// Receives all weights that a session will request, before the first
  /// request, so that mismatches are found before anything is converted.
  /// \returns BadInput as find() does.
  virtual Result<void> prepare(std::span<const WeightNeed>) { return {}; }

  /// Finds one tensor, converting it if the checkpoint has another type or
  /// layout. A session calls this once for every weight buffer of its bundle,
  /// from one thread, while it is created.
  /// \param name  in the model's text, e.g. "h.3.attn.c_attn.weight"; several
  /// names with '+' in between are one tensor, concatenated along its rows.
  /// \param type  element type of the memory returned.
  /// \param shape sizes of the tensor as the kernels see it; linear weights are
  /// [out, in].
  /// \returns row-major elements of exactly this type and shape, aligned to 64
  /// bytes, constant and valid as long as the provider. BadInput if the tensor
  /// is missing or has another shape (the message names the tensor, both types
  /// and both shapes).
  virtual Result<const void *> find(std::string_view name,
                                    bundle::ElementType type,
                                    std::span<const int64_t> shape) = 0;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_MODEL_WEIGHTPROVIDER_H
