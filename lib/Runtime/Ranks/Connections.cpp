// Rendezvous of ranks: each opens two connections to rank 0 and identifies
// itself, and rank 0 accepts or rejects it.
#include "Connections.h"
#include <algorithm>
#include <cstring>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

constexpr uint32_t magicNumber = 0x54504754; // "TGPT"
/// The version of the protocol; other builds are rejected.
constexpr uint32_t protocol = 1;
enum class Channel : uint32_t { Data, Control };

struct Hello {
  uint32_t magic = magicNumber;
  uint32_t version = protocol;
  uint32_t rank = 0;
  uint32_t ranks = 0;
  Channel channel = Channel::Data;
};

struct Answer {
  uint32_t textBytes = 0; ///< of the reason why not; 0: welcome
};

template <typename T>
std::span<const std::byte> bytesOf(const T &value) {
  return std::as_bytes(std::span(&value, 1));
}
template <typename T>
std::span<std::byte> bytesOf(T &value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

int64_t secondsOf(std::chrono::milliseconds time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

/// The reason why a rank is rejected; empty if it is accepted.
std::string objectionTo(const Hello &hello, bundle::Rank self) {
  if (hello.version != protocol)
    return concat("ranks: rank ", hello.rank, " speaks version ", hello.version,
                  " of the protocol, rank 0 version ", protocol,
                  "; start the same tilegpt-run everywhere");
  if (int64_t(hello.ranks) != self.count)
    return concat("ranks: rank ", hello.rank, " was started as one of ",
                  hello.ranks, " ranks, rank 0 as one of ", self.count,
                  "; WORLD_SIZE must be the same for all");
  if (hello.rank == 0 || int64_t(hello.rank) >= self.count)
    return concat("ranks: another process is rank ", hello.rank, " of ",
                  self.count, "; RANK must differ from 0 to ", self.count - 1);
  return "";
}

} // namespace

Connections::Peer &Connections::peerOf(int64_t rank) {
  return *std::ranges::find(peers, rank, &Peer::rank);
}

Result<void> Connections::admit(Socket socket,
                                Socket::Clock::time_point deadline) {
  Hello hello;
  // Another program may have connected to the port.
  if (!socket.receiveAll(bytesOf(hello), deadline) ||
      hello.magic != magicNumber)
    return {};
  std::string problem = objectionTo(hello, environment.rank);
  Peer *peer = problem.empty() ? &peerOf(hello.rank) : nullptr;
  Socket *place = !peer                            ? nullptr
                  : hello.channel == Channel::Data ? &peer->data
                                                   : &peer->control;
  if (place && place->isOpen())
    problem = concat("ranks: two processes are rank ", hello.rank, " of ",
                     hello.ranks, "; RANK must differ");
  const Answer answer{uint32_t(problem.size())};
  socket.send(bytesOf(answer));
  socket.send(std::as_bytes(std::span(problem)));
  if (!problem.empty())
    return makeError(ErrorCode::Device, problem);
  *place = std::move(socket);
  return {};
}

Result<void> Connections::waitForOthers() {
  auto door = Socket::listen(environment.address, environment.port);
  if (!door)
    return tl::unexpected(door.error());
  const auto deadline = Socket::Clock::now() + options.startLimit;
  for (int64_t rank = 1; rank < environment.rank.count; ++rank)
    peers.push_back({rank, {}, {}, {}, false});
  const auto isMissing = [](const Peer &peer) {
    return !peer.data.isOpen() || !peer.control.isOpen();
  };
  for (;;) {
    const auto missing = std::ranges::find_if(peers, isMissing);
    if (missing == peers.end())
      break;
    Socket socket = door->accept(deadline);
    if (!socket.isOpen())
      return makeError(ErrorCode::Device, "ranks: rank 0 waited ",
                       secondsOf(options.startLimit), " s for rank ",
                       missing->rank, " of ", environment.rank.count, " at ",
                       environment.address, ":", environment.port,
                       ", which did not connect");
    if (auto admitted = admit(std::move(socket), deadline); !admitted)
      return admitted;
  }
  constexpr std::byte begun{'a'};
  for (Peer &peer : peers)
    peer.control.send({&begun, 1});
  return {};
}

Result<void> Connections::connectToFirst() {
  const auto deadline = Socket::Clock::now() + options.startLimit;
  peers.push_back({0, {}, {}, {}, false});
  const std::pair<Channel, Socket &> channels[] = {
      {Channel::Data, peers[0].data}, {Channel::Control, peers[0].control}};
  for (const auto &[channel, place] : channels) {
    auto socket =
        Socket::connect(environment.address, environment.port, deadline);
    if (!socket)
      return tl::unexpected(socket.error());
    const Hello hello{magicNumber, protocol, uint32_t(environment.rank.number),
                      uint32_t(environment.rank.count), channel};
    Answer answer;
    if (!socket->send(bytesOf(hello)) ||
        !socket->receiveAll(bytesOf(answer), deadline))
      return makeError(ErrorCode::Device, "ranks: ", environment.address, ":",
                       environment.port, " does not answer as rank 0 does");
    constexpr uint32_t longest = 4096;
    std::string problem(std::min(answer.textBytes, longest), ' ');
    if (answer.textBytes > 0) {
      socket->receiveAll(std::as_writable_bytes(std::span(problem)), deadline);
      return makeError(ErrorCode::Device, problem);
    }
    place = std::move(*socket);
  }
  // Rank 0 signals that all ranks are connected.
  std::byte begun;
  if (!peers[0].control.receiveAll({&begun, 1}, deadline))
    return makeError(ErrorCode::Device, "ranks: rank ", environment.rank.number,
                     " met rank 0, but not all others came");
  return {};
}

Result<void> Connections::open() {
  auto met = environment.rank.number == 0 ? waitForOthers() : connectToFirst();
  if (!met)
    return met;
  for (Peer &peer : peers)
    peer.heard = Socket::Clock::now();
  watcher = std::thread([this] { watch(); });
  return {};
}

Error Connections::lostError(int64_t rank) {
  // The watcher may be about to receive which rank is lost.
  const auto deadline = Socket::Clock::now() + std::chrono::seconds(1);
  while (!isLost && Socket::Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::lock_guard guard(lock);
  return {ErrorCode::Device, isLost ? whyLost
                                    : concat("ranks: rank ", rank,
                                             " has ended before the others")};
}

Result<void> Connections::send(int64_t peer, std::span<const std::byte> bytes) {
  if (!isLost && peerOf(peer).data.send(bytes))
    return {};
  return tl::unexpected(lostError(peer));
}

Result<void> Connections::receive(int64_t peer, std::span<std::byte> bytes) {
  Socket &socket = peerOf(peer).data;
  while (!bytes.empty()) {
    const int64_t got =
        isLost ? -1 : socket.receive(bytes, std::chrono::milliseconds(100));
    if (got < 0)
      return tl::unexpected(lostError(peer));
    bytes = bytes.subspan(size_t(got));
  }
  return {};
}
