// Local ports where the ranks of a test can meet.
#ifndef TILEGPT_TEST_UNIT_RUNTIME_RANKS_PORT_H
#define TILEGPT_TEST_UNIT_RUNTIME_RANKS_PORT_H

#include <arpa/inet.h>
#include <cstdint>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace tilegpt::test {

/// A port that nobody listens on, or one that is taken for the lifetime of this
/// object.
class Port {
public:
  explicit Port(bool keep = false) : fd(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto *raw = reinterpret_cast<sockaddr *>(&address);
    EXPECT_EQ(::bind(fd, raw, size), 0);
    EXPECT_EQ(::getsockname(fd, raw, &size), 0);
    number = ntohs(address.sin_port);
    if (keep)
      EXPECT_EQ(::listen(fd, 1), 0);
    else
      ::close(std::exchange(fd, -1));
  }
  ~Port() {
    if (fd >= 0)
      ::close(fd);
  }
  uint16_t number = 0;

private:
  int fd;
};

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_RUNTIME_RANKS_PORT_H
