// A model of random numbers: as slow as a trained one.
#ifndef TILEGPT_BENCHMARKS_CPU_RANDOMWEIGHTS_H
#define TILEGPT_BENCHMARKS_CPU_RANDOMWEIGHTS_H

#include "TileGPT/Runtime/Cpu/Memory.h"
#include "TileGPT/Runtime/Model/WeightProvider.h"
#include <map>
#include <string>

namespace tilegpt::bench {

/// Every tensor asked for exists and holds numbers between -0.04 and 0.04; f32,
/// bf16 and f16 only. A name stands for the same memory every time.
class RandomWeights : public runtime::WeightProvider {
public:
  runtime::Result<const void *> find(std::string_view name,
                                     bundle::ElementType type,
                                     std::span<const int64_t> shape) override;

private:
  std::map<std::string, cpu::Memory, std::less<>> tensors;
  uint64_t state = 1;
};

} // namespace tilegpt::bench

#endif // TILEGPT_BENCHMARKS_CPU_RANDOMWEIGHTS_H
