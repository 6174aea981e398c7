// The launch attributes a kernel may have, and errors for invalid ones.
#include "TileGPT/Target/NVVM/LaunchAttributes.h"
#include "DeviceModule.h"
#include <gmock/gmock.h>

using namespace tilegpt;
using namespace tilegpt::test;
using bundle::DeviceFlag;
using target::LaunchAttributes;
using testing::HasSubstr;

namespace {
/// The launch of an empty kernel with these attributes.
struct Reading {
  explicit Reading(llvm::StringRef attributes,
                   llvm::StringRef target = target::defaultGpuTarget)
      : parsed(("llvm.func @k() attributes {nvvm.kernel, " + attributes +
                "} { llvm.return }")
                   .str()),
        result(target::readLaunchAttributes(
            *parsed.module->getOps<mlir::LLVM::LLVMFuncOp>().begin(),
            gpuTarget(target))) {}

  DeviceModule parsed;
  mlir::FailureOr<LaunchAttributes> result;
};
} // namespace

static std::string errorOf(llvm::StringRef attributes,
                           llvm::StringRef target = target::defaultGpuTarget) {
  const Reading reading(attributes, target);
  EXPECT_TRUE(failed(reading.result));
  return llvm::StringRef(reading.parsed.said)
      .trim()
      .split("'llvm.func' op ")
      .second.str();
}

TEST(LaunchAttributes, DefaultsAreOfAPlainKernel) {
  const Reading reading("nvvm.reqntid = array<i32: 32, 4>");
  ASSERT_TRUE(succeeded(reading.result));
  bundle::DeviceKernel expected;
  expected.threads = 128;
  expected.clusterSize = 1;
  EXPECT_EQ(reading.result->launch, expected);
  EXPECT_TRUE(reading.result->tensorMaps.empty());
}

TEST(LaunchAttributes, EverythingIsRead) {
  const Reading reading(
      "tile_gpu.launch = {threads = 384 : i32, shared_bytes = 200000 : i32, "
      "cluster = 2 : i32, persistent, blocks_per_multiprocessor = 3 : i32, "
      "dependent_launch}, tile_gpu.tensor_maps = [{argument = 1 : i32, type = "
      "bf16, box = array<i32: 64, 128>, swizzle = 128 : i32, l2_promotion = "
      "256 "
      ": i32}, {argument = 0 : i32, type = f32, box = array<i32: 4>}]");
  ASSERT_TRUE(succeeded(reading.result)) << reading.parsed.said;
  const bundle::DeviceKernel &launch = reading.result->launch;
  EXPECT_EQ(launch.threads, 384u);
  EXPECT_EQ(launch.sharedBytes, 200000u);
  EXPECT_EQ(launch.clusterSize, 2u);
  EXPECT_EQ(launch.blocksPerMultiprocessor, 3u);
  EXPECT_TRUE(launch.has(DeviceFlag::Persistent));
  EXPECT_TRUE(launch.has(DeviceFlag::ProgrammaticDependentLaunch));

  ASSERT_EQ(reading.result->tensorMaps.size(), 2u);
  const bundle::TensorMap &matrix = reading.result->tensorMaps[0];
  EXPECT_EQ(matrix.argument, 1u);
  EXPECT_EQ(matrix.rank, 2u);
  EXPECT_EQ(matrix.type, bundle::ElementType::BF16);
  EXPECT_EQ(matrix.box[0], 64u);
  EXPECT_EQ(matrix.box[1], 128u);
  EXPECT_EQ(matrix.swizzle, bundle::TensorSwizzle::Bytes128);
  EXPECT_EQ(matrix.l2Promotion, bundle::L2Promotion::Bytes256);
  EXPECT_EQ(reading.result->tensorMaps[1].swizzle, bundle::TensorSwizzle::None);
}

TEST(LaunchAttributes, ViewsThatALaunchMakesAreRead) {
  const Reading reading(
      "nvvm.reqntid = array<i32: 32>, tile_gpu.launch_views = [{pointer = 2 : "
      "i32, words = affine_map<()[s0, s1] -> (s1, 64, s1 * 2, 1)>}]");
  ASSERT_TRUE(succeeded(reading.result)) << reading.parsed.said;
  ASSERT_EQ(reading.result->launchViews.size(), 1u);
  const bundle::LaunchView &view = reading.result->launchViews[0];
  EXPECT_EQ(view.pointer, 2u);
  EXPECT_EQ(view.rank, 2u);
  EXPECT_EQ(view.words[2], (bundle::Range{2, 3}));
  using bundle::Expression;
  EXPECT_EQ(reading.result->launchWords,
            (std::vector{Expression::scalar(1), Expression::constant(64),
                         Expression::scalar(1), Expression::constant(2),
                         Expression::apply(bundle::ExpressionOp::Mul),
                         Expression::constant(1)}));
  EXPECT_EQ(errorOf("nvvm.reqntid = array<i32: 32>, tile_gpu.launch_views = "
                    "[{pointer = 0 : i32, words = affine_map<()[s0] -> "
                    "(s0)>}]"),
            "'tile_gpu.launch_views' expected 'words' to be a map of symbols "
            "to 1 to 5 sizes and as many strides, found affine_map<()[s0] -> "
            "(s0)>");
}

