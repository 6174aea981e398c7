// Splits a tensor that is read in windows into one tensor per window.
#ifndef TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_SPLITWINDOWS_H
#define TILEGPT_LIB_DIALECT_TILE_TRANSFORMS_FUSION_SPLITWINDOWS_H

#include "Fusion/FusedKernel.h"

namespace tilegpt::tile {

/// Two launches before the consumer of an edge that are equivalent to the
/// original ones, but pass one tensor for every window that the consumer reads.
/// They exist only to be fused, and are erased with this object.
struct WindowSplit {
  WindowSplit() = default;
  WindowSplit(const WindowSplit &) = delete;
  ~WindowSplit();

  mlir::OwningOpRef<KernelOp> producerKernel, consumerKernel;
  FusionEdge edge; ///< of the first of the tensors
  llvm::SmallVector<mlir::Operation *> made;
};

/// Splits the tensor of an edge whose consumer reads two halves of it, such as
/// gates and gated values. A block of the producer then computes a tile of each
/// half, and loads operands along that axis twice, from windows of their own.
/// \returns an error that explains why the kernels do not allow that.
llvm::Expected<std::unique_ptr<WindowSplit>>
splitWindows(FusionEdge edge, KernelOp producer, KernelOp consumer);

/// The launches of a split as an epilogue fusion.
/// \returns an error that explains why they cannot be fused.
llvm::Expected<Fusion> checkSplit(WindowSplit &split);

} // namespace tilegpt::tile

#endif
