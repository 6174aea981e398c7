// Facts derived about the integers and views of kernels. A test kernel stores
// each integer of interest, so that tests find it by position.
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/AccessFacts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace tilegpt::tilegpu {
/// For messages of failed expectations.
static void PrintTo(const IntegerFacts &facts, std::ostream *os) {
  *os << "multiple of " << facts.divisor << " in [" << facts.range.lo << ", "
      << facts.range.hi << "]";
}
} // namespace tilegpt::tilegpu

namespace {
constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min();
constexpr int64_t plusInfinity = std::numeric_limits<int64_t>::max();

class IndexFactsTest : public testing::Test {
protected:
  IndexFactsTest() {
    context.loadDialect<tile::TileDialect, TileGPUDialect, arith::ArithDialect,
                        scf::SCFDialect, tensor::TensorDialect>();
  }

  /// Parses a kernel with the views x [64, 768], y [?, 768], z [?, ?], the
  /// scalars i, j (index) and n (i32), on a grid of [12, dim(y, 0)].
  void parse(StringRef body) {
    std::string source =
        ("!X = !tile.view<64x768xf32>\n"
         "!Y = !tile.view<?x768xf32>\n"
         "!Z = !tile.view<?x?xf32>\n"
         "tile.kernel @k(%x: !X, %i: index, %j: index, %n: i32) "
         "outs(%y: !Y, %z: !Z) grid [12, dim(%y, 0)] {\n" +
         body + "}\n")
            .str();
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module) << source;
  }

  /// Facts of the first value that `body` asserts something about: the left
  /// operand of its last comparison.
  IntegerFacts of(StringRef body, StringRef name = "%v",
                  StringRef type = "index") {
    parse((body + "\n%asked = arith.cmpi eq, " + name + ", " + name + " : " +
           type + "\n")
              .str());
    IntegerFacts result;
    if (module)
      module->walk([&](arith::CmpIOp op) {
        IndexFacts facts;
        result = facts.of(op.getLhs());
      });
    return result;
  }

