// Every choice ranked for a launch is one that the passes can apply.
#include "TileGPT/Dialect/TileGPU/Transforms/RankChoices.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "TileGPT/Dialect/Tile/Transforms/ApplyChoice.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace tilegpt;
using runtime::Choice;
using runtime::RankedChoice;

namespace {

/// A launch of a library kernel on rows x depth and columns x depth.
class RankChoices : public testing::Test {
protected:
  RankChoices() : context(registry()) {
    options.compileForGpu("sm_90a");
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      warnings += diagnostic.str() + "\n";
      return success();
    });
  }

  void parse(StringRef kernel, int64_t rows, int64_t columns, int64_t depth) {
    const std::string text = llvm::formatv(
        R"(func.func @f(%x: tensor<{1}x{3}xbf16>, %w: tensor<{2}x{3}xbf16>,
               %b: tensor<{2}xf32>, %y: tensor<{1}x{2}xbf16>) {{
             tile.launch @{0} ins(%x, %w, %b) outs(%y)
               : (tensor<{1}x{3}xbf16>, tensor<{2}x{3}xbf16>, tensor<{2}xf32>,
                  tensor<{1}x{2}xbf16>) -> tensor<{1}x{2}xbf16>
             return
           })",
        kernel, rows, columns, depth);
    parseText(text);
  }

  /// A gated unit with this many columns: two products that share their rows.
  void parseGated(int64_t rows, int64_t columns, int64_t depth) {
    parseText(llvm::formatv(
        R"(func.func @f(%x: tensor<{0}x{2}xbf16>, %w: tensor<{3}x{2}xbf16>,
               %b: tensor<0xf32>, %y: tensor<{0}x{1}xbf16>)
               -> tensor<{0}x{1}xbf16> {{
             %e = tensor.empty() : tensor<{0}x{3}xbf16>
             %m = tile.launch @linear ins(%x, %w, %b) outs(%e)
               : (tensor<{0}x{2}xbf16>, tensor<{3}x{2}xbf16>, tensor<0xf32>,
                  tensor<{0}x{3}xbf16>) -> tensor<{0}x{3}xbf16>
             %r = tile.launch @silu_glu ins(%m) outs(%y)
               : (tensor<{0}x{3}xbf16>, tensor<{0}x{1}xbf16>)
               -> tensor<{0}x{1}xbf16>
             return %r : tensor<{0}x{1}xbf16>
           })",
        rows, columns, depth, 2 * columns));
  }

  void parseText(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << warnings;
    ASSERT_TRUE(succeeded(
        runPhases(*module, Phase::Tile, Phase::Launches, options, nullptr)))
        << warnings;
  }

  std::vector<RankedChoice> rank(size_t most) {
    return tilegpu::rankChoices(launchOf(*module), kernelOf(*module),
                                {options.gpu, options.multiprocessors}, most);
  }

  /// The launch's parameters, grid and plan, compiled with a choice or with the
  /// compiler's own.
  std::pair<std::string, std::string> compile(const Choice *choice) {
    OwningOpRef<ModuleOp> copy = module->clone();
    if (choice)
      EXPECT_TRUE(succeeded(
          tile::applyChoice(launchOf(*copy), kernelOf(*copy), *choice)));
    EXPECT_TRUE(succeeded(runPhases(*copy, Phase::Specialized, Phase::Planned,
                                    options, nullptr)));
    std::string params, plan;
    copy->walk([&](tile::KernelOp kernel) {
      llvm::raw_string_ostream(params) << kernel.getParamsAttr();
      llvm::raw_string_ostream(plan)
          << kernel.getGrid() << kernel->getAttr("tile_gpu.plan");
    });
    return {params, plan};
  }

  std::string warnings;

private:
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }
  static tile::LaunchOp launchOf(ModuleOp module) {
    tile::LaunchOp found;
    module.walk([&](tile::LaunchOp launch) { found = launch; });
    return found;
  }
  static tile::KernelOp kernelOf(ModuleOp module) {
    tile::LaunchOp launch = launchOf(module);
    return tile::lookupKernel(launch, launch.getKernelAttr().getAttr());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  PhaseOptions options;
};

struct Sizes {
  const char *kernel;
  int64_t rows, columns, depth;
};

} // namespace

