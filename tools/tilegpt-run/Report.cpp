// One line per stage, in aligned columns.
#include "Report.h"
#include <cstdarg>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::run;

namespace {

class Lines {
public:
  [[gnu::format(printf, 2, 3)]] void add(const char *pattern, ...) {
    char line[160];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(line, sizeof(line), pattern, arguments);
    va_end(arguments);
    text += line;
    text += '\n';
  }

  std::string text;
};

} // namespace

static double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

static double perSecond(double amount, Clock::duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  return seconds > 0 ? amount / seconds : 0;
}

std::string run::format(const Report &report) {
  Lines lines;
  if (report.model)
    lines.add("%-8s %9.1f ms", report.compiled ? "compile" : "open",
              milliseconds(*report.model));
  if (report.weights)
    lines.add("%-8s %9.1f ms  %.1f MB of weights, %s", "load",
              milliseconds(*report.weights), double(report.weightBytes) / 1e6,
              report.engine.c_str());
  if (report.generation) {
    const runtime::GenerationTimes &times = *report.generation;
    lines.add("%-8s %9.1f ms  %lld tokens, %.1f tok/s", "prefill",
              milliseconds(times.prefill), (long long)times.prefillTokens,
              perSecond(double(times.prefillTokens), times.prefill));
    lines.add(
        "%-8s %9.1f ms  %lld tokens, %.1f tok/s, %.1f GB/s", "decode",
        milliseconds(times.decode), (long long)times.decodeTokens,
        perSecond(double(times.decodeTokens), times.decode),
        perSecond(double(times.decodeSteps) * double(report.weightBytes) / 1e9,
                  times.decode));
  }
  if (!report.stopReason.empty())
    lines.add("%-8s %s", "stop", report.stopReason.c_str());
  if (report.seed)
    lines.add("%-8s %llu", "seed", (unsigned long long)*report.seed);
  return lines.text;
}
