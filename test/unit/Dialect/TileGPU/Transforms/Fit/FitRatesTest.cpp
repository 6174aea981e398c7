// Fits to times that a known model makes.
#include "TileGPT/Dialect/TileGPU/Transforms/FitRates.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/TileGPU/Transforms/RankChoices.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using target::GpuModel;
using tilegpu::FitQuality;
using tilegpu::MeasuredChoice;
using tilegpu::ProductTimes;

namespace {

const target::GpuTarget &hopper() {
  return llvm::cantFail(target::GpuTarget::find("sm_90a"));
}

class FitRates : public testing::Test {
protected:
  static constexpr int64_t multiprocessors = 132;

  FitRates() : context(registry()), times(hopper(), multiprocessors) {}

  /// Calls `use` with a launch of `linear` on rows x depth and columns x depth.
  void
  withLaunch(int64_t rows, int64_t columns, int64_t depth,
             llvm::function_ref<void(tile::LaunchOp, tile::KernelOp)> use) {
    const std::string text = llvm::formatv(
        R"(func.func @f(%x: tensor<{0}x{2}xbf16>, %w: tensor<{1}x{2}xbf16>,
               %b: tensor<{1}xf32>, %y: tensor<{0}x{1}xbf16>) {{
             tile.launch @linear ins(%x, %w, %b) outs(%y)
               : (tensor<{0}x{2}xbf16>, tensor<{1}x{2}xbf16>, tensor<{1}xf32>,
                  tensor<{0}x{1}xbf16>) -> tensor<{0}x{1}xbf16>
             return
           })",
        rows, columns, depth);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    PhaseOptions options;
    options.compileForGpu("sm_90a");
    ASSERT_TRUE(succeeded(
        runPhases(*module, Phase::Tile, Phase::Launches, options, nullptr)));
    module->walk([&](tile::LaunchOp launch) {
      use(launch, tile::lookupKernel(launch, launch.getKernelAttr().getAttr()));
    });
  }

  /// Adds the estimates of the H200's model for ways that share nothing, which
  /// it does not doubt.
  void addEstimates(int64_t rows, int64_t columns, int64_t depth) {
    withLaunch(
        rows, columns, depth,
        [&](tile::LaunchOp launch, tile::KernelOp kernel) {
          std::vector<MeasuredChoice> choices;
          for (const runtime::RankedChoice &each : tilegpu::rankChoices(
                   launch, kernel, {"sm_90a", multiprocessors}, 96))
            if (each.choice.plan.at("parts") == 1 &&
                each.choice.plan.at("multicast") == 1 &&
                !each.choice.plan.contains("shares"))
              choices.push_back(
                  {each.choice, each.cycles / h200.cyclesPerMicrosecond});
          add(launch, kernel, choices);
        });
  }

  void add(tile::LaunchOp launch, tile::KernelOp kernel,
           llvm::ArrayRef<MeasuredChoice> choices) {
    times.add(launch, kernel, choices,
              [&](llvm::StringRef reason) { skipped.push_back(reason.str()); });
  }

  MLIRContext context;
  ProductTimes times;
  std::vector<std::string> skipped;
  const GpuModel &h200 = GpuModel::of(hopper());

private:
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }
};

TEST_F(FitRates, FindTheRatesThatMadeTheTimes) {
  for (const int64_t depth : {512, 1000, 4096})
    for (const auto &[rows, columns] :
         {std::pair(256, 1000), std::pair(2048, 2048), std::pair(777, 4096)})
      addEstimates(rows, columns, depth);
  EXPECT_GT(times.size(), 100U);
  EXPECT_EQ(skipped.size(), 0U);
  const FitQuality exact = times.qualityOf(h200);
  EXPECT_LT(exact.highError, 1e-9);

  GpuModel wrong = h200;
  wrong.products.launchCycles *= 2;
  wrong.products.sharedCopyCycles.values[3] *= 1.4;
  wrong.products.storedPerCycle *= 3;
  EXPECT_GT(times.qualityOf(wrong).medianError, 0.05);
  const auto fit = llvm::cantFail(times.fit(wrong));
  const FitQuality fitted = times.qualityOf(fit.model);
  EXPECT_LT(fitted.medianError, 0.01);
  EXPECT_LT(fitted.highError, 0.03);
  EXPECT_NEAR(fit.model.products.launchCycles, h200.products.launchCycles, 320);
  // What was not measured stays as it was.
  for (const tilegpu::FittedRate &rate : fit.rates)
    if (rate.name == "exchangedPerCycle" || rate.name == "multicastCycles") {
      EXPECT_FALSE(rate.isUsed);
      EXPECT_EQ(rate.after, rate.before);
    } else if (rate.name == "launchCycles") {
      EXPECT_TRUE(rate.isUsed);
      EXPECT_EQ(rate.before, wrong.products.launchCycles);
    }
}

