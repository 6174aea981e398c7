// Evaluation of size and grid expressions, including rounding and overflow.
#include "TileGPT/Runtime/Engine/Evaluate.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::evaluate;

namespace {

constexpr int64_t most = std::numeric_limits<int64_t>::max();
constexpr int64_t least = std::numeric_limits<int64_t>::min();

std::optional<int64_t> apply(ExpressionOp op, int64_t a, int64_t b) {
  const Expression postfix[] = {Expression::constant(a),
                                Expression::constant(b), Expression::apply(op)};
  return evaluate(postfix, {});
}

TEST(Evaluate, ExtentsAreLinear) {
  EXPECT_EQ(evaluate(Extent{7, 3, 2}, 10, 4), 45);
  EXPECT_EQ(evaluate(Extent{-1, 1, 0}, 10, 4), 9);
  EXPECT_EQ(evaluate(Extent{0, most, 0}, 2, 1), std::nullopt);
  EXPECT_EQ(evaluate(Extent{most, 1, 0}, 1, 1), std::nullopt);
  EXPECT_EQ(evaluate(Extent{0, 0, least}, 1, 2), std::nullopt);
}

TEST(Evaluate, DivisionsRoundAsNamedForEverySign) {
  for (int64_t a = -7; a <= 7; ++a)
    for (int64_t b : {-3, -2, -1, 1, 2, 3}) {
      const double quotient = double(a) / double(b);
      EXPECT_EQ(apply(ExpressionOp::CeilDiv, a, b),
                int64_t(std::ceil(quotient)))
          << a << "/" << b;
      EXPECT_EQ(apply(ExpressionOp::FloorDiv, a, b),
                int64_t(std::floor(quotient)))
          << a << "/" << b;
      EXPECT_EQ(apply(ExpressionOp::Mod, a, b),
                a - b * int64_t(std::floor(quotient)))
          << a << "%" << b;
    }
}

TEST(Evaluate, OperandsKeepTheirOrder) {
  EXPECT_EQ(apply(ExpressionOp::Sub, 2, 5), -3);
  EXPECT_EQ(apply(ExpressionOp::Add, 2, 5), 7);
  EXPECT_EQ(apply(ExpressionOp::Mul, 2, 5), 10);
  EXPECT_EQ(apply(ExpressionOp::Min, 2, 5), 2);
  EXPECT_EQ(apply(ExpressionOp::Max, 2, 5), 5);
}

TEST(Evaluate, OverflowAndDivisionByZeroHaveNoValue) {
  EXPECT_EQ(apply(ExpressionOp::Add, most, 1), std::nullopt);
  EXPECT_EQ(apply(ExpressionOp::Sub, least, 1), std::nullopt);
  EXPECT_EQ(apply(ExpressionOp::Mul, most, 2), std::nullopt);
  for (auto op :
       {ExpressionOp::CeilDiv, ExpressionOp::FloorDiv, ExpressionOp::Mod}) {
    EXPECT_EQ(apply(op, 1, 0), std::nullopt);
    EXPECT_EQ(apply(op, least, -1), std::nullopt);
  }
}

TEST(Evaluate, ReadsSizesAndScalarsOfTheLaunch) {
  std::vector<Argument> arguments(4);
  arguments[0].rank = 2;
  arguments[1].kind = arguments[2].kind = arguments[3].kind =
      ArgumentKind::Scalar;
  arguments[1].type = ElementType::I32;
  arguments[2].type = ElementType::I1;
  arguments[3].type = ElementType::I64;
  const uint32_t firstWord[] = {0, 5, 6, 7};
  const uint64_t words[] = {0xdead, 30,          40, 40,
                            1,      0xffff'fffe, 1,  uint64_t(least)};
  const runtime::LaunchWords launch{arguments, firstWord, words};
  const auto only = [&](Expression node) {
    return evaluate(std::span(&node, 1), launch);
  };
  EXPECT_EQ(only(Expression::dim(0, 0)), 30);
  EXPECT_EQ(only(Expression::dim(0, 1)), 40);
  EXPECT_EQ(only(Expression::scalar(1)), -2);
  EXPECT_EQ(only(Expression::scalar(2)), 1);
  EXPECT_EQ(only(Expression::scalar(3)), least);
}

} // namespace
