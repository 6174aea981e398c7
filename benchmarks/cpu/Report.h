// Timing and output of the benchmarks: medians, tables for people and the same
// rows as JSON.
#ifndef TILEGPT_BENCHMARKS_CPU_REPORT_H
#define TILEGPT_BENCHMARKS_CPU_REPORT_H

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tilegpt::bench {

double now();

/// What a call is timed by.
enum class Clock {
  Wall,
  Thread, ///< CPU time of the calling thread, which other work delays little
};

/// What several bodies take, measured in turns so that all see the same
/// machine.
/// \param quantile 0.5 for the median of the calls; 0 for the fastest one, on a
/// machine with other work.
/// \returns for each the seconds of a call, of at least five calls, made for
/// about `seconds` seconds in all.
std::vector<double>
secondsOfCalls(const std::vector<std::function<void()>> &bodies,
               double seconds = 2, double quantile = 0.5,
               Clock clock = Clock::Wall);

/// Rows are printed as they come and kept for the file.
class Report {
public:
  using Row = nlohmann::ordered_json;

  /// Prints the machine and starts a report of it.
  Report();

  /// Adds a row to a table; the first row's keys are the header.
  void add(const std::string &table, const Row &row);

  /// Writes everything to a JSON file; throws if it cannot.
  void save(const std::string &path) const;

private:
  nlohmann::ordered_json document;
  std::string current;
};

} // namespace tilegpt::bench

#endif // TILEGPT_BENCHMARKS_CPU_REPORT_H
