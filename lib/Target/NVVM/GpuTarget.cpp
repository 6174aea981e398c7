// The table of targets; sizes are from the compute capabilities appendix of the
// CUDA programming guide.
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilegpt;
using namespace tilegpt::target;

llvm::ArrayRef<GpuTarget> GpuTarget::all() {
  constexpr unsigned kib = 1024;
  // PTX 8.4 added mma.sync for fp8, 8.6 cp.async.bulk into shared::cta; the
  // sm_90a instructions were measured with 8.7.
  static constexpr GpuTarget targets[] = {
      {"sm_80", 80, 84, 163 * kib, 164 * kib, 2048, false, false, false},
      {"sm_86", 86, 84, 99 * kib, 100 * kib, 1536, false, false, false},
      {"sm_89", 89, 84, 99 * kib, 100 * kib, 1536, true, false, false},
      {"sm_90a", 90, 87, 227 * kib, 228 * kib, 2048, true, true, true},
  };
  return targets;
}

static std::string knownNames() {
  return llvm::join(
      llvm::map_range(GpuTarget::all(),
                      [](const GpuTarget &target) { return target.name; }),
      ", ");
}

llvm::Expected<const GpuTarget &> GpuTarget::find(llvm::StringRef name) {
  for (const GpuTarget &target : all())
    if (target.name == name)
      return target;
  return llvm::createStringError("gpu: expected an architecture among " +
                                 knownNames() + ", found '" + name + "'");
}

llvm::Expected<const GpuTarget &> GpuTarget::forDevice(unsigned capability) {
  // A cubin runs on later devices of its own generation; for an architecture
  // with a letter suffix only on exactly that one.
  for (const GpuTarget &target : llvm::reverse(all()))
    if (target.capability == capability ||
        (!target.hasWgmma && target.capability / 10 == capability / 10 &&
         target.capability < capability))
      return target;
  return llvm::createStringError(
      "gpu: no code can be generated for devices of compute capability " +
      llvm::Twine(capability / 10) + "." + llvm::Twine(capability % 10) +
      "; known architectures are " + knownNames());
}
