// Kernels of an image are callable functions, several images can be loaded at
// once, and invalid images report why.
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include "TileGPT/Bundle/Builder.h"
#include "Toy/KernelImage.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilegpt;
using namespace tilegpt::cpu;
using runtime::ErrorCode;

namespace {

TEST(HostImage, ExportedKernelsCanBeCalled) {
  auto image = HostImage::load(test::toyKernels());
  ASSERT_TRUE(image) << image.error().message;
  const auto function = image->find("fail_in_block");
  ASSERT_TRUE(function) << function.error().message;
  const uint64_t words[] = {4};
  const int64_t grid[3] = {10, 1, 1};
  EXPECT_EQ((*function)(words, grid, 0, 4), 0);
  EXPECT_EQ((*function)(words, grid, 4, 5), 5);
}

TEST(HostImage, TwoImagesLiveSideBySide) {
  auto first = HostImage::load(test::toyKernels());
  auto second = HostImage::load(test::toyKernels());
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->find("toy_sum").value(), second->find("toy_sum").value());
  const auto kept = second->find("toy_sum").value();
  first = HostImage::load(test::toyKernels());
  EXPECT_EQ(second->find("toy_sum").value(), kept);
}

TEST(HostImage, AMissingSymbolIsNamed) {
  auto image = HostImage::load(test::toyKernels());
  const auto function = image->find("linear_7");
  EXPECT_EQ(function.error().message,
            "cpu: the kernels do not export 'linear_7'");
  EXPECT_EQ(function.error().code, ErrorCode::BadInput);
}

TEST(HostImage, WhatIsNotALibraryIsRefused) {
  const std::vector<std::byte> bytes(100);
  const auto image = HostImage::load(bytes);
  EXPECT_EQ(image.error().code, ErrorCode::BadInput);
  EXPECT_THAT(image.error().message,
              testing::StartsWith("cpu: cannot load the kernels: "));
}

bundle::Bundle bundleFor(std::string_view architecture, uint64_t features) {
  bundle::Builder b;
  bundle::ModelInfo info;
  info.layers = info.heads = info.width = info.context = info.capacity =
      info.vocabulary = 1;
  b.setModel("m", info);
  b.setTarget(architecture, "", features);
  return bundle::Bundle::fromBytes(b.finish().value()).value();
}

TEST(CheckTarget, AnotherArchitectureIsNamed) {
  const auto checked = checkTarget(bundleFor("aarch64", 0));
  EXPECT_EQ(checked.error().message, "cpu: the bundle was compiled for "
                                     "'aarch64', but this machine is 'x86_64'; "
                                     "compile the model again here");
  EXPECT_EQ(checked.error().code, ErrorCode::Device);
}

TEST(CheckTarget, MissingFeaturesAreNamed) {
  EXPECT_TRUE(checkTarget(bundleFor("x86_64", 0)));
  // No CPU has every feature. Missing ones are listed in the order of the enum.
  const auto all = checkTarget(
      bundleFor("x86_64", (uint64_t(1) << bundle::cpuFeatureCount) - 1));
  if (all)
    GTEST_SKIP() << "this CPU has every feature a bundle can ask for";
  EXPECT_EQ(all.error().code, ErrorCode::Device);
  EXPECT_THAT(all.error().message,
              testing::MatchesRegex("cpu: the bundle needs CPU features this "
                                    "machine lacks: [-a-z0-9., ]+; compile the "
                                    "model again here or for an older CPU"));
}

} // namespace
