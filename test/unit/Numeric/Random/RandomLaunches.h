// Random chains of launches of random kernels, for tests of fusion.
#ifndef TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMLAUNCHES_H
#define TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMLAUNCHES_H

#include "TileGPT/Reference/Tensor.h"
#include <string>
#include <vector>

namespace tilegpt::numeric {

/// A function `@f` with a chain of launches, their kernels, and arguments.
struct LaunchChain {
  std::string text;
  std::vector<reference::TensorRef> arguments;
};

/// Writes a chain whose kernels differ in rank, tile sizes, order of the grid,
/// element types, number of outs, masks, reductions and operands that are
/// broadcast, updated in place or read by several launches.
///
/// All values are multiples of 1/4, and few enough bits that every sum and
/// product is exact in f32. Each kernel clamps its results to values that their
/// type represents. So fused and unfused chains agree to the last bit on every
/// backend, with and without intermediate roundings.
LaunchChain randomLaunches(uint64_t seed);

} // namespace tilegpt::numeric

#endif // TILEGPT_TEST_UNIT_NUMERIC_RANDOM_RANDOMLAUNCHES_H
