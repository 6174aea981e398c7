// Intervals of size expressions, and which where clauses they decide.
#include "TileGPT/Dialect/Tile/IR/ExprRange.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt::tile;

namespace {

constexpr int64_t minusInfinity = std::numeric_limits<int64_t>::min();
constexpr int64_t plusInfinity = std::numeric_limits<int64_t>::max();

class ExprRangeTest : public testing::Test {
protected:
  ExprRangeTest() { context.loadDialect<TileDialect>(); }

  AffineExpr unknown(unsigned number) {
    return getAffineSymbolExpr(number, &context);
  }
  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, &context);
  }

  /// Decides the where clause `text` of a kernel with two 1-D views, whose
  /// sizes n and m depend on `unknowns`.
  std::optional<bool> decideText(StringRef text, AffineExpr n, AffineExpr m,
                                 ArrayRef<Interval> unknowns) {
    std::string source =
        ("!V = !tile.view<?xf32>\n"
         "tile.kernel @k(%a: !V, %b: !V, %s: i32) implements(gpt.gelu) where(" +
         text + ") params {P = 4} grid [1] {}")
            .str();
    auto module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    if (!module)
      return std::nullopt;
    KernelOp kernel = *module->getOps<KernelOp>().begin();
    return decide(
        cast<ConditionAttr>((*kernel.getConditions())[0]),
        {[&](unsigned argument, unsigned) { return argument == 0 ? n : m; },
         [&](unsigned) { return AffineExpr(); },
         [&](StringRef) { return constant(4); }, unknowns});
  }

  MLIRContext context;
};

TEST_F(ExprRangeTest, AddsAndMultipliesEnds) {
  Interval unknowns[] = {{2, 5}, {-3, 4}};
  EXPECT_EQ(rangeOf(unknown(0) + unknown(1), unknowns), (Interval{-1, 9}));
  EXPECT_EQ(rangeOf(unknown(0) * unknown(1), unknowns), (Interval{-15, 20}));
  EXPECT_EQ(rangeOf(unknown(0) * -2 + 1, unknowns), (Interval{-9, -3}));
}

TEST_F(ExprRangeTest, DividesByPositiveIntervals) {
  Interval unknowns[] = {{-7, 9}, {2, 4}, {0, 4}};
  EXPECT_EQ(rangeOf(unknown(0).floorDiv(unknown(1)), unknowns),
            (Interval{-4, 4}));
  EXPECT_EQ(rangeOf(unknown(0).ceilDiv(unknown(1)), unknowns),
            (Interval{-3, 5}));
  EXPECT_EQ(rangeOf(unknown(0).floorDiv(unknown(2)), unknowns), Interval{});
  EXPECT_EQ(rangeOf(unknown(0).ceilDiv(2), unknowns), (Interval{-3, 5}));
}

TEST_F(ExprRangeTest, KnowsNothingOfOtherDivisors) {
  Interval unknowns[] = {{-7, 9}, {0, 0}, {5, 0}};
  for (unsigned divisor : {1, 2}) {
    EXPECT_EQ(rangeOf(unknown(0).floorDiv(unknown(divisor)), unknowns),
              Interval{});
    EXPECT_EQ(rangeOf(unknown(0).ceilDiv(unknown(divisor)), unknowns),
              Interval{});
    EXPECT_EQ(rangeOf(unknown(0) % unknown(divisor), unknowns), Interval{});
  }
}

TEST_F(ExprRangeTest, ProvesNothingWithADivisorOfZero) {
  Interval rows[] = {{5, 16}};
  for (StringRef function : {"floordiv", "ceildiv", "mod"})
    EXPECT_EQ(decideText((function + "(dim(%a, 0), P - 4) >= 0").str(),
                         unknown(0), constant(1), rows),
              std::nullopt);
}

TEST_F(ExprRangeTest, BoundsRemainders) {
  Interval unknowns[] = {{17, 20}, {0, 100}, {3, 5}};
  EXPECT_EQ(rangeOf(unknown(0) % 16, unknowns), (Interval{1, 4}));
  EXPECT_EQ(rangeOf(unknown(1) % 16, unknowns), (Interval{0, 15}));
  EXPECT_EQ(rangeOf(unknown(2) % unknown(0), unknowns), (Interval{3, 5}));
}

TEST_F(ExprRangeTest, SaturatesInsteadOfWrapping) {
  Interval unknowns[] = {{1, plusInfinity},
                         {plusInfinity - 1, plusInfinity - 1}};
  EXPECT_EQ(rangeOf(unknown(0) + 5, unknowns), (Interval{6, plusInfinity}));
  EXPECT_EQ(rangeOf(unknown(0) * -1, unknowns), (Interval{minusInfinity, -1}));
  EXPECT_EQ(rangeOf(unknown(1) * 4, unknowns),
            (Interval{plusInfinity, plusInfinity}));
  EXPECT_EQ(rangeOf(unknown(1) + unknown(1), unknowns),
            (Interval{plusInfinity, plusInfinity}));
}

TEST_F(ExprRangeTest, ProvesConditionsOverRanges) {
  Interval rows[] = {{5, 16}};
  EXPECT_EQ(decideText("dim(%a, 0) <= 16", unknown(0), constant(1), rows),
            true);
  EXPECT_EQ(decideText("dim(%a, 0) < 16", unknown(0), constant(1), rows),
            std::nullopt);
  EXPECT_EQ(decideText("dim(%a, 0) > 16", unknown(0), constant(1), rows),
            false);
  EXPECT_EQ(decideText("dim(%a, 0) >= 5", unknown(0), constant(1), rows), true);
  EXPECT_EQ(decideText("dim(%a, 0) >= 17", unknown(0), constant(1), rows),
            false);
  EXPECT_EQ(decideText("dim(%a, 0) < 5", unknown(0), constant(1), rows), false);
  EXPECT_EQ(decideText("dim(%a, 0) > P", unknown(0), constant(1), rows), true);
  EXPECT_EQ(
      decideText("ceildiv(dim(%a, 0), 16) == 1", unknown(0), constant(1), rows),
      true);
}

TEST_F(ExprRangeTest, ProvesEqualityOfTheSameUnknown) {
  Interval unknowns[] = {{2, 16}, {2, 16}};
  StringRef text = "dim(%a, 0) == dim(%b, 0)";
  EXPECT_EQ(decideText(text, unknown(0), unknown(0), unknowns), true);
  EXPECT_EQ(decideText(text, unknown(0), unknown(1), unknowns), std::nullopt);
  EXPECT_EQ(decideText(text, constant(1), constant(1), unknowns), true);
  EXPECT_EQ(decideText(text, unknown(0), constant(1), unknowns), false);
}

TEST_F(ExprRangeTest, ProvesNothingOfWhatIsNotKnown) {
  EXPECT_EQ(decideText("dim(%a, 0) <= 16", AffineExpr(), constant(1), {}),
            std::nullopt);
  EXPECT_EQ(decideText("%s <= 16", constant(1), constant(1), {}), std::nullopt);
}

} // namespace
