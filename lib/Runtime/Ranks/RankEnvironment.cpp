// Parses environment variables.
#include "TileGPT/Runtime/Ranks/RankEnvironment.h"
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <string_view>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {

struct Variable {
  const char *name = nullptr; ///< null: none of the names is set
  std::string_view text;
};

Variable firstSet(const RankEnvironment::GetVariable &get,
                  std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (const char *text = get(name))
      return {name, text};
  return {};
}

/// An integer in [least, most].
Result<int64_t> numberOf(const Variable &variable, int64_t least,
                         int64_t most) {
  int64_t value = 0;
  const char *begin = variable.text.data();
  const char *end = begin + variable.text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && rest == end && value >= least && value <= most)
    return value;
  return makeError(ErrorCode::Usage, "ranks: expected ", variable.name,
                   " to be a number from ", least, " to ", most, ", got '",
                   variable.text, "'");
}

} // namespace

Result<std::optional<RankEnvironment>>
RankEnvironment::read(const GetVariable &get) {
  constexpr int64_t mostRanks = 1024;
  const Variable number =
      firstSet(get, {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"});
  const Variable count =
      firstSet(get, {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
  if (!number.name && !count.name)
    return std::optional<RankEnvironment>();
  if (!number.name || !count.name)
    return makeError(ErrorCode::Usage,
                     "ranks: ", number.name ? number.name : count.name,
                     " is set, but ", number.name ? "WORLD_SIZE" : "RANK",
                     " is not; a launcher sets both");
  RankEnvironment environment;
  const auto ranks = numberOf(count, 1, mostRanks);
  if (!ranks)
    return tl::unexpected(ranks.error());
  const auto rank = numberOf(number, 0, *ranks - 1);
  if (!rank)
    return tl::unexpected(rank.error());
  environment.rank = {*rank, *ranks};
  environment.localRank = *rank;
  if (const Variable local = firstSet(
          get, {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"});
      local.name) {
    const auto value = numberOf(local, 0, *ranks - 1);
    if (!value)
      return tl::unexpected(value.error());
    environment.localRank = *value;
  }
  if (const char *address = get("MASTER_ADDR"))
    environment.address = address;
  if (const Variable port = firstSet(get, {"MASTER_PORT"}); port.name) {
    const auto value = numberOf(port, 1, 65534);
    if (!value)
      return tl::unexpected(value.error());
    environment.port = uint16_t(*value);
  }
  const char *agent = get("TORCHELASTIC_USE_AGENT_STORE");
  if (agent && std::strcmp(agent, "True") == 0)
    ++environment.port;
  return std::optional(environment);
}
