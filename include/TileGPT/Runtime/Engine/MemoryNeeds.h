// The memory that an engine needs for a bundle, and the place of each state in
// the cache. The same for all devices.
#ifndef TILEGPT_RUNTIME_ENGINE_MEMORYNEEDS_H
#define TILEGPT_RUNTIME_ENGINE_MEMORYNEEDS_H

#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Runtime/Engine/Engine.h"
#include <vector>

namespace tilegpt::runtime {

/// A state of the bundle: one slice of the cache for every sequence.
struct StateSlices {
  uint32_t buffer = 0;    ///< index in the bundle
  int64_t sliceBytes = 0; ///< of one sequence
  int64_t offset = 0;     ///< bytes from the start of the cache
};

struct MemoryNeeds {
  std::vector<StateSlices> states;
  int64_t stateBytes = 0;  ///< the whole cache
  int64_t weightBytes = 0; ///< sum of all weights, without alignment
  int64_t arenaBytes = 0;  ///< largest of any plan
  int64_t logitBytes = 0;  ///< largest logits of any step
  int64_t rows = 1;        ///< largest N of any plan
  int64_t sequences = 1;   ///< largest B of any plan
  int64_t drawn = 0;       ///< largest B of any plan that samples
};

/// Data that a caller writes before a step or reads after it. The sampled
/// tokens of a step replace its ids, so that the next step can follow it.
enum class StepData { Ids, Positions, Draws, Logits };

/// \param buffer an input or output of a plan.
StepData stepDataOf(const bundle::Bundle &bundle, const bundle::Buffer &buffer);

/// Bytes of a buffer at (rows, sequences); Bundle checked that they fit.
int64_t bytesOf(const bundle::Buffer &buffer, int64_t rows, int64_t sequences);

/// The logits of a step; none if its plan gives none.
struct LogitInfo {
  bundle::ElementType type = bundle::ElementType::F32;
  int64_t count = 0;

  int64_t bytes() const { return count * byteWidth(type); }
};
LogitInfo logitsOf(const bundle::Bundle &bundle, const Step &step);

/// Rounded up to bundle::bufferAlignment.
constexpr int64_t alignedBytes(int64_t bytes) {
  constexpr int64_t alignment = int64_t(bundle::bufferAlignment);
  return (bytes + alignment - 1) / alignment * alignment;
}

/// \param sequences in the cache at once.
/// \returns Device if so large a cache cannot exist.
Result<MemoryNeeds> memoryNeeds(const bundle::Bundle &bundle,
                                int64_t sequences);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ENGINE_MEMORYNEEDS_H
