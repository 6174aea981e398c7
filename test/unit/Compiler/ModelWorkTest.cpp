// The compiler's interface for profiles. KernelWorkTest and profile.test check
// the counts themselves.
#include "TileGPT/Compiler/ModelWork.h"
#include <gtest/gtest.h>

using namespace tilegpt;

TEST(ModelWork, RefusesTextThatDoesNotParse) {
  const auto work = compiler::ModelWork::parse("tile.kernel @a(");
  ASSERT_FALSE(work);
  EXPECT_EQ(work.error().code, runtime::ErrorCode::BadInput);
}

TEST(ModelWork, BoundsOfAGpuAreThoseOfItsDataSheet) {
  cuda::DeviceInfo h200;
  h200.major = 9;
  h200.multiprocessors = 132;
  h200.clockKhz = 1'980'000;
  h200.memoryClockKhz = 3'201'000;
  h200.memoryBusBits = 6144;
  const auto rates = compiler::ratesOfGpu(h200);
  ASSERT_TRUE(rates) << rates.error().message;
  EXPECT_NEAR(rates->bytesPerSec, 4.917e12, 1e9);
  EXPECT_NEAR(rates->narrowOpsPerSec, 1.07e15, 1e13);
  EXPECT_NEAR(rates->wideOpsPerSec, 6.69e13, 1e11);
  EXPECT_EQ(rates->lanes, 132);
}

TEST(ModelWork, AGpuWithoutCodeHasNoBounds) {
  cuda::DeviceInfo old;
  old.major = 7;
  EXPECT_FALSE(compiler::ratesOfGpu(old));
}
