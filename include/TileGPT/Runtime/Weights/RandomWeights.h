// Random weights for benchmarks: any tensor, any size, the same numbers for the
// same seed.
#ifndef TILEGPT_RUNTIME_WEIGHTS_RANDOMWEIGHTS_H
#define TILEGPT_RUNTIME_WEIGHTS_RANDOMWEIGHTS_H

#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include <memory>

namespace tilegpt::runtime {

/// GPT-2's initialisation: vectors scale norms by one, biases are zero, every
/// other weight is normal with a standard deviation of 0.02. A tensor depends
/// on the seed and its name only, not on the order of the calls, the number of
/// threads or, up to rounding, its type.
/// A part of a tensor has the numbers that the whole has there.
/// \param rank     whose part of sharded weights is wanted.
/// \param threads  0 means every CPU this process may run on.
/// \returns a provider that never misses a tensor; find() fails with Usage for
/// a type that is no floating-point type of weights, with Device if memory runs
/// out.
std::unique_ptr<WeightProvider>
randomWeights(uint64_t seed, unsigned threads = 0, bundle::Rank rank = {});

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_WEIGHTS_RANDOMWEIGHTS_H
