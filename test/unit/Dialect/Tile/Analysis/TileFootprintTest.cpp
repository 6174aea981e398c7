// Footprints of kernels with unbound parameters: those of the library, and
// small ones that show a single fact.
#include "TileGPT/Dialect/Tile/Analysis/TileFootprint.h"
#include "TileGPT/Dialect/Tile/Transforms/LinkLibrary.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tile;

namespace {

class TileFootprintTest : public testing::Test {
protected:
  TileFootprintTest() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A kernel of the built-in library.
  TileFootprint ofLibrary(StringRef name) {
    if (!library)
      library = parseKernelLibrary(
          *readKernelLibrary("", UnknownLoc::get(&context)), &context);
    return TileFootprint(library->lookupSymbol<KernelOp>(name));
  }

  /// The only kernel of a text.
  TileFootprint ofText(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return TileFootprint(*module->getOps<KernelOp>().begin());
  }

  StringAttr name(StringRef text) { return StringAttr::get(&context, text); }

  MLIRContext context;
  OwningOpRef<ModuleOp> library, module;
};

TEST_F(TileFootprintTest, AReshapeKeepsAxesWhereItOnlyChangesThoseOfSizeOne) {
  const auto classOf = [&](StringRef sizes, StringRef type, StringRef to,
                           StringRef result) {
    return ofText(("!X = !tile.view<?x?xf32>\n"
                   "tile.kernel @k(%x: !X) outs(%y: !X) params {A = 4, B = 8} "
                   "grid [1] {\n"
                   "  %c0 = arith.constant 0 : index\n"
                   "  %t = tile.load %x[%c0, %c0] " +
                   sizes + " : !X -> " + type +
                   "\n"
                   "  %r = tile.reshape %t " +
                   to + " : " + type + " -> " + result +
                   "\n"
                   "}\n")
                      .str())
        .getBodyClass();
  };
  const StringRef matrix = "tensor<?x?xf32>";
  EXPECT_EQ(classOf("[A, B]", matrix, "[A, 1, B]", "tensor<?x1x?xf32>"),
            BodyClass::Pointwise);
  EXPECT_EQ(classOf("[1, B]", "tensor<1x?xf32>", "[B]", "tensor<?xf32>"),
            BodyClass::Pointwise);
  // The only size not known to be equal follows.
  EXPECT_EQ(
      classOf("[A, 8]", "tensor<?x8xf32>", "[1, A, 8]", "tensor<1x?x8xf32>"),
      BodyClass::Pointwise);
  EXPECT_EQ(classOf("[A, B]", matrix, "[B, A]", matrix), BodyClass::Other);
  EXPECT_EQ(classOf("[1, B]", "tensor<1x?xf32>", "[A, 2]", "tensor<?x2xf32>"),
            BodyClass::Other);
}

TEST_F(TileFootprintTest, SaysWhatNumbersTilesAndHowLargeTheyAre) {
  const TileFootprint linear = ofLibrary("linear");
  auto loads = linear.accessesOf(0, /*stores=*/false);
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_EQ(loads[0]->axes[0].index, TileIndex::BlockId);
  EXPECT_EQ(loads[0]->axes[0].gridAxis, 0);
  EXPECT_EQ(loads[0]->axes[0].size, name("BM"));
  EXPECT_EQ(loads[0]->axes[1].index, TileIndex::LoopVariable);
  EXPECT_EQ(loads[0]->axes[1].size, name("BK"));
  EXPECT_FALSE(loads[0]->isUnconditional);
  // Stored sizes follow from the sizes they were computed from.
  auto stores = linear.accessesOf(3, /*stores=*/true);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0]->axes[0].size, name("BM"));
  EXPECT_EQ(stores[0]->axes[1].size, name("BN"));
  EXPECT_EQ(stores[0]->axes[1].gridAxis, 1);
  EXPECT_TRUE(stores[0]->isUnconditional);
}

TEST_F(TileFootprintTest, FindsTheAxesThatTheGridAndParametersStandFor) {
  const TileFootprint norm = ofLibrary("layer_norm");
  EXPECT_EQ(norm.wholeAxisOf(name("C")), (ArgumentAxis{0, 1}));
  EXPECT_EQ(norm.wholeAxisOf(name("BM")), std::nullopt);
  EXPECT_EQ(norm.tiledAxisOf(0, name("BM")), (ArgumentAxis{4, 0}));
  EXPECT_EQ(norm.tiledAxisOf(0, name("C")), std::nullopt);
  EXPECT_EQ(norm.tiledAxisOf(1, name("BM")), std::nullopt);
}

