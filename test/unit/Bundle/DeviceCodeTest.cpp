// The device-specific sections of a bundle, and every way they can be
// malformed.
#include "Sample.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::bundle;
using test::entry;
using testing::ElementsAre;

namespace {

/// Corrupts one entry of the device sample and returns the error of opening it.
template <typename T, typename Change>
std::string afterChanging(SectionKind section, size_t index, Change change) {
  auto image = test::deviceImage();
  change(entry<T>(image, section, index));
  test::reseal(image);
  const auto bundle = Bundle::fromBytes(std::move(image));
  if (bundle)
    return "no error";
  EXPECT_EQ(bundle.error().code, runtime::ErrorCode::BadInput);
  const std::string start = "bundle: the image is malformed: ";
  EXPECT_EQ(bundle.error().message.substr(0, start.size()), start);
  return bundle.error().message.substr(start.size());
}

TEST(DeviceCode, RoundTripKeepsImagesLaunchesAndTensorMaps) {
  const auto bundle = Bundle::fromBytes(test::deviceImage());
  ASSERT_TRUE(bundle) << bundle.error().message;
  EXPECT_EQ(bundle->target().kind, TargetKind::Cuda);
  EXPECT_EQ(bundle->string(bundle->target().architecture), "sm_90a");
  EXPECT_TRUE(bundle->hostCode().empty());
  ASSERT_EQ(bundle->kernels().size(), 2u);

  const Kernel &copy = bundle->kernels()[0];
  EXPECT_EQ(copy.device.threads, 128u);
  EXPECT_EQ(copy.device.sharedBytes, 4096u);
  EXPECT_EQ(copy.device.registers, 40u);
  EXPECT_EQ(copy.device.clusterSize, 2);
  EXPECT_TRUE(copy.device.has(DeviceFlag::ProgrammaticDependentLaunch));
  EXPECT_FALSE(copy.device.has(DeviceFlag::Persistent));
  EXPECT_EQ(bundle->deviceImage(copy).size(), 10u);
  ASSERT_EQ(bundle->tensorMaps(copy).size(), 1u);
  const TensorMap &map = bundle->tensorMaps(copy)[0];
  EXPECT_THAT(map.box, ElementsAre(8, 64, 0, 0, 0));
  EXPECT_EQ(map.rank, 2);
  EXPECT_EQ(map.swizzle, TensorSwizzle::Bytes32);
  EXPECT_EQ(map.l2Promotion, L2Promotion::Bytes128);

  const Kernel &clear = bundle->kernels()[1];
  EXPECT_EQ(clear.device.imageKind, ImageKind::Ptx);
  EXPECT_TRUE(clear.device.has(DeviceFlag::Persistent));
  EXPECT_EQ(clear.device.blocksPerMultiprocessor, 2);
  EXPECT_TRUE(bundle->tensorMaps(clear).empty());
  const auto ptx = bundle->deviceImage(clear);
  EXPECT_STREQ(reinterpret_cast<const char *>(ptx.data()), ".version 8.0");
}

TEST(DeviceCode, ImagesAreAligned) {
  const auto bundle = Bundle::fromBytes(test::deviceImage());
  ASSERT_TRUE(bundle) << bundle.error().message;
  for (const Kernel &kernel : bundle->kernels())
    EXPECT_EQ((bundle->deviceImage(kernel).data() - bundle->bytes().data()) %
                  int64_t(deviceCodeAlignment),
              0);
}

TEST(DeviceCode, EveryTruncationAndEveryFlippedBitIsFound) {
  const auto whole = test::deviceImage();
  for (size_t size = 0; size < whole.size(); ++size)
    ASSERT_FALSE(Bundle::view(std::span(whole).first(size))) << size;
  auto image = whole;
  for (size_t bit = 0; bit < image.size() * 8; ++bit) {
    image[bit / 8] ^= std::byte(1 << bit % 8);
    ASSERT_FALSE(Bundle::view(image)) << "bit " << bit;
    image[bit / 8] = whole[bit / 8];
  }
}

TEST(DeviceCode, ABundleIsForOneDevice) {
  EXPECT_EQ(
      afterChanging<bundle::Target>(
          SectionKind::Target, 0,
          [](bundle::Target &t) { t.kind = TargetKind::Host; }),
      "kernel 0 ('copy'): has a device image, but the target is the host");
  EXPECT_EQ(afterChanging<bundle::Target>(
                SectionKind::Target, 0,
                [](bundle::Target &t) { t.kind = TargetKind(2); }),
            "target: unknown kind 2");
  EXPECT_EQ(
      afterChanging<bundle::Target>(SectionKind::Target, 0,
                                    [](bundle::Target &t) { t.features = 1; }),
      "target: expected a device to have neither cpu nor CPU features");
  {
    Builder b = test::deviceBuilder();
    b.setHostCode(test::bytesOf("\x7f"
                                "ELF 1"));
    EXPECT_EQ(b.finish().error().message,
              "bundle: the image is malformed: host code: expected none for a "
              "device, got 6 bytes");
  }
  {
    Builder b;
    b.setTarget("x86_64", "", 0);
    b.addKernel("k", "k", {});
    b.setDeviceImage(0, test::bytesOf("x"), {});
    EXPECT_EQ(b.finish().error().message,
              "bundle: the image is malformed: kernel 0 ('k'): has a device "
              "image, but the target is the host");
  }
}

TEST(DeviceCode, KernelsMustHaveAnImage) {
  const auto change = [](size_t index, auto f) {
    return afterChanging<Kernel>(SectionKind::Kernels, index,
                                 [&](Kernel &k) { f(k.device); });
  };
  EXPECT_EQ(change(0, [](DeviceKernel &d) { d = {}; }),
            "kernel 0 ('copy'): expected a cubin, which is an ELF image");
  EXPECT_EQ(change(1, [](DeviceKernel &d) { d.imageBytes -= 1; }),
            "kernel 1 ('clear'): expected PTX with one zero byte, at its end");
  EXPECT_EQ(change(1, [](DeviceKernel &d) { d.imageBytes = 0; }),
            "kernel 1 ('clear'): expected PTX with one zero byte, at its end");
  EXPECT_EQ(change(1, [](DeviceKernel &d) { d.imageKind = ImageKind(2); }),
            "kernel 1 ('clear'): unknown image kind 2");
  EXPECT_EQ(change(1, [](DeviceKernel &d) { d.imageOffset += 1; }),
            "kernel 1 ('clear'): image offset 65 is not a multiple of 64");
  EXPECT_EQ(change(1, [](DeviceKernel &d) { d.imageBytes = ~uint64_t(0); }),
            "kernel 1 ('clear'): image of 18446744073709551615 bytes at 64 "
            "reaches past the device code of 77 bytes");
  EXPECT_EQ(change(1, [](DeviceKernel &d) { d.imageOffset = 128; }),
            "kernel 1 ('clear'): image of 13 bytes at 128 reaches past the "
            "device code of 77 bytes");
}

TEST(DeviceCode, LaunchesMustMakeSense) {
  const auto change = [](auto f) {
    return afterChanging<Kernel>(SectionKind::Kernels, 0,
                                 [&](Kernel &k) { f(k.device); });
  };
  EXPECT_EQ(change([](DeviceKernel &d) { d.threads = 0; }),
            "kernel 0 ('copy'): expected 1 to 1024 threads, got 0");
  EXPECT_EQ(change([](DeviceKernel &d) { d.threads = 1025; }),
            "kernel 0 ('copy'): expected 1 to 1024 threads, got 1025");
  EXPECT_EQ(change([](DeviceKernel &d) { d.clusterSize = 9; }),
            "kernel 0 ('copy'): expected a cluster of 1 to 8 blocks, got 9");
  EXPECT_EQ(change([](DeviceKernel &d) { d.sharedBytes = 232449; }),
            "kernel 0 ('copy'): expected at most 232448 bytes of shared "
            "memory, got 232449");
  EXPECT_EQ(change([](DeviceKernel &d) { d.flags = 4; }),
            "kernel 0 ('copy'): unknown flags 4");
  EXPECT_EQ(change([](DeviceKernel &d) { d.blocksPerMultiprocessor = 3; }),
            "kernel 0 ('copy'): expected blocks for each multiprocessor of a "
            "persistent kernel and of no other, got 3");
  EXPECT_EQ(change([](DeviceKernel &d) { d.flags = 1; }),
            "kernel 0 ('copy'): expected blocks for each multiprocessor of a "
            "persistent kernel and of no other, got 0");
  EXPECT_EQ(change([](DeviceKernel &d) { d.tensorMaps.first = 7; }),
            "kernel 0 ('copy'): tensor maps refers to entries 7 to 8 of 1");
}

TEST(DeviceCode, TensorMapsMustMakeSense) {
  const auto change = [](auto f) {
    return afterChanging<TensorMap>(SectionKind::TensorMaps, 0, f);
  };
  EXPECT_EQ(change([](TensorMap &m) { m.type = ElementType(11); }),
            "tensor map 0: unknown element type 11");
  EXPECT_EQ(change([](TensorMap &m) { m.swizzle = TensorSwizzle(4); }),
            "tensor map 0: unknown swizzle 4");
  EXPECT_EQ(change([](TensorMap &m) { m.l2Promotion = L2Promotion(4); }),
            "tensor map 0: unknown L2 promotion 4");
  EXPECT_EQ(change([](TensorMap &m) { m.rank = 0; }),
            "tensor map 0: expected a rank of 1 to 5, got 0");
  EXPECT_EQ(change([](TensorMap &m) { m.rank = 6; }),
            "tensor map 0: expected a rank of 1 to 5, got 6");
  EXPECT_EQ(change([](TensorMap &m) { m.box[1] = 257; }),
            "tensor map 0: expected size 1 of the box in [1, 256], got 257");
  EXPECT_EQ(change([](TensorMap &m) { m.box[1] = 0; }),
            "tensor map 0: expected size 1 of the box in [1, 256], got 0");
  EXPECT_EQ(change([](TensorMap &m) { m.box[0] = 12; }),
            "tensor map 0: expected rows of a multiple of 16 bytes, got 24");
  EXPECT_EQ(change([](TensorMap &m) { m.box[0] = 24; }),
            "tensor map 0: expected rows of at most 32 bytes, the span of the "
            "swizzle, got 48");
}

TEST(DeviceCode, TensorMapsMustFitTheirArgument) {
  const auto change = [](auto f) {
    return afterChanging<TensorMap>(SectionKind::TensorMaps, 0, f);
  };
  EXPECT_EQ(change([](TensorMap &m) { m.argument = 2; }),
            "kernel 0 ('copy'): tensor map 0 describes argument 2, which is "
            "not a view");
  EXPECT_EQ(change([](TensorMap &m) { m.rank = 1; }),
            "kernel 0 ('copy'): tensor map 0 has rank 1, but argument 0 has "
            "rank 2");
  EXPECT_EQ(change([](TensorMap &m) {
              m.type = ElementType::F32;
              m.swizzle = TensorSwizzle::None;
            }),
            "kernel 0 ('copy'): tensor map 0 moves f32, but argument 0 has "
            "elements of type bf16");
  EXPECT_EQ(change([](TensorMap &m) { m.type = ElementType::F16; }),
            "no error");
}

TEST(DeviceCode, ImagesOfUnknownKernelsAreReportedByFinish) {
  Builder b = test::deviceBuilder();
  b.setDeviceImage(2, test::bytesOf("x"), {});
  EXPECT_EQ(b.finish().error().message,
            "bundle: a device image is for kernel 2, but only 2 were added");
}

} // namespace
