// Searches the held-back and the new text for the first stop string, then for
// the longest suffix that is a prefix of one.
#include "TileGPT/Runtime/Text/StopMatcher.h"
#include <algorithm>
#include <utility>

using namespace tilegpt::runtime;

Result<StopMatcher> StopMatcher::create(std::vector<std::string> stops) {
  if (std::ranges::find(stops, "") != stops.end())
    return makeError(ErrorCode::Usage,
                     "expected a stop string of at least one byte, got an "
                     "empty one");
  StopMatcher matcher;
  matcher.stops = std::move(stops);
  return matcher;
}

std::string StopMatcher::push(std::string_view text) {
  if (found)
    return {};
  std::string joined = std::exchange(held, {}).append(text);
  size_t end = joined.size();
  for (const std::string &stop : stops)
    end = std::min(end, joined.find(stop));
  if (end < joined.size()) {
    found = true;
    joined.resize(end);
    return joined;
  }
  for (const std::string &stop : stops) {
    size_t common = std::min(stop.size() - 1, joined.size());
    while (!joined.ends_with(std::string_view(stop).substr(0, common)))
      --common;
    end = std::min(end, joined.size() - common);
  }
  held = joined.substr(end);
  joined.resize(end);
  return joined;
}

std::string StopMatcher::finish() { return std::exchange(held, {}); }
