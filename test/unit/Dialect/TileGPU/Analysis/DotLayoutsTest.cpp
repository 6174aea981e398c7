// Layouts of accumulators: each element is held once for all sizes, and types
// and sizes select the instruction.
#include "TileGPT/Dialect/TileGPU/Analysis/DotLayouts.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {

/// Adds the digits of `number` to the coordinates of an element.
void addDigits(ArrayRef<LayoutMode> modes, int64_t number,
               SmallVectorImpl<int64_t> &at) {
  for (const LayoutMode &mode : modes) {
    if (!mode.isReplicated())
      at[mode.axis] += number % mode.extent * mode.stride;
    number /= mode.extent;
  }
}

class DotLayoutsTest : public testing::Test {
protected:
  DotLayoutsTest() {
    context.loadDialect<tile::TileDialect, tensor::TensorDialect,
                        TileGPUDialect>();
  }

  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, Float32Type::get(&context));
  }

  /// How many registers, over all threads, hold each element of the tile.
  std::map<SmallVector<int64_t>, int64_t> countHolders(LayoutAttr layout,
                                                       RankedTensorType type) {
    std::map<SmallVector<int64_t>, int64_t> holders;
    for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
          SmallVector<int64_t> at =
              layout.getRegisterOffset(reg, type.getRank());
          addDigits(layout.getLanes(), lane, at);
          addDigits(layout.getWarps(), warp, at);
          if (llvm::all_of_zip(at, type.getShape(), std::less<int64_t>()))
            ++holders[at];
        }
    return holders;
  }

  /// Expects every element to be held, and all equally often.
  void expectWhole(DotKind kind, ArrayRef<int64_t> shape, int64_t warps) {
    SCOPED_TRACE(testing::Message()
                 << "kind " << int(kind) << ", " << shape[0] << " x "
                 << shape[1] << " on " << warps << " warps");
    RankedTensorType type = tensor(shape);
    LayoutAttr layout = accumulatorLayout(kind, type, warps);
    ASSERT_EQ(layout.getNumWarps(), warps);
    auto holders = countHolders(layout, type);
    ASSERT_EQ(int64_t(holders.size()), type.getNumElements());
    for (auto [at, count] : holders)
      ASSERT_EQ(count, holders.begin()->second);
  }

  /// The instruction for a dot of tiles of these types.
  std::optional<DotKind> choose(StringRef lhs, StringRef rhs, StringRef acc,
                                StringRef flags = "transpose_b") {
    std::string source =
        llvm::formatv("tile.kernel @k() grid [1] {{\n"
                      "  %a = tensor.empty() : tensor<{0}>\n"
                      "  %b = tensor.empty() : tensor<{1}>\n"
                      "  %c = tensor.empty() : tensor<{2}>\n"
                      "  %d = tile.dot %a, %b, %c {3} : tensor<{0}>, "
                      "tensor<{1}>, tensor<{2}> -> tensor<{2}>\n}",
                      lhs, rhs, acc, flags);
    auto module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    std::optional<DotKind> kind;
    auto plan = PlanAttr::get(&context, StringAttr::get(&context, "sm_80"),
                              /*warps=*/4, /*stages=*/0, /*producer=*/false,
                              /*persistent=*/false, /*raster=*/8, /*teams=*/1,
                              /*parts=*/1, /*blocks=*/0, /*residentStages=*/2,
                              /*multicast=*/1, /*multicastAxis=*/0,
                              /*overlap=*/true, /*inRegisters=*/false,
                              /*throughMemory=*/false);
    if (module)
      module->walk([&](tile::DotOp dot) { kind = chooseDot(dot, plan); });
    return kind;
  }

  MLIRContext context;
};

TEST_F(DotLayoutsTest, HoldEveryElement) {
  for (DotKind kind : {DotKind::FusedMultiplyAdd, DotKind::MmaSync})
    for (int64_t warps : {1, 2, 3, 4, 6, 8, 12, 16})
      for (int64_t rows : {1, 2, 5, 16, 33, 64, 96, 128})
        for (int64_t columns : {1, 3, 8, 17, 64, 96, 200}) {
          expectWhole(kind, {rows, columns}, warps);
          if (HasFatalFailure())
            return;
        }
}

TEST_F(DotLayoutsTest, SpreadWarpsOverBatchFirst) {
  for (DotKind kind : {DotKind::FusedMultiplyAdd, DotKind::MmaSync})
    for (int64_t batch : {1, 2, 3, 5, 8})
      expectWhole(kind, {batch, 32, 48}, /*warps=*/4);
}

TEST_F(DotLayoutsTest, WastesNothingWhereSizesDivide) {
  LayoutAttr fma = accumulatorLayout(DotKind::FusedMultiplyAdd,
                                     tensor({128, 96}), /*warps=*/8);
  EXPECT_EQ(fma.getNumRegisters(), 128 * 96 / 256);
  LayoutAttr mma =
      accumulatorLayout(DotKind::MmaSync, tensor({128, 128}), /*warps=*/8);
  EXPECT_EQ(mma.getNumRegisters(), 64);
  // 64 × 32 per warp: the squarest split over eight warps, with fewer warps
  // along rows.
  EXPECT_EQ(mma.getWarps(), ArrayRef<LayoutMode>({{4, 0, 32}, {2, 1, 64}}));
}

