// The NVIDIA architectures code is generated for, and what each of them has.
// Plain facts, so that passes and tools may ask without linking a backend.
#ifndef TILEGPT_TARGET_NVVM_GPUTARGET_H
#define TILEGPT_TARGET_NVVM_GPUTARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilegpt::target {

/// Every one has bf16, f16 and tf32 `mma.sync`, `ldmatrix` and `cp.async`, 255
/// registers a thread and 65536 a multiprocessor.
struct GpuTarget {
  /// As ptxas, LLVM and a bundle name it: "sm_90a".
  llvm::StringLiteral name;
  /// 10·major + minor of the oldest device that runs it.
  unsigned capability;
  /// PTX ISA the text is written in, 10·major + minor: the oldest that has all
  /// instructions used for this architecture, for a driver's sake.
  unsigned ptxVersion;
  /// Dynamic shared memory a block may ask for.
  unsigned sharedBytesPerBlock;
  unsigned sharedBytesPerMultiprocessor;
  unsigned threadsPerMultiprocessor;
  /// `mma.sync` on f8E4M3FN and f8E5M2.
  bool hasFp8;
  /// TMA, transaction barriers, `stmatrix`, clusters, programmatic dependent
  /// launch.
  bool hasTma;
  /// `wgmma` and `setmaxnreg`; code that has them runs on one generation only.
  bool hasWgmma;

  /// All targets, oldest first.
  static llvm::ArrayRef<GpuTarget> all();
  /// \returns an error that lists the known names if `name` is none of them.
  static llvm::Expected<const GpuTarget &> find(llvm::StringRef name);
  /// The target whose code runs best on a device.
  /// \param capability 10·major + minor of the device.
  /// \returns an error that names the device if no target's code runs there.
  static llvm::Expected<const GpuTarget &> forDevice(unsigned capability);

  /// LLVM's name of every target's machine and operating system.
  static constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";
  /// Pointers to shared memory, constants, locals and parameters have 32 bits.
  static constexpr llvm::StringLiteral dataLayout =
      "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-"
      "v16:16-v32:32-n16:32:64";
};

/// Compiled for when no device is there to be asked.
inline constexpr llvm::StringLiteral defaultGpuTarget = "sm_90a";

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_GPUTARGET_H
