// Sums by kernel, bounds, and each reason for a kernel being slower than its
// bound.
#include "ProfileExample.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

/// The profile of one launch.
static KernelProfile only(LaunchProfile launch,
                          std::vector<KernelRemark> remarks = {}) {
  return profileOf("step", launch.seconds, {launch}, exampleRates(), remarks)
      .kernels.front();
}

TEST(StepProfile, SumsLaunchesOfAKernelAndPutsTheMostExpensiveFirst) {
  const StepProfile profile =
      profileOf("decode:1x1@0", 100e-6,
                {{"add_0", "h.0", 8, 10e-6, reading(1e4)},
                 {"linear_0", "h.0.fc", 6, 30e-6, reading(2e5)},
                 {"linear_0", "h.1.fc", 4, 40e-6, reading(3e5)}},
                exampleRates(), {});
  EXPECT_DOUBLE_EQ(profile.launchSeconds, 80e-6);
  ASSERT_EQ(profile.kernels.size(), 2u);
  const KernelProfile &linear = profile.kernels[0];
  EXPECT_EQ(linear.kernel, "linear_0");
  EXPECT_EQ(linear.label, "h.0.fc");
  EXPECT_EQ(linear.launches, 2);
  EXPECT_EQ(linear.blocks, 4);
  EXPECT_DOUBLE_EQ(linear.seconds, 70e-6);
  EXPECT_DOUBLE_EQ(linear.work->readBytes, 5e5);
  EXPECT_DOUBLE_EQ(linear.boundSeconds, 50e-6);
  EXPECT_TRUE(linear.isMemoryBound);
}

TEST(StepProfile, TheBoundIsTheSlowerOfMemoryAndArithmetic) {
  LaunchWork work = reading(1e5);
  work.wideOps = 3e6;
  work.elementOps = 1e6;
  const Bound bound = boundOf(work, exampleRates());
  EXPECT_DOUBLE_EQ(bound.memory, 10e-6);
  EXPECT_DOUBLE_EQ(bound.arithmetic, 50e-6);
  EXPECT_FALSE(bound.isOfMemory());
  EXPECT_DOUBLE_EQ(bound.seconds(), 50e-6);
}

TEST(StepProfile, SaysWhyAKernelIsNotFaster) {
  EXPECT_EQ(only({"k", "", 8, 100e-6, reading(0.9e6)}).why,
            "at its bound: memory");
  EXPECT_EQ(only({"k", "", 8, 100e-6, multiplying(9e6)}).why,
            "at its bound: arithmetic");
  EXPECT_EQ(only({"k", "", 8, 1.5e-6, reading(1e3)}).why,
            "short: 1.50 us, and a launch that does nothing takes 1.00 us");
  EXPECT_EQ(only({"k", "", 1, 0.5e-6, reading(1e3)}).why,
            "short: 0.50 us, less than a launch on 4 lanes that does nothing "
            "(1.00 us)");
  EXPECT_EQ(only({"k", "", 3, 100e-6, reading(1e5)}).why,
            "3 blocks for 4 that can run at a time");
  EXPECT_EQ(only({"k", "", 1, 100e-6, reading(1e5)}).why,
            "1 block for 4 that can run at a time");
  LaunchWork padded = multiplying(3e6);
  padded.paddedOps = 4e6;
  EXPECT_EQ(only({"k", "", 8, 100e-6, padded}).why,
            "tiles beyond the data: 25 % of what is multiplied");
  EXPECT_EQ(only({"k", "", 5, 100e-6, multiplying(1e6)}).why,
            "5 blocks in waves of 4: 38 % idle in the last");
  EXPECT_EQ(only({"k", "", 8, 100e-6, multiplying(1e6)}).why, "");
}

TEST(StepProfile, ThePlannerIsAskedWhereFiguresSayNothing) {
  const std::vector<KernelRemark> remarks = {
      {"other", "copy missed: another kernel"},
      {"k", "main-loop missed: the right operand is loaded with a mask"}};
  EXPECT_EQ(only({"k", "", 8, 100e-6, multiplying(1e6)}, remarks).why,
            "main-loop missed: the right operand is loaded with a mask");
}

TEST(StepProfile, WithoutTheTextThereAreTimesOnly) {
  const KernelProfile kernel = only({"k", "", 8, 100e-6, std::nullopt});
  EXPECT_FALSE(kernel.work);
  EXPECT_EQ(kernel.boundSeconds, 0);
  EXPECT_EQ(kernel.why, "");
}
