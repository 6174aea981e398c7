// Live elements counted by hand: loads that depend on each other, elementwise
// chains, reductions and loop-carried values.
#include "TileGPT/Dialect/Tile/Analysis/LiveTiles.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tile;

namespace {

class LiveTilesTest : public testing::Test {
protected:
  LiveTilesTest() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The count for a kernel with this body, which reads %x and writes %y.
  int64_t count(StringRef body) {
    std::string text = R"(
      !V = !tile.view<8x64xf32>
      tile.kernel @k(%x: !V) outs(%y: !V) grid [1] {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
)" + body.str() + "}";
    auto module = parseSourceString<ModuleOp>(text, &context);
    return mostLiveElements(*module->getOps<KernelOp>().begin());
  }

  MLIRContext context;
};

TEST_F(LiveTilesTest, CountsLoadsUntilTheirLastUse) {
  EXPECT_EQ(count(R"(
    %a = tile.load %x[%c0, %c0] [1, 64] : !V -> tensor<1x64xf32>
    %b = tile.load %x[%c1, %c0] [1, 64] : !V -> tensor<1x64xf32>
    %s = arith.addf %a, %b : tensor<1x64xf32>
    %c = tile.load %x[%c8, %c0] [1, 64] : !V -> tensor<1x64xf32>
    %t = arith.addf %s, %c : tensor<1x64xf32>
    tile.store %t, %y[%c0, %c0] : tensor<1x64xf32>, !V
)"),
            2 * 64);
}

TEST_F(LiveTilesTest, CountsNothingOfWhatIsRepeated) {
  EXPECT_EQ(count(R"(
    %a = tile.load %x[%c0, %c0] [1, 64] : !V -> tensor<1x64xf32>
    %b = tile.broadcast %a [8, 64] : tensor<1x64xf32> -> tensor<8x64xf32>
    %z = arith.constant dense<1.0> : tensor<8x64xf32>
    %s = arith.addf %b, %z : tensor<8x64xf32>
    tile.store %s, %y[%c0, %c0] : tensor<8x64xf32>, !V
)"),
            64);
}

TEST_F(LiveTilesTest, CountsComputedTilesThatAReductionReads) {
  EXPECT_EQ(count(R"(
    %a = tile.load %x[%c0, %c0] [1, 64] : !V -> tensor<1x64xf32>
    %b = tile.broadcast %a [8, 64] : tensor<1x64xf32> -> tensor<8x64xf32>
    %e = math.exp %b : tensor<8x64xf32>
    %m = tile.reduce max %e axis 0 keepdims : tensor<8x64xf32> -> tensor<1x64xf32>
    tile.store %m, %y[%c0, %c0] : tensor<1x64xf32>, !V
)"),
            8 * 64);
}

TEST_F(LiveTilesTest, CountsWhatALoopCarriesWithWhatItLoads) {
  EXPECT_EQ(count(R"(
    %z = arith.constant dense<0.0> : tensor<1x64xf32>
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %z) -> (tensor<1x64xf32>) {
      %a = tile.load %x[%i, %c0] [1, 64] : !V -> tensor<1x64xf32>
      %n = arith.addf %s, %a : tensor<1x64xf32>
      scf.yield %n : tensor<1x64xf32>
    }
    tile.store %r, %y[%c0, %c0] : tensor<1x64xf32>, !V
)"),
            2 * 64);
}

} // namespace
