// A TCP connection between two ranks, with timeouts.
#ifndef TILEGPT_LIB_RUNTIME_RANKS_SOCKET_H
#define TILEGPT_LIB_RUNTIME_RANKS_SOCKET_H

#include "TileGPT/Runtime/Error.h"
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tilegpt::runtime {

class Socket {
public:
  using Clock = std::chrono::steady_clock;

  Socket() = default;
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Socket();

  /// Listens on a port of this host.
  /// \returns Device naming the port that is in use.
  static Result<Socket> listen(const std::string &address, uint16_t port);
  /// Connects, with retries until the other side listens.
  /// \returns Device with the reason of the last attempt.
  static Result<Socket> connect(const std::string &address, uint16_t port,
                                Clock::time_point deadline);
  /// Accepts the next connection; a closed socket on timeout.
  Socket accept(Clock::time_point deadline);

  bool isOpen() const { return fd >= 0; }
  int number() const { return fd; }

  /// Sends all bytes.
  /// \returns false if the connection is closed.
  bool send(std::span<const std::byte> bytes);
  /// Waits up to `wait` for bytes and receives the available ones.
  /// \returns how many; 0: timeout; -1: the connection is closed.
  int64_t receive(std::span<std::byte> bytes, std::chrono::milliseconds wait);
  /// Receives all bytes before `deadline`.
  bool receiveAll(std::span<std::byte> bytes, Clock::time_point deadline);

private:
  explicit Socket(int fd) : fd(fd) {}
  int fd = -1;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_RANKS_SOCKET_H
