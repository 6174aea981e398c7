// Random weights for benchmarks: any tensor, any size, the same numbers for the
// same seed.
#ifndef TILEGPT_RUNTIME_WEIGHTS_RANDOMWEIGHTS_H
#define TILEGPT_RUNTIME_WEIGHTS_RANDOMWEIGHTS_H

#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include <memory>

namespace tilegpt::runtime {

/// GPT-2's initialization: norm vectors are one, biases are zero, every other
/// weight is normal with a standard deviation of 0.02. A tensor depends only on
/// the seed and its name, not on the order of the calls, the number of threads
/// or, except for rounding, its type.
/// A part of a tensor has the same numbers as that part of the whole.
/// \param rank     whose part of sharded weights is requested.
/// \param threads  0 means every CPU this process may run on.
/// \returns a provider that has every tensor; find() fails with Usage for a
/// type that weights cannot have, with Device if memory runs out.
std::unique_ptr<WeightProvider>
randomWeights(uint64_t seed, unsigned threads = 0, bundle::Rank rank = {});

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_RANDOMWEIGHTS_H
