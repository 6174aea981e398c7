// System sockets: address resolution, and reads and writes that handle partial
// transfers.
#include "Socket.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace tilegpt::runtime;

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Result<Addresses> resolve(const std::string &address, uint16_t port) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  if (const int status = ::getaddrinfo(
          address.c_str(), std::to_string(port).c_str(), &hints, &found))
    return makeError(ErrorCode::Device, "ranks: cannot find MASTER_ADDR '",
                     address, "': ", ::gai_strerror(status));
  return Addresses(found, &::freeaddrinfo);
}

int open(const addrinfo &address) {
  return ::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC,
                  address.ai_protocol);
}

void setFlag(int fd, int level, int option) {
  const int on = 1;
  ::setsockopt(fd, level, option, &on, sizeof(on));
}

/// Waits until `fd` can be read.
bool waitFor(int fd, std::chrono::milliseconds wait) {
  pollfd entry = {fd, POLLIN, 0};
  return ::poll(&entry, 1, int(std::max<int64_t>(wait.count(), 0))) > 0;
}

std::chrono::milliseconds until(Socket::Clock::time_point deadline) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - Socket::Clock::now());
}

} // namespace

Socket::~Socket() {
  if (fd >= 0)
    ::close(fd);
}

Result<Socket> Socket::listen(const std::string &address, uint16_t port) {
  const auto addresses = resolve(address, port);
  if (!addresses)
    return tl::unexpected(addresses.error());
  int reason = 0;
  for (const addrinfo *entry = addresses->get(); entry;
       entry = entry->ai_next) {
    Socket socket(open(*entry));
    setFlag(socket.fd, SOL_SOCKET, SO_REUSEADDR);
    if (socket.isOpen() &&
        ::bind(socket.fd, entry->ai_addr, entry->ai_addrlen) == 0 &&
        ::listen(socket.fd, SOMAXCONN) == 0)
      return socket;
    reason = errno;
  }
  if (reason == EADDRINUSE)
    return makeError(ErrorCode::Device, "ranks: port ", port, " of ", address,
                     " is in use; set MASTER_PORT to another");
  return makeError(ErrorCode::Device, "ranks: cannot listen at ", address, ":",
                   port, ": ", std::strerror(reason));
}

Result<Socket> Socket::connect(const std::string &address, uint16_t port,
                               Clock::time_point deadline) {
  int reason = 0;
  do {
    const auto addresses = resolve(address, port);
    if (!addresses)
      return tl::unexpected(addresses.error());
    for (const addrinfo *entry = addresses->get(); entry;
         entry = entry->ai_next) {
      Socket socket(open(*entry));
      if (socket.isOpen() &&
          ::connect(socket.fd, entry->ai_addr, entry->ai_addrlen) == 0) {
        setFlag(socket.fd, IPPROTO_TCP, TCP_NODELAY);
        return socket;
      }
      reason = errno;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  } while (Clock::now() < deadline);
  return makeError(ErrorCode::Device, "ranks: cannot reach rank 0 at ", address,
                   ":", port, ": ", std::strerror(reason));
}

Socket Socket::accept(Clock::time_point deadline) {
  if (!waitFor(fd, until(deadline)))
    return {};
  Socket socket(::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC));
  if (socket.isOpen())
    setFlag(socket.fd, IPPROTO_TCP, TCP_NODELAY);
  return socket;
}

bool Socket::send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    bytes = bytes.subspan(size_t(sent));
  }
  return true;
}

int64_t Socket::receive(std::span<std::byte> bytes,
                        std::chrono::milliseconds wait) {
  if (!waitFor(fd, wait))
    return 0;
  const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), 0);
  if (got < 0 && errno == EINTR)
    return 0;
  return got > 0 ? got : -1;
}

bool Socket::receiveAll(std::span<std::byte> bytes,
                        Clock::time_point deadline) {
  while (!bytes.empty()) {
    const int64_t got = receive(bytes, until(deadline));
    if (got < 0 || (got == 0 && Clock::now() >= deadline))
      return false;
    bytes = bytes.subspan(size_t(got));
  }
  return true;
}
