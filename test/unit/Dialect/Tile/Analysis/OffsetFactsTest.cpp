// Which neighbouring elements an access by offsets finds contiguous in memory,
// and how many of them it may move at once.
#include "TileGPT/Dialect/Tile/Analysis/OffsetFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
class OffsetFactsTest : public testing::Test {
protected:
  OffsetFactsTest() {
    context.loadDialect<tile::TileDialect, arith::ArithDialect>();
  }

  /// Facts of the last access of a kernel with the view x [?, 96], its address
  /// p, and the scalars i (index) and n (i32).
  OffsetFacts of(StringRef body) {
    std::string source =
        ("!X = !tile.view<?x96xf32>\n"
         "tile.kernel @k(%i: index, %n: i32, %t: i64) outs(%x: !X) grid [1] {\n"
         "%p = tile.base %x : !X -> !tile.ptr<f32>\n" +
         body + "}\n")
            .str();
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    OffsetFacts result;
    if (module)
      module->walk([&](Operation *op) {
        IndexFacts facts;
        if (isOffsetAccess(op))
          result = analyzeOffsets(op, facts);
      });
    return result;
  }

  /// Facts of a load at `%o`, a 64xi32 tile.
  OffsetFacts ofLoad(StringRef body, StringRef mask = "") {
    return of((body + "\n%v = tile.load_at %p[%o] " + mask +
               " : !tile.ptr<f32>, tensor<64xi32> -> tensor<64xf32>\n")
                  .str());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr StringLiteral iota = "%e = tile.iota [64] : tensor<64xi32>\n";

TEST_F(OffsetFactsTest, NeighboursMoveSixteenBytesAtOnce) {
  OffsetFacts facts = ofLoad("%o = tile.iota [64] : tensor<64xi32>");
  EXPECT_EQ(facts.vectorAxis, 0);
  EXPECT_EQ(facts.vectorSize, 4);
}

TEST_F(OffsetFactsTest, StartMustBeAMultiple) {
  auto startingAt = [&](StringRef start) {
    return ofLoad((iota + "%c = arith.constant dense<" + start +
                   "> : tensor<64xi32>\n"
                   "%o = arith.addi %e, %c : tensor<64xi32>")
                      .str())
        .vectorSize;
  };
  EXPECT_EQ(startingAt("8"), 4);
  EXPECT_EQ(startingAt("6"), 2);
  EXPECT_EQ(startingAt("-4"), 4);
  EXPECT_EQ(startingAt("3"), 1);
}

TEST_F(OffsetFactsTest, WhatNobodyKnowsMovesOneByOne) {
  OffsetFacts facts =
      ofLoad((iota + "%s = tile.splat %n [64] : i32 -> tensor<64xi32>\n"
                     "%o = arith.addi %e, %s : tensor<64xi32>")
                 .str());
  EXPECT_EQ(facts.vectorAxis, 0);
  EXPECT_EQ(facts.vectorSize, 1);
}

TEST_F(OffsetFactsTest, MultiplesOfAnUnknownNumberAreKept) {
  EXPECT_EQ(ofLoad((iota + "%c = arith.constant 64 : i32\n"
                           "%m = arith.muli %n, %c : i32\n"
                           "%s = tile.splat %m [64] : i32 -> tensor<64xi32>\n"
                           "%o = arith.addi %s, %e : tensor<64xi32>")
                       .str())
                .vectorSize,
            4);
}

TEST_F(OffsetFactsTest, StepsAreNoNeighbours) {
  OffsetFacts facts =
      ofLoad((iota + "%c = arith.constant dense<2> : tensor<64xi32>\n"
                     "%o = arith.muli %e, %c : tensor<64xi32>")
                 .str());
  EXPECT_EQ(facts.vectorAxis, -1);
  EXPECT_EQ(facts.vectorSize, 1);
}

TEST_F(OffsetFactsTest, RowsAreMultiplesOfTheirLength) {
  auto rowsOf = [&](StringRef length) {
    return of(
        ("%r = tile.iota [4] : tensor<4xi32>\n"
         "%l = arith.constant dense<" +
         length +
         "> : tensor<4xi32>\n"
         "%s = arith.muli %r, %l : tensor<4xi32>\n"
         "%c = tile.expand_dims %s, 1 : tensor<4xi32> -> tensor<4x1xi32>\n"
         "%b = tile.broadcast %c [4, 8] : tensor<4x1xi32> -> tensor<4x8xi32>\n"
         "%e = tile.iota [8] : tensor<8xi32>\n"
         "%f = tile.broadcast %e [4, 8] : tensor<8xi32> -> tensor<4x8xi32>\n"
         "%o = arith.addi %b, %f : tensor<4x8xi32>\n"
         "%v = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<4x8xi32> -> "
         "tensor<4x8xf32>\n")
            .str());
  };
  EXPECT_EQ(rowsOf("96").vectorAxis, 1);
  EXPECT_EQ(rowsOf("96").vectorSize, 4);
  EXPECT_EQ(rowsOf("98").vectorSize, 2);
  EXPECT_EQ(rowsOf("97").vectorSize, 1);
}

TEST_F(OffsetFactsTest, RowsMayBeMultiplesOfALengthOfWhichADivisorIsKnown) {
  auto rowsOf = [&](StringRef divisor) {
    return of(
        ("%d = tile.assume %n div_by " + divisor +
         " : i32\n"
         "%l = tile.splat %d [4] : i32 -> tensor<4xi32>\n"
         "%r = tile.iota [4] : tensor<4xi32>\n"
         "%s = arith.muli %r, %l : tensor<4xi32>\n"
         "%c = tile.expand_dims %s, 1 : tensor<4xi32> -> tensor<4x1xi32>\n"
         "%b = tile.broadcast %c [4, 8] : tensor<4x1xi32> -> tensor<4x8xi32>\n"
         "%e = tile.iota [8] : tensor<8xi32>\n"
         "%f = tile.broadcast %e [4, 8] : tensor<8xi32> -> tensor<4x8xi32>\n"
         "%o = arith.addi %f, %b : tensor<4x8xi32>\n"
         "%v = tile.load_at %p[%o] : !tile.ptr<f32>, tensor<4x8xi32> -> "
         "tensor<4x8xf32>\n")
            .str());
  };
  EXPECT_EQ(rowsOf("8").vectorAxis, 1);
  EXPECT_EQ(rowsOf("8").vectorSize, 4);
  EXPECT_EQ(rowsOf("2").vectorSize, 2);
  EXPECT_EQ(rowsOf("1").vectorSize, 1);
}

TEST_F(OffsetFactsTest, RowsMayBeAnywhereAtMultiplesOfTheirLength) {
  auto rowsOf = [&](StringRef length, StringRef added = "%f") {
    return of(
        ("%i0 = arith.constant 0 : index\n"
         "%q = tile.int_to_ptr %t : !tile.ptr<i32>\n"
         "%w = tile.view_at %q sizes [4] : !tile.ptr<i32> -> "
         "!tile.view<4xi32>\n"
         "%r = tile.load %w[%i0] [4] : !tile.view<4xi32> -> tensor<4xi32>\n"
         "%l = arith.constant dense<" +
         length +
         "> : tensor<4xi32>\n"
         "%s = arith.muli %r, %l : tensor<4xi32>\n"
         "%c = tile.expand_dims %s, 1 : tensor<4xi32> -> tensor<4x1xi32>\n"
         "%b = tile.broadcast %c [4, 4] : tensor<4x1xi32> -> tensor<4x4xi32>\n"
         "%e = tile.iota [4] : tensor<4xi32>\n"
         "%f = tile.broadcast %e [4, 4] : tensor<4xi32> -> tensor<4x4xi32>\n"
         "%h = tile.broadcast %r [4, 4] : tensor<4xi32> -> tensor<4x4xi32>\n"
         "%o = arith.addi %b, " +
         added +
         " : tensor<4x4xi32>\n"
         "%z = arith.constant dense<0> : tensor<4xi32>\n"
         "%n0 = arith.cmpi sge, %r, %z : tensor<4xi32>\n"
         "%n1 = tile.expand_dims %n0, 1 : tensor<4xi1> -> tensor<4x1xi1>\n"
         "%m = tile.broadcast %n1 [4, 4] : tensor<4x1xi1> -> tensor<4x4xi1>\n"
         "%v = tile.load_at %p[%o] mask(%m : tensor<4x4xi1>) : "
         "!tile.ptr<f32>, tensor<4x4xi32> -> tensor<4x4xf32>\n")
            .str());
  };
  EXPECT_EQ(rowsOf("96").vectorAxis, 1);
  EXPECT_EQ(rowsOf("96").vectorSize, 4);
  EXPECT_EQ(rowsOf("98").vectorSize, 2);
  EXPECT_EQ(rowsOf("97").vectorSize, 1);
  // Columns loaded from memory are not contiguous.
  EXPECT_EQ(rowsOf("96", "%h").vectorAxis, -1);
}

TEST_F(OffsetFactsTest, MaskMustBeOneOfARun) {
  auto below = [&](StringRef bound) {
    return ofLoad(("%o = tile.iota [64] : tensor<64xi32>\n"
                   "%c = arith.constant dense<" +
                   bound +
                   "> : tensor<64xi32>\n"
                   "%m = arith.cmpi slt, %o, %c : tensor<64xi32>")
                      .str(),
                  "mask(%m : tensor<64xi1>)")
        .vectorSize;
  };
  EXPECT_EQ(below("40"), 4);
  EXPECT_EQ(below("42"), 2);
  EXPECT_EQ(below("41"), 1);
  // "Up to" ends just after a multiple.
  EXPECT_EQ(ofLoad("%o = tile.iota [64] : tensor<64xi32>\n"
                   "%c = arith.constant dense<40> : tensor<64xi32>\n"
                   "%m = arith.cmpi sle, %o, %c : tensor<64xi32>",
                   "mask(%m : tensor<64xi1>)")
                .vectorSize,
            1);
}

TEST_F(OffsetFactsTest, PermutedMaskKeepsItsRuns) {
  EXPECT_EQ(of("%e = tile.iota [64] : tensor<64xi32>\n"
               "%r = tile.broadcast %e [2, 64] : tensor<64xi32> -> "
               "tensor<2x64xi32>\n"
               "%c = arith.constant dense<40> : tensor<2x64xi32>\n"
               "%b = arith.cmpi slt, %r, %c : tensor<2x64xi32>\n"
               "%o = tile.permute %r [1, 0] : tensor<2x64xi32> -> "
               "tensor<64x2xi32>\n"
               "%m = tile.permute %b [1, 0] : tensor<2x64xi1> -> "
               "tensor<64x2xi1>\n"
               "%v = tile.load_at %p[%o] mask(%m : tensor<64x2xi1>) : "
               "!tile.ptr<f32>, tensor<64x2xi32> -> tensor<64x2xf32>\n")
                .vectorSize,
            4);
}

TEST_F(OffsetFactsTest, PointerSaysItsAlignment) {
  OffsetFacts facts =
      of("%w = tile.subview %x[1, 1] [1, 95] : !X -> !tile.view<1x95xf32, "
         "strides=[96, 1]>\n"
         "%q = tile.base %w : !tile.view<1x95xf32, strides=[96, 1]> -> "
         "!tile.ptr<f32>\n"
         "%o = tile.iota [64] : tensor<64xi32>\n"
         "%v = tile.load_at %q[%o] : !tile.ptr<f32>, tensor<64xi32> -> "
         "tensor<64xf32>\n");
  EXPECT_EQ(facts.vectorSize, 1);
  facts = of("%w = tile.subview %x[1, 1] [1, 95] : !X -> !tile.view<1x95xf32, "
             "strides=[96, 1]>\n"
             "%q = tile.base %w : !tile.view<1x95xf32, strides=[96, 1]> -> "
             "!tile.ptr<f32>\n"
             "%a = tile.assume %q div_by 8 : !tile.ptr<f32>\n"
             "%o = tile.iota [64] : tensor<64xi32>\n"
             "%v = tile.load_at %a[%o] : !tile.ptr<f32>, tensor<64xi32> -> "
             "tensor<64xf32>\n");
  EXPECT_EQ(facts.vectorSize, 2);
}

/// Positions 0 to 63 behind eight times the integer `start`, as `%d`.
static std::string positionsFrom(StringRef start) {
  return (iota + start +
          "%c8 = arith.constant 8 : i32\n"
          "%s0 = arith.muli %s, %c8 : i32\n"
          "%s1 = tile.splat %s0 [64] : i32 -> tensor<64xi32>\n"
          "%d = arith.addi %e, %s1 : tensor<64xi32>\n")
      .str();
}

constexpr StringLiteral bounded =
    "%s = tile.assume %n bounded [0, 1000] : i32\n";
constexpr StringLiteral unbounded = "%s = arith.addi %n, %n : i32\n";

TEST_F(OffsetFactsTest, RemaindersAreAdjacentUpToMultiplesOfTheDivisor) {
  auto by = [&](StringRef divisor, StringRef start, StringRef op) {
    return ofLoad(positionsFrom(start) + "%c = arith.constant dense<" +
                  divisor.str() + "> : tensor<64xi32>\n%o = arith." + op.str() +
                  " %d, %c : tensor<64xi32>")
        .vectorSize;
  };
  EXPECT_EQ(by("96", bounded, "remsi"), 4);
  EXPECT_EQ(by("6", bounded, "remsi"), 2);
  EXPECT_EQ(by("7", bounded, "remsi"), 1);
  // The remainders of -96 and -95 are 0 and -95.
  EXPECT_EQ(by("96", unbounded, "remsi"), 1);
  EXPECT_EQ(by("96", unbounded, "remui"), 4);
}

TEST_F(OffsetFactsTest, QuotientsAreEqualUpToMultiplesOfTheDivisor) {
  // The rows and columns of positions in a matrix with 96 columns, whose rows
  // are `pitch` apart.
  auto of = [&](StringRef pitch) {
    return ofLoad(positionsFrom(bounded) +
                  "%c = arith.constant dense<96> : "
                  "tensor<64xi32>\n%w = arith.constant dense<" +
                  pitch.str() +
                  "> : tensor<64xi32>\n"
                  "%q = arith.divsi %d, %c : tensor<64xi32>\n"
                  "%r = arith.remsi %d, %c : tensor<64xi32>\n"
                  "%m = arith.muli %q, %w : tensor<64xi32>\n"
                  "%o = arith.addi %m, %r : tensor<64xi32>");
  };
  EXPECT_EQ(of("100").vectorAxis, 0);
  EXPECT_EQ(of("100").vectorSize, 4);
  EXPECT_EQ(of("98").vectorSize, 2);
  EXPECT_EQ(of("97").vectorSize, 1);
}

TEST_F(OffsetFactsTest, MaskOfQuotientsIsUniformUpToMultiplesOfTheDivisor) {
  auto masked = [&](StringRef divisor) {
    return ofLoad(positionsFrom(bounded) + "%c = arith.constant dense<" +
                      divisor.str() +
                      "> : tensor<64xi32>\n"
                      "%q = arith.divsi %d, %c : tensor<64xi32>\n"
                      "%m = arith.cmpi sge, %q, %c : tensor<64xi32>\n"
                      "%o = arith.addi %e, %s1 : tensor<64xi32>",
                  "mask(%m : tensor<64xi1>)")
        .vectorSize;
  };
  EXPECT_EQ(masked("8"), 4);
  EXPECT_EQ(masked("10"), 2);
  EXPECT_EQ(masked("9"), 1);
}

TEST_F(OffsetFactsTest, SharedOperandsAreLookedAtOnce) {
  std::string body = positionsFrom(bounded) + "%o0 = arith.xori %d, %d : "
                                              "tensor<64xi32>\n";
  for (int i = 0; i < 64; ++i)
    body += llvm::formatv("%o{0} = arith.xori %o{1}, %o{1} : tensor<64xi32>\n",
                          i + 1, i)
                .str();
  EXPECT_EQ(
      ofLoad(body + "%o = arith.xori %o64, %o64 : tensor<64xi32>").vectorSize,
      1);
}

} // namespace
