// Ranks as threads of one process over the loopback interface: their exchanges,
// and the errors if a rank is missing, misconfigured or gone.
#include "TileGPT/Runtime/Ranks/Group.h"
#include "Port.h"
#include "TileGPT/Runtime/FloatBits.h"
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::runtime;
using bundle::ElementType;
using test::Port;

namespace {

RankEnvironment environmentOf(int64_t rank, int64_t ranks, uint16_t port) {
  return {{rank, ranks}, rank, "127.0.0.1", port};
}

GroupOptions quick() {
  GroupOptions options;
  options.startLimit = std::chrono::seconds(20);
  return options;
}

/// Runs `body` on this many ranks, each in a thread.
void onRanks(int64_t ranks, const std::function<void(Group &)> &body) {
  const Port port;
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      auto group =
          Group::join(environmentOf(rank, ranks, port.number), quick());
      ASSERT_TRUE(group) << group.error().message;
      body(**group);
    });
  for (std::thread &thread : threads)
    thread.join();
}

template <typename T>
std::byte *raw(std::vector<T> &values) {
  return reinterpret_cast<std::byte *>(values.data());
}

TEST(Group, AddsUpInTheOrderOfTheRanks) {
  for (const int64_t ranks : {1, 2, 3, 8})
    onRanks(ranks, [&](Group &group) {
      const float mine = float(group.rank().number);
      std::vector<float> values = {1.0f, mine, mine == 0 ? 1e8f : 1.0f};
      ASSERT_TRUE(group.allReduce(ElementType::F32, raw(values), raw(values),
                                  int64_t(values.size())));
      float sum = 1e8f;
      for (int64_t rank = 1; rank < ranks; ++rank)
        sum += 1.0f;
      EXPECT_EQ(values[0], float(ranks));
      EXPECT_EQ(values[1], float(ranks * (ranks - 1) / 2));
      EXPECT_EQ(values[2], sum);
    });
}

/// 256 + 1 + 1 = 258 detects rounding after each sum: in bf16, 256 + 1 = 257
/// would round to 256.
TEST(Group, RoundsNarrowSumsOnce) {
  onRanks(3, [](Group &group) {
    const float mine = group.rank().number == 0 ? 256.0f : 1.0f;
    std::vector<BFloat> bfloats = {toBFloat(mine)};
    std::vector<Half> halves = {toHalf(mine * 8)};
    ASSERT_TRUE(
        group.allReduce(ElementType::BF16, raw(bfloats), raw(bfloats), 1));
    ASSERT_TRUE(group.allReduce(ElementType::F16, raw(halves), raw(halves), 1));
    EXPECT_EQ(toFloat(bfloats[0]), 258.0f);
    EXPECT_EQ(toFloat(halves[0]), 2064.0f);
  });
}

TEST(Group, PutsPartsBehindEachOther) {
  onRanks(4, [](Group &group) {
    const auto mine = int32_t(group.rank().number);
    std::vector<int32_t> part = {mine, 10 * mine}, all(8);
    ASSERT_TRUE(group.allGather(raw(part), raw(all), 8));
    EXPECT_EQ(all, (std::vector<int32_t>{0, 0, 1, 10, 2, 20, 3, 30}));
  });
}

/// More than the sockets' buffers hold.
TEST(Group, MovesMegabytes) {
  onRanks(2, [](Group &group) {
    std::vector<float> values(3 << 20, 0.5f);
    ASSERT_TRUE(group.allReduce(ElementType::F32, raw(values), raw(values),
                                int64_t(values.size())));
    EXPECT_EQ(values, std::vector<float>(3 << 20, 1.0f));
  });
}

TEST(Group, GivesAllTheTextsOfAll) {
  onRanks(3, [](Group &group) {
    const auto texts = group.gather(std::string(
        size_t(5 * group.rank().number), char('a' + group.rank().number)));
    ASSERT_TRUE(texts);
    EXPECT_EQ(*texts, (std::vector<std::string>{"", "bbbbb", "cccccccccc"}));
  });
}

