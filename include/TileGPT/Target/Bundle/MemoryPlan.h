// Places the intermediate tensors of a plan in one arena: tensors that are
// never alive together may share bytes.
#ifndef TILEGPT_TARGET_BUNDLE_MEMORYPLAN_H
#define TILEGPT_TARGET_BUNDLE_MEMORYPLAN_H

#include <cstdint>
#include <span>
#include <vector>

namespace tilegpt::target {

/// A tensor that is written by launch `first` and read last by launch `last`,
/// both included.
struct Lifetime {
  unsigned first = 0;
  unsigned last = 0;
  uint64_t bytes = 0;
};

struct MemoryPlan {
  std::vector<uint64_t> offsets; ///< bytes, one for each lifetime
  uint64_t bytes = 0;            ///< size of the arena
};

/// Gives every tensor an offset that is a multiple of `alignment`, so that
/// tensors alive at the same launch do not overlap. Largest first, each at the
/// lowest offset that is free: within a few percent of the bound for the graphs
/// of models.
MemoryPlan planMemory(std::span<const Lifetime> lifetimes, uint64_t alignment);

} // namespace tilegpt::target

#endif
