// Timeouts of ranks, and the notification of a lost one.
#ifndef TILEGPT_RUNTIME_RANKS_GROUPOPTIONS_H
#define TILEGPT_RUNTIME_RANKS_GROUPOPTIONS_H

#include <chrono>
#include <functional>
#include <string>

namespace tilegpt::runtime {

struct GroupOptions {
  /// How long ranks wait for each other at startup.
  std::chrono::milliseconds startLimit = std::chrono::minutes(2);
  /// A rank that sends nothing for longer is lost: its host may be down.
  std::chrono::milliseconds silenceLimit = std::chrono::seconds(8);
  /// Called once, on a thread of the group, when a rank is lost, with a message
  /// that names it; later calls of this group fail.
  std::function<void(const std::string &message)> lost;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_RANKS_GROUPOPTIONS_H
