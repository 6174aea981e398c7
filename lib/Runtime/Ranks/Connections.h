// The sockets of a group: one for data and one for heartbeats between rank 0
// and every other rank.
#ifndef TILEGPT_LIB_RUNTIME_RANKS_CONNECTIONS_H
#define TILEGPT_LIB_RUNTIME_RANKS_CONNECTIONS_H

#include "Socket.h"
#include "TileGPT/Runtime/Ranks/GroupOptions.h"
#include "TileGPT/Runtime/Ranks/RankEnvironment.h"
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace tilegpt::runtime {

class Connections {
public:
  Connections(const RankEnvironment &environment, GroupOptions options)
      : environment(environment), options(std::move(options)) {}
  ~Connections();

  /// Connects all ranks and starts to receive heartbeats.
  Result<void> open();

  /// Waits briefly for a message of rank 0.
  bool firstHasLeft();
  /// Of those this rank is connected to.
  bool someHaveLeft() const { return someLeft; }

  /// \param peer  of rank 0 any other rank; of others rank 0.
  Result<void> send(int64_t peer, std::span<const std::byte> bytes);
  Result<void> receive(int64_t peer, std::span<std::byte> bytes);

private:
  struct Peer {
    int64_t rank = 0;
    Socket data, control;
    Socket::Clock::time_point heard;
    bool hasLeft = false;
  };

  Result<void> waitForOthers();
  Result<void> connectToFirst();
  Result<void> admit(Socket socket, Socket::Clock::time_point deadline);
  Peer &peerOf(int64_t rank);

  void watch();
  /// Receives a message of `peer`.
  /// \returns why it is lost; empty if it is not.
  std::string hear(Peer &peer);
  void loseBecause(const std::string &message);
  Error lostError(int64_t rank);

  RankEnvironment environment;
  GroupOptions options;
  std::vector<Peer> peers;
  std::thread watcher;
  std::atomic<bool> leaving{false};
  std::atomic<bool> isLost{false};
  std::atomic<bool> firstLeft{false};
  std::atomic<bool> someLeft{false};
  std::mutex lock; ///< of `whyLost`
  std::string whyLost;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_RANKS_CONNECTIONS_H