TEST_F(DotLayoutsTest, KnowsMmaFragments) {
  for (int64_t rows : {16, 64, 128})
    for (int64_t columns : {8, 24, 128}) {
      RankedTensorType type = tensor({rows, columns});
      EXPECT_TRUE(
          isMmaFragment(accumulatorLayout(DotKind::MmaSync, type, 4), 2));
      EXPECT_FALSE(isMmaFragment(
          accumulatorLayout(DotKind::FusedMultiplyAdd, type, 4), 2));
    }
}

TEST_F(DotLayoutsTest, KnowsWhatMmaTakesFromRegisters) {
  auto halves = [&](LayoutAttr layout, ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, BFloat16Type::get(&context), layout);
  };
  // Four warps, stacked along rows: each has its own rows, and all of K.
  constexpr StringLiteral scoresText =
      "#tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:8*8], lanes = [d1:4*2, "
      "d0:8*1], warps = [d0:4*16]>";
  auto scores = cast<LayoutAttr>(parseAttribute(scoresText, &context));
  LayoutAttr out = cast<LayoutAttr>(parseAttribute(
      "#tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:2*8, d0:2*32], lanes = "
      "[d1:4*2, d0:8*1], warps = [d0:2*16, d1:2*16]>",
      &context));
  LayoutAttr outOfRows = cast<LayoutAttr>(parseAttribute(
      "#tile_gpu.layout<registers = [d1:2*1, d0:2*8, d1:4*8], lanes = [d1:4*2, "
      "d0:8*1], warps = [d0:4*16]>",
      &context));
  EXPECT_TRUE(isMmaLhs(halves(scores, {64, 64}), outOfRows));
  // Two by two: a warp misses half of K and half of its rows.
  EXPECT_FALSE(isMmaLhs(halves(out, {64, 32}), out));
  EXPECT_FALSE(isMmaLhs(halves(scores, {64, 64}), out));
  // Another type, and more elements than the fragments hold.
  EXPECT_FALSE(isMmaLhs(tensor({64, 64}), outOfRows));
  EXPECT_FALSE(isMmaLhs(halves(scores, {64, 128}), outOfRows));
}

TEST_F(DotLayoutsTest, ChoosesMatrixInstructionsForWhatTheyMultiplyExactly) {
  EXPECT_EQ(choose("64x32xbf16", "64x32xbf16", "64x64xf32"), DotKind::MmaSync);
  EXPECT_EQ(choose("64x32xf16", "32x64xf16", "64x64xf32", ""),
            DotKind::MmaSync);
  EXPECT_EQ(choose("64x32xf32", "64x32xf32", "64x64xf32",
                   "transpose_b precision(tf32)"),
            DotKind::MmaSync);
  EXPECT_EQ(choose("64x32xf32", "64x32xbf16", "64x64xf32",
                   "transpose_b precision(tf32)"),
            DotKind::MmaSync);
  EXPECT_EQ(choose("64x32xi8", "64x32xi8", "64x64xi32"), DotKind::MmaSync);
  EXPECT_EQ(choose("64x32xi8", "32x64xi8", "64x64xi32", ""), DotKind::MmaSync);
  // Up to sixteen rows are padded.
  EXPECT_EQ(choose("12x32xbf16", "64x32xbf16", "12x64xf32"), DotKind::MmaSync);
  EXPECT_EQ(choose("2x32xbf16", "64x32xbf16", "2x64xf32"), DotKind::MmaSync);
  EXPECT_EQ(choose("1x32xbf16", "64x32xbf16", "1x64xf32"), DotKind::MmaSync);
  EXPECT_EQ(choose("8x1x32xbf16", "8x64x32xbf16", "8x1x64xf32"),
            DotKind::MmaSync);
}

TEST_F(DotLayoutsTest, MultipliesAndAddsTheRest) {
  constexpr DotKind fma = DotKind::FusedMultiplyAdd;
  EXPECT_EQ(choose("64x32xf32", "64x32xf32", "64x64xf32"), fma);
  EXPECT_EQ(choose("64x32xf32", "64x32xbf16", "64x64xf32"), fma);
  EXPECT_EQ(choose("64x32xf16", "64x32xbf16", "64x64xf32"), fma);
  EXPECT_EQ(choose("64x32xf32", "64x32xf32", "64x64xf64"), fma);
  EXPECT_EQ(choose("64x32xi16", "64x32xi16", "64x64xi32"), fma);
  // K must be a multiple of the instruction's.
  EXPECT_EQ(choose("64x40xbf16", "64x40xbf16", "64x64xf32"), fma);
  EXPECT_EQ(choose("8x32xbf16", "4x32xbf16", "8x4xf32"), fma);
}

} // namespace