TEST(Group, NamesTheRankThatDisagrees) {
  onRanks(3, [](Group &group) {
    ASSERT_TRUE(group.agree("model", "'gpt2'"));
    const auto agreed =
        group.agree("weights", group.rank().number == 2 ? "B" : "A");
    ASSERT_FALSE(agreed);
    EXPECT_EQ(agreed.error().code, ErrorCode::Device);
    EXPECT_EQ(agreed.error().message,
              "ranks: expected the same weights on all ranks, but rank 0 has A "
              "and rank 2 has B");
  });
}

std::string joinError(const RankEnvironment &environment,
                      GroupOptions options = quick()) {
  const auto group = Group::join(environment, std::move(options));
  EXPECT_FALSE(group);
  if (group)
    return "";
  EXPECT_EQ(group.error().code, ErrorCode::Device);
  return group.error().message;
}

TEST(Group, NamesThePortInUse) {
  const Port taken(/*keep=*/true);
  EXPECT_EQ(joinError(environmentOf(0, 2, taken.number)),
            "ranks: port " + std::to_string(taken.number) +
                " of 127.0.0.1 is in use; set MASTER_PORT to another");
}

TEST(Group, NamesTheRankThatDoesNotCome) {
  const Port port;
  GroupOptions options;
  options.startLimit = std::chrono::milliseconds(1100);
  EXPECT_EQ(joinError(environmentOf(0, 2, port.number), options),
            "ranks: rank 0 waited 1 s for rank 1 of 2 at 127.0.0.1:" +
                std::to_string(port.number) + ", which did not connect");
  options.startLimit = std::chrono::milliseconds(100);
  EXPECT_EQ(joinError(environmentOf(1, 2, port.number), options),
            "ranks: cannot reach rank 0 at 127.0.0.1:" +
                std::to_string(port.number) + ": Connection refused");
}

TEST(Group, RefusesAnotherWorldSize) {
  const Port port;
  const char *message = "ranks: rank 1 was started as one of 3 ranks, rank 0 "
                        "as one of 2; WORLD_SIZE must be the same for all";
  std::thread other(
      [&] { EXPECT_EQ(joinError(environmentOf(1, 3, port.number)), message); });
  EXPECT_EQ(joinError(environmentOf(0, 2, port.number)), message);
  other.join();
}

/// A rank that is killed closes its sockets. A child process plays that rank.
TEST(Group, NamesTheRankThatDies) {
  const Port port;
  std::vector<int64_t> alive = {0, 2};
  const pid_t child = ::fork();
  if (child == 0) {
    auto group = Group::join(environmentOf(1, 3, port.number), quick());
    ::_exit(group ? 0 : 1);
  }
  std::vector<std::thread> threads;
  for (const int64_t rank : alive)
    threads.emplace_back([&, rank] {
      std::atomic<bool> told{false};
      GroupOptions options = quick();
      options.lost = [&](const std::string &message) {
        EXPECT_EQ(message, "ranks: rank 1 has died");
        told = true;
      };
      auto group = Group::join(environmentOf(rank, 3, port.number), options);
      ASSERT_TRUE(group) << group.error().message;
      float value = 1;
      auto *bytes = reinterpret_cast<std::byte *>(&value);
      const auto begin = std::chrono::steady_clock::now();
      const auto reduced =
          (*group)->allReduce(ElementType::F32, bytes, bytes, 1);
      ASSERT_FALSE(reduced);
      EXPECT_EQ(reduced.error().code, ErrorCode::Device);
      EXPECT_EQ(reduced.error().message, "ranks: rank 1 has died");
      EXPECT_LT(std::chrono::steady_clock::now() - begin,
                std::chrono::seconds(10));
      group->reset(); // waits for the thread that tells
      EXPECT_TRUE(told);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// A rank that ends normally before the others is named, too.
TEST(Group, NamesTheRankThatEndsEarly) {
  onRanks(2, [](Group &group) {
    if (group.rank().number == 1)
      return;
    float value = 1;
    auto *bytes = reinterpret_cast<std::byte *>(&value);
    const auto reduced = group.allReduce(ElementType::F32, bytes, bytes, 1);
    ASSERT_FALSE(reduced);
    EXPECT_EQ(reduced.error().message,
              "ranks: rank 1 has ended before the others");
  });
}

TEST(Group, TellsTheOthersThatRankZeroHasLeft) {
  onRanks(2, [](Group &group) {
    if (group.rank().number == 1)
      EXPECT_TRUE(group.firstHasLeft());
  });
}

} // namespace
