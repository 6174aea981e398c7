// Parsing of shards, and the arithmetic of the parts of ranks.
#include "TileGPT/Bundle/WeightShard.h"
#include <algorithm>
#include <charconv>
#include <limits>

using namespace tilegpt::bundle;

namespace {

constexpr int64_t largestSize = int64_t(1) << 40;

/// Consumes a number, 1 or more, from the front of `text`.
std::optional<int64_t> takeNumber(std::string_view &text) {
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 1 || value > largestSize)
    return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  return value;
}

bool take(std::string_view &text, std::string_view word) {
  if (!text.starts_with(word))
    return false;
  text.remove_prefix(word.size());
  return true;
}

std::optional<WeightShard::Group> takeGroup(std::string_view &text) {
  WeightShard::Group group;
  auto units = takeNumber(text);
  if (units && take(text, "x")) {
    group.count = *units;
    units = takeNumber(text);
  }
  std::optional<int64_t> unit = 1;
  if (units && take(text, "*"))
    unit = takeNumber(text);
  const auto pieces =
      units && unit && take(text, "/") ? takeNumber(text) : std::nullopt;
  if (!pieces || __int128(*units) * *unit > largestSize)
    return std::nullopt;
  group.units = *units;
  group.unit = *unit;
  group.pieces = *pieces;
  return group;
}

int64_t sumOf(const std::vector<WeightShard::Group> &groups,
              int64_t (*sizeOf)(const WeightShard::Group &)) {
  int64_t sum = 0;
  for (const WeightShard::Group &group : groups)
    sum += group.count * sizeOf(group);
  return sum;
}

} // namespace

std::optional<WeightShard> WeightShard::parse(std::string_view text) {
  WeightShard shard;
  if (text == "first") {
    shard.axis = Axis::First;
    return shard;
  }
  if (take(text, "columns "))
    shard.axis = Axis::Columns;
  else if (take(text, "begin "))
    shard.axis = Axis::Begin;
  else if (!take(text, "rows "))
    return std::nullopt;
  __int128 sum = 0;
  do {
    const auto group = takeGroup(text);
    if (!group)
      return std::nullopt;
    sum += __int128(group->count) * group->size();
    shard.groups.push_back(*group);
  } while (take(text, ", "));
  if (!text.empty() || sum > largestSize)
    return std::nullopt;
  const bool isOneRun = shard.groups.size() == 1 && shard.groups[0].count == 1;
  if (shard.axis == Axis::Begin &&
      (!isOneRun || sum > std::numeric_limits<int32_t>::max()))
    return std::nullopt;
  return shard;
}

std::string WeightShard::format() const {
  if (axis == Axis::First)
    return "first";
  std::string text;
  const std::string_view start = axis == Axis::Rows      ? "rows "
                                 : axis == Axis::Columns ? "columns "
                                                         : "begin ";
  for (const Group &group : groups) {
    text += text.empty() ? start : ", ";
    if (group.count != 1)
      text += std::to_string(group.count) + "x";
    text += std::to_string(group.units);
    if (group.unit != 1)
      text += "*" + std::to_string(group.unit);
    text += "/" + std::to_string(group.pieces);
  }
  return text;
}

int64_t WeightShard::wholeSize() const {
  return sumOf(groups, [](const Group &group) { return group.size(); });
}

int64_t WeightShard::partSize() const {
  return sumOf(groups, [](const Group &group) { return group.pieceSize(); });
}

/// The start of `rank`'s piece within a run.
static int64_t beginIn(const WeightShard::Group &group, Rank rank) {
  const int64_t piece = rank.number * group.pieces / rank.count;
  return std::min(piece * group.pieceSize(), group.size());
}

int64_t WeightShard::beginOf(Rank rank) const {
  return beginIn(groups.front(), rank);
}

std::vector<WeightShard::Run> WeightShard::runsOf(Rank rank) const {
  std::vector<Run> runs;
  int64_t whole = 0, part = 0;
  for (const Group &group : groups) {
    const int64_t size = group.pieceSize();
    const int64_t first = beginIn(group, rank);
    const int64_t count = std::min(size, group.size() - first);
    for (int64_t i = 0; i < group.count; ++i) {
      if (count > 0)
        runs.push_back({whole + first, count, part});
      whole += group.size();
      part += size;
    }
  }
  return runs;
}

std::optional<ShardedName>
tilegpt::bundle::parseShardedName(std::string_view name) {
  const size_t bracket = name.find('[');
  if (bracket == name.npos)
    return ShardedName{name, std::nullopt};
  if (!name.ends_with("]"))
    return std::nullopt;
  auto shard =
      WeightShard::parse(name.substr(bracket + 1, name.size() - bracket - 2));
  if (!shard)
    return std::nullopt;
  return ShardedName{name.substr(0, bracket), std::move(shard)};
}

std::string tilegpt::bundle::shardedName(std::string_view whole,
                                         std::string_view shard) {
  return std::string(whole) + "[" + std::string(shard) + "]";
}
