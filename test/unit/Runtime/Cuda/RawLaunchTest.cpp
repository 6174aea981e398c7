// Launches with the caller's own arguments: each parameter in its natural size,
// then grid and status; a failed assertion is reported once.
#include "TileGPT/Runtime/Cuda/RawLaunch.h"
#include "OpenFake.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::ErrorCode;
using testing::ElementsAre;

namespace {

class RawLaunchTest : public testing::Test {
protected:
  RawLaunchTest() {
    image.name = "scale";
    image.symbol = "kernel_scale";
    image.launch.threads = 128;
    image.launch.clusterSize = 1;
    image.launch.imageKind = bundle::ImageKind::Ptx;
    image.parameters = {3, 0, {8, 4, 2}};
    image.image = std::as_bytes(std::span(ptx.c_str(), ptx.size() + 1));
    fake.parameters["kernel_scale"] = {8, 4, 2, 8, 8, 8, 8};
  }

  test::FakeCuda &fake = test::freshFake();
  std::shared_ptr<Device> device = test::openFake();
  std::string ptx = ".version 8.0 .entry kernel_scale";
  KernelImage image;
  LaunchViews views;
  uint64_t memory = 4096;
  float factor = 1;
  int16_t count = -2;
  void *params[3] = {&memory, &factor, &count};
};

TEST_F(RawLaunchTest, PassesParametersInTheirNaturalSize) {
  const RawKernel kernel = RawKernel::load(device, image, views).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {5, 2, 1};
  ASSERT_TRUE(kernel.launch(grid, params, stream.get()));
  ASSERT_EQ(fake.launches.size(), 1u);
  const test::FakeLaunch &launch = fake.launches.front();
  EXPECT_THAT(launch.grid, ElementsAre(5, 2, 1));
  EXPECT_EQ(launch.threads, 128u);
  ASSERT_EQ(launch.parameters.size(), 7u);
  EXPECT_EQ(launch.parameters[0], 4096u);
  EXPECT_EQ(launch.parameters[1], 0x3f800000u);
  EXPECT_EQ(launch.parameters[2], 0xfffeu);
  EXPECT_EQ(launch.parameters[3], 5u);
  EXPECT_EQ(launch.parameters[4], 2u);
  EXPECT_EQ(launch.parameters[5], 1u);
  EXPECT_NE(launch.parameters[6], 0u);
}

TEST_F(RawLaunchTest, AnEmptyGridLaunchesNothing) {
  const RawKernel kernel = RawKernel::load(device, image, views).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {5, 0, 1};
  EXPECT_TRUE(kernel.launch(grid, params, stream.get()));
  EXPECT_TRUE(fake.launches.empty());
}

TEST_F(RawLaunchTest, AGridNoDeviceCanLaunchIsRefused) {
  const RawKernel kernel = RawKernel::load(device, image, views).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {1, 65536, 1};
  const auto launched = kernel.launch(grid, params, stream.get());
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().code, ErrorCode::Failure);
}

TEST_F(RawLaunchTest, AFailedAssertionIsToldOnce) {
  const RawKernel kernel = RawKernel::load(device, image, views).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {1, 1, 1};
  ASSERT_TRUE(kernel.launch(grid, params, stream.get()));
  // Simulates the kernel's write.
  *reinterpret_cast<int32_t *>(fake.launches.front().parameters[6]) = 2;
  EXPECT_EQ(kernel.wait(stream.get()).value(), 2);
  EXPECT_EQ(kernel.wait(stream.get()).value(), 0);
}

TEST_F(RawLaunchTest, ParametersOfOtherSizesAreRefused) {
  fake.parameters["kernel_scale"][1] = 8;
  const auto loaded = RawKernel::load(device, image, views);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "cuda: kernel 'scale' expected parameter 1 of 4 bytes, found 8");
}

/// A kernel whose launch creates a view of parameter 0: parameter 1 gives the
/// number of rows, and their stride is twice that.
class LaunchViewsTest : public RawLaunchTest {
protected:
  LaunchViewsTest() {
    using bundle::Expression;
    using bundle::ExpressionOp;
    views.expressions = {Expression::scalar(1),
                         Expression::constant(64),
                         Expression::scalar(1),
                         Expression::constant(2),
                         Expression::apply(ExpressionOp::Mul),
                         Expression::constant(1)};
    bundle::LaunchView view;
    view.rank = 2;
    view.words[0] = {0, 1};
    view.words[1] = {1, 1};
    view.words[2] = {2, 3};
    view.words[3] = {5, 1};
    views.views = {view};
    bundle::TensorMap map;
    map.argument = 2;
    map.rank = 2;
    map.type = bundle::ElementType::BF16;
    map.box[0] = 64;
    map.box[1] = 32;
    map.l2Promotion = bundle::L2Promotion::Bytes128;
    views.tensorMaps = {map};
    image.parameters = views.parametersFor({8, 4});
    fake.parameters["kernel_scale"] = {8, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 128};
    params[1] = &rows;
  }

  std::string launch() {
    const RawKernel kernel = RawKernel::load(device, image, views).value();
    const Stream stream = Stream::create(device).value();
    const int64_t grid[] = {1, 1, 1};
    const auto launched = kernel.launch(grid, params, stream.get());
    return launched ? "" : launched.error().message;
  }

  int32_t rows = 256;
};

TEST_F(LaunchViewsTest, WordsAndDescriptorFollowFromTheParameters) {
  ASSERT_EQ(launch(), "");
  const test::FakeLaunch &launched = fake.launches.front();
  ASSERT_GE(launched.parameters.size(), 7u);
  EXPECT_THAT(std::span(launched.parameters).subspan(0, 7),
              ElementsAre(4096, 256, 4096, 256, 64, 512, 1));
  ASSERT_EQ(fake.tensorMaps.size(), 1u);
  const test::FakeTensorMap &map = fake.tensorMaps.front();
  EXPECT_EQ(map.address, 4096u);
  EXPECT_THAT(map.sizes, ElementsAre(64, 256));
  EXPECT_THAT(map.strides, ElementsAre(1024));
  // Rows start at L2 cache lines.
  EXPECT_EQ(map.l2Promotion, 3);
}

TEST_F(LaunchViewsTest, RowsThatBeginInALineFetchNoMore) {
  rows = 8;
  ASSERT_EQ(launch(), "");
  EXPECT_THAT(fake.tensorMaps.front().strides, ElementsAre(32));
  EXPECT_EQ(fake.tensorMaps.front().l2Promotion, 2);
}

TEST_F(LaunchViewsTest, ABrokenPromiseNamesTheParameter) {
  rows = 5;
  EXPECT_EQ(launch(),
            "the view of parameter 0 is not what the kernel assumes: expected "
            "a stride along axis 0 of a multiple of 16 bytes, got 20");
  rows = 8;
  memory = 4100;
  EXPECT_EQ(launch(),
            "the view of parameter 0 is not what the kernel assumes: expected "
            "an address that is a multiple of 16 bytes, got 4 bytes more");
  EXPECT_TRUE(fake.launches.empty());
}

TEST_F(LaunchViewsTest, ANegativeSizeIsRefused) {
  rows = -1;
  EXPECT_EQ(launch(), "the view of parameter 0 expected a size along axis 0 "
                      "from 0 to 2^63 - 1, got -1");
}

} // namespace
