// A launch's race on a bench whose times are known.
#include "LaunchTuning/LaunchRace.h"
#include "LaunchTuning/LaunchTexts.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "llvm/ADT/STLExtras.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::compiler;
using runtime::Choice;
using runtime::RankedChoice;
using runtime::Result;

namespace {

/// Launches take as many seconds as they have blocks; their output is empty.
class BlockBench : public LaunchBench {
public:
  Result<size_t> add(CompiledLaunch launch) override {
    const auto &[x, y, z] = launch.grid;
    seconds.push_back(double(x * y * z));
    return seconds.size() - 1;
  }
  Result<Results> run(size_t) override { return Results(1); }
  Result<double> time(size_t number) override { return seconds[number]; }

private:
  std::vector<double> seconds;
};

class LaunchRaceTest : public testing::Test {
protected:
  LaunchRaceTest() {
    compiler.phases.compileForGpu("sm_90a");
    compiler.gpu = target::lookUpTarget("sm_90a");
    const std::string path = testing::TempDir() + "launch-race.mlir";
    std::ofstream(path) << R"mlir(
      func.func @f(%x: tensor<256x64xbf16>, %w: tensor<256x64xbf16>,
                   %b: tensor<256xf32>, %y: tensor<256x256xbf16>) {
        tile.launch @linear ins(%x, %w, %b) outs(%y)
          : (tensor<256x64xbf16>, tensor<256x64xbf16>, tensor<256xf32>,
             tensor<256x256xbf16>) -> tensor<256x256xbf16>
        return
      })mlir";
    auto read = readLaunches(path, compiler.phases);
    EXPECT_TRUE(read);
    text = read->front();
  }

  /// A ranked choice with this tile, whose blocks do not cooperate.
  RankedChoice ranked(int64_t rows, int64_t columns) {
    return {{{{"BM", rows}, {"BN", columns}, {"BK", 64}},
             {{"parts", 1}, {"multicast", 1}, {"overlap", 1}}},
            1};
  }

  LaunchCompiler compiler;
  LaunchText text;
  CompilePool pool{compiler, 2};
  RaceContext context{pool,
                      [](const std::vector<LaunchOperand> &) {
                        return std::make_unique<BlockBench>();
                      },
                      /*compilesApart=*/false, [](std::string_view) {},
                      [] { return false; }};
};

} // namespace

TEST_F(LaunchRaceTest, MovesToNeighboursOfTheLeader) {
  // Each tile is next to the one before and has fewer blocks.
  text.tunable.ranked = {ranked(64, 32), ranked(64, 64), ranked(64, 128),
                         ranked(128, 128), ranked(128, 16)};
  LaunchRace race(text, context);
  race.submit({ranked(64, 64).choice});
  ASSERT_TRUE(race.finish(LaunchRace::Time::max()));
  ASSERT_TRUE(race.winner());
  EXPECT_EQ(race.winner()->choice.parameters,
            ranked(128, 128).choice.parameters);
  // Nothing is measured twice.
  for (const runtime::Entrant &entrant : race.entrants())
    EXPECT_EQ(llvm::count_if(race.entrants(),
                             [&](const runtime::Entrant &other) {
                               return other.choice == entrant.choice;
                             }),
              1);
}

TEST_F(LaunchRaceTest, TriesFurtherChoicesInTheTimeThatIsLeft) {
  // No tile is next to another.
  text.tunable.ranked = {ranked(64, 32), ranked(64, 64), ranked(128, 128)};
  LaunchRace race(text, context);
  race.submit({ranked(64, 64).choice});
  ASSERT_TRUE(race.tryAll(LaunchRace::Time::max()));
  ASSERT_EQ(race.entrants().size(), 2u);
  EXPECT_EQ(race.entrants().back().choice, ranked(128, 128).choice);
  EXPECT_LT(race.entrants().back().ratio(), 1);
}
