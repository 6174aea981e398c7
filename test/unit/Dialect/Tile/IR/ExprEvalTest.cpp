// Combining expressions: what folds, and what is an error instead.
#include "TileGPT/Dialect/Tile/IR/ExprEval.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilegpt::tile;

namespace {
constexpr int64_t most = std::numeric_limits<int64_t>::max(),
                  least = std::numeric_limits<int64_t>::min();

class ExprEvalTest : public testing::Test {
protected:
  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, &context);
  }
  AffineExpr symbol() { return getAffineSymbolExpr(0, &context); }

  /// The result for two operands: the constant, "open", or the error.
  std::string combined(AffineExprKind kind, AffineExpr lhs, AffineExpr rhs) {
    llvm::Expected<AffineExpr> result = combine(kind, lhs, rhs);
    if (!result)
      return llvm::toString(result.takeError());
    auto value = dyn_cast<AffineConstantExpr>(*result);
    return value ? std::to_string(value.getValue()) : "open";
  }

  MLIRContext context;
};
} // namespace

TEST_F(ExprEvalTest, FoldsConstants) {
  EXPECT_EQ(combined(AffineExprKind::Add, constant(3), constant(4)), "7");
  EXPECT_EQ(combined(AffineExprKind::CeilDiv, constant(7), constant(2)), "4");
  EXPECT_EQ(combined(AffineExprKind::FloorDiv, constant(-7), constant(2)),
            "-4");
  EXPECT_EQ(combined(AffineExprKind::Mod, constant(-7), constant(4)), "1");
  EXPECT_EQ(combined(AffineExprKind::Add, symbol(), constant(4)), "open");
}

TEST_F(ExprEvalTest, RefusesDivisorsThatAreNotPositive) {
  for (AffineExpr lhs : {constant(8), constant(least), symbol()}) {
    EXPECT_EQ(combined(AffineExprKind::FloorDiv, lhs, constant(0)),
              "expected a positive divisor in floordiv, found 0");
    EXPECT_EQ(combined(AffineExprKind::CeilDiv, lhs, constant(-1)),
              "expected a positive divisor in ceildiv, found -1");
    EXPECT_EQ(combined(AffineExprKind::Mod, lhs, constant(least)),
              "expected a positive divisor in mod, found "
              "-9223372036854775808");
  }
}

TEST_F(ExprEvalTest, RefusesWhatDoesNotFit64Bits) {
  EXPECT_EQ(combined(AffineExprKind::Add, constant(most), constant(1)),
            "size expression does not fit 64 bits: 9223372036854775807 + 1");
  EXPECT_EQ(combined(AffineExprKind::Mul, constant(least), constant(-1)),
            "size expression does not fit 64 bits: -9223372036854775808 * -1");
  EXPECT_EQ(combined(AffineExprKind::Add, symbol() + most, constant(1)),
            "size expression does not fit 64 bits: 9223372036854775807 + 1");
  EXPECT_EQ(combined(AffineExprKind::Mul, symbol() * most, constant(2)),
            "size expression does not fit 64 bits: 9223372036854775807 * 2");
}

TEST_F(ExprEvalTest, ReplacesSymbolsEverywhere) {
  AffineExpr expr = (symbol() + 4).floorDiv(symbol() - 4);
  llvm::Expected<AffineExpr> known = replaceSymbols(expr, constant(8));
  ASSERT_TRUE(bool(known));
  EXPECT_EQ(*known, constant(3));
  llvm::Expected<AffineExpr> wrong = replaceSymbols(expr, constant(4));
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "expected a positive divisor in floordiv, found 0");
}
