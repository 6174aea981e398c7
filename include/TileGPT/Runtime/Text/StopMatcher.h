// Ends a stream of text at the first stop string. Text that may begin one is
// withheld until that is decided.
#ifndef TILEGPT_RUNTIME_TEXT_STOPMATCHER_H
#define TILEGPT_RUNTIME_TEXT_STOPMATCHER_H

#include "TileGPT/Runtime/Error.h"
#include <string>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

class StopMatcher {
public:
  /// Matches nothing.
  StopMatcher() = default;

  /// \returns Usage for an empty stop string, which would end every text.
  static Result<StopMatcher> create(std::vector<std::string> stops);

  /// Adds text. \returns the text that can be shown: everything before a stop
  /// string that cannot be part of one. Nothing after a stop string.
  std::string push(std::string_view text);

  /// Whether a stop string has been found.
  bool stopped() const { return found; }

  /// Ends the stream. \returns the withheld text, if no stop string was found.
  std::string finish();

private:
  std::vector<std::string> stops;
  std::string held;
  bool found = false;
};

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_TEXT_STOPMATCHER_H
