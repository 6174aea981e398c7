// Blocks that communicate through memory, on the host.
#include "MeetingBlocks.h"
#include "gtest/gtest.h"

namespace tilegpt::numeric {
namespace {

class MeetingBlocks : public testing::TestWithParam<MeetingCase> {};

TEST_P(MeetingBlocks, AddUpOnTheHost) {
  NumericRun run(GetParam().test);
  ASSERT_EQ(llvm::toString(run.onCpu({})), "");
  EXPECT_EQ(GetParam().check(run), "");
}

// A lost update is detected.
TEST_P(MeetingBlocks, AreNoticedWhenOneIsLost) {
  NumericRun run(GetParam().test);
  ASSERT_EQ(llvm::toString(run.onCpu({})), "");
  reference::Tensor &out = run.argument(GetParam().test.ins.size());
  const int64_t at = out.size() - 1;
  out.store(at, out.isFloat() ? reference::Element::of(out[at].f + 100)
                              : reference::Element::of(out[at].i - 1));
  EXPECT_NE(GetParam().check(run), "");
}

INSTANTIATE_TEST_SUITE_P(Host, MeetingBlocks,
                         testing::ValuesIn(meetingCases({.lockBlocks = 6,
                                                         .lockRounds = 500,
                                                         .numbers = 100000,
                                                         .rows = 700,
                                                         .depth = 1000})),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace tilegpt::numeric
