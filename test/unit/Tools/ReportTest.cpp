// The summary at the end of a run.
#include "Report.h"
#include <gtest/gtest.h>

using namespace tilegpt::run;
using namespace std::chrono_literals;

TEST(Report, SaysOnlyWhatHappened) { EXPECT_EQ(format(Report()), ""); }

TEST(Report, RatesFollowFromTimesAndCounts) {
  Report report;
  report.model = 250ms;
  report.compiled = true;
  report.weights = 10ms;
  report.weightBytes = 20'000'000;
  report.engine = "2 threads";
  auto &times = report.generation.emplace();
  times.prefill = 5ms;
  times.prefillTokens = 10;
  times.decode = 100ms;
  times.decodeTokens = 63;
  times.decodeSteps = 63;
  report.stopReason = "length";
  report.seed = 7;
  EXPECT_EQ(format(report),
            "compile      250.0 ms\n"
            "load          10.0 ms  20.0 MB of weights, 2 threads\n"
            "prefill        5.0 ms  10 tokens, 2000.0 tok/s\n"
            "decode       100.0 ms  63 tokens, 630.0 tok/s, 12.6 GB/s\n"
            "stop     length\n"
            "seed     7\n");
}
