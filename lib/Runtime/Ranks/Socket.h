// A TCP connection between two ranks, with time limits.
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

  /// Waits for connections at a port of this host.
  /// \returns Device naming the port that is in use.
  static Result<Socket> listen(const std::string &address, uint16_t port);
  /// Connects, again and again until somebody listens.
  /// \returns Device with the reason of the last attempt.
  static Result<Socket> connect(const std::string &address, uint16_t port,
                                Clock::time_point deadline);
  /// The next connection; a closed socket when none comes in time.
  Socket accept(Clock::time_point deadline);

  bool isOpen() const { return fd >= 0; }
  int number() const { return fd; }

  /// Sends all of it.
  /// \returns false when the other side is gone.
  bool send(std::span<const std::byte> bytes);
  /// Waits up to `wait` for bytes, and takes those that are there.
  /// \returns how many; 0: none in time; -1: the other side is gone.
  int64_t receive(std::span<std::byte> bytes, std::chrono::milliseconds wait);
  /// Receives all of it before `deadline`.
  bool receiveAll(std::span<std::byte> bytes, Clock::time_point deadline);

private:
  explicit Socket(int fd) : fd(fd) {}
  int fd = -1;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_RANKS_SOCKET_H
