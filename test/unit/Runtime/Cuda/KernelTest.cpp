// Images are loaded on devices they match and launched with the grid and
// attributes from their bundle; errors give the reason otherwise.
#include "TileGPT/Runtime/Cuda/Kernel.h"
#include "OpenFake.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::ErrorCode;
using testing::ElementsAre;

namespace {

class KernelTest : public testing::Test {
protected:
  KernelTest() {
    image.name = "copy";
    image.symbol = "kernel_copy";
    image.launch.threads = 128;
    image.launch.clusterSize = 1;
    image.launch.imageKind = bundle::ImageKind::Ptx;
    image.parameters = {3, 0};
    setPtx(".version 8.0 .entry kernel_copy");
  }

  void setPtx(std::string text) {
    ptx = std::move(text);
    image.image = std::as_bytes(std::span(ptx.c_str(), ptx.size() + 1));
  }
  runtime::Result<Kernel> load() { return Kernel::load(device, image); }
  runtime::Error loadError() {
    const auto loaded = load();
    EXPECT_FALSE(loaded);
    return loaded ? runtime::Error() : loaded.error();
  }
  std::array<unsigned, 3> blocksFor(int64_t x, int64_t y, int64_t z) {
    const int64_t grid[] = {x, y, z};
    const GridSize blocks = load().value().blocksFor(grid).value();
    return {blocks.x, blocks.y, blocks.z};
  }
  /// One word, a grid and a status, with room for the kernel's tensor maps.
  static LaunchParameters makeParameters(const Kernel &kernel) {
    const uint64_t word = 11;
    const int64_t grid[] = {4, 1, 1};
    return {kernel.parameters(), &word, grid, /*status=*/99};
  }
  void makePersistent(uint8_t blocksPerMultiprocessor) {
    image.launch.flags = uint8_t(bundle::DeviceFlag::Persistent);
    image.launch.blocksPerMultiprocessor = blocksPerMultiprocessor;
  }