TEST_F(FitRates, NeedSeveralTimesForEachRate) {
  withLaunch(256, 1000, 512, [&](tile::LaunchOp launch, tile::KernelOp kernel) {
    add(launch, kernel,
        {{{{{"BM", 128}, {"BN", 96}, {"BK", 64}}, {{"parts", 1}}}, 5}});
  });
  auto fit = times.fit(h200);
  ASSERT_FALSE(bool(fit));
  const std::string message = llvm::toString(fit.takeError());
  EXPECT_TRUE(llvm::StringRef(message).starts_with("expected at least "))
      << message;
  EXPECT_TRUE(llvm::StringRef(message).ends_with("rates, found 1")) << message;
}

TEST_F(FitRates, SkipWhatTheModelDoesNotEstimate) {
  const std::map<std::string, int64_t> tile = {
      {"BM", 128}, {"BN", 96}, {"BK", 64}};
  withLaunch(256, 1000, 512, [&](tile::LaunchOp launch, tile::KernelOp kernel) {
    add(launch, kernel,
        {{{tile, {{"raster", 4}}}, 5},
         {{tile, {{"parts", 2}, {"multicast", 2}}}, 5},
         {{tile, {{"multicast", 8}, {"multicastAxis", 1}}}, 5},
         {{tile, {{"multicast", 2}, {"multicastAxis", 2}}}, 5},
         {{{{"BM", 128}, {"BN", 96}, {"BK", 128}}, {}}, 5},
         {{{{"BM", 24}, {"BN", 10}, {"BK", 64}}, {}}, 5}});
  });
  EXPECT_EQ(skipped,
            (std::vector<std::string>{
                "its plan sets raster", "its plan has both parts and multicast",
                "its plan multicasts in clusters that the compiler does not "
                "choose",
                "its plan multicasts in clusters that the compiler does not "
                "choose",
                "its steps along the depth have another size than the "
                "compiler's",
                "no producer can feed its tile"}));
  EXPECT_EQ(times.size(), 0U);
  EXPECT_EQ(times.launches(), 0U);
}

TEST_F(FitRates, TakeTheOverlapThatTheModelDecides) {
  const std::map<std::string, int64_t> tile = {
      {"BM", 128}, {"BN", 96}, {"BK", 64}};
  withLaunch(256, 1000, 512, [&](tile::LaunchOp launch, tile::KernelOp kernel) {
    add(launch, kernel,
        {{{tile, {{"overlap", 0}}}, 5}, {{tile, {{"overlap", 1}}}, 4}});
  });
  EXPECT_EQ(times.size(), 1U);
  EXPECT_EQ(skipped, (std::vector<std::string>{
                         "its launch overlaps and the compiler's would not, or "
                         "the reverse"}));
}

TEST_F(FitRates, SkipKernelsWithoutAProducer) {
  // Rows of 66 bytes suit no TMA.
  withLaunch(256, 96, 33, [&](tile::LaunchOp launch, tile::KernelOp kernel) {
    add(launch, kernel, {{{{{"BM", 128}}, {}}, 5}});
  });
  EXPECT_EQ(skipped, (std::vector<std::string>{
                         "the kernel is no matmul that a producer can feed"}));
}

} // namespace
