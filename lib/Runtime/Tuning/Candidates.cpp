// Enumerates all combinations and sorts them by a simple cost model.
#include "TileGPT/Runtime/Tuning/Candidates.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::runtime;

namespace {
struct Combination {
  std::vector<int64_t> values; ///< by parameter
  double cost;
};
} // namespace

/// Overhead relative to the work itself.
static double costOf(const std::vector<TunableParameter> &parameters,
                     const std::vector<int64_t> &values, int64_t lanes) {
  const auto ceildiv = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  double padding = 1, loads = 0;
  int64_t blocks = 1;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int64_t value = values[i];
    const int64_t extent =
        parameters[i].extent > 0 ? parameters[i].extent : value;
    const int64_t tiles = ceildiv(extent, value);
    padding *= double(tiles * value) / double(extent);
    if (parameters[i].isOfGrid)
      blocks *= tiles;
    // A tile of n rows reuses each element of the other operand n times.
    loads += 1 / double(std::min(value, extent));
  }
  const int64_t slots = ceildiv(blocks, lanes) * lanes;
  constexpr double costOfLoad = 8; // multiply-adds
  return padding * (double(slots) / double(blocks)) * (1 + costOfLoad * loads);
}

/// All combinations, up to a limit that no kernel should exceed.
static std::vector<Combination>
combine(const std::vector<TunableParameter> &parameters, int64_t lanes) {
  constexpr size_t most = 1'000'000;
  std::vector<std::vector<int64_t>> all = {{}};
  for (const TunableParameter &parameter : parameters) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t> &values : all)
      for (const int64_t value : parameter.candidates)
        if (longer.size() < most) {
          longer.push_back(values);
          longer.back().push_back(value);
        }
    all = std::move(longer);
  }
  std::vector<Combination> combinations;
  for (std::vector<int64_t> &values : all) {
    const double cost = costOf(parameters, values, lanes);
    combinations.push_back({std::move(values), cost});
  }
  return combinations;
}

/// Whether two choices differ in at most this parameter.
static bool areNeighbours(const Combination &lhs, const Combination &rhs,
                          size_t parameter) {
  for (size_t i = 0; i < lhs.values.size(); ++i)
    if (i != parameter && lhs.values[i] != rhs.values[i])
      return false;
  return true;
}

std::vector<Choice> runtime::withOtherWarps(const Choice &choice) {
  std::vector<Choice> others;
  for (const int64_t warps : {2, 4, 8, 16}) {
    Choice other = choice;
    other.plan["warps"] = warps;
    if (other != choice)
      others.push_back(std::move(other));
  }
  return others;
}

std::vector<Choice>
runtime::rankChoices(const std::vector<TunableParameter> &parameters,
                     int64_t lanes, size_t most) {
  if (parameters.empty())
    return {};
  std::vector<Combination> combinations = combine(parameters, lanes);
  std::ranges::sort(combinations, [](const auto &lhs, const auto &rhs) {
    return std::tie(lhs.cost, lhs.values) < std::tie(rhs.cost, rhs.values);
  });
  constexpr int64_t mostNeighbours = 6;
  std::vector<const Combination *> taken;
  for (const Combination &next : combinations) {
    if (taken.size() == most)
      break;
    bool isCrowded = false;
    // With one parameter all choices are neighbors.
    for (size_t i = 0; i < parameters.size() && parameters.size() > 1; ++i)
      isCrowded |= std::ranges::count_if(taken, [&](const auto *other) {
                     return areNeighbours(next, *other, i);
                   }) >= mostNeighbours;
    if (!isCrowded)
      taken.push_back(&next);
  }
  std::vector<Choice> choices;
  for (const Combination *each : taken) {
    Choice &choice = choices.emplace_back();
    for (size_t i = 0; i < parameters.size(); ++i)
      choice.parameters[parameters[i].name] = each->values[i];
  }
  return choices;
}
