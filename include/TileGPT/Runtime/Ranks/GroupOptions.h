// How long ranks wait for each other, and who is told when one is lost.
#ifndef TILEGPT_RUNTIME_RANKS_GROUPOPTIONS_H
#define TILEGPT_RUNTIME_RANKS_GROUPOPTIONS_H

#include <chrono>
#include <functional>
#include <string>

namespace tilegpt::runtime {

struct GroupOptions {
  /// How long ranks wait for each other to start.
  std::chrono::milliseconds startLimit = std::chrono::minutes(2);
  /// A rank that is silent for longer is lost: its host may be gone.
  std::chrono::milliseconds silenceLimit = std::chrono::seconds(8);
  /// Called once, on a thread of the group, when a rank is lost, with a message
  /// that names it; the calls of this group fail from then on.
  std::function<void(const std::string &message)> lost;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_RANKS_GROUPOPTIONS_H
