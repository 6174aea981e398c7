// The timings of a run, printed to stderr at its end.
#ifndef TILEGPT_TOOLS_RUN_REPORT_H
#define TILEGPT_TOOLS_RUN_REPORT_H

#include "TileGPT/Runtime/Model/Generator.h"
#include <chrono>
#include <optional>
#include <string>

namespace tilegpt::run {

using Clock = std::chrono::steady_clock;

/// Filled during the run; empty fields are not reported.
struct Report {
  std::optional<Clock::duration> model;   ///< compiling or opening it
  bool compiled = false;                  ///< compiling it
  std::optional<Clock::duration> weights; ///< loading them, creating a session
  int64_t weightBytes = 0;                ///< that a decoding step reads
  std::string engine;                     ///< what runs the kernels
  std::optional<runtime::GenerationTimes> generation;
  std::string stopReason; ///< "length", "end of text", …
  std::optional<uint64_t> seed;
};

/// Text with a line for each stage: milliseconds, tokens/s and GB/s.
std::string format(const Report &report);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_REPORT_H