TEST(LaunchAttributes, PersistentKernelsHaveOneBlockAMultiprocessorByDefault) {
  const Reading reading("tile_gpu.launch = {threads = 32 : i32, persistent}");
  ASSERT_TRUE(succeeded(reading.result));
  EXPECT_EQ(reading.result->launch.blocksPerMultiprocessor, 1u);
}

TEST(LaunchAttributes, MistakesInALaunchAreNamed) {
  EXPECT_EQ(errorOf("tile_gpu.launch = 7 : i32"),
            "expected 'tile_gpu.launch' to be a dictionary, found 7 : i32");
  EXPECT_EQ(errorOf("tile_gpu.launch = {}"),
            "expected 'tile_gpu.launch' or 'nvvm.reqntid' to give the threads "
            "of a block");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 2000 : i32}"),
            "'tile_gpu.launch' expected 'threads' to be an i32 from 1 to 1024, "
            "found 2000 : i32");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 64 : i32}, nvvm.reqntid = "
                    "array<i32: 128>"),
            "expected the threads of 'tile_gpu.launch' (64) to be those of "
            "'nvvm.reqntid' (128)");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 32 : i32, share = 4 : i32}"),
            "'tile_gpu.launch' has an unknown entry 'share'; known are "
            "threads, shared_bytes, cluster, blocks_per_multiprocessor, "
            "persistent, dependent_launch");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 32 : i32, persistent = 1}"),
            "'tile_gpu.launch' expected 'persistent' to be no value, found 1 : "
            "i64");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 32 : i32, "
                    "blocks_per_multiprocessor = 2 : i32}"),
            "'tile_gpu.launch' has 'blocks_per_multiprocessor', which only a "
            "persistent kernel may have");
}

TEST(LaunchAttributes, LimitsAreThoseOfTheTarget) {
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 32 : i32, shared_bytes = "
                    "200000 : i32}",
                    "sm_86"),
            "'tile_gpu.launch' expected 'shared_bytes' to be an i32 from 0 to "
            "101376, found 200000 : i32");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 32 : i32, cluster = 2 : "
                    "i32}",
                    "sm_80"),
            "'tile_gpu.launch' expected 'cluster' to be an i32 from 1 to 1, "
            "found 2 : i32");
  EXPECT_EQ(errorOf("tile_gpu.launch = {threads = 32 : i32, "
                    "dependent_launch}",
                    "sm_89"),
            "'tile_gpu.launch' has 'dependent_launch', which sm_89 cannot do");
  EXPECT_EQ(errorOf("nvvm.reqntid = array<i32: 32>, tile_gpu.tensor_maps = "
                    "[{argument = 0 : i32, type = f32, box = array<i32: 4>}]",
                    "sm_89"),
            "has 'tile_gpu.tensor_maps', but sm_89 has no TMA");
}

TEST(LaunchAttributes, MistakesInTensorMapsAreNamed) {
  auto errorOfMap = [](llvm::StringRef map) {
    return errorOf(
        ("nvvm.reqntid = array<i32: 32>, tile_gpu.tensor_maps = [" + map + "]")
            .str());
  };
  EXPECT_EQ(errorOfMap("3 : i32"),
            "expected 'tile_gpu.tensor_maps' to be an array of dictionaries, "
            "found [3 : i32]");
  EXPECT_EQ(errorOfMap("{type = f32, box = array<i32: 4>}"),
            "'tile_gpu.tensor_maps' expected 'argument' to be the number of a "
            "view, found nothing");
  EXPECT_EQ(errorOfMap("{argument = 0 : i32, type = f32}"),
            "'tile_gpu.tensor_maps' expected 'box' to be the sizes of a box, "
            "fastest axis first, found nothing");
  EXPECT_EQ(errorOfMap("{argument = 0 : i32, type = f32, box = array<i32: "
                       "512>}"),
            "'tile_gpu.tensor_maps' expected 'box' to be 1 to 5 sizes from 1 "
            "to 256, found array<i32: 512>");
  EXPECT_EQ(errorOfMap("{argument = 0 : i32, type = vector<2xf32>, box = "
                       "array<i32: 4>}"),
            "'tile_gpu.tensor_maps' expected 'type' to be an element type of "
            "bundles, found vector<2xf32>");
  EXPECT_EQ(errorOfMap("{argument = 0 : i32, type = f32, box = array<i32: 4>, "
                       "swizzle = 16 : i32}"),
            "'tile_gpu.tensor_maps' expected 'swizzle' to be one of 0, 32, 64, "
            "128, found 16 : i32");
}
