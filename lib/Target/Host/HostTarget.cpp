// Detects the host processor or looks up a named one in LLVM's tables, and
// keeps the instruction-set extensions that a bundle can require.
#include "TileGPT/Target/Host/HostTarget.h"
#include "TileGPT/Bundle/Format.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::target;
using bundle::CpuFeature;
using bundle::featureBit;

/// LLVM's X86 backend, registered once.
static const llvm::Target &x86() {
  static const llvm::Target &backend = []() -> const llvm::Target & {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(
        llvm::Triple(HostTarget::triple), error);
    if (!target)
      llvm::reportFatalInternalError(llvm::Twine(error));
    return *target;
  }();
  return backend;
}

/// Extensions that code may use without further setup. AMX is not among them: a
/// process must first request tile state from the kernel.
static bool isUsable(CpuFeature feature) {
  return feature != CpuFeature::AMXTILE && feature != CpuFeature::AMXINT8 &&
         feature != CpuFeature::AMXBF16;
}

/// Collects the bits of the features that satisfy `has`.
static uint64_t collectFeatures(llvm::function_ref<bool(llvm::StringRef)> has) {
  uint64_t bits = 0;
  for (uint8_t i = 0; i < bundle::cpuFeatureCount; ++i)
    if (const auto feature = CpuFeature(i);
        isUsable(feature) && has(bundle::name(feature)))
      bits |= featureBit(feature);
  return bits;
}

static unsigned widestVectorOf(uint64_t features) {
  constexpr uint64_t avx512 =
      featureBit(CpuFeature::AVX512F) | featureBit(CpuFeature::AVX512BW) |
      featureBit(CpuFeature::AVX512DQ) | featureBit(CpuFeature::AVX512VL);
  constexpr uint64_t avx2 =
      featureBit(CpuFeature::AVX2) | featureBit(CpuFeature::FMA);
  if ((features & avx512) == avx512)
    return 512;
  return (features & avx2) == avx2 ? 256 : 128;
}

HostTarget::HostTarget(std::string processor, uint64_t featureBits,
                       uint64_t l2Bytes)
    : processor(std::move(processor)), featureBits(featureBits),
      widestVector(widestVectorOf(featureBits)), secondLevelBytes(l2Bytes) {
  if (secondLevelBytes == 0)
    secondLevelBytes = widestVector == 512 ? 1 << 20 : 512 << 10;
}

llvm::Expected<HostTarget> HostTarget::create(llvm::StringRef cpu) {
  const llvm::Triple tripleOf(triple);
  if (cpu == "native") {
    const auto present = llvm::sys::getHostCPUFeatures();
    return HostTarget(
        llvm::sys::getHostCPUName().str(),
        collectFeatures([&](auto name) { return present.lookup(name); }),
        uint64_t(std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0L)));
  }

  // LLVM only warns about an unknown name, so check it first.
  const std::unique_ptr<llvm::MCSubtargetInfo> generic(
      x86().createMCSubtargetInfo(tripleOf, "x86-64", ""));
  if (!generic->isCPUStringValid(cpu))
    return llvm::createStringError(
        "host: expected 'native' or an x86-64 processor known to LLVM, such "
        "as 'x86-64-v3' or 'skylake-avx512', got '" +
        cpu + "'");
  const std::unique_ptr<llvm::MCSubtargetInfo> named(
      x86().createMCSubtargetInfo(tripleOf, cpu, ""));
  return HostTarget(cpu.str(), collectFeatures([&](auto name) {
                      return named->checkFeatures(("+" + name).str());
                    }),
                    /*l2Bytes=*/0);
}

/// Measured: a Zen 4 reads one row after the other at memory bandwidth, and
/// four rows at once, with prefetches, at 0.6 of it; a Sapphire Rapids at 0.75
/// and 1.
unsigned HostTarget::rowStreams() const {
  return llvm::StringRef(processor).starts_with("znver") ? 1 : 4;
}

std::unique_ptr<llvm::TargetMachine> HostTarget::createMachine() const {
  std::string features;
  for (uint8_t i = 0; i < bundle::cpuFeatureCount; ++i)
    if (featureBits & featureBit(CpuFeature(i)))
      features += (features.empty() ? "+" : ",+") +
                  std::string(bundle::name(CpuFeature(i)));
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  return std::unique_ptr<llvm::TargetMachine>(x86().createTargetMachine(
      llvm::Triple(triple), "x86-64", features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}
