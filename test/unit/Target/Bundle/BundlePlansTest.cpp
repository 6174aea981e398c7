// Functions of launches become plans: each kernel once, buffers by root, sizes
// as extents, grids in postfix notation.
#include "TileGPT/Target/Bundle/BundlePlans.h"
#include "TileGPT/Bundle/Bundle.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>

using namespace mlir;
using namespace tilegpt;
using testing::HasSubstr;

namespace {

constexpr const char *kernels = R"mlir(
!V = !tile.view<?x8xf32>
!I = !tile.view<?xi32>
tile.kernel @rows(%ids: !I, %w: !tile.view<16x8xf32>, %f: f32) outs(%y: !V) grid [ceildiv(dim(%y, 0), 4), 2] {
  %ok = arith.constant true
  tile.assert %ok, "never" : i1
}
tile.kernel @bump(%x: !V) outs(%k: !tile.view<?x4x8xf32>) grid [dim(%k, 0)] {}
tile.kernel @copy(%x: !V) outs(%y: !V) grid [1] {}
tile.kernel @like(%x: !V, %s: !I) outs(%y: !V)
    requires(dim(%x, 0) == dim(%y, 0), dim(%s, 0) == dim(%y, 0), dim(%y, 0) <= 6) grid [1] {}
tile.kernel @more(%s: !I) outs(%y: !V) requires(dim(%s, 0) + 2 <= dim(%s, 0)) grid [1] {}
tile.kernel @two(%s: !tile.view<2xi32>) outs(%y: !V) grid [1] {}
tile.global @w weight : tensor<16x8xf32>
tile.global @k state : tensor<?x4x8xf32>
)mlir";

class BundlePlansTest : public testing::Test {
protected:
  BundlePlansTest()
      : context([] {
          DialectRegistry registry;
          registerDialects(registry);
          return registry;
        }()) {}

  /// Adds the plan of `body` for up to 6 rows and 2 sequences; records the
  /// diagnostics.
  LogicalResult addPlan(const std::string &body) {
    std::string text = std::string(kernels) +
                       "func.func @step(%ids: tensor<?xi32>, %pos: "
                       "tensor<?xi32>) -> tensor<?x8xf32> {\n"
                       "%c0 = arith.constant 0 : index\n"
                       "%n = tensor.dim %ids, %c0 : tensor<?xi32>\n"
                       "%e = tensor.empty(%n) : tensor<?x8xf32>\n"
                       "%f = arith.constant 1.5 : f32\n" +
                       body + "}";
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    target::BundlePlans plans(builder, bundle::TargetKind::Host);
    target::PlanSpec spec{"score", bundle::PlanKind::Score, 1, 6, 2};
    return plans.addPlan(*module->getOps<func::FuncOp>().begin(), spec);
  }

  bundle::Bundle finish() {
    bundle::ModelInfo info;
    info.layers = info.heads = info.width = info.vocabulary = 1;
    info.context = info.capacity = 8;
    info.epsilon = 1e-5;
    builder.setModel("toy", info);
    builder.setTarget("x86_64", "generic", 0);
    std::vector<std::byte> image(64);
    const char elf[] = {0x7f, 'E', 'L', 'F'};
    std::memcpy(image.data(), elf, sizeof(elf));
    builder.setHostCode(image);
    auto bytes = builder.finish();
    EXPECT_TRUE(bytes.has_value()) << bytes.error().message;
    auto opened = bundle::Bundle::fromBytes(std::move(*bytes));
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return std::move(*opened);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  bundle::Builder builder;
  std::string messages;
};

constexpr const char *rowsLaunch =
    "%w = tile.get_global @w : tensor<16x8xf32>\n"
    "%x = tile.launch @rows ins(%ids, %w, %f) outs(%e) : (tensor<?xi32>, "
    "tensor<16x8xf32>, f32, tensor<?x8xf32>) -> tensor<?x8xf32>\n";

TEST_F(BundlePlansTest, WritesLaunchesBuffersAndGrid) {
  ASSERT_TRUE(succeeded(
      addPlan(std::string(rowsLaunch) +
              "%y = tile.launch @copy ins(%x) outs(%e) : (tensor<?x8xf32>, "
              "tensor<?x8xf32>) -> tensor<?x8xf32>\n"
              "return %y : tensor<?x8xf32>\n")))
      << messages;
  bundle::Bundle opened = finish();
  ASSERT_EQ(opened.plans().size(), 1u);
  const bundle::Plan &plan = opened.plans()[0];
  // One intermediate tensor with 6 rows of 8 floats.
  EXPECT_EQ(plan.arenaBytes, 6u * 8 * 4);
  auto launches = opened.launches(plan);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(opened.string(opened.kernel(launches[0]).symbol), "kernel.rows");
  EXPECT_EQ(opened.messages(opened.kernel(launches[0])).size(), 1u);
  auto arguments = opened.arguments(launches[0]);
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[2].bits, 0x3fc00000u); // 1.5f
  EXPECT_EQ(arguments[3].shape[0], bundle::Extent::rows());
  EXPECT_EQ(arguments[3].strides[0], (bundle::Extent{8, 0, 0}));
  // ceildiv(dim(argument 3, axis 0), 4)
  auto grid = opened.expression(launches[0].grid[0]);
  ASSERT_EQ(grid.size(), 3u);
  EXPECT_EQ(grid[0], bundle::Expression::dim(3, 0));
  EXPECT_EQ(grid[2].op, bundle::ExpressionOp::CeilDiv);
  // The logits are the plan's output, not part of the arena.
  bool hasLogits = false;
  for (const bundle::Buffer &buffer : opened.buffers(plan))
    hasLogits |= buffer.kind == bundle::BufferKind::Output &&
                 opened.string(buffer.name) == "logits";
  EXPECT_TRUE(hasLogits);
}

