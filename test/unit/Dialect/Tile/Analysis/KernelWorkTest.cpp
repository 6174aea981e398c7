// Work counted by hand: products with partial tiles, loops bounded by a
// position, windows, gathers.
#include "TileGPT/Dialect/Tile/Analysis/KernelWork.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tile;

namespace {

class KernelWorkTest : public testing::Test {
protected:
  KernelWorkTest() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  KernelWork count(StringRef text, LaunchSizes sizes) {
    sizes.values.resize(sizes.views.size());
    module = parseSourceString<ModuleOp>(text, &context);
    return countWork(*module->getOps<KernelOp>().begin(), sizes);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(KernelWorkTest, CountsBytesOnceAndProductsOnDataThatIsThere) {
  // 100 × 96 with depth 70 in tiles of 32: the last row of tiles has 4 rows,
  // the last step along the depth 6 columns.
  const KernelWork work =
      count(R"(
    !X = !tile.view<?x70xf32>
    !W = !tile.view<96x70xbf16>
    !Y = !tile.view<?x96xf32>
    tile.kernel @product(%x: !X, %w: !W) outs(%y: !Y)
        grid [ceildiv(dim(%y, 0), 32), ceildiv(dim(%y, 1), 32)] {
      %m = tile.block_id 0
      %n = tile.block_id 1
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %init = tile.splat %zero [32, 32] : f32 -> tensor<32x32xf32>
      %steps = tile.num_tiles %x, 1 by [32] : !X
      %sum = scf.for %k = %c0 to %steps step %c1
          iter_args(%acc = %init) -> (tensor<32x32xf32>) {
        %a = tile.load %x[%m, %k] [32, 32] : !X -> tensor<32x32xf32>
        %b = tile.load %w[%n, %k] [32, 32] : !W -> tensor<32x32xbf16>
        %next = tile.dot %a, %b, %acc transpose_b
            : tensor<32x32xf32>, tensor<32x32xbf16>, tensor<32x32xf32>
            -> tensor<32x32xf32>
        scf.yield %next : tensor<32x32xf32>
      }
      %r = arith.addf %sum, %init : tensor<32x32xf32>
      tile.store %r, %y[%m, %n] : tensor<32x32xf32>, !Y
    })",
            {{{100, 70}, {96, 70}, {100, 96}}, {}, {4, 3, 1}});
  EXPECT_EQ(work.readBytes[0], 100 * 70 * 4);
  EXPECT_EQ(work.readBytes[1], 96 * 70 * 2);
  EXPECT_EQ(work.writtenBytes[2], 100 * 96 * 4);
  EXPECT_EQ(work.wideProductOps, 2.0 * 100 * 96 * 70);
  EXPECT_EQ(work.narrowProductOps, 0);
  EXPECT_EQ(work.paddedProductOps, 2.0 * 128 * 96 * 96);
  EXPECT_EQ(work.elementOps, 128 * 96);
  EXPECT_FALSE(work.isEstimate);
}

/// Copies the keys a sequence holds: `pos` + 1 of them.
constexpr StringRef keys = R"(
  !K = !tile.view<2x1024x64xf32>
  !H = !tile.view<1024x64xf32>
  !W = !tile.view<?x64xf32>
  !I = !tile.view<2xi32>
  tile.kernel @keys(%k: !K, %pos: !I) outs(%y: !W) grid [2] {
    %b = tile.block_id 0
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pt = tile.load %pos[%b] [1] : !I -> tensor<1xi32>
    %pi = tensor.extract %pt[%c0] : tensor<1xi32>
    %p = arith.index_cast %pi : i32 to index
    %end = arith.addi %p, %c1 : index
    %h = tile.select %k[%b] : !K -> !H
    %w = tile.subview %h[0, 0] [%end, 64] : !H -> !W
    %steps = tile.num_tiles %w, 0 by [32] : !W
    scf.for %j = %c0 to %steps step %c1 {
      %t = tile.load %w[%j, %c0] [32, 64] : !W -> tensor<32x64xf32>
      tile.store %t, %y[%j, %c0] : tensor<32x64xf32>, !W
    }
  })";

TEST_F(KernelWorkTest, APositionThatIsKnownEndsALoop) {
  LaunchSizes sizes{{{2, 1024, 64}, {2}, {1024, 64}}, {}, {2, 1, 1}};
  sizes.values = {std::nullopt, 99, std::nullopt};
  const KernelWork work = count(keys, sizes);
  EXPECT_EQ(work.readBytes[0], 2 * 100 * 64 * 4);
  EXPECT_EQ(work.writtenBytes[2], 128 * 64 * 4); // both write the same rows
  EXPECT_FALSE(work.isEstimate);
}

TEST_F(KernelWorkTest, OneThatIsNotKnownLeavesAnEstimateOfTheWholeView) {
  const KernelWork work =
      count(keys, {{{2, 1024, 64}, {2}, {1024, 64}}, {}, {2, 1, 1}});
  EXPECT_TRUE(work.isEstimate);
  EXPECT_EQ(work.readBytes[0], 2 * 1024 * 64 * 4);
}

TEST_F(KernelWorkTest, AnIntegerThatIsKnownBeginsAWindow) {
  // The last `window` of 100 keys.
  const StringRef text = R"(
    !K = !tile.view<1024x64xf32>
    !W = !tile.view<?x64xf32>
    tile.kernel @last(%k: !K, %window: i32) outs(%y: !K) grid [1] {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %end = arith.constant 100 : i32
      %begin = arith.subi %end, %window : i32
      %from = arith.index_cast %begin : i32 to index
      %size = arith.index_cast %window : i32 to index
      %seen = tile.subview %k[%from, 0] [%size, 64] : !K -> !W
      %steps = tile.num_tiles %seen, 0 by [32] : !W
      scf.for %i = %c0 to %steps step %c1 {
        %t = tile.load %seen[%i, %c0] [32, 64] : !W -> tensor<32x64xf32>
        tile.store %t, %y[%i, %c0] : tensor<32x64xf32>, !K
      }
    })";
  LaunchSizes sizes{{{1024, 64}, {}, {1024, 64}}, {}, {1, 1, 1}};
  sizes.values = {std::nullopt, 40, std::nullopt};
  const KernelWork work = count(text, sizes);
  EXPECT_EQ(work.readBytes[0], 40 * 64 * 4);
  EXPECT_FALSE(work.isEstimate);
  sizes.values = {};
  EXPECT_TRUE(count(text, sizes).isEstimate);
}

