// Starts ranks as processes that meet like those of a real run.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_RANKS_ONRANKS_H
#define TILEGPT_TEST_UNIT_RUNTIME_RANKS_ONRANKS_H

#include "Port.h"
#include "TileGPT/Runtime/Ranks/Group.h"
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilegpt::test {

/// Runs `body` on `count` ranks: all but rank 0 in their own processes.
inline void onRanks(int64_t count,
                    const std::function<void(runtime::Group &)> &body) {
  const uint16_t port = Port().number;
  std::fflush(nullptr);
  int64_t rank = 0;
  std::vector<pid_t> children;
  for (int64_t other = 1; other < count && rank == 0; ++other) {
    const pid_t child = ::fork();
    if (child == 0)
      rank = other;
    else
      children.push_back(child);
  }
  {
    auto group =
        runtime::Group::join({{rank, count}, rank, "127.0.0.1", port}, {});
    EXPECT_TRUE(group) << group.error().message;
    if (group)
      body(**group);
  }
  if (rank != 0) {
    std::fflush(nullptr);
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  for (size_t i = 0; i < children.size(); ++i) {
    int status = 0;
    ASSERT_EQ(::waitpid(children[i], &status, 0), children[i]);
    EXPECT_EQ(status, 0) << "rank " << i + 1 << " failed";
  }
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_RANKS_ONRANKS_H
