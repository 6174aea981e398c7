// Allocates the intermediate tensors of a plan in one arena: tensors with
// disjoint lifetimes may share memory.
#ifndef TILEGPT_TARGET_BUNDLE_MEMORYPLAN_H
#define TILEGPT_TARGET_BUNDLE_MEMORYPLAN_H

#include <cstdint>
#include <span>
#include <vector>

namespace tilegpt::target {

/// A tensor written by launch `first` and last read by launch `last`, both
/// inclusive.
struct Lifetime {
  unsigned first = 0;
  unsigned last = 0;
  uint64_t bytes = 0;
};

struct MemoryPlan {
  std::vector<uint64_t> offsets; ///< bytes, one for each lifetime
  uint64_t bytes = 0;            ///< size of the arena
};

/// Assigns every tensor an offset that is a multiple of `alignment`, such that
/// live tensors do not overlap. Largest first, each at the lowest free offset:
/// within a few percent of the lower bound for the graphs of models.
MemoryPlan planMemory(std::span<const Lifetime> lifetimes, uint64_t alignment);

} // namespace tilegpt::target

#endif
