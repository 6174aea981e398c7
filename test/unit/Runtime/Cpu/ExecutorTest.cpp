// Launches get the arguments, grids and errors that their bundle specifies, for
// any number of threads.
#include "TileGPT/Runtime/Cpu/Executor.h"
#include "TileGPT/Bundle/Builder.h"
#include "Toy/KernelImage.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace tilegpt;
using namespace tilegpt::bundle;
using namespace tilegpt::cpu;
using runtime::ErrorCode;

namespace {

constexpr int64_t columns = 3;
const Expression one[] = {Expression::constant(1)};

/// A builder with the two kernels of these tests: 0 = add_scalar, 1 =
/// fail_in_block.
Builder kernels() {
  Builder b;
  ModelInfo info;
  info.layers = info.heads = info.width = info.context = info.capacity =
      info.vocabulary = 1;
  b.setModel("m", info);
  b.setTarget("x86_64", "", 0);
  b.setHostCode(test::toyKernels());
  const Parameter add[] = {
      {ArgumentKind::View, ElementType::F32, 2, Access::Read},
      {ArgumentKind::View, ElementType::F32, 2, Access::Write},
      {ArgumentKind::Scalar, ElementType::I32, 0, Access::Read}};
  const Parameter which[] = {
      {ArgumentKind::Scalar, ElementType::I64, 0, Access::Read}};
  const std::string messages[] = {"first", "second"};
  b.addKernel("add", "add_scalar", add);
  b.addKernel("fail", "fail_in_block", which, messages);
  return b;
}

/// Opens a plan with an input "x" and an output "y" of shape [N, columns];
/// returns their handles.
std::pair<uint32_t, uint32_t> openPlan(Builder &b) {
  b.beginPlan("p", PlanKind::Score, 1, 100, 1);
  const Extent shape[] = {Extent::rows(), {columns}};
  return {b.addBuffer("x", BufferKind::Input, ElementType::F32, shape),
          b.addBuffer("y", BufferKind::Output, ElementType::F32, shape)};
}

Argument matrix(uint32_t buffer, Extent rows, Extent offset = {},
                Extent rowStride = {columns}) {
  const Extent shape[] = {rows, {columns}};
  const Extent strides[] = {rowStride, {1}};
  return Builder::view(buffer, ElementType::F32, offset, shape, strides);
}

void launchAdd(Builder &b, Argument x, Argument y, int32_t addend,
               std::span<const Requirement> requirements = {}) {
  const Argument arguments[] = {
      x, y, Builder::scalar(ElementType::I32, uint32_t(addend))};
  const Expression fast[] = {Expression::dim(0, 1)};
  const Expression slow[] = {Expression::dim(0, 0)};
  b.addLaunch(
      0, "here", arguments,
      {b.addExpression(fast), b.addExpression(slow), b.addExpression(one)},
      requirements);
}

/// Runs the only plan of a builder on [rows, columns] of 0, 1, 2…; stores the
/// result in `y`.
struct Harness {
  explicit Harness(Builder b, unsigned threads = 1)
      : bundle(Bundle::fromBytes(b.finish().value()).value()), pool(threads),
        executor(Executor::create(bundle, pool).value()) {}

  runtime::Result<void> operator()(int64_t rows, int64_t sequences = 1) {
    x.resize(size_t(rows * columns));
    std::iota(x.begin(), x.end(), 0.f);
    y.assign(x.size(), -1.f);
    std::byte *const addresses[] = {reinterpret_cast<std::byte *>(x.data()),
                                    reinterpret_cast<std::byte *>(y.data())};
    return executor.run(bundle.plans()[0], rows, sequences, addresses);
  }

  std::vector<float> x, y;
  Bundle bundle;
  ThreadPool pool;
  Executor executor;
};

TEST(Executor, RunsEveryBlockForEverySizeAndThreadCount) {
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, Extent::rows()), matrix(y, Extent::rows()), -5);
  b.endPlan(0);
  for (unsigned threads : {1u, 2u, 4u}) {
    Harness run(b, threads);
    for (int64_t rows : {1, 2, 31, 100, 31}) {
      ASSERT_TRUE(run(rows));
      for (size_t i = 0; i < run.y.size(); ++i)
        ASSERT_EQ(run.y[i], float(i) - 5) << i << " of " << rows << " rows";
    }
  }
}

