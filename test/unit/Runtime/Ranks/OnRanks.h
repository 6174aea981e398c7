// Ranks that a test starts: processes that meet as those of a run do.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_RANKS_ONRANKS_H
#define TILEGPT_TEST_UNIT_RUNTIME_RANKS_ONRANKS_H

#include "TileGPT/Runtime/Ranks/Group.h"
#include <arpa/inet.h>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilegpt::test {

/// A port of this host that nobody listens at.
inline uint16_t freePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) {
    ADD_FAILURE() << "there is no socket";
    return 0;
  }
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto *raw = reinterpret_cast<sockaddr *>(&address);
  EXPECT_EQ(::bind(fd, raw, size), 0);
  EXPECT_EQ(::getsockname(fd, raw, &size), 0);
  ::close(fd);
  return ntohs(address.sin_port);
}

/// Runs `body` on so many ranks: all but rank 0 in processes of their own.
inline void onRanks(int64_t count,
                    const std::function<void(runtime::Group &)> &body) {
  const uint16_t port = freePort();
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
