// The table of device models.
#include "TileGPT/Target/NVVM/GpuModel.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace tilegpt::target;

TEST(GpuModelTest, RowsAreOfKnownArchitectures) {
  for (const GpuModel &model : GpuModel::all()) {
    llvm::Expected<const GpuTarget &> target =
        GpuTarget::find(model.architecture);
    ASSERT_TRUE(bool(target)) << model.name.str();
    EXPECT_EQ(GpuModel::of(*target).architecture, model.architecture);
  }
}

TEST(GpuModelTest, MeasuredDevicesStandForTheirArchitecture) {
  auto nameOf = [](llvm::StringRef architecture) {
    return GpuModel::of(llvm::cantFail(GpuTarget::find(architecture))).name;
  };
  EXPECT_EQ(nameOf("sm_90a"), "NVIDIA H200");
  EXPECT_EQ(nameOf("sm_80"), "NVIDIA A100");
  EXPECT_EQ(nameOf("sm_89"), "NVIDIA A100");
}

TEST(GpuModelTest, NumbersAreSound) {
  for (const GpuModel &model : GpuModel::all()) {
    for (auto [number, clusters] : llvm::enumerate(model.clusters))
      EXPECT_LE(clusters * int64_t(number + 2), model.multiprocessors);
    const ProductRates &rates = model.products;
    EXPECT_LE(rates.sharedSumsPerCycle, rates.sumsPerCycle);
    for (int64_t bytes : {16, 32, 64, 128})
      EXPECT_LE(rates.copyCycles.of(bytes), rates.sharedCopyCycles.of(bytes));
    // Unaligned rows are never faster.
    for (int64_t bytes : {32, 64, 128}) {
      EXPECT_LE(rates.copyCycles.of(bytes), rates.copyCycles.of(bytes / 2));
      EXPECT_LE(rates.sharedCopyCycles.of(bytes),
                rates.sharedCopyCycles.of(bytes / 2));
    }
  }
}

TEST(GpuModelTest, EveryTargetHasOne) {
  for (const GpuTarget &target : GpuTarget::all())
    EXPECT_GT(GpuModel::of(target).multiprocessors, 0);
}
