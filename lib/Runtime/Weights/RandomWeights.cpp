// Random weights at memory bandwidth: a counter-based generator, four numbers
// per step, each mapped through a table of the normal distribution.
#include "TileGPT/Runtime/Weights/RandomWeights.h"
#include "Convert.h"
#include "TileGPT/Runtime/Cpu/ThreadPool.h"
#include "TileGPT/Runtime/Weights/WeightMemory.h"
#include "WeightNames.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;

namespace {

/// SplitMix64's mixing function: every input bit reaches every output bit.
uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}
constexpr uint64_t goldenGamma = 0x9E3779B97F4A7C15; // SplitMix64's step

/// The medians of 65536 equiprobable intervals of a normal distribution.
std::vector<float> normalTable(double deviation) {
  std::vector<float> table(65536);
  double x = -4.3; // a little below the first
  for (size_t i = 0; i < table.size() / 2; ++i) {
    const double p = (double(i) + 0.5) / double(table.size());
    // Newton's method from the previous value: four iterations are ample.
    for (int step = 0; step < 4; ++step) {
      const double distribution = std::erfc(-x / std::numbers::sqrt2) / 2;
      const double density =
          std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
      x -= (distribution - p) / density;
    }
    table[i] = float(deviation * x);
    table[table.size() - 1 - i] = -table[i];
  }
  return table;
}

class RandomWeights final : public WeightProvider {
public:
  RandomWeights(uint64_t seed, unsigned threads, bundle::Rank rank)
      : seed(seed), rank(rank), pool(threads) {}

  Result<const void *> find(std::string_view name, ElementType type,
                            std::span<const int64_t> shape) override {
    const auto whole = wholeOf(name, shape);
    if (!whole)
      return tl::unexpected(whole.error());
    if (whole->isBegin())
      return makeBegin(*whole, type, rank, memory);
    if (!canConvert(StoredType::F32, type))
      return makeError(ErrorCode::Usage, "weights: '", name,
                       "' is asked for in ", bundle::name(type),
                       ", but random weights come in f32, f16, bf16 or f64");
    const auto bytes = tensorBytes(StoredType::F64, shape); // the widest type's
    if (!bytes)
      return makeError(ErrorCode::Usage, "weights: '", name,
                       "' is asked for as ", formatShape(shape));
    const int64_t count = *bytes / byteWidth(StoredType::F64);
    const auto [known, isNew] = tensors.try_emplace(
        std::tuple(std::string(name), type, count), nullptr);
    // A vector that is not a bias is the scale of a norm.
    const bool isGain = shape.size() == 1;
    if (isNew && count > 0) {
      auto place = memory.allocate(size_t(count * bundle::byteWidth(type)));
      if (!place) {
        tensors.erase(known);
        return tl::unexpected(std::move(place.error()));
      }
      known->second = *place;
      fill(*whole, shape, isGain, type, *place, count);
    }
    return known->second;
  }

private:
  /// Numbers are generated in blocks that a thread converts while they are
  /// cached.
  static constexpr int64_t blockSize = 4096;

  /// Elements of a whole tensor and their destination in memory.
  struct Range {
    int64_t first, count, at;
  };

  /// The elements of the rank, in ranges within one block each.
  std::vector<Range> rangesOf(const WholeWeight &whole,
                              std::span<const int64_t> shape,
                              int64_t count) const {
    std::vector<Range> ranges;
    const auto add = [&](Range range) {
      while (range.count > 0) {
        const int64_t now =
            std::min(range.count, blockSize - range.first % blockSize);
        ranges.push_back({range.first, now, range.at});
        range = {range.first + now, range.count - now, range.at + now};
      }
    };
    using Axis = bundle::WeightShard::Axis;
    if (!whole.shard || whole.shard->axis == Axis::First) {
      if (!whole.shard || rank.number == 0)
        add({0, count, 0});
      return ranges;
    }
    const int64_t rows = shape[0], columns = count / rows;
    for (const bundle::WeightShard::Run &run : whole.shard->runsOf(rank))
      if (whole.shard->axis == Axis::Rows)
        add({run.first * columns, run.count * columns, run.at * columns});
      else
        for (int64_t row = 0; row < rows; ++row)
          add({row * whole.shape[1] + run.first, run.count,
               row * columns + run.at});
    return ranges;
  }

  void fill(const WholeWeight &whole, std::span<const int64_t> shape,
            bool isGain, ElementType type, std::byte *to, int64_t count) {
    if (whole.name.ends_with("bias"))
      return; // the memory is zero
    uint64_t key = seed;
    for (const char c : whole.name)
      key = mix(key + goldenGamma + uint8_t(c));
    const std::vector<Range> ranges = rangesOf(whole, shape, count);
    pool.run(int64_t(ranges.size()), [&](int64_t begin, int64_t end) {
      cpu::ThreadPool alone(1);
      float block[blockSize];
      std::fill_n(block, blockSize, 1.0f);
      for (int64_t i = begin; i < end; ++i) {
        const Range &range = ranges[size_t(i)];
        const int64_t number = range.first / blockSize;
        if (!isGain)
          randomBlock(key + uint64_t(number) * (blockSize / 4) * goldenGamma,
                      block);
        convert(StoredType::F32,
                reinterpret_cast<const std::byte *>(block +
                                                    range.first % blockSize),
                type, to + range.at * bundle::byteWidth(type), range.count,
                alone);
      }
    });
  }

  void randomBlock(uint64_t state, float *block) const {
    for (int64_t i = 0; i < blockSize; i += 4) {
      const uint64_t bits = mix(state += goldenGamma);
      for (int part = 0; part < 4; ++part)
        block[i + part] = table[uint16_t(bits >> 16 * part)];
    }
  }

  uint64_t seed;
  bundle::Rank rank;
  cpu::ThreadPool pool;
  std::vector<float> table = normalTable(0.02);
  std::map<std::tuple<std::string, ElementType, int64_t>, const std::byte *>
      tensors;
  WeightMemory memory;
};

} // namespace

std::unique_ptr<WeightProvider>
tilegpt::runtime::randomWeights(uint64_t seed, unsigned threads,
                                bundle::Rank rank) {
  return std::make_unique<RandomWeights>(seed, threads, rank);
}
