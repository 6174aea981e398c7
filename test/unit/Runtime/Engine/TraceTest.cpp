// Traces are summed up by kernel and printed as Chrome trace events, with any
// characters in names.
#include "TileGPT/Runtime/Engine/Trace.h"
#include "TileGPT/Bundle/Builder.h"
#include "Toy/KernelImage.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::Trace;

namespace {

Bundle twoKernels() {
  Builder b;
  ModelInfo info;
  info.layers = info.heads = info.width = info.context = info.capacity =
      info.vocabulary = 1;
  b.setModel("m", info);
  b.setTarget("x86_64", "", 0);
  b.setHostCode(test::toyKernels());
  const uint32_t fast = b.addKernel("fast", "a", {}),
                 slow = b.addKernel("slow", "b", {});
  const Expression one[] = {Expression::constant(1)};
  const Range grid = b.addExpression(one);
  b.beginPlan("p", PlanKind::Decode, 1, 1, 1);
  b.addLaunch(fast, "h.0.\"mlp\"\n", {}, {grid, grid, grid});
  b.addLaunch(slow, "head", {}, {grid, grid, grid});
  b.endPlan(0);
  return Bundle::fromBytes(b.finish().value()).value();
}

Trace::Clock::time_point at(int64_t micros) {
  return Trace::Clock::time_point(std::chrono::microseconds(micros));
}

TEST(Trace, SumsUpByKernel) {
  const Bundle bundle = twoKernels();
  Trace trace(bundle);
  trace.launched(bundle.launches()[0], 8, at(100), at(103));
  trace.launched(bundle.launches()[1], 5, at(103), at(113));
  trace.launched(bundle.launches()[0], 8, at(113), at(117));
  const auto summary = trace.summary();
  ASSERT_EQ(summary.size(), 2u);
  EXPECT_EQ(summary[0].name, "slow");
  EXPECT_EQ(summary[1].name, "fast");
  EXPECT_EQ(summary[1].launches, 2);
  EXPECT_EQ(summary[1].blocks, 16);
  EXPECT_EQ(summary[1].time, std::chrono::microseconds(7));
}

TEST(Trace, PrintsChromeTraceEvents) {
  const Bundle bundle = twoKernels();
  Trace trace(bundle);
  EXPECT_EQ(trace.chromeTrace(), "{\"traceEvents\":[\n]}\n");
  trace.launched(bundle.launches()[0], 8, at(100), at(103));
  trace.launched(bundle.launches()[1], 5, at(104), at(113));
  EXPECT_EQ(trace.chromeTrace(),
            R"({"traceEvents":[
{"name":"fast","ph":"X","ts":0.000,"dur":3.000,"pid":1,"tid":1,"args":{"at":"h.0.\"mlp\"\u000a","blocks":8}},
{"name":"slow","ph":"X","ts":4.000,"dur":9.000,"pid":1,"tid":1,"args":{"at":"head","blocks":5}}
]}
)");
}

} // namespace