TEST(Executor, OffsetsAndStridesOfViewsReachTheKernel) {
  // y[0, :] = x[last row, :] + 1, read with a stride of two rows.
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, {1}, {-columns, columns, 0}, {2 * columns}),
            matrix(y, {1}), 1);
  b.endPlan(0);
  Harness run(b);
  ASSERT_TRUE(run(4));
  EXPECT_EQ(run.y, (std::vector<float>{10, 11, 12, -1, -1, -1, -1, -1, -1, -1,
                                       -1, -1}));
}

TEST(Executor, LaunchesRunInOrder) {
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, Extent::rows()), matrix(y, Extent::rows()), 1);
  for (int i = 0; i < 20; ++i)
    launchAdd(b, matrix(y, Extent::rows()), matrix(y, Extent::rows()), 1);
  b.endPlan(0);
  Harness run(b, 2);
  ASSERT_TRUE(run(50));
  for (size_t i = 0; i < run.y.size(); ++i)
    ASSERT_EQ(run.y[i], float(i) + 21);
}

TEST(Executor, EmptyGridsAreSkipped) {
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, {0}), matrix(y, {0}), 1);
  b.endPlan(0);
  Harness run(b);
  ASSERT_TRUE(run(1));
  EXPECT_EQ(run.y[0], -1);
}

TEST(Executor, AFailedAssertNamesKernelPlaceAndText) {
  for (int64_t which : {0, 1, 2}) {
    Builder b = kernels();
    openPlan(b);
    const Argument arguments[] = {
        Builder::scalar(ElementType::I64, uint64_t(which))};
    const Expression blocks[] = {Expression::constant(8)};
    b.addLaunch(
        1, "h.3.attn", arguments,
        {b.addExpression(blocks), b.addExpression(one), b.addExpression(one)});
    b.endPlan(0);
    Harness run(b, 2);
    const auto done = run(1);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Failure);
    const std::string what[] = {"first", "second", "status 3"};
    EXPECT_EQ(done.error().message,
              "cpu: kernel 'fail' (h.3.attn) failed: " + what[which]);
  }
}

TEST(Executor, ALaunchThatReachesOutOfItsBufferDoesNotRun) {
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, Extent::rows()), matrix(y, Extent::rows()), 1);
  launchAdd(b, matrix(x, {4}), matrix(y, {4}), 1); // fits from four rows on
  b.endPlan(0);
  Harness run(b);
  const auto done = run(3);
  EXPECT_EQ(done.error().message, "cpu: plan 'p' at 3 rows of 1 sequences: "
                                  "launch of 'add' (here): argument 0 reaches "
                                  "element 11 of 'x', which has 9");
  EXPECT_EQ(run.y[0], -1) << "the first launch must not have run either";
  EXPECT_TRUE(run(4));
  EXPECT_FALSE(run(3));
}

