// A launch of a caller's own: each parameter in its natural size, then grid and
// status; an assertion that failed is told once.
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
  uint64_t memory = 4096;
  float factor = 1;
  int16_t count = -2;
  void *params[3] = {&memory, &factor, &count};
};

TEST_F(RawLaunchTest, PassesParametersInTheirNaturalSize) {
  const RawKernel kernel = RawKernel::load(device, image).value();
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
  const RawKernel kernel = RawKernel::load(device, image).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {5, 0, 1};
  EXPECT_TRUE(kernel.launch(grid, params, stream.get()));
  EXPECT_TRUE(fake.launches.empty());
}

TEST_F(RawLaunchTest, AGridNoDeviceCanLaunchIsRefused) {
  const RawKernel kernel = RawKernel::load(device, image).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {1, 65536, 1};
  const auto launched = kernel.launch(grid, params, stream.get());
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().code, ErrorCode::Failure);
}

TEST_F(RawLaunchTest, AFailedAssertionIsToldOnce) {
  const RawKernel kernel = RawKernel::load(device, image).value();
  const Stream stream = Stream::create(device).value();
  const int64_t grid[] = {1, 1, 1};
  ASSERT_TRUE(kernel.launch(grid, params, stream.get()));
  // What the kernel would write.
  *reinterpret_cast<int32_t *>(fake.launches.front().parameters[6]) = 2;
  EXPECT_EQ(kernel.wait(stream.get()).value(), 2);
  EXPECT_EQ(kernel.wait(stream.get()).value(), 0);
}

TEST_F(RawLaunchTest, ParametersOfOtherSizesAreRefused) {
  fake.parameters["kernel_scale"][1] = 8;
  const auto loaded = RawKernel::load(device, image);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message,
            "cuda: kernel 'scale' expected parameter 1 of 4 bytes, found 8");
}

} // namespace
