// Blocks that communicate through memory, running concurrently on a GPU.
#include "../Numeric/MeetingBlocks.h"
#include "GpuDevice.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

class GpuMeetingBlocks : public testing::TestWithParam<MeetingCase> {};

TEST_P(GpuMeetingBlocks, AddUp) {
  runtime::Result<compiler::GpuRunner *> runner = test::gpu();
  if (!runner)
    GTEST_SKIP() << runner.error().message;
  NumericRun run(GetParam().test);
  ASSERT_EQ(llvm::toString(run.onGpu(**runner, {})), "");
  EXPECT_EQ(GetParam().check(run), "");
}

INSTANTIATE_TEST_SUITE_P(Large, GpuMeetingBlocks,
                         testing::ValuesIn(meetingCases({.lockBlocks = 132,
                                                         .lockRounds = 10000,
                                                         .numbers = 10000000,
                                                         .rows = 50000,
                                                         .depth = 16384})),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tilegpt::numeric
