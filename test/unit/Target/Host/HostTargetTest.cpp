// The instruction sets each target allows, and errors for unknown targets.
#include "TileGPT/Target/Host/HostTarget.h"
#include "TileGPT/Bundle/Format.h"
#include "llvm/Target/TargetMachine.h"
#include <gtest/gtest.h>

using namespace tilegpt;
using bundle::CpuFeature;
using bundle::featureBit;
using target::HostTarget;

static HostTarget named(llvm::StringRef cpu) {
  return llvm::cantFail(HostTarget::create(cpu));
}

TEST(HostTarget, BaselineHasNoExtensions) {
  EXPECT_EQ(named("x86-64").features(), 0u);
  EXPECT_EQ(named("x86-64").vectorBits(), 128u);
}

TEST(HostTarget, Level3HasAvx2AndNothingOfAvx512) {
  const HostTarget target = named("x86-64-v3");
  EXPECT_EQ(target.features(),
            featureBit(CpuFeature::SSE42) | featureBit(CpuFeature::AVX) |
                featureBit(CpuFeature::AVX2) | featureBit(CpuFeature::FMA) |
                featureBit(CpuFeature::F16C) | featureBit(CpuFeature::BMI) |
                featureBit(CpuFeature::BMI2) | featureBit(CpuFeature::LZCNT));
  EXPECT_EQ(target.vectorBits(), 256u);
}

TEST(HostTarget, Level4HasVectorsOf512Bits) {
  const HostTarget target = named("x86-64-v4");
  EXPECT_TRUE(target.features() & featureBit(CpuFeature::AVX512VL));
  EXPECT_FALSE(target.features() & featureBit(CpuFeature::AVX512BF16));
  EXPECT_EQ(target.vectorBits(), 512u);
}

TEST(HostTarget, TileRegistersAreNotUsed) {
  const uint64_t features = named("sapphirerapids").features();
  EXPECT_TRUE(features & featureBit(CpuFeature::AVX512BF16));
  EXPECT_FALSE(features & featureBit(CpuFeature::AMXTILE));
}

TEST(HostTarget, ZenReadsOneRowAfterTheOther) {
  EXPECT_EQ(named("znver4").rowStreams(), 1u);
  EXPECT_EQ(named("sapphirerapids").rowStreams(), 4u);
}

TEST(HostTarget, SecondLevelCacheOfANameGoesWithItsVectors) {
  EXPECT_EQ(named("znver3").l2Bytes(), 512u << 10);
  EXPECT_EQ(named("x86-64-v4").l2Bytes(), 1u << 20);
  EXPECT_GE(named("native").l2Bytes(), 128u << 10);
}

TEST(HostTarget, NativeUsesOnlyWhatThisProcessorHas) {
  const HostTarget target = named("native");
  EXPECT_FALSE(target.cpu().empty());
  EXPECT_EQ(bool(target.features() & featureBit(CpuFeature::AVX2)),
            bool(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(bool(target.features() & featureBit(CpuFeature::AVX512F)),
            bool(__builtin_cpu_supports("avx512f")));
}

TEST(HostTarget, CodeGeneratorAllowsExactlyTheFeatures) {
  EXPECT_EQ(named("x86-64-v3").createMachine()->getTargetFeatureString(),
            "+sse4.2,+avx,+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt");
}

TEST(HostTarget, UnknownProcessorIsNamed) {
  auto target = HostTarget::create("pentium5");
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(llvm::toString(target.takeError()),
            "host: expected 'native' or an x86-64 processor known to LLVM, "
            "such as 'x86-64-v3' or 'skylake-avx512', got 'pentium5'");
}
