// Recorded reports of ptxas 13.0, and how each is parsed.
#include "TileGPT/Target/NVVM/PtxasReport.h"
#include <gmock/gmock.h>

using namespace tilegpt::target;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(PtxasReport, CleanKernel) {
  const PtxasReport report = parsePtxasReport(
      R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'gemm' for 'sm_90a'
ptxas info    : Function properties for gemm
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 16 barriers
ptxas info    : Compile time = 421.341 ms
)");
  EXPECT_EQ(report.registers, 168u);
  EXPECT_EQ(report.barriers, 16u);
  EXPECT_EQ(report.stackBytes, 0u);
  EXPECT_EQ(report.sharedBytes, 0u);
  EXPECT_THAT(report.remarks, IsEmpty());
  EXPECT_THAT(performanceProblems(report), IsEmpty());
}

TEST(PtxasReport, TextHasNoTimes) {
  constexpr llvm::StringLiteral first = "ptxas info    : 0 bytes gmem\n";
  EXPECT_EQ(parsePtxasReport(
                (first + "ptxas info    : Compile time = 1.5 ms\n").str())
                .text,
            first);
}

TEST(PtxasReport, StaticSharedMemory) {
  const PtxasReport report = parsePtxasReport(
      R"(ptxas info    : Compiling entry function 'reduce' for 'sm_90a'
ptxas info    : Function properties for reduce
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem
)");
  EXPECT_EQ(report.registers, 10u);
  EXPECT_EQ(report.barriers, 1u);
  EXPECT_EQ(report.sharedBytes, 1024u);
}

TEST(PtxasReport, StackFrameIsAProblem) {
  const PtxasReport report = parsePtxasReport(
      R"(ptxas info    : Compiling entry function 'stack' for 'sm_90a'
ptxas info    : Function properties for stack
    128 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 30 registers, used 0 barriers, 128 bytes cumulative stack size
)");
  EXPECT_EQ(report.stackBytes, 128u);
  EXPECT_THAT(performanceProblems(report),
              ElementsAre("128 bytes of stack frame"));
}

TEST(PtxasReport, SpillsAreAProblem) {
  const PtxasReport report = parsePtxasReport(
      R"(ptxas info    : Compiling entry function 'spill' for 'sm_90a'
ptxas info    : Function properties for spill
    9072 bytes stack frame, 18652 bytes spill stores, 20500 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 9072 bytes cumulative stack size
)");
  EXPECT_EQ(report.spillStoreBytes, 18652u);
  EXPECT_EQ(report.spillLoadBytes, 20500u);
  EXPECT_THAT(performanceProblems(report),
              ElementsAre("18652 bytes of spill stores and 20500 of spill "
                          "loads at 32 registers"));
}

TEST(PtxasReport, InsertedFencesAreAProblem) {
  const PtxasReport report = parsePtxasReport(
      R"(ptxas info    : (C7519) warpgroup.arrive is injected in around line 164 by compiler to allow use of registers in GMMA in function 'gemm'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'gemm' for 'sm_90a'
ptxas info    : Function properties for gemm
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 16 barriers
)");
  EXPECT_EQ(report.registers, 168u);
  EXPECT_THAT(
      performanceProblems(report),
      ElementsAre("(C7519) warpgroup.arrive is injected in around line 164 by "
                  "compiler to allow use of registers in GMMA in function "
                  "'gemm'"));
}

TEST(PtxasReport, OtherWarningsAreKeptButNoProblem) {
  const PtxasReport report = parsePtxasReport(
      "ptxas warning : Value of threads per SM for entry f is out of range. "
      ".minnctapersm will be ignored\n");
  EXPECT_THAT(report.remarks,
              ElementsAre("Value of threads per SM for entry f is out of "
                          "range. .minnctapersm will be ignored"));
  EXPECT_THAT(performanceProblems(report), IsEmpty());
}

TEST(PtxasReport, UnknownLinesAreKeptAsText) {
  const PtxasReport report = parsePtxasReport("something new, 7 of it\n");
  EXPECT_EQ(report.text, "something new, 7 of it\n");
  EXPECT_EQ(report.registers, 0u);
}
