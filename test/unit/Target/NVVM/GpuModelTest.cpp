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
    EXPECT_LE(rates.sustainedSumsPerCycle, rates.sumsPerCycle);
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

TEST(GpuModelTest, IsFormattedAsARowOfTheTable) {
  GpuModel model = GpuModel::of(llvm::cantFail(GpuTarget::find("sm_80")));
  model.products.copyCycles = {{2.6789, 1.1, 1.05, 1}};
  model.products.launchCycles = 3200.4;
  const std::string text = formatModel(model, "NVIDIA A30");
  EXPECT_TRUE(llvm::StringRef(text).starts_with(R"({
    .name = "NVIDIA A30",
    .architecture = "sm_80",
    .isMeasured = false,
    .multiprocessors = 108,
    .cyclesPerMicrosecond = 1410,
    .l2Bytes = 40 << 20,
    .memoryBytesPerCycle = 1300,
    .clusters = {0, 0, 0, 0, 0, 0, 0},
    .products =
        {
            .sumsPerCycle = 0,
)")) << text;
  EXPECT_NE(text.find("            .copyCycles = {{2.68, 1.1, 1.05, 1}},\n"),
            std::string::npos);
  EXPECT_NE(text.find("            .launchCycles = 3200,\n"),
            std::string::npos);
  EXPECT_TRUE(llvm::StringRef(text).ends_with("        },\n},\n"));
}

TEST(GpuModelTest, EveryTargetHasOne) {
  for (const GpuTarget &target : GpuTarget::all())
    EXPECT_GT(GpuModel::of(target).multiprocessors, 0);
}