TEST_F(RankChoices, BeginWithTheCompilersOwnAndAllFit) {
  for (const Sizes &sizes :
       {Sizes{"linear", 1024, 768, 3072}, Sizes{"linear", 365, 520, 14840},
        Sizes{"linear", 1187, 464, 9440}, Sizes{"linear", 142, 6248, 1944},
        Sizes{"linear", 4096, 4096, 4104},
        Sizes{"linear_decode", 4, 768, 3072}}) {
    SCOPED_TRACE(llvm::formatv("{0} {1} x {2} x {3}", sizes.kernel, sizes.rows,
                               sizes.columns, sizes.depth)
                     .str());
    ASSERT_NO_FATAL_FAILURE(
        parse(sizes.kernel, sizes.rows, sizes.columns, sizes.depth));
    const std::vector<RankedChoice> choices = rank(10);
    ASSERT_FALSE(choices.empty());
    EXPECT_EQ(compile(&choices.front().choice), compile(nullptr));
    std::set<std::pair<std::string, std::string>> made;
    for (const auto &[choice, cycles, rasters] : choices) {
      EXPECT_GT(cycles, 0);
      made.insert(compile(&choice));
      EXPECT_EQ(warnings, "") << runtime::describe(choice);
      warnings.clear();
    }
    // No two of them are equal.
    EXPECT_EQ(made.size(), choices.size());
  }
}

TEST_F(RankChoices, OfGatedUnitsAreTheirTiles) {
  ASSERT_NO_FATAL_FAILURE(parseGated(512, 3072, 1024));
  const std::vector<RankedChoice> choices = rank(8);
  ASSERT_EQ(choices.size(), 8u);
  EXPECT_EQ(compile(&choices.front().choice), compile(nullptr));
  for (const auto &[choice, cycles, rasters] : choices) {
    compile(&choice);
    EXPECT_EQ(warnings, "") << runtime::describe(choice);
    warnings.clear();
  }
}

TEST_F(RankChoices, AreNoMoreThanAskedForAndNotAllAlike) {
  ASSERT_NO_FATAL_FAILURE(parse("linear", 4096, 4096, 4104));
  const std::vector<RankedChoice> choices = rank(24);
  EXPECT_EQ(choices.size(), 24u);
  std::map<int64_t, int> byRows;
  for (const RankedChoice &each : choices)
    EXPECT_LE(++byRows[each.choice.parameters.at("BM")], 6);
}

TEST_F(RankChoices, ThatAreAlikeComeBehindAllOthers) {
  ASSERT_NO_FATAL_FAILURE(parse("linear", 512, 768, 1024));
  const std::vector<RankedChoice> choices = rank(512);
  std::map<std::map<std::string, int64_t>, int> byTile;
  int mostWays = 0;
  for (const RankedChoice &each : choices)
    mostWays = std::max(mostWays, ++byTile[each.choice.parameters]);
  EXPECT_GT(mostWays, 3);
  // A longer list begins with the shorter one as long as choices differ.
  const std::vector<RankedChoice> few = rank(24);
  for (auto [place, each] : llvm::enumerate(few))
    EXPECT_EQ(choices[place].choice, each.choice);
}

TEST_F(RankChoices, OfKernelsThatNoProducerFeedsThereAreNone) {
  ASSERT_NO_FATAL_FAILURE(parse("linear_decode", 1, 768, 3072));
  EXPECT_TRUE(rank(24).empty());
}

TEST_F(RankChoices, NameOtherOrdersOfTiles) {
  struct Case {
    Sizes sizes;
    std::vector<int64_t> rasters; ///< of the compiler's own choice
  };
  // Bands of one row, of all four rows, and of eight rows for several waves.
  for (const Case &each :
       {Case{{"linear", 1024, 768, 3072}, {4, 16}},
        Case{{"linear", 512, 2304, 768}, {1}},
        Case{{"linear", 4096, 4096, 4096}, {1, 4, 16, 32}}}) {
    const Sizes &sizes = each.sizes;
    SCOPED_TRACE(
        llvm::formatv("{0} x {1} x {2}", sizes.rows, sizes.columns, sizes.depth)
            .str());
    ASSERT_NO_FATAL_FAILURE(
        parse(sizes.kernel, sizes.rows, sizes.columns, sizes.depth));
    const std::vector<RankedChoice> choices = rank(1);
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices.front().rasters, each.rasters);
    std::set<std::pair<std::string, std::string>> made = {compile(nullptr)};
    for (int64_t raster : choices.front().rasters) {
      Choice choice = choices.front().choice;
      choice.plan["raster"] = raster;
      made.insert(compile(&choice));
      EXPECT_EQ(warnings, "") << runtime::describe(choice);
      warnings.clear();
    }
    EXPECT_EQ(made.size(), choices.front().rasters.size() + 1);
  }
}

TEST_F(RankChoices, NameNoOtherOrderIfBlocksSplitTheDepth) {
  ASSERT_NO_FATAL_FAILURE(parse("linear", 365, 520, 14840));
  for (const RankedChoice &each : rank(24))
    if (each.choice.plan.count("shares") || each.choice.plan.at("parts") > 1)
      EXPECT_TRUE(each.rasters.empty()) << runtime::describe(each.choice);
}