  test::FakeCuda &fake = test::freshFake();
  std::shared_ptr<Device> device = test::openFake();
  std::string ptx;
  KernelImage image;
};

TEST_F(KernelTest, TheDriversCompilerIsQuoted) {
  setPtx("syntax error");
  const auto error = loadError();
  EXPECT_EQ(error.code, ErrorCode::BadInput);
  EXPECT_EQ(error.message,
            "cuda: cannot load kernel 'copy' on device 0 (Fake H200), which is "
            "sm_90: a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX): "
            "ptxas fatal : line 1; ptxas fatal : aborted");
}

TEST_F(KernelTest, AnImageForAnotherArchitectureNamesTheDevice) {
  fake.failAt("cuModuleLoadDataEx", 1, CUDA_ERROR_NO_BINARY_FOR_GPU);
  const auto error = loadError();
  EXPECT_EQ(error.code, ErrorCode::Device);
  EXPECT_EQ(error.message,
            "cuda: cannot load kernel 'copy' on device 0 (Fake H200), which is "
            "sm_90: unknown error (CUDA_ERROR_UNKNOWN)");
}

TEST_F(KernelTest, AMissingSymbolIsNamed) {
  image.symbol = "kernel_other";
  EXPECT_EQ(loadError().message, "cuda: the image of kernel 'copy' does not "
                                 "export 'kernel_other'");
  EXPECT_EQ(loadError().code, ErrorCode::BadInput);
}

TEST_F(KernelTest, SharedMemoryIsAskedForOnlyBeyondWhatAllMayHave) {
  image.launch.sharedBytes = 48 * 1024;
  ASSERT_TRUE(load());
  EXPECT_EQ(fake.calls["cuFuncSetAttribute"], 0);
  image.launch.sharedBytes = 200 * 1024;
  ASSERT_TRUE(load());
  EXPECT_EQ(fake.calls["cuFuncSetAttribute"], 1);
}

TEST_F(KernelTest, WhatTheDeviceHasNotIsRefused) {
  image.launch.sharedBytes = 228 * 1024;
  EXPECT_EQ(loadError().message,
            "cuda: kernel 'copy' needs 233472 bytes of shared memory a block, "
            "but device 0 (Fake H200) has 232448; compile the model again for "
            "it");
  EXPECT_EQ(loadError().code, ErrorCode::Device);
  image.launch.sharedBytes = 0;
  image.launch.threads = 1024;
  EXPECT_EQ(loadError().message,
            "cuda: kernel 'copy' needs 1024 threads a block, but device 0 "
            "(Fake H200) can run it with at most 512");
}

TEST_F(KernelTest, ParametersMustBeThoseOfTheBundle) {
  const std::vector<size_t> words(7, 8);
  std::vector<size_t> &found = fake.parameters["kernel_copy"] = words;
  EXPECT_TRUE(load());
  found.pop_back();
  EXPECT_EQ(loadError().message,
            "cuda: kernel 'copy' expected 7 parameters, found 6");
  found = words;
  found.push_back(8);
  EXPECT_EQ(loadError().message,
            "cuda: kernel 'copy' expected 7 parameters, found more");
  found = words;
  found[2] = 4;
  EXPECT_EQ(loadError().message,
            "cuda: kernel 'copy' expected parameter 2 of 8 bytes, found 4");
  image.parameters.tensorMaps = 1;
  found = words;
  found.push_back(128);
  EXPECT_TRUE(load());
  found.back() = 64;
  EXPECT_EQ(loadError().code, ErrorCode::BadInput);
}

TEST_F(KernelTest, DriversBefore12_4DoNotTellTheParameters) {
  fake.version = 12000;
  fake.parameters["kernel_copy"] = std::vector<size_t>(6, 8);
  EXPECT_TRUE(load());
}

TEST_F(KernelTest, GridsCountClusters) {
  EXPECT_THAT(blocksFor(7, 3, 2), ElementsAre(7, 3, 2));
  image.launch.clusterSize = 2;
  EXPECT_THAT(blocksFor(7, 3, 2), ElementsAre(14, 3, 2));
  EXPECT_THAT(blocksFor(1, 1, 1), ElementsAre(2, 1, 1));
}

TEST_F(KernelTest, PersistentKernelsFillTheDeviceAtMost) {
  makePersistent(2); // times four multiprocessors
  EXPECT_THAT(blocksFor(100, 100, 1), ElementsAre(8, 1, 1));
  EXPECT_THAT(blocksFor(3, 2, 1), ElementsAre(6, 1, 1));
  image.launch.clusterSize = 4;
  EXPECT_THAT(blocksFor(3, 1, 1), ElementsAre(4, 1, 1));
  makePersistent(1);
  image.launch.clusterSize = 3;
  EXPECT_THAT(blocksFor(100, 1, 1), ElementsAre(3, 1, 1));
  image.launch.clusterSize = 8;
  EXPECT_THAT(blocksFor(100, 1, 1), ElementsAre(8, 1, 1));
}

TEST_F(KernelTest, GridsBeyondTheHardwaresAreRefused) {
  const Kernel kernel = load().value();
  const int64_t tall[] = {1, 65536, 1};
  EXPECT_EQ(kernel.blocksFor(tall).error().message,
            "expected a grid of at most 2147483647×65535×65535 blocks, got "
            "1×65536×1");
  const int64_t wide[] = {int64_t(1) << 31, 1, 1};
  EXPECT_FALSE(kernel.blocksFor(wide));
}

TEST_F(KernelTest, LaunchesCarryWhatTheBundleSays) {
  image.launch.sharedBytes = 100 * 1024;
  image.launch.clusterSize = 2;
  image.parameters = {1, 0};
  fake.parameters["kernel_copy"] = std::vector<size_t>(5, 8);
  const Kernel kernel = load().value();
  const Stream stream = Stream::create(device).value();
  const LaunchParameters parameters = makeParameters(kernel);
  ASSERT_EQ(kernel.launch(stream, {4, 1, 1}, parameters, false), CUDA_SUCCESS);
  ASSERT_EQ(kernel.launch(stream, {4, 1, 1}, parameters, true), CUDA_SUCCESS);
  ASSERT_EQ(fake.launches.size(), 2u);
  const test::FakeLaunch &first = fake.launches[0];
  EXPECT_EQ(first.symbol, "kernel_copy");
  EXPECT_THAT(first.grid, ElementsAre(4, 1, 1));
  EXPECT_EQ(first.threads, 128u);
  EXPECT_EQ(first.sharedBytes, 100u * 1024);
  EXPECT_EQ(first.cluster, 2u);
  EXPECT_FALSE(first.overlap);
  EXPECT_TRUE(fake.launches[1].overlap);
  EXPECT_THAT(first.parameters, ElementsAre(11, 4, 1, 1, 99));
}

TEST_F(KernelTest, TensorMapsFollowTheWords) {
  image.parameters = {1, 2};
  fake.parameters["kernel_copy"] = {8, 8, 8, 8, 8, 128, 128};
  const Kernel kernel = load().value();
  const Stream stream = Stream::create(device).value();
  LaunchParameters parameters = makeParameters(kernel);
  CUtensorMap map = {};
  map.opaque[15] = 7;
  parameters.setTensorMap(0, map);
  map.opaque[15] = 8;
  parameters.setTensorMap(1, map);
  // Parameters may be moved before the launch.
  const LaunchParameters moved = std::move(parameters);
  ASSERT_EQ(kernel.launch(stream, {4, 1, 1}, moved, false), CUDA_SUCCESS);
  const std::vector<uint64_t> &given = fake.launches[0].parameters;
  ASSERT_EQ(given.size(), 5u + 16 + 16);
  EXPECT_THAT(std::span(given).first(5), ElementsAre(11, 4, 1, 1, 99));
  EXPECT_EQ(given[5 + 15], 7u);
  EXPECT_EQ(given[5 + 16 + 15], 8u);
}

} // namespace
