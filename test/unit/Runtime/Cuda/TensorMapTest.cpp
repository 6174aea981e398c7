// Views become descriptors with the fastest axis first and strides in bytes;
// unsupported views are rejected with the reason.
#include "TileGPT/Runtime/Cuda/TensorMap.h"
#include "OpenFake.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::cuda;
using testing::ElementsAre;

namespace {

constexpr uint64_t address = 0x7f0000000040;

class TensorMapTest : public testing::Test {
protected:
  TensorMapTest() {
    map.rank = 2;
    map.type = bundle::ElementType::BF16;
    map.box[0] = 64;
    map.box[1] = 128;
    map.swizzle = bundle::TensorSwizzle::Bytes128;
    map.l2Promotion = bundle::L2Promotion::Bytes256;
  }

  const test::FakeTensorMap &encode(std::vector<uint64_t> view) {
    const auto encoded = encodeTensorMap(*driver, map, view.data());
    EXPECT_TRUE(encoded) << encoded.error().message;
    return fake.tensorMaps.back();
  }
  std::string errorOf(std::vector<uint64_t> view) {
    const auto encoded = encodeTensorMap(*driver, map, view.data());
    return encoded ? "no error" : encoded.error().message;
  }

  test::FakeCuda &fake = test::freshFake();
  std::shared_ptr<Device> device = test::openFake();
  const Driver *driver = &device->driver();
  bundle::TensorMap map;
};

TEST_F(TensorMapTest, SizesAndStridesAreReversed) {
  const auto &encoded = encode({address, 1000, 768, 2304, 1});
  EXPECT_EQ(encoded.address, address);
  EXPECT_EQ(encoded.rank, 2u);
  EXPECT_THAT(encoded.sizes, ElementsAre(768, 1000));
  EXPECT_THAT(encoded.strides, ElementsAre(2304 * 2));
  EXPECT_THAT(encoded.box, ElementsAre(64, 128));
  EXPECT_EQ(encoded.type, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  EXPECT_EQ(encoded.swizzle, 3);
  EXPECT_EQ(encoded.l2Promotion, 3);
}

TEST_F(TensorMapTest, FourAxesOfACache) {
  map.rank = 4;
  map.type = bundle::ElementType::F32;
  const auto &encoded =
      encode({address, 2, 12, 1024, 64, 12 * 1024 * 64, 1024 * 64, 64, 1});
  EXPECT_THAT(encoded.sizes, ElementsAre(64, 1024, 12, 2));
  EXPECT_THAT(encoded.strides,
              ElementsAre(64 * 4, 1024 * 64 * 4, 12 * 1024 * 64 * 4));
  EXPECT_EQ(encoded.type, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
}

TEST_F(TensorMapTest, AVectorHasNoStrides) {
  map.rank = 1;
  const auto &encoded = encode({address, 500, 1});
  EXPECT_THAT(encoded.sizes, ElementsAre(500));
  EXPECT_THAT(encoded.strides, ElementsAre());
}

TEST_F(TensorMapTest, TheStrideOfASingleRowDoesNotMatter) {
  EXPECT_THAT(encode({address, 1, 768, 50257, 1}).strides,
              ElementsAre(50257 * 2 / 16 * 16));
  EXPECT_THAT(encode({address, 1, 768, 0, 1}).strides, ElementsAre(16));
}

TEST_F(TensorMapTest, AnEmptyViewGetsOneElement) {
  EXPECT_THAT(encode({address, 0, 768, 768, 1}).sizes, ElementsAre(1, 1));
}

TEST_F(TensorMapTest, WhatTmaCannotReachIsRefused) {
  EXPECT_EQ(errorOf({address, 4, 50257, 50257, 1}),
            "expected a stride along axis 0 of a multiple of 16 bytes, got "
            "100514");
  EXPECT_EQ(errorOf({address, 4, 768, 0, 1}),
            "expected a stride along axis 0 of a multiple of 16 bytes, got 0");
  EXPECT_EQ(errorOf({address + 8, 4, 768, 768, 1}),
            "expected an address that is a multiple of 16 bytes, got 8 bytes "
            "more");
  EXPECT_EQ(errorOf({address, 4, 768, 768, 2}),
            "expected elements of the last axis side by side, got a stride of "
            "2");
  EXPECT_EQ(errorOf({address, uint64_t(1) << 33, 8, 8, 1}),
            "expected at most 4294967296 elements along axis 0, got "
            "8589934592");
}

TEST_F(TensorMapTest, ARefusalOfTheDriverIsReported) {
  fake.failAt("cuTensorMapEncodeTiled", 1, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(errorOf({address, 4, 768, 768, 1}),
            "cuda: cannot encode a tensor map: invalid argument "
            "(CUDA_ERROR_INVALID_VALUE)");
}

} // namespace