TEST_F(KernelWorkTest, AGatherReadsWhatItsIndicesName) {
  const KernelWork work = count(R"(
    !W = !tile.view<50000x64xbf16>
    !I = !tile.view<?xi32>
    !Y = !tile.view<?x64xbf16>
    tile.kernel @lookup(%ids: !I, %w: !W) outs(%y: !Y)
        grid [ceildiv(dim(%y, 0), 4)] {
      %m = tile.block_id 0
      %c0 = arith.constant 0 : index
      %id = tile.load %ids[%m] [4] : !I -> tensor<4xi32>
      %e = tile.gather %w[%c0] at %id axis 0 [4, 64]
          : !W, tensor<4xi32> -> tensor<4x64xbf16>
      tile.store %e, %y[%m, %c0] : tensor<4x64xbf16>, !Y
    })",
                                {{{12}, {50000, 64}, {12, 64}}, {}, {3, 1, 1}});
  EXPECT_EQ(work.readBytes[0], 12 * 4);
  EXPECT_EQ(work.readBytes[1], 12 * 64 * 2);
  EXPECT_EQ(work.writtenBytes[2], 12 * 64 * 2);
}

TEST_F(KernelWorkTest, FewBlocksStandForMany) {
  // Block i of 1000 reads i + 1 tiles: 500500 in total.
  const KernelWork work = count(R"(
    !X = !tile.view<?xf32>
    !Y = !tile.view<1000xf32>
    tile.kernel @triangle(%x: !X) outs(%y: !Y) grid [1000] {
      %m = tile.block_id 0
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.addi %m, %c1 : index
      %zero = arith.constant 0.0 : f32
      %init = tile.splat %zero [1] : f32 -> tensor<1xf32>
      %sum = scf.for %k = %c0 to %n step %c1
          iter_args(%acc = %init) -> (tensor<1xf32>) {
        %a = tile.load %x[%k] [1] : !X -> tensor<1xf32>
        %next = arith.addf %acc, %a : tensor<1xf32>
        scf.yield %next : tensor<1xf32>
      }
      tile.store %sum, %y[%m] : tensor<1xf32>, !Y
    })",
                                {{{1000}, {1000}}, {}, {1000, 1, 1}});
  EXPECT_NEAR(work.elementOps, 500500, 500);
  EXPECT_EQ(work.readBytes[0], 1000 * 4);
}

} // namespace
