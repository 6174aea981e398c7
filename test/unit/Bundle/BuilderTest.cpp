// Round trips from Builder to Bundle: everything is stored once, and handles
// become indices.
#include "Sample.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::bundle;

namespace {

TEST(Builder, RoundTripKeepsEveryTable) {
  const auto bundle = Bundle::fromBytes(test::sampleImage());
  ASSERT_TRUE(bundle) << bundle.error().message;

  EXPECT_EQ(bundle->string(bundle->model().name), "sample");
  EXPECT_EQ(bundle->model().vocabulary, 5);
  EXPECT_EQ(bundle->string(bundle->target().architecture), "x86_64");
  EXPECT_EQ(bundle->target().features, featureBit(CpuFeature::AVX2));
  EXPECT_EQ(bundle->hostCode().size(), 5u);
  EXPECT_EQ((bundle->hostCode().data() - bundle->bytes().data()) %
                int64_t(hostCodeAlignment),
            0);

  ASSERT_EQ(bundle->kernels().size(), 1u);
  const Kernel &add = bundle->kernels()[0];
  EXPECT_EQ(bundle->string(add.name), "add");
  EXPECT_EQ(bundle->string(add.symbol), "add_f32");
  ASSERT_EQ(bundle->messages(add).size(), 2u);
  EXPECT_EQ(bundle->string(bundle->messages(add)[1]), "expected columns");
  ASSERT_EQ(bundle->parameters(add).size(), 4u);
  EXPECT_EQ(bundle->parameters(add)[3].kind, ArgumentKind::Scalar);

  ASSERT_EQ(bundle->plans().size(), 2u);
  const Plan &prefill = bundle->plans()[1];
  EXPECT_EQ(bundle->string(prefill.name), "prefill");
  EXPECT_EQ(prefill.kind, PlanKind::Prefill);
  EXPECT_EQ(prefill.maxRows, 16);
  ASSERT_EQ(bundle->launches(prefill).size(), 2u);
  const Launch &launch = bundle->launches(prefill)[1];
  EXPECT_EQ(bundle->string(launch.label), "h.0.add");
  ASSERT_EQ(bundle->arguments(launch).size(), 4u);
  EXPECT_EQ(bundle->arguments(launch)[0].shape[0], Extent::rows());
  EXPECT_EQ(bundle->arguments(launch)[3].bits, 3u);
  ASSERT_EQ(bundle->expression(launch.grid[0]).size(), 3u);
  EXPECT_EQ(bundle->expression(launch.grid[0])[2].op, ExpressionOp::CeilDiv);
}

TEST(Builder, GlobalBuffersComeFirstAndPlansOwnTheRest) {
  const auto bundle = Bundle::fromBytes(test::sampleImage());
  ASSERT_TRUE(bundle) << bundle.error().message;
  std::vector<std::string_view> names;
  for (const Buffer &buffer : bundle->buffers())
    names.push_back(bundle->string(buffer.name));
  EXPECT_THAT(names, testing::ElementsAre("h.0.k", "w", "x", "y", "x", "y"));
  for (const Plan &plan : bundle->plans())
    for (const Launch &launch : bundle->launches(plan)) {
      const auto arguments = bundle->arguments(launch);
      EXPECT_EQ(arguments[0].buffer, plan.buffers.first);
      EXPECT_EQ(arguments[1].buffer, 1u);
      EXPECT_EQ(arguments[2].buffer, plan.buffers.first + 1);
    }
}

TEST(Builder, EqualTextAndExpressionsAreStoredOnce) {
  Builder b;
  EXPECT_EQ(b.addString("wte"), b.addString("wte"));
  const Expression one[] = {Expression::constant(1)};
  const Expression two[] = {Expression::constant(2)};
  EXPECT_EQ(b.addExpression(one), b.addExpression(one));
  EXPECT_NE(b.addExpression(one), b.addExpression(two));
}

TEST(Builder, TheSameCallsGiveTheSameBytes) {
  EXPECT_EQ(test::sampleImage(), test::sampleImage());
}

TEST(Builder, MisuseIsReportedByFinish) {
  const auto messageOf = [](Builder b) { return b.finish().error().message; };
  const Extent shape[] = {{8}};
  const Extent other[] = {{9}};
  {
    Builder b = test::sampleBuilder();
    b.addBuffer("w", BufferKind::Weight, ElementType::F32, other);
    EXPECT_EQ(messageOf(std::move(b)),
              "bundle: buffer 'w' is used with two kinds, types or shapes");
  }
  {
    Builder b = test::sampleBuilder();
    b.addBuffer("t", BufferKind::Arena, ElementType::F32, shape);
    EXPECT_EQ(messageOf(std::move(b)),
              "bundle: buffer 't' belongs to a plan, but none is open");
  }
  {
    Builder b = test::sampleBuilder();
    b.addLaunch(0, "l", {}, {});
    EXPECT_EQ(messageOf(std::move(b)),
              "bundle: launch 'l' belongs to a plan, but none is open");
  }
  {
    Builder b = test::sampleBuilder();
    b.beginPlan("p", PlanKind::Score, 1, 1, 1);
    EXPECT_EQ(messageOf(b), "bundle: the last plan was not ended");
    b.beginPlan("q", PlanKind::Score, 1, 1, 1);
    EXPECT_EQ(messageOf(std::move(b)),
              "bundle: plan 'q' begins inside another plan");
  }
  {
    Builder b = test::sampleBuilder();
    b.endPlan(0);
    EXPECT_EQ(messageOf(std::move(b)), "bundle: a plan ends, but none is open");
  }
  {
    Builder b = test::sampleBuilder();
    const std::vector<Extent> seven(7, Extent{1});
    b.addBuffer("deep", BufferKind::Weight, ElementType::F32, seven);
    EXPECT_EQ(messageOf(std::move(b)),
              "bundle: buffer 'deep' expected a rank of at most 6, got 7");
  }
}

TEST(Builder, AViewWithAnUnknownBufferIsReported) {
  Builder b = test::sampleBuilder();
  b.beginPlan("p", PlanKind::Score, 1, 1, 1);
  const Extent shape[] = {{1}};
  const Argument arguments[] = {
      Builder::view(99, ElementType::F32, {}, shape, shape)};
  b.addLaunch(0, "l", arguments, {});
  b.endPlan(0);
  EXPECT_EQ(b.finish().error().message,
            "bundle: an argument names buffer 99, but only 6 were added");
}

} // namespace
