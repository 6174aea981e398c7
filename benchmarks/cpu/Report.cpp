// Medians of interleaved calls, aligned tables on stdout, JSON in a file.
#include "Report.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace tilegpt::bench {

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static double secondsOfThread() {
  timespec time;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

std::vector<double>
secondsOfCalls(const std::vector<std::function<void()>> &bodies, double seconds,
               double quantile, Clock clock) {
  const auto read = clock == Clock::Wall ? now : secondsOfThread;
  std::vector<std::vector<double>> times(bodies.size());
  const double start = now();
  for (size_t round = 0; round < 5 || now() - start < seconds; ++round)
    for (size_t i = 0; i < bodies.size(); ++i) {
      // The threads of one body may spin for a while; the next one starts
      // when they sleep, and warm.
      if (bodies.size() > 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        bodies[i]();
      }
      const double begin = read();
      bodies[i]();
      times[i].push_back(read() - begin);
    }
  std::vector<double> result;
  for (std::vector<double> &each : times) {
    const auto at = each.begin() + long(quantile * double(each.size() - 1));
    std::nth_element(each.begin(), at, each.end());
    result.push_back(*at);
  }
  return result;
}

static std::string processorName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

Report::Report() {
  char date[32];
  const std::time_t time = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&time));
  document["processor"] = processorName();
  document["cpus"] = std::thread::hardware_concurrency();
  document["date"] = date;
  document["tables"] = nlohmann::ordered_json::object();
  std::printf("%s, %u CPUs, %s\n", processorName().c_str(),
              std::thread::hardware_concurrency(), date);
}

static std::string cell(const nlohmann::ordered_json &value) {
  char text[32];
  if (value.is_string())
    return value.get<std::string>();
  if (!value.is_number_float())
    return value.dump();
  const double number = value.get<double>();
  std::snprintf(text, sizeof(text),
                number < 0.001 ? "%.1e"
                : number < 10  ? "%.3f"
                               : "%.1f",
                number);
  return text;
}

void Report::add(const std::string &table, const Row &row) {
  const auto print = [&](const auto &text) {
    for (const auto &[key, value] : row.items()) {
      const int width = int(std::max<size_t>(key.size(), 14)) + 2;
      std::printf("%*s", width, std::string(text(key, value)).c_str());
    }
    std::printf("\n");
  };
  if (current != table) {
    std::printf("\n%s\n", table.c_str());
    print([](const std::string &key, const auto &) { return key; });
    current = table;
  }
  print([](const auto &, const auto &value) { return cell(value); });
  std::fflush(stdout);
  document["tables"][table].push_back(row);
}

void Report::save(const std::string &path) const {
  std::ofstream file(path);
  file << document.dump(2) << '\n';
  if (!file.flush())
    throw std::runtime_error(path + ": cannot be written");
}

} // namespace tilegpt::bench
