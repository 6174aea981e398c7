// Bank conflicts: the count for textbook accesses, and that exchanges between
// common layouts stay near the minimum.
#include "TileGPT/Dialect/TileGPU/IR/SharedAccess.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt::tilegpu;

namespace {

SmallVector<int64_t> strided(int64_t bytes) {
  SmallVector<int64_t> addresses;
  for (int64_t lane = 0; lane < 32; ++lane)
    addresses.push_back(lane * bytes);
  return addresses;
}

TEST(CountPasses, OfWordsDependsOnTheStride) {
  EXPECT_EQ(countPasses(strided(4), 4), 1);
  EXPECT_EQ(countPasses(strided(8), 4), 2);
  EXPECT_EQ(countPasses(strided(128), 4), 32);
  EXPECT_EQ(countPasses(strided(132), 4), 1);
  EXPECT_EQ(countPasses(strided(0), 4), 1); // one word for all
  EXPECT_EQ(countPasses(strided(2), 2), 1); // two lanes share a word
}

TEST(CountPasses, OfWideAccessesGoesByGroupsOfLanes) {
  EXPECT_EQ(countPasses(strided(8), 8), 2);
  EXPECT_EQ(countPasses(strided(16), 16), 4);
  EXPECT_EQ(countPasses(strided(32), 16), 8);
  EXPECT_EQ(countPasses(strided(144), 16), 4); // rows of 128 bytes, padded
}

TEST(CountPasses, LeavesOutLanesThatTakeNoPart) {
  SmallVector<int64_t> addresses = strided(128);
  for (int64_t lane = 1; lane < 32; ++lane)
    addresses[lane] = -1;
  EXPECT_EQ(countPasses(addresses, 4), 1);
}

class Exchange : public testing::Test {
protected:
  Exchange() { context.loadDialect<TileGPUDialect>(); }

  /// Wavefronts of an access relative to the minimum for its width.
  double conflictsOf(LayoutAttr layout, SharedType buffer) {
    int64_t vector = getAccessVector(layout, buffer, buffer.getShape().back());
    int64_t bytes =
        vector * buffer.getElementType().getIntOrFloatBitWidth() / 8;
    double least = std::max<int64_t>(1, bytes / 4);
    return countPasses(layout, buffer, vector) / least;
  }

  MLIRContext context;
};

TEST_F(Exchange, OfRowsAndColumnsIsFreeOfConflicts) {
  Type f32 = Float32Type::get(&context);
  auto row = LayoutAttr::getBlocked(&context, {32, 32}, 4, 4);
  auto column = LayoutAttr::getCanonical(&context, {{8, 1, 1}}, {{32, 0, 1}},
                                         {{4, 1, 8}});
  auto tile = RankedTensorType::get({32, 32}, f32);
  SharedType buffer = getExchangeBuffer(tile, row, column);
  EXPECT_EQ(getAccessVector(row, buffer, 32), 4);
  EXPECT_EQ(getAccessVector(column, buffer, 32), 4);
  EXPECT_EQ(conflictsOf(row, buffer), 1);
  EXPECT_EQ(conflictsOf(column, buffer), 1);
}

TEST_F(Exchange, BetweenAccumulatorsAndRowsStaysWithinTwiceTheLeast) {
  // The C fragment of m16n8 with four warps, and rows of 16 bytes per thread.
  auto fragment =
      LayoutAttr::getCanonical(&context, {{2, 1, 1}, {2, 0, 8}, {8, 1, 8}},
                               {{4, 1, 2}, {8, 0, 1}}, {{4, 0, 16}});
  for (int64_t bits : {16, 32}) {
    Type element = bits == 16 ? Type(BFloat16Type::get(&context))
                              : Type(Float32Type::get(&context));
    auto rows = LayoutAttr::getBlocked(&context, {64, 64}, 128 / bits, 4);
    auto tile = RankedTensorType::get({64, 64}, element);
    SharedType buffer = getExchangeBuffer(tile, fragment, rows);
    EXPECT_EQ(getAccessVector(fragment, buffer, 64), 2);
    EXPECT_LE(conflictsOf(fragment, buffer), 2);
    EXPECT_LE(conflictsOf(rows, buffer), 2);
  }
}

TEST_F(Exchange, NeverTakesWiderAccessesThanTheRowAllows) {
  auto layout = LayoutAttr::getBlocked(&context, {4, 64}, 4, 1);
  auto buffer = [&](int64_t columns, int64_t padding) {
    return SharedType::get(&context, {4, columns}, Float32Type::get(&context),
                           /*swizzle=*/0, padding);
  };
  EXPECT_EQ(getAccessVector(layout, buffer(64, 0), 64), 4);
  EXPECT_EQ(getAccessVector(layout, buffer(64, 2), 64), 2);
  EXPECT_EQ(getAccessVector(layout, buffer(61, 0), 61), 1);
  EXPECT_EQ(getAccessVector(layout, buffer(64, 0), 6), 2); // starts at 6
}

} // namespace