TEST_F(TileFootprintTest, ClassifiesBodies) {
  for (StringRef kernel : {"add", "gelu", "gelu_exact", "softcap", "silu_glu"})
    EXPECT_EQ(ofLibrary(kernel).getBodyClass(), BodyClass::Pointwise)
        << kernel.str();
  for (StringRef kernel : {"layer_norm", "rms_norm", "softmax"})
    EXPECT_EQ(ofLibrary(kernel).getBodyClass(), BodyClass::Rowwise)
        << kernel.str();
  for (StringRef kernel : {"linear", "linear_decode"})
    EXPECT_EQ(ofLibrary(kernel).getBodyClass(), BodyClass::Product)
        << kernel.str();
  // Gathers and an online softmax.
  for (StringRef kernel : {"embed", "attention", "attention_decode"})
    EXPECT_EQ(ofLibrary(kernel).getBodyClass(), BodyClass::Other)
        << kernel.str();
}

TEST_F(TileFootprintTest, KnowsAxesThatRunTogether) {
  const TileFootprint footprint = ofText(R"(
    tile.kernel @k(%x: !tile.view<?x?xf32>, %v: !tile.view<?xf32>) outs(%y: !tile.view<?x?xf32>)
        params {BM = 4, C = dim(%x, 1)} grid [ceildiv(dim(%y, 0), BM)] {
      %m = tile.block_id 0
      %c0 = arith.constant 0 : index
      %a = tile.load %x[%m, %c0] [BM, C] : !tile.view<?x?xf32> -> tensor<?x?xf32>
      %b = tile.load %v[%c0] [C] : !tile.view<?xf32> -> tensor<?xf32>
      %w = tile.broadcast %b [BM, C] : tensor<?xf32> -> tensor<?x?xf32>
      %s = arith.addf %a, %w : tensor<?x?xf32>
      %r = tile.reduce add %s axis 1 keepdims : tensor<?x?xf32> -> tensor<?x1xf32>
      tile.store %r, %y[%m, %c0] : tensor<?x1xf32>, !tile.view<?x?xf32>
    })");
  const AxisClasses &axes = footprint.getAxes();
  Value rows = footprint.accessesOf(0, false)[0]->tile,
        vector = footprint.accessesOf(1, false)[0]->tile,
        sums = footprint.accessesOf(2, true)[0]->tile;
  EXPECT_EQ(axes.classOf(vector, 0), axes.classOf(rows, 1));
  EXPECT_EQ(axes.classOf(sums, 0), axes.classOf(rows, 0));
  EXPECT_NE(axes.classOf(sums, 1), axes.classOf(rows, 1));
  EXPECT_TRUE(axes.isMixed(axes.classOf(rows, 1)));
  EXPECT_FALSE(axes.isMixed(axes.classOf(rows, 0)));
  EXPECT_EQ(axes.sizeOf(sums, 0), name("BM"));
}

TEST_F(TileFootprintTest, FindsNoLoadedAxesOfAWindow) {
  const TileFootprint footprint = ofText(R"(
    tile.kernel @k(%x: !tile.view<?x?xf32>) outs(%y: !tile.view<?xf32>)
        params {BN = 4 in [4, 8], BM = 2} grid [1] {
      %c0 = arith.constant 0 : index
      %w = tile.select %x[%c0] : !tile.view<?x?xf32> -> !tile.view<?xf32>
      %a = tile.load %w[%c0] [BN] : !tile.view<?xf32> -> tensor<?xf32>
      %b = tile.load %y[%c0] [BM] : !tile.view<?xf32> -> tensor<?xf32>
      tile.store %b, %y[%c0] : tensor<?xf32>, !tile.view<?xf32>
    })");
  EXPECT_EQ(footprint.loadedAxesOf("BN"), std::nullopt);
  ASSERT_TRUE(footprint.loadedAxesOf("BM"));
  EXPECT_EQ(footprint.loadedAxesOf("BM")->front(), (ArgumentAxis{1, 0}));
}

} // namespace
