// Compares times within a round: a disturbance of the machine affects both.
#include "TileGPT/Runtime/Tuning/Race.h"
#include "TileGPT/Runtime/Data/Median.h"
#include <algorithm>

using namespace tilegpt;
using namespace tilegpt::runtime;

double Entrant::ratio() const {
  std::vector<double> ratios;
  ratios.reserve(seconds.size());
  for (size_t i = 0; i < seconds.size(); ++i)
    ratios.push_back(seconds[i] / defaultSeconds[i]);
  return ratios.empty() ? 1 : medianOf(std::move(ratios));
}

double Entrant::wins() const {
  size_t faster = 0;
  for (size_t i = 0; i < seconds.size(); ++i)
    faster += seconds[i] < defaultSeconds[i];
  return seconds.empty() ? 0 : double(faster) / double(seconds.size());
}

TuningRecord runtime::recordOf(std::string kernel, LaunchKey key,
                               const Entrant &entrant, std::string tool) {
  constexpr double microseconds = 1e6;
  return {std::move(kernel),
          std::move(key),
          entrant.choice,
          {microseconds * medianOf(entrant.seconds),
           microseconds * medianOf(entrant.defaultSeconds), entrant.wins(),
           int64_t(entrant.seconds.size())},
          std::move(tool)};
}

Race::Race(std::vector<Choice> choices) {
  for (Choice &choice : choices)
    all.push_back({std::move(choice), {}, {}, false});
}

std::vector<Entrant *> Race::leaders(size_t most) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].isRefused)
      order.emplace_back(all[i].ratio(), i);
  std::ranges::sort(order);
  std::vector<Entrant *> leaders;
  for (const auto &[ratio, index] : order)
    if (leaders.size() < most)
      leaders.push_back(&all[index]);
  return leaders;
}

const Entrant *Race::winner(double leastGain) const {
  constexpr size_t leastRounds = 20;
  constexpr double leastWins = 0.9;
  const Entrant *best = nullptr;
  for (const Entrant &entrant : all)
    if (!entrant.isRefused && entrant.seconds.size() >= leastRounds &&
        entrant.ratio() <= 1 - leastGain && entrant.wins() >= leastWins &&
        (!best || entrant.ratio() < best->ratio()))
      best = &entrant;
  return best;
}