TEST(Executor, WhatALaunchRequiresIsChecked) {
  // Requires a relation between the rows of y and 4, or those of x.
  const auto build = [](Relation relation, bool withNumber) {
    Builder b = kernels();
    const auto [x, y] = openPlan(b);
    const Expression four[] = {Expression::constant(4)};
    const Expression rowsOfX[] = {Expression::dim(0, 0)};
    const Expression rowsOfY[] = {Expression::dim(1, 0)};
    Requirement required;
    required.lhs = b.addExpression(rowsOfY);
    required.rhs =
        withNumber ? b.addExpression(four) : b.addExpression(rowsOfX);
    required.lhsText = b.addString("axis 0 of argument 1");
    if (!withNumber)
      required.rhsText = b.addString("axis 0 of argument 0");
    required.relation = relation;
    launchAdd(b, matrix(x, {4}), matrix(y, Extent::rows()), 1, {{required}});
    b.endPlan(0);
    return b;
  };
  const std::string start = " sequences: launch of 'add' (here): expected axis "
                            "0 of argument 1 ";
  Harness equal(build(Relation::Equal, false));
  EXPECT_TRUE(equal(4));
  EXPECT_EQ(equal(5).error().message,
            "cpu: plan 'p' at 5 rows of 1" + start +
                "to be 4 (axis 0 of argument 0), found 5");
  EXPECT_EQ(equal.y[0], -1);
  EXPECT_EQ(Harness(build(Relation::Equal, true))(5).error().message,
            "cpu: plan 'p' at 5 rows of 1" + start + "to be 4, found 5");
  const std::tuple<Relation, std::string, std::vector<bool>> others[] = {
      {Relation::Less, "<", {false, false}},
      {Relation::LessEqual, "<=", {true, false}},
      {Relation::Greater, ">", {false, true}},
      {Relation::GreaterEqual, ">=", {true, true}}};
  for (const auto &[relation, sign, holds] : others)
    for (int64_t rows : {4, 5}) {
      Harness run(build(relation, true));
      const auto done = run(rows);
      EXPECT_EQ(done.has_value(), holds[size_t(rows - 4)]) << sign << rows;
      if (!done) {
        EXPECT_EQ(done.error().message,
                  "cpu: plan 'p' at " + std::to_string(rows) + " rows of 1" +
                      start + sign + " 4, found " + std::to_string(rows) +
                      " and 4");
      }
    }
}

TEST(Executor, NegativeSizesAreRefused) {
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, {-5, 1, 0}), matrix(y, {-5, 1, 0}), 1);
  b.endPlan(0);
  Harness run(b);
  EXPECT_EQ(run(4).error().message,
            "cpu: plan 'p' at 4 rows of 1 sequences: launch of 'add' (here): "
            "argument 0 has a "
            "negative size, stride or offset, or overflows");
  EXPECT_TRUE(run(5));
}

TEST(Executor, GridsThatCannotBeComputedAreRefused) {
  Builder b = kernels();
  openPlan(b);
  const Argument arguments[] = {Builder::scalar(ElementType::I64, 0)};
  const Expression quotient[] = {Expression::constant(8), Expression::scalar(0),
                                 Expression::apply(ExpressionOp::CeilDiv)};
  b.addLaunch(
      1, "here", arguments,
      {b.addExpression(one), b.addExpression(quotient), b.addExpression(one)});
  b.endPlan(0);
  EXPECT_EQ(Harness(b)(1).error().message,
            "cpu: plan 'p' at 1 rows of 1 sequences: launch of 'fail' (here): "
            "axis 1 of the "
            "grid is negative, divides by zero or overflows");
}

TEST(Executor, SizesOutsideOfThePlanAreRefused) {
  Builder b = kernels();
  openPlan(b);
  b.endPlan(0);
  Harness run(b);
  EXPECT_EQ(run(101).error().message, "cpu: plan 'p' expected 1 to 100 rows of "
                                      "at most 1 sequences, got 101 of 1");
  EXPECT_EQ(run(2, 2).error().code, ErrorCode::OutOfRange);
}

TEST(Executor, AKernelMissingFromTheImageIsNamed) {
  Builder b = kernels();
  b.addKernel("gelu", "gelu_17", {});
  const Bundle bundle = Bundle::fromBytes(b.finish().value()).value();
  ThreadPool pool(1);
  EXPECT_EQ(Executor::create(bundle, pool).error().message,
            "cpu: the kernels do not export 'gelu_17'");
}

TEST(Executor, AnObserverSeesEveryLaunch) {
  struct Recorder : runtime::LaunchObserver {
    std::vector<int64_t> blocks;
    void launched(const Launch &, int64_t count, Clock::time_point begin,
                  Clock::time_point end) override {
      EXPECT_LE(begin, end);
      blocks.push_back(count);
    }
  } recorder;
  Builder b = kernels();
  const auto [x, y] = openPlan(b);
  launchAdd(b, matrix(x, Extent::rows()), matrix(y, Extent::rows()), 1);
  launchAdd(b, matrix(y, {1}), matrix(y, {1}), 1);
  b.endPlan(0);
  Harness run(b);
  run.executor.setObserver(&recorder);
  ASSERT_TRUE(run(7));
  EXPECT_EQ(recorder.blocks, (std::vector<int64_t>{21, 3}));
}

} // namespace
