// The attributes of a lowered kernel that describe its launch configuration.
#ifndef TILEGPT_TARGET_NVVM_LAUNCHATTRIBUTES_H
#define TILEGPT_TARGET_NVVM_LAUNCHATTRIBUTES_H

#include "TileGPT/Bundle/LaunchView.h"
#include "TileGPT/Target/NVVM/GpuTarget.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <vector>

namespace tilegpt::target {

/// `{threads = 128 : i32, shared_bytes = N : i32, cluster = N : i32,
/// persistent, blocks_per_multiprocessor = N : i32, dependent_launch}`.
/// `threads` may be left to `nvvm.reqntid`; all others are 0, 1 or absent by
/// default.
inline constexpr llvm::StringLiteral launchAttr = "tile_gpu.launch";

/// An array with one `{argument = N : i32, type = bf16, box = array<i32: …>,
/// swizzle = 0|32|64|128 : i32, l2_promotion = 0|64|128|256 : i32}` for each
/// TMA descriptor, in the order of the kernel's parameters; `box` in elements,
/// fastest axis first. The last two are 0 by default.
inline constexpr llvm::StringLiteral tensorMapsAttr = "tile_gpu.tensor_maps";

/// An array with one `{pointer = N : i32, words = affine_map<()[…] -> (…)>}`
/// for each view that a launch of a raw kernel makes: the parameter that is its
/// address; its sizes, then its strides, by parameters, which are the symbols.
inline constexpr llvm::StringLiteral launchViewsAttr = "tile_gpu.launch_views";

struct LaunchAttributes {
  /// Everything that does not depend on the image.
  bundle::DeviceKernel launch;
  std::vector<bundle::TensorMap> tensorMaps;
  std::vector<bundle::LaunchView> launchViews;
  std::vector<bundle::Expression> launchWords;
};

/// Reads and checks both attributes; an error is a diagnostic at the kernel
/// that names the entry, its valid values and its actual value.
mlir::FailureOr<LaunchAttributes>
readLaunchAttributes(mlir::LLVM::LLVMFuncOp kernel, const GpuTarget &target);

} // namespace tilegpt::target

#endif // TILEGPT_TARGET_NVVM_LAUNCHATTRIBUTES_H
