// Measured rates of this machine have plausible magnitudes.
#include "TileGPT/Runtime/Profile/MachineRates.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::runtime;

TEST(MachineRates, AreThoseOfAMachine) {
  cpu::ThreadPool pool(1);
  const auto rates = measureHost(pool, 1 << 20);
  ASSERT_TRUE(rates) << rates.error().message;
  EXPECT_GT(rates->bytesPerSec, 1e8);
  EXPECT_LT(rates->bytesPerSec, 1e13);
  EXPECT_GT(rates->wideOpsPerSec, 1e8);
  EXPECT_LT(rates->wideOpsPerSec, 1e13);
  EXPECT_EQ(rates->narrowOpsPerSec, rates->wideOpsPerSec);
  EXPECT_LT(rates->launchSeconds, 1e-3);
  EXPECT_EQ(rates->lanes, 1);
  EXPECT_EQ(rates->origin, "measured");
}
