// Greedy-by-size placement of lifetimes in an arena.
#include "TileGPT/Target/Bundle/MemoryPlan.h"
#include <algorithm>
#include <numeric>

namespace tilegpt::target {

static bool overlap(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

MemoryPlan planMemory(std::span<const Lifetime> lifetimes, uint64_t alignment) {
  auto aligned = [&](uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  std::vector<size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return lifetimes[a].bytes != lifetimes[b].bytes
               ? lifetimes[a].bytes > lifetimes[b].bytes
               : a < b;
  });

  MemoryPlan plan;
  plan.offsets.resize(lifetimes.size());
  std::vector<size_t> placed; // by offset
  for (size_t tensor : order) {
    uint64_t offset = 0;
    for (size_t other : placed) {
      if (!overlap(lifetimes[tensor], lifetimes[other]))
        continue;
      if (offset + lifetimes[tensor].bytes <= plan.offsets[other])
        break;
      offset = std::max(offset,
                        aligned(plan.offsets[other] + lifetimes[other].bytes));
    }
    plan.offsets[tensor] = offset;
    plan.bytes =
        std::max(plan.bytes, aligned(offset + lifetimes[tensor].bytes));
    auto place = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [&](uint64_t at, size_t other) { return at < plan.offsets[other]; });
    placed.insert(place, tensor);
  }
  return plan;
}

} // namespace tilegpt::target