  /// Facts of all accesses in a body, in order.
  SmallVector<AccessFacts> accesses(StringRef body) {
    parse(body);
    SmallVector<AccessFacts> result;
    IndexFacts facts;
    if (module)
      module->walk([&](Operation *op) {
        if (isa<tile::LoadOp, tile::StoreOp, tile::GatherOp, tile::ScatterOp>(
                op))
          result.push_back(analyzeAccess(op, facts));
      });
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(IndexFactsTest, KnowsConstants) {
  EXPECT_EQ(of("%v = arith.constant 48 : index"), (IntegerFacts{48, {48, 48}}));
  EXPECT_EQ(of("%v = arith.constant -8 : index"), (IntegerFacts{8, {-8, -8}}));
  EXPECT_EQ(of("%v = arith.constant 0 : index"), (IntegerFacts{0, {0, 0}}));
  EXPECT_TRUE(of("%v = arith.constant 0 : index").isMultipleOf(1024));
}

TEST_F(IndexFactsTest, BoundsBlocksByTheGrid) {
  EXPECT_EQ(of("%v = tile.block_id 0"), (IntegerFacts{1, {0, 11}}));
  EXPECT_EQ(of("%v = tile.block_id 1"), (IntegerFacts{1, {0, plusInfinity}}));
  EXPECT_EQ(of("%v = tile.num_blocks 0"), (IntegerFacts{1, {12, 12}}));
}

TEST_F(IndexFactsTest, KnowsSizes) {
  EXPECT_EQ(of("%v = tile.dim %x, 1 : !X"), (IntegerFacts{768, {768, 768}}));
  EXPECT_EQ(of("%v = tile.dim %y, 0 : !Y"),
            (IntegerFacts{1, {0, plusInfinity}}));
  EXPECT_EQ(of("%v = tile.num_tiles %x, 1 by [100] : !X").range,
            (tile::Interval{8, 8}));
}

TEST_F(IndexFactsTest, FollowsArithmetic) {
  std::string block = "%b = tile.block_id 0\n"
                      "%c64 = arith.constant 64 : index\n"
                      "%c16 = arith.constant 16 : index\n";
  auto after = [&](const char *op) { return of(block + op); };
  EXPECT_EQ(after("%v = arith.muli %b, %c64 : index"),
            (IntegerFacts{64, {0, 704}}));
  EXPECT_EQ(after("%v = arith.addi %b, %c64 : index"),
            (IntegerFacts{1, {64, 75}}));
  EXPECT_EQ(after("%v = arith.addi %c16, %c64 : index"),
            (IntegerFacts{16, {80, 80}}));
  EXPECT_EQ(after("%v = arith.subi %b, %c64 : index"),
            (IntegerFacts{1, {-64, -53}}));
  EXPECT_EQ(after("%v = arith.divui %c64, %c16 : index"),
            (IntegerFacts{4, {4, 4}}));
  EXPECT_EQ(after("%v = arith.divui %i, %c16 : index"), IntegerFacts());
  EXPECT_EQ(after("%v = arith.ceildivui %b, %c16 : index"),
            (IntegerFacts{1, {0, 1}}));
  EXPECT_EQ(after("%v = arith.remui %b, %c16 : index"),
            (IntegerFacts{1, {0, 11}}));
  EXPECT_EQ(after("%v = arith.minui %b, %c64 : index"),
            (IntegerFacts{1, {0, 11}}));
  EXPECT_EQ(after("%v = arith.minui %i, %c64 : index"),
            (IntegerFacts{1, {0, 64}}));
  EXPECT_EQ(after("%v = arith.maxsi %i, %c64 : index"),
            (IntegerFacts{1, {64, plusInfinity}}));
}

TEST_F(IndexFactsTest, DividesWhatNeverIsNegativeByWhatMayBeAnything) {
  EXPECT_EQ(of("%r = tile.dim %y, 0 : !Y\n%s = tile.dim %z, 0 : !Z\n"
               "%v = arith.divui %r, %s : index"),
            (IntegerFacts{1, {0, plusInfinity}}));
}

TEST_F(IndexFactsTest, NothingIsNegativeWithoutASign) {
  // A quotient of arbitrary values is arbitrary, but it keeps its bit width.
  IntegerFacts wide = of("%q = arith.floordivsi %n, %n : i32\n"
                         "%v = arith.index_castui %q : i32 to index");
  EXPECT_EQ(wide, (IntegerFacts{1, {0, 4294967295}}));
  EXPECT_EQ(of("%v = arith.extui %n : i32 to i64", "%v", "i64"),
            (IntegerFacts{1, {0, 4294967295}}));
  EXPECT_EQ(of("%w = arith.extsi %n : i32 to i64\n"
               "%v = arith.index_castui %w : i64 to index")
                .range.lo,
            minusInfinity);
}

TEST_F(IndexFactsTest, UnitesBothSidesOfAChoice) {
  EXPECT_EQ(of("%c8 = arith.constant 8 : index\n"
               "%c12 = arith.constant 12 : index\n"
               "%p = arith.cmpi slt, %i, %j : index\n"
               "%v = arith.select %p, %c8, %c12 : index"),
            (IntegerFacts{4, {8, 12}}));
  EXPECT_EQ(of("%c8 = arith.constant 8 : index\n"
               "%c12 = arith.constant 12 : index\n"
               "%p = arith.cmpi slt, %i, %j : index\n"
               "%v = scf.if %p -> index { scf.yield %c8 : index } "
               "else { scf.yield %c12 : index }"),
            (IntegerFacts{4, {8, 12}}));
}

TEST_F(IndexFactsTest, BelievesPromises) {
  EXPECT_EQ(of("%v = tile.assume %i div_by 16 bounded [0, 100] : index"),
            (IntegerFacts{16, {0, 100}}));
  EXPECT_EQ(of("%c = arith.constant 24 : index\n"
               "%m = arith.muli %i, %c : index\n"
               "%v = tile.assume %m div_by 16 : index"),
            (IntegerFacts{48, {minusInfinity, plusInfinity}}));
}

TEST_F(IndexFactsTest, KeepsOnlyPowersOfTwoOfWhatMayWrap) {
  constexpr int64_t lo = std::numeric_limits<int32_t>::min(),
                    hi = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(of("%c = arith.constant 48 : i32\n"
               "%v = arith.muli %n, %c : i32",
               "%v", "i32"),
            (IntegerFacts{16, {lo, hi}}));
  EXPECT_EQ(of("%c = arith.constant 48 : index\n"
               "%m = arith.muli %i, %c : index\n"
               "%v = arith.index_cast %m : index to i32",
               "%v", "i32"),
            (IntegerFacts{16, {lo, hi}}));
  EXPECT_EQ(of("%b = tile.block_id 0\n"
               "%c = arith.constant 48 : index\n"
               "%m = arith.muli %b, %c : index\n"
               "%v = arith.index_cast %m : index to i32",
               "%v", "i32"),
            (IntegerFacts{48, {0, 528}}));
}

TEST_F(IndexFactsTest, BoundsLoopsByTheirLastIteration) {
  parse("%c0 = arith.constant 0 : index\n"
        "%c64 = arith.constant 64 : index\n"
        "%c700 = arith.constant 700 : index\n"
        "scf.for %k = %c0 to %c700 step %c64 {\n"
        "  %asked = arith.cmpi eq, %k, %k : index\n"
        "}\n");
  module->walk([&](scf::ForOp loop) {
    IndexFacts facts;
    EXPECT_EQ(facts.of(loop.getInductionVar()), (IntegerFacts{64, {0, 640}}));
  });
}

TEST_F(IndexFactsTest, AddressesOfWindowsFollowTheirOffsets) {
  parse("%c0 = arith.constant 0 : index\n"
        "%b = tile.block_id 0\n"
        "%c6 = arith.constant 6 : index\n"
        "%o = arith.muli %b, %c6 : index\n"
        "%s = tile.subview %x[%i, %o] [8, 6] "
        ": !X -> !tile.view<8x6xf32, strides=[768, 1]>\n"
        "%r = tile.select %s[%j] : !tile.view<8x6xf32, strides=[768, 1]> "
        "-> !tile.view<6xf32>\n"
        "%t = tile.transpose %x [1, 0] : !X -> "
        "!tile.view<768x64xf32, strides=[1, 768]>\n"
        "%q = tile.select %z[%i] : !Z -> !tile.view<?xf32>\n");
  IndexFacts facts;
  module->walk([&](Operation *op) {
    if (op->getNumResults() != 1 ||
        !isa<tile::ViewType>(op->getResult(0).getType()))
      return;
    ViewFacts view = facts.ofView(op->getResult(0));
    if (isa<tile::SubviewOp>(op)) {
      EXPECT_EQ(view.alignment, 8); // two of four bytes
      EXPECT_EQ(view.sizes[1], IntegerFacts::constant(6));
      EXPECT_EQ(view.strides[0], IntegerFacts::constant(768));
      EXPECT_EQ(view.root.getArgNumber(), 0u);
    } else if (isa<tile::TransposeOp>(op)) {
      EXPECT_EQ(view.alignment, 64);
      EXPECT_EQ(view.strides[0], IntegerFacts::constant(1));
    } else {
      // Rows of z have any length, rows of the window do not.
      bool isOfZ = view.root.getArgNumber() == 5;
      EXPECT_EQ(view.alignment, isOfZ ? 4 : 8);
      EXPECT_EQ(view.sizes.size(), 1u);
    }
  });
}

TEST_F(IndexFactsTest, AccessesAreAsWideAsSizesAllow) {
  SmallVector<AccessFacts> found =
      accesses("%c0 = arith.constant 0 : index\n"
               "%b = tile.block_id 0\n"
               "%0 = tile.load %x[%c0, %b] [64, 64] : !X -> tensor<64x64xf32>\n"
               "%1 = tile.load %x[%c0, %i] [64, 64] : !X -> tensor<64x64xf32>\n"
               "%2 = tile.load %x[%c0, %b] [64, 50] : !X -> tensor<64x50xf32>\n"
               "%3 = tile.load %z[%c0, %b] [64, 64] : !Z -> tensor<64x64xf32>\n"
               "tile.store %0, %y[%c0, %b] : tensor<64x64xf32>, !Y\n");
  ASSERT_EQ(found.size(), 5u);
  for (const AccessFacts &facts : found)
    EXPECT_EQ(facts.vectorAxis, 1);
  EXPECT_EQ(found[0].vectorSize, 4);
  EXPECT_EQ(found[0].isInside, (SmallVector<bool>{true, true}));
  // Some tile size that divides 768, which is also a multiple of four.
  EXPECT_EQ(found[1].vectorSize, 4);
  EXPECT_EQ(found[1].isInside, (SmallVector<bool>{true, false}));
  EXPECT_EQ(found[1].isBehindStart, (SmallVector<bool>{true, false}));
  EXPECT_EQ(found[2].vectorSize, 2);
  EXPECT_EQ(found[3].vectorSize, 1);
  EXPECT_EQ(found[4].vectorSize, 4);
  EXPECT_EQ(found[4].isInside, (SmallVector<bool>{false, true}));
  EXPECT_TRUE(found[0].isConstant);
  EXPECT_FALSE(found[4].isConstant);
}

TEST_F(IndexFactsTest, BlocksAndLoopsThatCountAnAxisStayInside) {
  SmallVector<AccessFacts> found =
      accesses("%c0 = arith.constant 0 : index\n"
               "%c1 = arith.constant 1 : index\n"
               "%m = tile.block_id 1\n"
               "%0 = tile.load %y[%m, %c0] [1, 64] : !Y -> tensor<1x64xf32>\n"
               "%1 = tile.load %y[%m, %c0] [2, 64] : !Y -> tensor<2x64xf32>\n"
               "%2 = tile.load %z[%m, %c0] [1, 64] : !Z -> tensor<1x64xf32>\n"
               "%rows = tile.dim %z, 0 : !Z\n"
               "scf.for %k = %c0 to %rows step %c1 {\n"
               "  %3 = tile.load %z[%k, %c0] [1, 64] : !Z -> tensor<1x64xf32>\n"
               "  %4 = tile.load %y[%k, %c0] [1, 64] : !Y -> tensor<1x64xf32>\n"
               "}\n");
  ASSERT_EQ(found.size(), 5u);
  bool expected[] = {true, false, false, true, false};
  for (auto [facts, isInside] : llvm::zip_equal(found, expected))
    EXPECT_EQ(facts.isInside[0], isInside);
}

TEST_F(IndexFactsTest, TheIndexTileHoldsWhatEachThreadNeeds) {
  auto layout = cast<LayoutAttr>(parseAttribute(
      "#tile_gpu.layout<registers = [d1:4*1, d0:2*8], lanes = [d1:8*4, "
      "d0:4*1], warps = [d0:2*4]>",
      &context));
  EXPECT_EQ(layoutOfIndices(layout, 2, 0),
            parseAttribute("#tile_gpu.layout<registers = [d0:2*8], lanes = "
                           "[rep:8, d0:4*1], warps = [d0:2*4]>",
                           &context));
  EXPECT_EQ(layoutOfIndices(layout, 2, 1),
            parseAttribute("#tile_gpu.layout<registers = [d0:4*1], lanes = "
                           "[d0:8*4, rep:4], warps = [rep:2]>",
                           &context));
}
} // namespace
