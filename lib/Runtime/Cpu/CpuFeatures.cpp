// Checks, without LLVM, whether this machine can execute the code of a bundle.
#include "TileGPT/Runtime/Cpu/HostImage.h"
#include <iterator>
#include <string>

using namespace tilegpt;
using runtime::ErrorCode;
using runtime::makeError;

#if defined(__x86_64__)
static constexpr std::string_view hostArchitecture = "x86_64";
#else
#error "the host runtime knows the instruction sets of x86-64 only"
#endif

/// The featureBit()s of this CPU that the operating system enables.
static uint64_t hostFeatures() {
  // In the order of CpuFeature; the builtin takes only literals.
  const bool present[] = {
      bool(__builtin_cpu_supports("sse4.2")),
      bool(__builtin_cpu_supports("avx")),
      bool(__builtin_cpu_supports("avx2")),
      bool(__builtin_cpu_supports("fma")),
      bool(__builtin_cpu_supports("f16c")),
      bool(__builtin_cpu_supports("bmi")),
      bool(__builtin_cpu_supports("bmi2")),
      bool(__builtin_cpu_supports("lzcnt")),
      bool(__builtin_cpu_supports("avx512f")),
      bool(__builtin_cpu_supports("avx512bw")),
      bool(__builtin_cpu_supports("avx512cd")),
      bool(__builtin_cpu_supports("avx512dq")),
      bool(__builtin_cpu_supports("avx512vl")),
      bool(__builtin_cpu_supports("avx512vnni")),
      bool(__builtin_cpu_supports("avx512bf16")),
      bool(__builtin_cpu_supports("avx512fp16")),
      bool(__builtin_cpu_supports("avxvnni")),
      bool(__builtin_cpu_supports("amx-tile")),
      bool(__builtin_cpu_supports("amx-int8")),
      bool(__builtin_cpu_supports("amx-bf16")),
  };
  static_assert(std::size(present) == bundle::cpuFeatureCount);
  uint64_t features = 0;
  for (unsigned i = 0; i < bundle::cpuFeatureCount; ++i)
    features |= uint64_t(present[i]) << i;
  return features;
}

runtime::Result<void> cpu::checkTarget(const bundle::Bundle &bundle) {
  const std::string_view architecture =
      bundle.string(bundle.target().architecture);
  if (bundle.target().kind != bundle::TargetKind::Host)
    return makeError(ErrorCode::Device,
                     "cpu: the bundle was compiled for a "
                     "GPU ('",
                     architecture,
                     "'); run it there or compile the model again here");
  if (architecture != hostArchitecture)
    return makeError(ErrorCode::Device, "cpu: the bundle was compiled for '",
                     architecture, "', but this machine is '", hostArchitecture,
                     "'; compile the model again here");
  const uint64_t missing = bundle.target().features & ~hostFeatures();
  if (missing == 0)
    return {};
  std::string names;
  for (unsigned i = 0; i < bundle::cpuFeatureCount; ++i)
    if (missing >> i & 1)
      names += (names.empty() ? "" : ", ") +
               std::string(name(bundle::CpuFeature(i)));
  return makeError(ErrorCode::Device,
                   "cpu: the bundle needs CPU features this machine lacks: ",
                   names, "; compile the model again here or for an older CPU");
}
