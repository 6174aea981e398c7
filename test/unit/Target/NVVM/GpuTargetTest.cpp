// The known architectures, and which one is chosen for a device.
#include "TileGPT/Target/NVVM/FindTarget.h"
#include <gtest/gtest.h>

using tilegpt::target::GpuTarget;

TEST(GpuTarget, TargetsAreFoundByName) {
  for (const GpuTarget &target : GpuTarget::all())
    EXPECT_EQ(&llvm::cantFail(GpuTarget::find(target.name)), &target);
  EXPECT_TRUE(llvm::cantFail(GpuTarget::find(tilegpt::target::defaultGpuTarget))
                  .hasWgmma);
}

TEST(GpuTarget, TargetsAreLookedUpOrNull) {
  using tilegpt::target::lookUpTarget;
  for (const GpuTarget &target : GpuTarget::all())
    EXPECT_EQ(lookUpTarget(target.name), &target);
  EXPECT_EQ(lookUpTarget("sm_90"), nullptr);
  EXPECT_EQ(lookUpTarget(""), nullptr);
}

TEST(GpuTarget, UnknownNamesAreAnsweredWithTheKnownOnes) {
  auto target = GpuTarget::find("sm_90");
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "gpu: expected an architecture among sm_80, sm_86, sm_89, sm_90a, "
            "found 'sm_90'");
}

TEST(GpuTarget, DevicesGetTheNewestCodeTheyRun) {
  auto nameFor = [](unsigned capability) {
    return llvm::cantFail(GpuTarget::forDevice(capability)).name;
  };
  EXPECT_EQ(nameFor(80), "sm_80");
  EXPECT_EQ(nameFor(86), "sm_86");
  EXPECT_EQ(nameFor(87), "sm_86");
  EXPECT_EQ(nameFor(89), "sm_89");
  EXPECT_EQ(nameFor(90), "sm_90a");
}

TEST(GpuTarget, DevicesWithoutCodeAreNamed) {
  for (unsigned capability : {75u, 79u, 91u, 120u}) {
    auto target = GpuTarget::forDevice(capability);
    EXPECT_FALSE(bool(target));
    llvm::consumeError(target.takeError());
  }
  auto target = GpuTarget::forDevice(100);
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "gpu: no code can be generated for devices of compute capability "
            "10.0; known architectures are sm_80, sm_86, sm_89, sm_90a");
}
