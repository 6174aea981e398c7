// Sequences of exchanges of random sizes and types, each checked bit by bit.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_CUDA_RANDOMEXCHANGES_H
#define TILEGPT_TEST_UNIT_RUNTIME_CUDA_RANDOMEXCHANGES_H

#include "TileGPT/Runtime/Cuda/Collectives.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include "TileGPT/Runtime/FloatBits.h"
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace tilegpt::test {

/// One rank's side of a sequence of exchanges that all ranks make.
class RandomExchanges {
public:
  static constexpr int64_t mostElements = 300000;

  /// \param meet  barrier between all ranks, needed if they share a context:
  /// creating or freeing device objects may wait for running kernels, and those
  /// for another rank's.
  RandomExchanges(
      std::shared_ptr<cuda::Device> device, cuda::Collectives &collectives,
      bundle::Rank rank, std::function<void()> meet = [] {})
      : device(device), collectives(collectives), rank(rank),
        meet(std::move(meet)), stream(cuda::Stream::create(device).value()),
        in(memory(mostElements)), out(memory(rank.count * mostElements)),
        host(pinned(mostElements)), back(pinned(rank.count * mostElements)) {}

  /// \param seed    the same on all ranks.
  /// \param rounds  number of exchanges.
  /// \param replays of the graph that captures each exchange; 0 captures none.
  void run(unsigned seed, int rounds, int replays) {
    std::mt19937 random(seed);
    constexpr int64_t sizes[] = {1,    7,     511,   512,   513,
                                 1600, 10000, 51200, 262145};
    for (int round = 0; round < rounds; ++round) {
      const auto type = types[random() % std::size(types)];
      const bool gathers = random() % 3 == 0;
      const int64_t count = random() % 2 == 0
                                ? sizes[random() % std::size(sizes)]
                                : 1 + int64_t(random() % 3000);
      exchange(type, gathers, count, random(), replays);
      if (testing::Test::HasFailure())
        return;
    }
  }

private:
  static constexpr bundle::ElementType types[] = {bundle::ElementType::F32,
                                                  bundle::ElementType::BF16,
                                                  bundle::ElementType::F16};

  cuda::DeviceMemory memory(int64_t elements) {
    return cuda::DeviceMemory::allocate(device, size_t(elements) * 4, "numbers")
        .value();
  }
  cuda::PinnedMemory pinned(int64_t elements) {
    return cuda::PinnedMemory::allocate(device, size_t(elements) * 4, "numbers")
        .value();
  }

  /// A rank's value at `i`: a multiple of 1/16, exact in every type.
  static float numberOf(int64_t ofRank, uint32_t seed, int64_t i) {
    const auto mixed = uint32_t(i * 2654435761 + ofRank * 40503) ^ seed;
    return float(int(mixed >> 7 & 127) - 64) / 16;
  }

  static void store(bundle::ElementType type, float value, std::byte *to) {
    if (type == bundle::ElementType::F32)
      std::memcpy(to, &value, sizeof(value));
    else if (type == bundle::ElementType::BF16)
      *reinterpret_cast<runtime::BFloat *>(to) = runtime::toBFloat(value);
    else
      *reinterpret_cast<runtime::Half *>(to) = runtime::toHalf(value);
  }

  static float load(bundle::ElementType type, const std::byte *from) {
    float value = 0;
    if (type == bundle::ElementType::F32)
      std::memcpy(&value, from, sizeof(value));
    else if (type == bundle::ElementType::BF16)
      value =
          runtime::toFloat(*reinterpret_cast<const runtime::BFloat *>(from));
    else
      value = runtime::toFloat(*reinterpret_cast<const runtime::Half *>(from));
    return value;
  }

  void exchange(bundle::ElementType type, bool gathers, int64_t count,
                uint32_t seed, int replays) {
    const int64_t width = bundle::byteWidth(type);
    for (int64_t i = 0; i < count; ++i)
      store(type, numberOf(rank.number, seed, i), host.data() + i * width);
    const int64_t results = gathers ? count * rank.count : count;
    const auto put = [&] {
      const auto put =
          gathers ? collectives.allGather(type, in.address(), out.address(),
                                          count, stream)
                  : collectives.allReduce(type, in.address(), out.address(),
                                          count, stream);
      EXPECT_TRUE(put) << put.error().message;
    };
    ASSERT_TRUE(
        stream.copyToDevice(in.address(), host.data(), size_t(count * width)));
    if (replays == 0) {
      meet();
      put();
      ASSERT_EQ(stream.synchronize(), cuda::CUDA_SUCCESS);
    } else {
      ASSERT_TRUE(stream.beginCapture());
      put();
      const auto graph = stream.endCapture();
      ASSERT_TRUE(graph) << graph.error().message;
      meet();
      for (int i = 0; i < replays; ++i)
        ASSERT_TRUE(stream.launch(*graph));
      ASSERT_EQ(stream.synchronize(), cuda::CUDA_SUCCESS);
      meet();
    }
    ASSERT_TRUE(
        stream.copyToHost(back.data(), out.address(), size_t(results * width)));
    ASSERT_EQ(stream.synchronize(), cuda::CUDA_SUCCESS);
    for (int64_t i = 0; i < results; ++i) {
      float expected = 0;
      if (gathers)
        expected = numberOf(i / count, seed, i % count);
      for (int64_t other = 0; other < rank.count && !gathers; ++other)
        expected += numberOf(other, seed, i);
      ASSERT_EQ(load(type, back.data() + i * width), expected)
          << (gathers ? "gather " : "sum ") << i << " of " << count << " "
          << bundle::name(type) << " on rank " << rank.number;
    }
  }

  std::shared_ptr<cuda::Device> device;
  cuda::Collectives &collectives;
  bundle::Rank rank;
  std::function<void()> meet;
  cuda::Stream stream;
  cuda::DeviceMemory in, out;
  cuda::PinnedMemory host, back;
};

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_CUDA_RANDOMEXCHANGES_H
