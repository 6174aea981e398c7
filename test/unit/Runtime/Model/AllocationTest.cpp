// Decoding steps do not allocate memory, which would cost time for every token.
// Counts calls of operator new.
#include "EveryEngine.h"
#include "TileGPT/Runtime/Model/Sampler.h"
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

static std::atomic<int64_t> allocations{0};

void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

class AllocationTest : public test::EveryEngine {};

TEST_P(AllocationTest, ADecodingStepAllocatesNothing) {
  fake.eager = true; // so that the fake driver allocates nothing either
  Session session = make(2);
  SamplerOptions options;
  options.temperature = 0.7f;
  Sampler sampler = Sampler::create(options, session.vocabulary()).value();
  SequenceToken next[] = {{0, 1}, {1, 2}};
  const auto step = [&] {
    const auto logits = session.decode(next).value();
    for (SequenceToken &token : next) {
      token.id = sampler.sample(logits.subspan(size_t(token.sequence) * 11, 11))
                     .value();
      sampler.accept(token.id);
    }
  };
  step(); // resolves the plan for two sequences
  step(); // makes it a graph
  const int64_t before = allocations;
  for (int i = 0; i < 9; ++i)
    step();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(session.length(1), 11);
}

TEST_P(AllocationTest, AStepThatChoosesAllocatesNothing) {
  fake.eager = true;
  Session session = make(2);
  Sampler sampler = Sampler::create({}, session.vocabulary()).value();
  const SequenceToken first[] = {{0, 1}, {1, 2}};
  DrawValues draws[2];
  const auto start = [&](bool isFirst) {
    for (DrawValues &draw : draws)
      draw = sampler.drawElsewhere();
    return isFirst ? session.startStep(first, draws).has_value()
                   : session.startNextStep(draws).has_value();
  };
  // The first steps resolve the plan and capture it as a graph.
  EXPECT_TRUE(start(true) && start(false));
  const int64_t before = allocations;
  for (int i = 0; i < 9; ++i)
    EXPECT_TRUE(start(false) && session.finishStep());
  EXPECT_EQ(allocations - before, 0);
}

TILEGPT_ON_EVERY_ENGINE(AllocationTest);

} // namespace
