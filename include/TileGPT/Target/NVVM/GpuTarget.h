// The supported NVIDIA architectures and their features. Plain data, so that
// passes and tools can query it without linking a backend.
#ifndef TILEGPT_TARGET_NVVM_GPUTARGET_H
#define TILEGPT_TARGET_NVVM_GPUTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilegpt::target {

/// All have bf16, f16 and tf32 `mma.sync`, `ldmatrix` and `cp.async`, 255
/// registers per thread and 65536 per multiprocessor.
struct GpuTarget {
  /// The name in ptxas, LLVM and bundles: "sm_90a".
  llvm::StringLiteral name;
  /// 10·major + minor of the oldest device that runs it.
  unsigned capability;
  /// PTX ISA version, 10·major + minor: the oldest with all instructions used
  /// for this architecture, for compatibility with old drivers.
  unsigned ptxVersion;
  /// Maximum dynamic shared memory of a block.
  unsigned sharedBytesPerBlock;
  unsigned sharedBytesPerMultiprocessor;
  unsigned threadsPerMultiprocessor;
  /// `mma.sync` on f8E4M3FN and f8E5M2.
  bool hasFp8;
  /// TMA, transaction barriers, `stmatrix`, clusters, programmatic dependent
  /// launch.
  bool hasTma;
  /// `wgmma` and `setmaxnreg`; such code runs on one generation only.
  bool hasWgmma;

  /// All targets, oldest first.
  static llvm::ArrayRef<GpuTarget> all();
  /// \returns an error that lists the known names if `name` is none of them.
  static llvm::Expected<const GpuTarget &> find(llvm::StringRef name);
  /// The target whose code runs best on a device.
  /// \param capability 10·major + minor of the device.
  /// \returns an error that names the device if no target's code runs there.
  static llvm::Expected<const GpuTarget &> forDevice(unsigned capability);

  /// LLVM's target triple of all targets.
  static constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";
  /// Pointers to shared, constant, local and parameter memory have 32 bits.
  static constexpr llvm::StringLiteral dataLayout =
      "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-"
      "v16:16-v32:32-n16:32:64";
};

/// The default architecture without a device.
inline constexpr llvm::StringLiteral defaultGpuTarget = "sm_90a";

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_GPUTARGET_H
