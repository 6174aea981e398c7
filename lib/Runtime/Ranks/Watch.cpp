// Heartbeats: every second each rank notifies rank 0, and rank 0 all others. A
// rank whose connection closes without a leave message is lost.
#include "Connections.h"
#include <poll.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

constexpr std::chrono::milliseconds beatEvery{1000};
constexpr std::chrono::milliseconds lookEvery{200};

/// Message types on a control connection.
constexpr std::byte alive{'a'};
constexpr std::byte leave{'l'};
/// A rank is lost; a zero-terminated message follows.
constexpr std::byte lost{'x'};

} // namespace

Connections::~Connections() {
  leaving = true;
  if (watcher.joinable())
    watcher.join();
}

bool Connections::firstHasLeft() {
  const auto deadline = Socket::Clock::now() + beatEvery;
  while (!firstLeft && environment.rank.number != 0 &&
         Socket::Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return firstLeft;
}

void Connections::loseBecause(const std::string &message) {
  {
    const std::lock_guard guard(lock);
    if (isLost)
      return;
    whyLost = message;
    isLost = true;
  }
  if (environment.rank.number == 0)
    for (Peer &peer : peers)
      if (!peer.hasLeft) {
        peer.control.send({&lost, 1});
        peer.control.send(
            std::as_bytes(std::span(message.c_str(), message.size() + 1)));
      }
  if (options.lost)
    options.lost(message);
}

std::string Connections::hear(Peer &peer) {
  std::byte said;
  const int64_t got = peer.control.receive({&said, 1}, {});
  if (got < 0)
    return concat("ranks: rank ", peer.rank, " has died");
  if (got == 0)
    return "";
  peer.heard = Socket::Clock::now();
  if (said == leave) {
    peer.hasLeft = true;
    someLeft = true;
    firstLeft = firstLeft || peer.rank == 0;
  }
  if (said != lost)
    return "";
  std::string message;
  const auto deadline = Socket::Clock::now() + beatEvery;
  while (peer.control.receiveAll({&said, 1}, deadline) && said != std::byte{0})
    message += char(said);
  return message;
}

void Connections::watch() {
  auto nextBeat = Socket::Clock::now();
  std::vector<pollfd> entries;
  while (!leaving && !isLost) {
    if (Socket::Clock::now() >= nextBeat) {
      nextBeat += beatEvery;
      for (Peer &peer : peers)
        if (!peer.hasLeft)
          peer.control.send({&alive, 1});
    }
    entries.clear();
    for (const Peer &peer : peers)
      entries.push_back({peer.hasLeft ? -1 : peer.control.number(), POLLIN, 0});
    ::poll(entries.data(), entries.size(), int(lookEvery.count()));
    for (size_t i = 0; i < peers.size() && !isLost; ++i) {
      Peer &peer = peers[i];
      std::string problem;
      if (entries[i].revents != 0)
        problem = hear(peer);
      else if (!peer.hasLeft &&
               Socket::Clock::now() - peer.heard > options.silenceLimit)
        problem = concat("ranks: rank ", peer.rank, " has been silent for ",
                         std::chrono::duration_cast<std::chrono::seconds>(
                             options.silenceLimit)
                             .count(),
                         " s");
      if (!problem.empty())
        loseBecause(problem);
    }
  }
  for (Peer &peer : peers)
    if (!isLost && !peer.hasLeft)
      peer.control.send({&leave, 1});
}