TEST_F(BundlePlansTest, APlanThatSamplesTakesHowAndGivesNext) {
  module = parseSourceString<ModuleOp>(R"mlir(
    !I = !tile.view<?xi32>
    tile.kernel @draw(%ids: !I, %how: !tile.view<?x5xf32>) outs(%next: !I)
        grid [dim(%how, 0)] {}
    func.func @step(%ids: tensor<?xi32>, %pos: tensor<?xi32>,
                    %how: tensor<?x5xf32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %ids, %c0 : tensor<?xi32>
      %e = tensor.empty(%n) : tensor<?xi32>
      %x = tile.launch @draw ins(%ids, %how) outs(%e)
          : (tensor<?xi32>, tensor<?x5xf32>, tensor<?xi32>) -> tensor<?xi32>
      return %x : tensor<?xi32>
    })mlir",
                                       &context);
  ASSERT_TRUE(module);
  target::BundlePlans plans(builder, bundle::TargetKind::Host);
  auto step = *module->getOps<func::FuncOp>().begin();
  ASSERT_TRUE(succeeded(
      plans.addPlan(step, {"sample", bundle::PlanKind::Sample, 1, 2, 2})));
  bundle::Bundle opened = finish();
  const auto buffers = opened.buffers(opened.plans()[0]);
  ASSERT_EQ(buffers.size(), 4u);
  EXPECT_EQ(opened.string(buffers[2].name), "how");
  EXPECT_EQ(buffers[2].kind, bundle::BufferKind::Input);
  EXPECT_EQ(buffers[2].shape[0], bundle::Extent::sequences());
  EXPECT_EQ(opened.string(buffers[3].name), "next");
  EXPECT_EQ(buffers[3].kind, bundle::BufferKind::Output);
  EXPECT_EQ(buffers[3].type, bundle::ElementType::I32);
  // Only a sampling plan takes three inputs.
  messages.clear();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(
      plans.addPlan(step, {"decode", bundle::PlanKind::Decode, 1, 2, 2})));
  EXPECT_THAT(messages, HasSubstr("tensor<?xi32>) -> logits, found"));
}

TEST_F(BundlePlansTest, StateIsUpdatedInPlace) {
  ASSERT_TRUE(succeeded(
      addPlan(std::string("%k = tile.get_global @k : tensor<?x4x8xf32>\n") +
              rowsLaunch +
              "%k2 = tile.launch @bump ins(%x) outs(%k) : (tensor<?x8xf32>, "
              "tensor<?x4x8xf32>) -> tensor<?x4x8xf32>\n"
              "return %x : tensor<?x8xf32>\n")))
      << messages;
  bundle::Bundle opened = finish();
  const bundle::Plan &plan = opened.plans()[0];
  const bundle::Argument &cache = opened.arguments(opened.launches(plan)[1])[1];
  EXPECT_EQ(opened.buffers()[cache.buffer].kind, bundle::BufferKind::State);
  EXPECT_EQ(cache.shape[0], bundle::Extent::sequences());
  EXPECT_EQ(plan.arenaBytes, 0u);
}

