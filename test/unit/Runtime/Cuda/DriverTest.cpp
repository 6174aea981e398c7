// Error messages if the driver is missing or too old, or there is no GPU; and
// which code runs on which GPU.
#include "OpenFake.h"
#include "TileGPT/Runtime/Cuda/Memory.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using runtime::ErrorCode;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class DriverTest : public testing::Test {
protected:
  test::FakeCuda &fake = test::freshFake();

  static runtime::Error loadError(const char *library = test::fakeLibrary) {
    const auto driver = Driver::load(library);
    EXPECT_FALSE(driver);
    return driver ? runtime::Error() : driver.error();
  }
};

TEST_F(DriverTest, AMissingLibraryIsNamedWithWhatToDo) {
  const auto error = loadError("libcuda-is-not-here.so.1");
  EXPECT_EQ(error.code, ErrorCode::Device);
  EXPECT_THAT(error.message, StartsWith("cuda: cannot load the driver ("
                                        "libcuda-is-not-here.so.1: cannot open "
                                        "shared object file"));
  EXPECT_THAT(error.message,
              HasSubstr("); install the NVIDIA driver or run on the CPU"));
}

TEST_F(DriverTest, ALibraryThatIsNoDriverIsRefused) {
  const auto error = loadError("libm.so.6");
  EXPECT_EQ(error.code, ErrorCode::Device);
  EXPECT_EQ(
      error.message,
      "cuda: 'libm.so.6' is not a supported CUDA driver: it lacks cuInit");
}

TEST_F(DriverTest, AnOldDriverIsNamedWithBothVersions) {
  fake.version = 11040;
  const auto error = loadError();
  EXPECT_EQ(error.code, ErrorCode::Device);
  EXPECT_EQ(error.message,
            "cuda: expected a driver for CUDA 12.0 or newer, found one for "
            "CUDA 11.4; update the NVIDIA driver or run on the CPU");
}

TEST_F(DriverTest, AMachineWithoutGpuIsToldSo) {
  fake.gpus.clear();
  EXPECT_EQ(loadError().message,
            "cuda: the driver finds no GPU; run on the CPU");
  EXPECT_EQ(loadError().code, ErrorCode::Device);
}

TEST_F(DriverTest, ADriverThatDoesNotStartSaysWhy) {
  fake.failAt("cuInit", 1, CUresult(803));
  EXPECT_EQ(loadError().message, "cuda: cannot start the driver: unknown error "
                                 "(CUDA_ERROR_UNKNOWN)");
}

TEST_F(DriverTest, DevicesAreListedWithWhatTheyAre) {
  test::FakeGpu small;
  small.name = "Fake A10";
  small.major = 8;
  small.minor = 6;
  small.sharedBytes = 99 * 1024;
  fake.gpus.push_back(small);
  const auto devices = listDevices(*Driver::load(test::fakeLibrary).value());
  ASSERT_TRUE(devices) << devices.error().message;
  ASSERT_EQ(devices->size(), 2u);
  EXPECT_EQ((*devices)[0].architecture(), "sm_90");
  EXPECT_EQ((*devices)[1].describe(), "device 1 (Fake A10)");
  EXPECT_EQ((*devices)[1].architecture(), "sm_86");
  EXPECT_EQ((*devices)[1].sharedBytes, 99 * 1024);
  EXPECT_EQ((*devices)[1].multiprocessors, 4);
  EXPECT_EQ((*devices)[1].memoryBytes, int64_t(1) << 30);
}

TEST_F(DriverTest, DevicesThatDoNotExistAreRefused) {
  EXPECT_EQ(test::tryOpenFake(1).error().message,
            "cuda: expected a device in [0, 1), got 1");
  EXPECT_EQ(test::tryOpenFake(-1).error().code, ErrorCode::Device);
  EXPECT_EQ(fake.liveObjects, 0);
}

TEST_F(DriverTest, ADeviceInUseByOthersSaysSo) {
  fake.failAt("cuDevicePrimaryCtxRetain", 1, CUresult(46));
  EXPECT_EQ(test::tryOpenFake().error().message,
            "cuda: cannot use device 0 (Fake H200): unknown error "
            "(CUDA_ERROR_UNKNOWN)");
}

TEST_F(DriverTest, TooLittleMemoryIsNamedWithWhatIsFree) {
  fake.gpus[0].memoryBytes = 30'000'000;
  auto device = test::openFake();
  const auto first = DeviceMemory::allocate(device, 10'000'000, "the weights");
  ASSERT_TRUE(first);
  const auto second =
      DeviceMemory::allocate(device, 2'500'000'000, "the KV cache");
  EXPECT_EQ(second.error().code, ErrorCode::Device);
  EXPECT_EQ(second.error().message,
            "cuda: cannot allocate 2.5 GB for the KV cache on device 0 (Fake "
            "H200): 20.0 MB of 30.0 MB are free");
}

TEST_F(DriverTest, MemoryIsNeverEmptyAndIsGivenBack) {
  {
    auto device = test::openFake();
    auto memory = DeviceMemory::allocate(device, 0, "nothing").value();
    EXPECT_NE(memory.address(), 0u);
    EXPECT_EQ(memory.size(), 64u);
    const auto pinned = PinnedMemory::allocate(device, 100, "test").value();
    for (size_t i = 0; i < 100; ++i)
      EXPECT_EQ(pinned.data()[i], std::byte{0});
    DeviceMemory moved = std::move(memory);
    EXPECT_EQ(fake.liveObjects, 3);
  }
  EXPECT_EQ(fake.liveObjects, 0);
}

TEST(Architecture, CodeRunsWhereItsNamePromises) {
  const auto device = [](int major, int minor) {
    DeviceInfo info;
    info.major = major;
    info.minor = minor;
    return info;
  };
  EXPECT_TRUE(canRun(device(9, 0), "sm_90a", false));
  EXPECT_FALSE(canRun(device(9, 1), "sm_90a", true));
  EXPECT_FALSE(canRun(device(10, 0), "sm_90a", true));
  EXPECT_TRUE(canRun(device(8, 6), "sm_80", false));
  EXPECT_FALSE(canRun(device(8, 0), "sm_86", true));
  EXPECT_FALSE(canRun(device(9, 0), "sm_80", false));
  EXPECT_TRUE(canRun(device(9, 0), "sm_80", true));
  EXPECT_TRUE(canRun(device(12, 0), "sm_120", false));
  EXPECT_FALSE(canRun(device(9, 0), "x86_64", true));
  EXPECT_FALSE(canRun(device(9, 0), "sm_", true));
}

} // namespace