TEST_F(BundlePlansTest, RejectsAReadOfStateBeforeItsUpdate) {
  EXPECT_TRUE(failed(
      addPlan(std::string("%k = tile.get_global @k : tensor<?x4x8xf32>\n") +
              rowsLaunch +
              "%k2 = tile.launch @bump ins(%x) outs(%k) : (tensor<?x8xf32>, "
              "tensor<?x4x8xf32>) -> tensor<?x4x8xf32>\n"
              "%k3 = tile.launch @bump ins(%x) outs(%k) : (tensor<?x8xf32>, "
              "tensor<?x4x8xf32>) -> tensor<?x4x8xf32>\n"
              "return %x : tensor<?x8xf32>\n")));
  EXPECT_THAT(messages, HasSubstr("updates operand 1 in place, but a later "
                                  "launch still reads its old value; use the "
                                  "result instead"));
}

TEST_F(BundlePlansTest, RejectsAReadOfWhatNobodyWrote) {
  EXPECT_TRUE(failed(
      addPlan("%y = tile.launch @copy ins(%e) outs(%e) : (tensor<?x8xf32>, "
              "tensor<?x8xf32>) -> tensor<?x8xf32>\n"
              "return %y : tensor<?x8xf32>\n")));
  EXPECT_THAT(messages,
              HasSubstr("operand 0 is read before a launch has written it"));
}

TEST_F(BundlePlansTest, LaunchesCheckWhatIsRequiredInSomeStepsOnly) {
  ASSERT_TRUE(succeeded(addPlan(
      std::string(rowsLaunch) +
      "%e2 = tensor.empty(%n) : tensor<?x8xf32>\n"
      "%y = tile.launch @like ins(%x, %pos) outs(%e2) : (tensor<?x8xf32>, "
      "tensor<?xi32>, tensor<?x8xf32>) -> tensor<?x8xf32>\n"
      "return %y : tensor<?x8xf32>\n")))
      << messages;
  const bundle::Bundle bundle = finish();
  EXPECT_TRUE(bundle.requirements(bundle.launches()[0]).empty());
  const auto required = bundle.requirements(bundle.launches()[1]);
  ASSERT_EQ(required.size(), 1u);
  EXPECT_EQ(required[0].relation, bundle::Relation::Equal);
  EXPECT_EQ(bundle.string(required[0].lhsText), "axis 0 of argument 2");
  EXPECT_EQ(bundle.string(required[0].rhsText), "axis 0 of argument 1");
  ASSERT_EQ(required[0].lhs.count, 1u);
  EXPECT_EQ(bundle.expression(required[0].lhs)[0],
            bundle::Expression::dim(2, 0));
  EXPECT_EQ(bundle.expression(required[0].rhs)[0],
            bundle::Expression::dim(1, 0));
}

TEST_F(BundlePlansTest, LaunchesCheckSizesThatOnlyTheKernelKnows) {
  ASSERT_TRUE(succeeded(
      addPlan("%y = tile.launch @two ins(%pos) outs(%e) : (tensor<?xi32>, "
              "tensor<?x8xf32>) -> tensor<?x8xf32>\n"
              "return %y : tensor<?x8xf32>\n")))
      << messages;
  const bundle::Bundle bundle = finish();
  const auto required = bundle.requirements(bundle.launches()[0]);
  ASSERT_EQ(required.size(), 1u);
  EXPECT_EQ(bundle.string(required[0].lhsText), "axis 0 of argument 0");
  EXPECT_EQ(bundle.string(required[0].rhsText), "");
  EXPECT_EQ(bundle.expression(required[0].rhs)[0],
            bundle::Expression::constant(2));
}

TEST_F(BundlePlansTest, RejectsALaunchThatBreaksARequirementInAllSteps) {
  EXPECT_TRUE(failed(
      addPlan("%y = tile.launch @more ins(%pos) outs(%e) : (tensor<?xi32>, "
              "tensor<?x8xf32>) -> tensor<?x8xf32>\n"
              "return %y : tensor<?x8xf32>\n")));
  EXPECT_EQ(
      messages,
      "'tile.launch' op breaks what 'more' requires, axis 0 of argument 0 "
      "+ 2 <= axis 0 of argument 0, for any number of rows\n");
}

TEST_F(BundlePlansTest, RejectsOtherOpsInTheGraph) {
  EXPECT_TRUE(failed(addPlan(
      std::string(rowsLaunch) +
      "%y = math.exp %x : tensor<?x8xf32>\nreturn %y : tensor<?x8xf32>\n")));
  EXPECT_THAT(messages,
              HasSubstr("'math.exp' op is not allowed in a graph of launches"));
}

} // namespace
